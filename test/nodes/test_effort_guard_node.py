import signal
import time
from types import SimpleNamespace

import numpy as np
import pytest
from rcl_interfaces.srv import SetParameters
import rclpy
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.parameter import Parameter
from robot_dynamics.control.guard import EffortGuard, GuardConfig
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.nodes import effort_guard_node
from robot_dynamics.nodes.effort_guard_node import EffortGuardNode
from robot_dynamics.nodes.fast_loop import Periodic
from robot_dynamics.nodes.messages import effort_template
from robot_dynamics.nodes.wire import WireReader, WireWriter
from ros_rig import LATCHED, SENSOR
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import Trigger

JOINTS = ['a', 'b']
TIMES = {'hold_time': 0.05, 'ramp_time': 0.2, 'final_delay': 0.1, 'command_age': 0.05,
         'recovery_time': 0.0, 'limits.effort': [50.0], 'limits.effort_rate': [1e5]}


class Rig:
    """Commands go in, efforts come out."""

    def __init__(self, peer, node):
        self.peer, self.node = peer, node
        self.efforts = peer.listen(Float64MultiArray, 'effort_controller/commands', 1000)
        self.states = peer.listen(String, 'effort_guard/state', LATCHED)
        self._commands = peer.publisher(Float64MultiArray, 'feedforward/commands', 1)
        self._joint_states = peer.publisher(JointState, 'joint_states', SENSOR)
        self._gravity = peer.publisher(JointState, 'feedforward/gravity_effort', 1)
        self._feedforward = peer.publisher(String, 'feedforward/state', LATCHED)
        peer.spin(0.3)

    def command(self, *effort, patience=2.0):
        """Send a command and wait until it is passed on."""
        count = len(self.efforts)
        self._commands.publish(Float64MultiArray(data=effort))
        return self.peer.until(lambda: len(self.efforts) > count, patience)

    def gravity(self, **effort):
        self._gravity.publish(JointState(name=list(effort), effort=list(effort.values())))
        self.peer.spin(0.05)

    def measure(self, **effort):
        self._joint_states.publish(JointState(name=list(effort), effort=list(effort.values())))

    def feedforward_state(self, word):
        self._feedforward.publish(String(data=word))

    def reaches(self, state):
        return self.peer.until(lambda: state in [message.data for message in self.states])

    @property
    def last(self):
        return list(self.efforts[-1].data)


def offer_brakes(peer):
    """Offer a service that sets brakes; return the list into which its requests go."""
    calls = []

    def answer(request, response):
        calls.append(request)
        response.success, response.message = True, 'brakes set'
        return response

    peer.node.create_service(Trigger, 'brakes', answer)
    return calls


@pytest.fixture
def rig(peer, start):
    def make(**parameters):
        return Rig(peer, start('effort_guard_node', {
            'joints': JOINTS, **TIMES, **parameters}))
    return make


def test_fresh_finite_commands_pass_and_others_do_not(rig):
    guard = rig(command_age=10.0)
    assert guard.command(1.0, -2.0) and guard.last == [1.0, -2.0]
    count = len(guard.efforts)
    for wrong in ((1.0,), (1.0, float('nan')), (1.0, 2.0, 3.0), (float('inf'), 0.0)):
        assert not guard.command(*wrong, patience=0.2)
    assert guard.peer.until(  # a busy guard hears the last of several alone
        lambda: guard.node.lines('not forwarded') or guard.command(1.0, patience=0.2))
    assert len(guard.efforts) == count
    assert guard.command(80.0, 0.0) and guard.last == [50.0, 0.0], 'cut at the limit'


def test_silence_ramps_to_gravity_and_holds_it(rig):
    guard = rig()
    guard.gravity(b=4.0, a=3.0)
    guard.command(20.0, -20.0)
    assert guard.reaches('gravity_only'), guard.node.log
    assert guard.peer.until(lambda: guard.last == [3.0, 4.0])
    efforts = np.array([message.data for message in guard.efforts])
    assert np.abs(np.diff(efforts, axis=0)).max() < 10.0, 'a ramp, not a step'
    assert guard.command(3.0, 4.0), 'commands come again'


def test_a_controller_that_comes_back_gets_a_ramp_though_a_recorder_listened_on(rig, peer):
    guard = rig(command_age=10.0, ramp_time=0.4)
    recorder = rclpy.create_node('rosbag2_recorder', context=peer.context)
    recorder.create_subscription(
        Float64MultiArray, 'effort_controller/commands', lambda _: None, 10)
    assert guard.command(20.0, -20.0) and peer.until(lambda: guard.reaches('forwarding'))
    controller, = (made for made in peer.node.subscriptions
                   if made.topic_name == '/effort_controller/commands')
    peer.node.destroy_subscription(controller)
    heard = guard._commands.get_subscription_count
    assert peer.until(lambda: not heard()), 'the feedforward sees that nobody commands the arm'
    guard.efforts = peer.listen(Float64MultiArray, 'effort_controller/commands', 1000)
    assert peer.until(heard), guard.node.log
    guard.measure(a=2.0, b=3.0)
    peer.spin(0.2)
    assert not guard.efforts
    guard.measure(a=2.0, b=3.0)
    peer.spin(0.1)
    assert guard.command(20.0, -20.0)
    assert list(guard.efforts[0].data) == [2.0, 3.0]
    recorder.destroy_node()


def test_silence_without_a_known_gravity_ends_at_zero(rig):
    guard = rig(final_action='zero')
    guard.command(20.0, -20.0)
    assert guard.reaches('final_action'), guard.node.log
    assert guard.peer.until(lambda: guard.last == [0.0, 0.0])


def test_a_feedforward_that_has_finished_is_not_missed(rig):
    guard = rig()
    guard.command(0.0, 1.0)
    guard.feedforward_state('finished')
    assert guard.reaches('waiting'), guard.node.log
    guard.peer.spin(0.3)
    assert guard.last == [0.0, 1.0], 'nothing is sent after the last command'


def test_the_final_action_calls_the_service_once(rig, peer):
    calls = offer_brakes(peer)
    guard = rig(final_action='call_service', final_service='brakes')
    guard.command(20.0, -20.0)
    assert peer.until(lambda: guard.node.lines('brakes set')), guard.node.log
    peer.spin(0.3)
    assert len(calls) == 1


def test_a_service_that_is_absent_at_first_is_called_when_it_comes(rig, peer):
    guard = rig(final_action='call_service', final_service='brakes')
    guard.command(20.0, -20.0)
    assert peer.until(lambda: guard.node.lines('nobody offers')), guard.node.log
    calls = offer_brakes(peer)
    assert peer.until(lambda: guard.node.lines('brakes set')), guard.node.log
    assert calls and len(guard.node.lines('nobody offers')) == 1


def test_a_final_call_without_a_service_is_refused_at_the_start(start):
    node = start('effort_guard_node', {
        'joints': JOINTS, **TIMES, 'final_action': 'call_service'})
    assert node.wait() == 2 and 'final_service' in node.lines('FATAL')[0]


def test_a_misspelt_name_is_told_beside_the_fault_that_prevents_the_start(start):
    node = start('effort_guard_node', {
        'joints': JOINTS, 'tick_period': 7.0, 'comand_age': 0.05, 'final_servce': 'brakes',
        'final_delay': 0.1})
    assert node.wait() == 2 and 'tick_period' in node.lines('FATAL')[0]
    told = node.lines('there is no parameter')
    assert len(told) == 2, node.log
    assert 'comand_age' in ' '.join(told) and 'final_servce' in ' '.join(told)


def test_live_parameters_take_effect_or_are_refused_with_the_reason(rig, peer):
    guard = rig(command_age=5.0)
    assert guard.command(20.0, -20.0) and guard.last == [20.0, -20.0]
    wanted = {'limits.effort': [7.0], 'final_action': 'call_service', 'joints': ['c']}
    limits, action, joints = peer.call(
        SetParameters, '/effort_guard/set_parameters', SetParameters.Request(parameters=[
            Parameter(name, value=value).to_parameter_msg() for name, value in wanted.items()])
    ).results
    assert limits.successful
    assert guard.command(20.0, -20.0) and guard.last == [7.0, -7.0]
    assert not action.successful and 'final_service' in action.reason
    assert not joints.successful and 'joints' in joints.reason


def test_a_guard_that_ends_alone_leaves_gravity_behind_and_not_the_last_of_a_motion(rig):
    guard = rig(command_age=1.0, gravity_age=60.0, ramp_time=0.3)
    guard.gravity(a=3.0, b=4.0)
    guard.command(20.0, -20.0)
    guard.node.interrupt()
    for _ in range(1000):
        guard.command(20.0, -20.0, patience=0.02)
        guard.peer.spin(0.02)
        if guard.node.process.poll() is not None:
            break
    assert guard.node.wait(1.0) == 0
    guard.peer.spin(0.2)  # for what it said last
    np.testing.assert_allclose(guard.last, [3.0, 4.0], atol=1e-6)
    efforts = np.array([message.data for message in guard.efforts])
    assert np.abs(np.diff(efforts, axis=0)).max() < 10.0, 'a ramp, not a step'
    assert guard.node.lines('ended while'), guard.node.log


def test_limits_may_come_with_a_description_on_the_topic_the_first_that_can_be_used(
        peer, start, repository):
    joints = [f'joint{i}' for i in range(1, 7)]
    node = start('effort_guard_node', {'joints': joints, **TIMES, 'limits.effort': []})
    assert peer.until(lambda: node.lines('no effort limits yet')), node.log
    pa10 = (repository / 'urdf/pa10.urdf').read_text()
    descriptions = peer.publisher(String, 'robot_description', LATCHED)
    for broken in ('<robot', '<robot name="x"/>', pa10.replace('joint4', 'other')):
        before = len(node.lines('waiting for another'))
        descriptions.publish(String(data=broken))
        assert peer.until(lambda: len(node.lines('waiting for another')) > before), node.log
    descriptions.publish(String(data=pa10))
    guard = Rig(peer, node)
    assert guard.command(*[300.0] * 6) and guard.last == [232.0, 232.0, 100.0] + [14.5] * 3


def test_what_is_odd_in_a_description_is_told(start, repository):
    odd = (repository / 'urdf/pa10.urdf').read_text().replace('<inertia ', '<inertia ijk="1" ', 1)
    node = start('effort_guard_node', {'joints': ['joint1'], 'robot_description': odd})
    assert node.lines('suspicious in the robot description') or node._thread.join(3.0) or (
        node.lines('suspicious in the robot description')), node.log


class Ending:
    """A guard node without ROS, whose middleware takes a message now and then."""

    finish, _serve_until = EffortGuardNode.finish, EffortGuardNode._serve_until
    _is_tick_sent, _on_tick = EffortGuardNode._is_tick_sent, EffortGuardNode._on_tick
    _send, _unsent, _is_ready = EffortGuardNode._send, False, True

    def __init__(self):
        self._guard = EffortGuard(GuardConfig(
            joints=tuple(JOINTS), command_age=10.0, ramp_time=0.1, limits=LimitsConfig((50.0,))))
        self._message = WireWriter(effort_template(JOINTS))
        self._efforts, self.fast_loop, self._tick = self, self, Periodic(0.002, self._on_tick)
        self.tried, self.sent = 0, []

    def publish(self, raw):
        self.tried += 1
        if self.tried % 5:
            raise rclpy_implementation.RCLError('cannot publish')
        self.sent.append(list(WireReader(Float64MultiArray).read(raw).arrays['data']))

    def serve(self, longest):
        time.sleep(0.001)
        self._on_tick()

    def _on_watch(self):
        raise rclpy_implementation.RCLError('cannot publish')

    def get_logger(self):
        return SimpleNamespace(error=lambda text: None)


@pytest.mark.parametrize('ended, last', [(False, [3.0, 4.0]), (True, [0.0, 0.0])])
def test_a_middleware_that_fails_for_a_moment_does_not_keep_the_last_effort_back(
        monkeypatch, ended, last):
    monkeypatch.setattr(effort_guard_node, 'LONGEST_FAREWELL', 0.2)
    node, now = Ending(), time.monotonic_ns()
    node._guard.on_gravity_effort(JOINTS, [3.0, 4.0], now)
    node._guard.on_command([20.0, -20.0], now)
    if ended:
        with pytest.raises(rclpy_implementation.RCLError):
            node._send(node._guard.on_command([0.0, 0.0], now + 10**9))
        node._guard.on_finished(now + 10**9)
    node.finish()
    assert node.sent[-1] == pytest.approx(last, abs=1e-9)


def test_a_signal_waits_for_the_ramp_of_a_feedforward_that_ends_too(rig):
    guard = rig(command_age=1.0)
    guard.command(9.0, 9.0)
    guard.node.interrupt(signal.SIGINT)
    for k in range(8, -1, -1):
        assert guard.command(float(k), float(k)), guard.node.log
        guard.peer.spin(0.03)
    guard.feedforward_state('finished')
    assert guard.node.wait() == 0
    assert guard.last == [0.0, 0.0]
    assert not guard.node.lines('ERROR'), guard.node.log

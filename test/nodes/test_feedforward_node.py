import signal

from feedforward_rig import LockstepArm
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState, GetState
from node_thread import PATIENCE
import numpy as np
import pytest
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter as RosParameter
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from ros_rig import LATCHED
from std_msgs.msg import String

JOINTS = [f'joint{i}' for i in range(1, 7)]
POSTURE = [0.3, 0.4, 0.6, -0.2, 0.5, 0.1]


@pytest.fixture
def urdf(repository):
    return str(repository / 'urdf/pa10.urdf')


@pytest.fixture
def parameters(urdf):
    """In lockstep with the test, holding gravity, without a ramp that would take time."""
    return {'robot_description': urdf, 'lockstep_base_period': 0.01, 'ramp.ramp_in': 0.0,
            'watchdog.base_settling': 0.0, 'limits.effort_rate': [1e6]}


@pytest.fixture
def arm(peer):
    return LockstepArm(peer, JOINTS, POSTURE)


@pytest.fixture
def gravity(urdf):
    """Torque that holds the posture on a level deck."""
    zero = np.zeros(6)
    dynamics = InverseDynamics(RobotModel.from_urdf(urdf), backend='interpreted')
    return dynamics.torque(POSTURE, zero, zero, BaseMotion())


def test_it_holds_gravity_in_the_order_of_the_parameter_joints_whatever_order_comes_in(
        start, arm, parameters, gravity):
    order = ['joint4', 'joint2', 'joint6', 'joint1', 'joint3', 'joint5']
    node = start('feedforward_node', {**parameters, 'joints': order})
    expected = [gravity[JOINTS.index(name)] for name in order]
    arm.connect(node)
    arm.step()  # the first command is the measured effort
    for shuffled in (JOINTS, JOINTS[::-1], [*JOINTS[2:], 'gripper', *JOINTS[:2]]):
        answer = arm.step(names=shuffled)
        assert list(answer.name) == order
        np.testing.assert_allclose(answer.effort, expected, atol=1e-9)
    assert arm.peer.until(lambda: len(arm.arrays) >= 4)
    np.testing.assert_array_equal(arm.arrays[-1].data, answer.effort)


def test_nothing_is_sent_before_joint_states_and_base_motion_are_valid(start, arm, parameters):
    node = start('feedforward_node', parameters)
    arm.connect(node)
    arm.send_joint_state()
    arm.peer.spin(0.5)
    assert not arm.answers and not arm.arrays, 'no sample of the base motion yet'
    arm.send_imu()
    assert arm.peer.until(lambda: arm.answers), node.log


def test_inputs_that_cannot_be_used_give_one_line_each_and_no_command(start, arm, parameters):
    node = start('feedforward_node', parameters)
    arm.connect(node)
    for _ in range(10):
        arm.send_imu()
        arm.send_joint_state(names=JOINTS[:5])
        arm.send_joint_state(positions={'joint3': float('nan')})
        arm.send_joint_state(positions={'joint3': float('inf')})
        arm.send_joint_state(velocity=[float('inf')] * 6)
        arm.send_joint_state(position=[0.0] * 4)
        arm.advance()
        arm.peer.spin(0.02)
    arm.peer.spin(0.3)
    for _ in range(5):
        arm.send_imu(orientation=False)
        arm.advance()
    assert arm.peer.until(lambda: node.lines('reports no orientation')), node.log
    arm.peer.spin(0.2)
    assert not arm.arrays and not arm.answers
    for words in ('joint6', 'is not a usable number', 'not 6 numbers',
                  'reports no orientation'):
        assert len([line for line in node.lines('WARN') if words in line]) == 1, node.log


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ramps_to_a_final_zero_and_ends_with_0(start, arm, parameters, number):
    node = start('feedforward_node', {
        **parameters, 'ramp.ramp_out': 0.3, 'stop_time': 0.05, 'limits.effort_rate': []})
    arm.connect(node)
    for _ in range(20):
        arm.step()
    held = np.array(arm.arrays[-1].data)
    before = len(arm.arrays)
    node.interrupt(number)
    assert arm.peer.until(lambda: node.process.poll() is not None), node.log
    arm.peer.spin(0.2)
    assert node.process.returncode == 0, node.log
    ramp = np.array([message.data for message in arm.arrays[before:]])
    assert len(ramp) > 20, 'a ramp, not a step'
    np.testing.assert_array_equal(ramp[-1], 0.0)
    steps = np.abs(np.diff(np.vstack([held, ramp]), axis=0)).max()
    assert steps < 0.35 * np.abs(held).max()


def test_the_description_may_come_by_topic_as_xml_and_not_as_a_path(
        peer, start, arm, parameters, urdf, gravity):
    pa10 = open(urdf, encoding='utf-8').read()
    node = start('feedforward_node', {**parameters, 'robot_description': ''})
    assert peer.until(lambda: node.lines('no robot description yet: publish it on /robot_')), (
        node.log)
    publisher = peer.publisher(String, 'robot_description', LATCHED)
    publisher.publish(String(data=urdf))
    assert peer.until(lambda: node.lines('a path is not opened here')), node.log
    for broken in ('<robot><link', '<robot name="x"/>', pa10.replace('effort="', 'effort="nan')):
        before = len(node.lines('ERROR'))
        publisher.publish(String(data=broken))
        assert peer.until(lambda: len(node.lines('ERROR')) > before), node.log
    publisher.publish(String(data=pa10.replace('</robot>', f'<!--{"x" * 6_000_000}--></robot>')))
    assert peer.until(lambda: node.lines('has 6 MB, more than 5 MB')), node.log
    publisher.publish(String(data=pa10))
    arm.connect(node)
    arm.step()
    np.testing.assert_allclose(arm.step().effort, gravity, atol=1e-9)
    publisher.publish(String(data='<robot name="other"/>'))
    assert peer.until(lambda: node.lines('description is refused')), node.log


def test_a_wrong_description_ends_it_with_2_and_names_the_fault(start, parameters):
    node = start('feedforward_node', {**parameters, 'robot_description': '<robot name="x"/>'})
    assert node.wait() == 2
    assert node.lines('FATAL'), node.log
    assert len(node.log.splitlines()) == 1, 'told twice'


def change_state(peer, transition):
    request = ChangeState.Request()
    request.transition.id = transition
    # configuring compiles: some 4 s of a processor, of which a busy machine gives a tenth
    return peer.call(
        ChangeState, '/feedforward/change_state', request, patience=5.0 * PATIENCE).success


def state(peer):
    return peer.call(GetState, '/feedforward/get_state', GetState.Request()).current_state.label


def test_a_manager_takes_it_through_its_states(peer, start, arm, parameters):
    node = start('feedforward_node', {
        **parameters, 'autostart': False, 'ramp.ramp_out': 0.1, 'stop_time': 0.02})
    assert state(peer) == 'unconfigured'
    assert change_state(peer, Transition.TRANSITION_CONFIGURE), node.log
    arm.connect(node)
    arm.send_imu()
    arm.send_joint_state()
    peer.spin(0.3)
    assert not arm.arrays, 'inactive'
    assert change_state(peer, Transition.TRANSITION_ACTIVATE)
    assert arm.step() is not None
    assert change_state(peer, Transition.TRANSITION_DEACTIVATE)
    assert peer.until(lambda: list(arm.arrays[-1].data) == [0.0] * 6), 'final zero'
    assert change_state(peer, Transition.TRANSITION_CLEANUP)
    assert state(peer) == 'unconfigured'
    assert change_state(peer, Transition.TRANSITION_CONFIGURE), 'and again'
    node.interrupt()
    assert node.wait() == 0


def set_parameters(peer, **values):
    """Set several parameters together; a double underscore stands for the dot."""
    request = SetParametersAtomically.Request(parameters=[
        RosParameter(name.replace('__', '.'), value=value).to_parameter_msg()
        for name, value in values.items()])
    return peer.call(
        SetParametersAtomically, '/feedforward/set_parameters_atomically', request).result


def test_parameters_change_at_run_time_or_are_refused_with_the_reason(
        peer, start, arm, parameters, gravity):
    node = start('feedforward_node', {**parameters, 'ramp.ramp_in': 0.01})
    arm.connect(node)
    for _ in range(10):
        arm.step()
    refused = set_parameters(peer, method='lagrange_euler')
    assert not refused.successful and 'method' in refused.reason
    refused = set_parameters(peer, payload__link='gripper', payload__mass=2.0)
    assert not refused.successful and 'gripper' in refused.reason
    before = arm.step().effort
    refused = set_parameters(peer, leave_out=['gravity'], payload__link='gripper',
                             payload__mass=2.0)
    assert not refused.successful and 'gripper' in refused.reason
    for _ in range(20):
        answer = arm.step()
    np.testing.assert_allclose(answer.effort, before, atol=0.5)
    assert np.abs(before).max() > 5.0
    refused = set_parameters(peer, natural_frequency=[1.0, 2.0])
    assert not refused.successful and 'natural_frequency' in refused.reason
    refused = set_parameters(peer, watchdog__final_action='call_service')
    assert not refused.successful and 'final_service' in refused.reason
    accepted = set_parameters(peer, leave_out=['gravity'])
    assert accepted.successful, accepted.reason
    for _ in range(20):
        answer = arm.step()
    np.testing.assert_allclose(answer.effort, 0.0, atol=1e-9)


def test_a_second_robot_lives_in_its_namespace_and_with_its_own_qos(peer, start, parameters):
    node = start('feedforward_node', {
        **parameters, 'qos_overrides./port/imu/data.subscription.reliability': 'reliable'},
        namespace='port')
    arm = LockstepArm(peer, JOINTS, POSTURE, namespace='port', qos=10)
    arm.connect(node)
    assert arm.step() is not None
    assert {name for name, _ in peer.node.get_topic_names_and_types()
            if 'commands' in name} == {'/port/feedforward/commands',
                                       '/port/feedforward/commands_stamped'}
    assert peer.until(lambda: arm.arrays)
    reliability = {topic: peer.node.get_subscriptions_info_by_topic(f'/port/{topic}')[
        0].qos_profile.reliability.name for topic in ('imu/data', 'joint_states')}
    assert reliability == {'imu/data': 'RELIABLE', 'joint_states': 'BEST_EFFORT'}

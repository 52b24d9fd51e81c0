import numpy as np
import pytest
from robot_dynamics.nodes.messages import stamp_ns, to_stamp
from robot_dynamics.nodes.simulated_robot_node import SimulatedRobotNode
from robot_dynamics.simulation.run_trace import read_trace
from ros_rig import SENSOR
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

COMMANDS, STAMPED = 'effort_controller/commands', 'effort_controller/commands_stamped'
STILL = {'ship.roll.amplitude': [0.0], 'ship.pitch.amplitude': [0.0]}


@pytest.fixture
def arm(repository):
    """Parameters of a PA10 on a still deck, bent so that gravity shows."""
    return {'robot_description': str(repository / 'urdf/pa10.urdf'),
            'arm.initial_position': [0.0, 0.4, 0.6, 0.0, 0.3, 0.0], **STILL}


def position(message):
    return np.array(message.position)


def test_the_brake_holds_until_a_valid_command_and_an_effort_is_held_for_ever(peer, start, arm):
    states = peer.listen(JointState, 'joint_states', SENSOR)
    node = start('simulated_robot_node', arm)
    assert peer.until(lambda: len(states) > 50), node.log
    np.testing.assert_array_equal(position(states[-1]), arm['arm.initial_position'])
    assert abs(states[-1].effort[1]) > 1.0, 'the brake carries the arm'

    commands = peer.publisher(Float64MultiArray, COMMANDS)
    commands.publish(Float64MultiArray(data=[0.0] * 5))
    commands.publish(Float64MultiArray(data=[0.0] * 5 + [np.nan]))
    assert peer.until(lambda: node.lines('dropped a command')), node.log
    peer.spin(0.1)
    np.testing.assert_array_equal(position(states[-1]), arm['arm.initial_position'])

    commands.publish(Float64MultiArray(data=[0.0, 0.0, 0.0, 0.0, 0.0, 0.1]))
    assert peer.until(lambda: states[-1].effort[5] == 0.1)
    assert peer.until(lambda: np.abs(
        position(states[-1]) - arm['arm.initial_position']).max() > 0.01), node.log
    assert states[-1].effort[5] == 0.1, 'held without another command'

    node.interrupt()
    assert node.wait() == 0
    assert list(states[-1].name) == [f'joint{i}' for i in range(1, 7)]


def test_joint_states_come_at_500_hz_of_their_stamps(peer, start, arm):
    states = peer.listen(JointState, 'joint_states', SENSOR)
    node = start('simulated_robot_node', arm)

    def steps():
        return np.diff([stamp_ns(message.header.stamp) for message in states])

    # a busy machine leaves cycles out, and the states of them
    assert peer.until(lambda: (steps() == 2_000_000).sum() > 100), node.log
    assert (steps() > 0).all() and (steps() % 2_000_000 == 0).all()


def test_an_hour_in_which_the_machine_gave_no_time_costs_no_more_than_a_cycle(
        peer, start, arm, monkeypatch):
    hour, later = 3600 * 10**9, []
    usual = SimulatedRobotNode._now
    monkeypatch.setattr(SimulatedRobotNode, '_now', lambda node: usual(node) + sum(later))
    states = peer.listen(JointState, 'joint_states', SENSOR)
    node = start('simulated_robot_node', {**arm, 'arm.friction': True})
    assert peer.until(lambda: len(states) > 20), node.log
    later.append(hour)  # before anybody commands
    seen = len(states)
    assert peer.until(lambda: len(states) > seen + 20), node.log
    assert not node.lines('missed'), node.log
    commands = peer.publisher(Float64MultiArray, COMMANDS)
    assert peer.until(lambda: commands.publish(Float64MultiArray(data=[0.1] * 6)) or (
        states and states[-1].effort[5] == 0.1)), node.log
    later.append(hour)
    begin = stamp_ns(states[-1].header.stamp)
    assert peer.until(lambda: stamp_ns(states[-1].header.stamp) > begin + hour), node.log
    seen = len(states)
    assert peer.until(lambda: len(states) > seen + 20), node.log
    assert node.lines('cycles of 2 ms missed so far'), node.log


def lockstep(arm, tmp_path, **more):
    return {**arm, 'lockstep': True, 'start_time': 5.0, 'end_time': 5.02,
            'trace_file': str(tmp_path / 'trace.bin'), **more}


def test_in_lockstep_time_waits_for_the_answer_to_each_joint_state(
        peer, start, arm, tmp_path):
    states = peer.listen(JointState, 'joint_states', SENSOR)
    clocks = peer.listen(Clock, '/clock')
    node = start('simulated_robot_node', lockstep(arm, tmp_path))
    answers = peer.publisher(JointState, STAMPED)
    assert peer.until(lambda: len(states) >= 2 and clocks), node.log
    assert {stamp_ns(state.header.stamp) for state in states} == {5_000_000_000}
    for cycle in range(10):
        stamp = 5_000_000_000 + cycle * 2_000_000
        assert peer.until(lambda: stamp_ns(states[-1].header.stamp) == stamp), node.log
        wrong = JointState(name=['joint6'], effort=[9.0])
        wrong.header.stamp = to_stamp(stamp - 2_000_000)
        answers.publish(wrong)
        answer = JointState(name=list(states[-1].name), effort=[0.0] * 6)
        answer.header.stamp = to_stamp(stamp)
        answers.publish(answer)
    assert node.wait() == 0, node.log
    trace = read_trace(tmp_path / 'trace.bin')
    np.testing.assert_allclose(trace.time, 5.002 + 0.002 * np.arange(10))
    assert (trace.effort[:, 5] == 0.0).all(), 'an answer to an older joint state does not count'


def test_in_lockstep_silence_ends_the_node_with_an_error_that_says_why(start, arm, tmp_path):
    node = start('simulated_robot_node', lockstep(arm, tmp_path, answer_timeout=0.5))
    assert node.wait() == 2
    assert 'no command answered the joint state of t = 5.000 s' in node.lines('FATAL')[0]


def test_without_a_description_it_ends_with_2_and_says_what_to_give(start):
    node = start('simulated_robot_node', {})
    assert node.wait() == 2
    assert 'robot_description' in node.lines('FATAL')[0]

import time

from diagnostic_msgs.msg import DiagnosticArray
from feedforward_rig import LockstepArm
from geometry_msgs.msg import WrenchStamped
import numpy as np
import pytest
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.nodes.messages import stamp_ns, to_stamp
from ros_rig import LATCHED, SENSOR
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray, String
from trajectory_msgs.msg import JointTrajectory

JOINTS = [f'joint{i}' for i in range(1, 7)]
POSTURE = [0.3, 0.4, 0.6, -0.2, 0.5, 0.1]


@pytest.fixture
def urdf(repository):
    return str(repository / 'urdf/pa10.urdf')


@pytest.fixture
def parameters(urdf):
    return {'robot_description': urdf, 'lockstep_base_period': 0.01, 'ramp.ramp_in': 0.0,
            'watchdog.base_settling': 0.0, 'limits.effort_rate': [1e6]}


def vector(value):
    return [value.x, value.y, value.z]


def test_terms_sum_to_the_command_and_the_wrench_is_that_of_the_arm(
        peer, start, parameters, urdf):
    terms = {term: peer.listen(JointState, f'feedforward/terms/{term}') for term in (
        'inertia', 'coriolis', 'gravity', 'base_inertial', 'base_coriolis', 'feedback')}
    wrenches = peer.listen(WrenchStamped, 'feedforward/base_wrench')
    states = peer.listen(String, 'feedforward/state', LATCHED)
    diagnostics = peer.listen(DiagnosticArray, '/diagnostics')
    node = start('feedforward_node', {
        **parameters, 'diagnostics_period': 0.3, 'hold_fraction': 0.0})
    arm = LockstepArm(peer, JOINTS, POSTURE)
    arm.connect(node)
    end = time.monotonic() + 30.0
    stamps = set()
    while not (len(stamps) == 1 and all(terms.values()) and wrenches and diagnostics and states
               and states[-1].data == diagnostics[-1].status[0].message == 'active'):
        assert time.monotonic() < end, node.log
        arm.step()
        stamps = {stamp_ns(messages[-1].header.stamp) for messages in terms.values() if messages}
    stamp, = stamps  # a report comes in several messages, of which some may be late
    answer, = (answer for answer in arm.answers if stamp_ns(answer.header.stamp) == stamp)
    total = np.sum([messages[-1].effort for messages in terms.values()], axis=0)
    np.testing.assert_allclose(total, answer.effort, atol=1e-9)
    assert list(terms['gravity'][-1].name) == JOINTS

    zero = np.zeros(6)
    dynamics = InverseDynamics(RobotModel.from_urdf(urdf), backend='interpreted')
    expected = dynamics.base_wrench(POSTURE, zero, zero, BaseMotion())
    wrench = wrenches[-1].wrench
    np.testing.assert_allclose(
        [*vector(wrench.force), *vector(wrench.torque)], expected, atol=1e-9)
    assert wrenches[-1].header.frame_id == 'base_link'

    assert states[-1].data == 'active'
    values = {item.key: item.value for item in diagnostics[-1].status[0].values}
    assert values['base_level'] == 'full'
    assert values['missed_cycles'] == '0'
    assert float(values['compute_time_max']) > 0.0
    assert {'joint_states_age', 'base_motion_age', 'saturated', 'commands'} <= set(values)


@pytest.mark.slow
def test_diagnostics_and_a_term_tell_what_adaptation_has_learned(peer, start, parameters):
    learned = peer.listen(JointState, 'feedforward/terms/adaptation')
    diagnostics = peer.listen(DiagnosticArray, '/diagnostics')
    node = start('feedforward_node', {
        **parameters, 'diagnostics_period': 0.3, 'adaptation': 'friction_and_payload'})
    arm = LockstepArm(peer, JOINTS, POSTURE)
    arm.connect(node)
    end, values = time.monotonic() + 30.0, {}
    while not learned or values.get('adaptation') != 'learning':
        assert time.monotonic() < end, node.log
        arm.step()
        if diagnostics:
            values = {item.key: item.value for item in diagnostics[-1].status[0].values}
    assert len(values['learned_coulomb'].split(', ')) == 6
    np.testing.assert_array_equal(learned[-1].effort, np.zeros(6))  # it stood still


def test_a_controller_with_feedback_of_its_own_gets_a_rolling_trajectory_with_efforts(
        peer, start, parameters, urdf):
    trajectories = peer.listen(JointTrajectory, 'feedforward/joint_trajectory')
    node = start('feedforward_node', {
        **parameters, 'output': 'trajectory', 'ramp.start_from': 'zero'})
    arm = LockstepArm(peer, JOINTS, POSTURE)
    arm.connect(node)
    for cycle in range(230):
        if cycle % 5 == 0:
            arm.send_imu()
        arm.send_joint_state()
        arm.advance()
        peer.spin(0.003)
    assert peer.until(lambda: len(trajectories) >= 4), node.log
    message = trajectories[-1]
    zero = np.zeros(6)
    gravity = InverseDynamics(RobotModel.from_urdf(urdf), backend='interpreted').torque(
        POSTURE, zero, zero, BaseMotion())
    assert list(message.joint_names) == JOINTS and len(message.points) >= 5
    for point in message.points:
        np.testing.assert_allclose(point.positions, POSTURE, atol=1e-9)
        np.testing.assert_allclose(point.effort, gravity, atol=1e-6)
    assert not arm.arrays, 'one of the two outputs, not both'


@pytest.mark.slow
def test_with_simulated_time_ages_are_those_of_the_clock_and_a_clock_that_jumps_back_is_told(
        peer, start, urdf):
    commands = peer.listen(Float64MultiArray, 'feedforward/commands')
    states = peer.listen(String, 'feedforward/state', LATCHED)
    node = start('feedforward_node', {
        'robot_description': urdf, 'use_sim_time': True, 'ramp.ramp_in': 0.05,
        'watchdog.joint_states_age': 0.1, 'watchdog.base_settling': 0.1})
    clock = peer.publisher(Clock, '/clock')
    joint_states = peer.publisher(JointState, 'joint_states', SENSOR)
    imus = peer.publisher(Imu, 'imu/data', SENSOR)

    def play(begin, longest=2.0):
        """Play slower than the wall clock, as a busy simulation does."""
        for k in range(int(longest / 0.002)):
            stamp = to_stamp(int(1e9 * begin) + k * 2_000_000)
            clock.publish(Clock(clock=stamp))
            if k % 5 == 0:
                imu = Imu()
                imu.header.stamp, imu.orientation.w = stamp, 1.0
                imu.linear_acceleration.z = 9.80665
                imus.publish(imu)
            state = JointState(name=JOINTS, position=POSTURE, velocity=[0.0] * 6)
            state.header.stamp = stamp
            joint_states.publish(state)
            peer.spin(0.005)
            if k > 100 and states[-1].data == 'active':
                return

    play(100.0)
    assert states[-1].data == 'active', node.log
    assert 'holding' not in [state.data for state in states]
    count = len(commands)
    play(50.0)
    assert len(node.lines('went back')) == 1, node.log
    assert states[-1].data == 'active', node.log
    efforts = np.array([message.data for message in commands])
    assert len(efforts) > count
    assert np.abs(np.diff(efforts, axis=0)).max() < 10.0

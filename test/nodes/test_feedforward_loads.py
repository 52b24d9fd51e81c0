"""What the feedforward node takes beside its inputs: payloads, wrenches, mounts, held joints."""

from feedforward_rig import LockstepArm, PERIOD
from geometry_msgs.msg import WrenchStamped
import numpy as np
import pytest
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter as RosParameter
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.nodes.messages import set_stamp
from ros_rig import SENSOR
from sensor_msgs.msg import JointState

JOINTS = [f'joint{i}' for i in range(1, 7)]
POSTURE = np.array([0.3, 0.4, 0.6, -0.2, 0.5, 0.1])
ZERO = np.zeros(6)
COM = [0.02, 0.0, 0.05]
BOX = ('<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
       '</inertial>')
COUPLED = (
    f'<robot name="gripper"><link name="palm"/><link name="a">{BOX}</link><link name="b">{BOX}'
    '</link><joint name="left" type="continuous"><parent link="palm"/><child link="a"/></joint>'
    '<joint name="right" type="continuous"><parent link="palm"/><child link="b"/>'
    '<mimic joint="left" multiplier="-1"/></joint></robot>')


@pytest.fixture
def urdf(repository):
    return str(repository / 'urdf/pa10.urdf')


@pytest.fixture
def parameters(urdf):
    """In lockstep with the test, holding gravity, with a ramp of a few cycles."""
    return {'robot_description': urdf, 'lockstep_base_period': 0.01, 'ramp.ramp_in': 0.02,
            'watchdog.base_settling': 0.0, 'limits.effort_rate': [1e6]}


@pytest.fixture
def arm(peer):
    return LockstepArm(peer, JOINTS, POSTURE)


@pytest.fixture
def dynamics(urdf):
    return InverseDynamics(RobotModel.from_urdf(urdf), backend='interpreted')


def settled(arm, cycles=20, **state):
    """Return the effort after the ramps."""
    for _ in range(cycles):
        answer = arm.step(**state)
        assert answer is not None, 'the node sends nothing'
    return np.array(answer.effort)


def set_parameters(peer, **values):
    request = SetParametersAtomically.Request(parameters=[
        RosParameter(name.replace('__', '.'), value=value).to_parameter_msg()
        for name, value in values.items()])
    return peer.call(
        SetParametersAtomically, '/feedforward/set_parameters_atomically', request).result


def test_a_payload_comes_and_goes_at_run_time_and_the_old_torques_return(
        peer, start, arm, parameters, urdf):
    node = start('feedforward_node', parameters)
    arm.connect(node)
    before = settled(arm)
    inertia = [0.01, 0.0, 0.001, 0.01, 0.0, 0.005]
    accepted = set_parameters(peer, payload__link='tool0', payload__mass=2.0, payload__com=COM,
                              payload__inertia=inertia)
    assert accepted.successful, accepted.reason
    heavier = InverseDynamics(RobotModel.from_urdf(urdf).with_payload(
        'tool0', 2.0, COM, [[0.01, 0, 0.001], [0, 0.01, 0], [0.001, 0, 0.005]]),
        backend='interpreted')
    np.testing.assert_allclose(settled(arm), heavier.torque(POSTURE, ZERO, ZERO), atol=1e-9)
    for change, told in (
            ({'payload__mass': -1.0}, 'payload.mass'),
            ({'payload__inertia': [1.0, 0.0, 0.0, 1.0, 0.0, 5.0]}, 'principal moments'),
            ({'payload__inertia': [1.0]}, 'payload.inertia: has 1 values'),
            ({'payload__link': 'tol0'}, 'tool0'),
            ({'payload__link': 'link3'}, 'payload.links')):
        refused = set_parameters(peer, **change)
        assert not refused.successful and told in refused.reason, (change, refused.reason)
    np.testing.assert_allclose(settled(arm), heavier.torque(POSTURE, ZERO, ZERO), atol=1e-9)
    assert set_parameters(peer, payload__mass=0.0).successful
    np.testing.assert_allclose(settled(arm), before, atol=1e-11)


def test_a_wrench_is_counted_in_in_its_frame_and_fades_when_it_is_silent(
        peer, start, arm, parameters, dynamics):
    node = start('feedforward_node', {
        **parameters, 'wrench.topics': ['tool0=ft_sensor/wrench'], 'wrench.ramp_time': 0.02,
        'wrench.age': 0.01})
    wrenches = peer.publisher(WrenchStamped, 'ft_sensor/wrench', SENSOR)
    causes = peer.listen(JointState, '/feedforward/terms/external')
    arm.connect(node)
    free = settled(arm)
    force = [0.0, 10.0, -30.0, 1.0, 0.0, 2.0]
    for frame_id, frame in (('tool0', 'link'), ('base_link', 'base')):
        for _ in range(40):
            message = WrenchStamped()
            message.header.frame_id = frame_id
            set_stamp(message.header.stamp, arm.stamp - PERIOD)
            part = message.wrench.force
            part.x, part.y, part.z = force[:3]
            part = message.wrench.torque
            part.x, part.y, part.z = force[3:]
            wrenches.publish(message)
            peer.spin(0.01)
            answer = arm.step()
        share = dynamics.external_torque(POSTURE, {'tool0': ExternalWrench(force, frame)})
        np.testing.assert_allclose(answer.effort, free + share, atol=1e-9)
    assert peer.until(lambda: causes), 'the external torque is a term of its own'
    np.testing.assert_allclose(settled(arm, 30), free, atol=1e-11)
    assert peer.until(lambda: node.lines('the wrench on tool0 is stale')), node.log


def wall(urdf):
    """Return the text of the PA10 on a wall, with an IMU on the deck."""
    text = open(urdf, encoding='utf-8').read()
    return text.replace('</robot>', """<link name="deck"/><link name="imu"/>
<joint name="feet" type="fixed"><parent link="deck"/><child link="base_link"/>
<origin xyz="1 0 2" rpy="0 1.5707963267948966 0"/></joint>
<joint name="screws" type="fixed"><parent link="deck"/><child link="imu"/>
<origin xyz="0.5 0 0"/></joint></robot>""")


@pytest.mark.parametrize('how', [
    {'imu.link': 'imu', 'imu.frame_id': 'imu_link', 'model.base_link': 'base_link'},
    {'mount.base_rpy': [0.0, float(np.pi / 2), 0.0], 'mount.base_xyz': [1.0, 0.0, 2.0],
     'imu.mounting_xyz': [0.5, 0.0, 0.0], 'model.base_link': 'base_link'}])
def test_an_arm_on_the_wall_with_an_imu_on_the_deck_holds_itself(
        start, arm, parameters, dynamics, urdf, how):
    node = start('feedforward_node', {**parameters, 'robot_description': wall(urdf), **how})
    arm.connect(node)
    # the wall's arm has its own x axis pointing down
    hanging = dynamics.torque(POSTURE, ZERO, ZERO, BaseMotion(gravity=[9.80665, 0.0, 0.0]))
    np.testing.assert_allclose(settled(arm), hanging, atol=1e-9)


@pytest.mark.parametrize('name, how, told', [
    ('imu', {'imu.link': 'imu'}, "its frame is 'imu_link'"),
    ('imu_link', {}, "puts its frame 'imu_link' elsewhere")])
def test_an_imu_that_sits_elsewhere_is_refused_and_nothing_is_sent(
        peer, start, arm, parameters, urdf, name, how, told):
    node = start('feedforward_node', {
        **parameters, 'robot_description': wall(urdf).replace('"imu"', f'"{name}"'),
        'model.base_link': 'base_link', **how})
    arm.connect(node)
    for _ in range(5):
        arm.send_imu()
        arm.send_joint_state()
        arm.advance()
        peer.spin(0.05)
    assert peer.until(lambda: node.lines(told)), node.log
    assert not arm.arrays


def test_a_joint_that_is_never_reported_is_held_where_it_was_told(start, peer, parameters, urdf):
    node = start('feedforward_node', {
        **parameters, 'model.held_joints': ['joint1', 'joint4=0.1', 'joint5=0.2', 'joint6=0.3'],
        'model.rotors': ['joint2=3e-4@50']})
    arm = LockstepArm(peer, JOINTS[1:3], POSTURE[1:3])
    arm.connect(node)
    part = InverseDynamics(RobotModel.from_urdf(urdf, joints=JOINTS[1:3], positions={
        'joint4': 0.1, 'joint5': 0.2, 'joint6': 0.3}), backend='interpreted')
    np.testing.assert_allclose(
        settled(arm), part.torque(POSTURE[1:3], ZERO[1:3], ZERO[1:3]), atol=1e-9)


@pytest.mark.parametrize('wrong, told', [
    ({'model.held_joints': ['joint9=1']}, 'joint9'),
    ({'model.rotors': ['joint2=1'], 'reflected_rotor_inertia': [0.1] * 6}, 'set one of the two'),
    ({'imu.link': 'tool0'}, 'moves with joint'),
    ({'robot_description': COUPLED, 'joints': ['right']}, "'right' follows 'left' (mimic)"),
    ({'wrench.topics': ['tol0=x']}, 'tol0')])
def test_wrong_choices_end_it_with_2_and_one_reason(start, parameters, wrong, told):
    node = start('feedforward_node', {**parameters, **wrong})
    assert node.wait() == 2
    assert [line for line in node.lines('FATAL') if told in line], node.log

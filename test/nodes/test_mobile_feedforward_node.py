from feedforward_rig import LockstepArm
from geometry_msgs.msg import Quaternion, Twist, TwistStamped, Vector3
from nav_msgs.msg import Odometry
import numpy as np
import pytest
from robot_dynamics import (
    BaseMotion, BaseState, DifferentialDrive, InverseDynamics, RobotModel)
from robot_dynamics.nodes.messages import set_stamp
from sensor_msgs.msg import Imu
from std_msgs.msg import Float64MultiArray

JOINTS = ['right_wheel_joint', 'left_wheel_joint', 'arm1', 'arm2', 'arm3']
POSTURE = [0.3, 0.1, 0.4, 0.5, -0.2]
G = 9.80665


@pytest.fixture
def urdf(repository):
    return str(repository / 'urdf/mobile_manipulator.urdf')


@pytest.fixture
def parameters(urdf):
    """In lockstep with the test, holding gravity, without a ramp that would take time."""
    return {'robot_description': urdf, 'lockstep_base_period': 0.01, 'ramp.ramp_in': 0.0,
            'watchdog.base_settling': 0.0, 'limits.effort_rate': [1e6],
            'mobile.left_wheel': 'left_wheel_joint', 'mobile.right_wheel': 'right_wheel_joint'}


class Platform(LockstepArm):
    """Wheels and arm at rest on a tilted deck, with odometry."""

    pose = (0.0, 0.0, 0.9)

    def __init__(self, peer):
        super().__init__(peer, JOINTS, POSTURE)
        self._odometry = peer.node.create_publisher(Odometry, 'odom', 10)

    def send_odometry(self, **orientation):
        """Say where the platform stands."""
        message = Odometry()
        set_stamp(message.header.stamp, self.stamp)
        message.pose.pose.position.x, message.pose.pose.position.y = self.pose[:2]
        message.pose.pose.orientation.z = np.sin(self.pose[2] / 2)
        message.pose.pose.orientation.w = np.cos(self.pose[2] / 2)
        for key, value in orientation.items():
            setattr(message.pose.pose.orientation, key, value)
        self._odometry.publish(message)

    def send_imu(self):
        """Send the sample of a deck that is bow down by 0.2 rad."""
        message = Imu(orientation=Quaternion(y=np.sin(0.1), w=np.cos(0.1)))
        message.linear_acceleration = Vector3(x=-G * np.sin(0.2), z=G * np.cos(0.2))
        set_stamp(message.header.stamp, self.stamp)
        message.header.frame_id = 'imu_link'
        self._imus.publish(message)


@pytest.fixture
def platform(peer):
    return Platform(peer)


def expected(urdf, heading):
    model = RobotModel.from_urdf(urdf)
    robot = InverseDynamics(model, backend='interpreted', support=DifferentialDrive.from_model(
        model, 'left_wheel_joint', 'right_wheel_joint'))
    zero = np.zeros(5)
    return robot.torque(POSTURE, zero, zero, BaseState(
        BaseMotion.from_roll_pitch(0.0, 0.2), [0.0, 0.0, heading]))


def test_it_holds_wheels_and_arm_where_odometry_says_on_a_topic_for_each(
        peer, start, platform, parameters, urdf):
    wheels = peer.listen(Float64MultiArray, 'feedforward/wheel_commands', 1000)
    arm = peer.listen(Float64MultiArray, 'feedforward/arm_commands', 1000)
    node = start('feedforward_node', {
        **parameters, 'mobile.separate_commands': True, 'lockstep_odometry_period': 0.01})
    platform.connect(node)
    for _ in range(10):
        platform.send_odometry()
        answer = platform.step(names=JOINTS[::-1])
    assert answer is not None, node.log
    np.testing.assert_allclose(answer.effort, expected(urdf, 0.9), atol=1e-6)
    assert abs(answer.effort[0]) > 0.5
    assert peer.until(lambda: wheels and arm and list(answer.effort) == [
        *wheels[-1].data, *arm[-1].data])
    node.interrupt()
    assert node.wait() == 0


def test_nothing_is_sent_on_a_moving_deck_before_there_is_a_pose(start, platform, parameters):
    node = start('feedforward_node', parameters)
    platform.connect(node)
    for _ in range(20):
        platform.send_imu()
        platform.send_joint_state()
        platform.send_odometry(z=0.0, w=0.0)
        platform.advance()
        platform.peer.spin(0.02)
    assert not platform.answers and not platform.arrays
    assert node.lines('waiting for valid pose'), node.log
    assert node.lines('not three finite numbers'), node.log
    platform.send_odometry()
    platform.peer.spin(0.2)
    assert platform.step() is not None, node.log


def test_a_joint_state_without_the_wheels_gives_no_command_and_one_line(
        start, platform, parameters):
    node = start('feedforward_node', {**parameters, 'base_motion': 'fixed'})
    assert platform.peer.until(lambda: platform._states.get_subscription_count() > 0), node.log
    for _ in range(10):
        platform.send_joint_state(names=JOINTS[2:])
        platform.advance()
        platform.peer.spin(0.02)
    assert platform.peer.until(lambda: node.lines('right_wheel_joint')), node.log
    assert not platform.arrays


@pytest.mark.parametrize('kind, topic', [
    (Twist, 'cmd_vel'),
    pytest.param(TwistStamped, 'cmd_vel_stamped', marks=pytest.mark.slow)])
def test_cmd_vel_drives_the_platform(peer, start, platform, parameters, kind, topic):
    node = start('feedforward_node', {**parameters, 'base_motion': 'fixed',
                                      'mobile.wheel_acceleration': 40.0})
    twists = peer.publisher(kind, topic)
    peer.until(lambda: platform._states.get_subscription_count() > 0)
    peer.spin(0.3)
    assert platform.step() is not None, node.log
    message = kind()
    (message if kind is Twist else message.twist).linear.x = 0.3
    twists.publish(message)
    peer.spin(0.3)
    speeds = []
    for _ in range(100):
        answer = platform.step()
        speeds.append(0.0375 * (answer.velocity[0] + answer.velocity[1]))
    assert speeds[0] < 0.1 < 0.25 < max(speeds) < 0.31


@pytest.mark.parametrize('change, words', [
    ({'mobile.left_wheel': 'wheel'}, 'left_wheel_joint'),
    ({'mobile.right_wheel': ''}, 'only one is named'),
])
def test_wrong_wheels_end_it_with_2_and_one_line(start, parameters, change, words):
    node = start('feedforward_node', {**parameters, **change})
    assert node.wait() == 2
    assert words in node.lines('FATAL')[0], node.log

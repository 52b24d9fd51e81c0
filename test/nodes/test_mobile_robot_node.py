from nav_msgs.msg import Odometry
import numpy as np
import pytest
from robot_dynamics.nodes.messages import pose_of, stamp_ns
from ros_rig import SENSOR
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

PERIOD = 20_000_000  # ns, of odometry
STILL = {'ship.roll.amplitude': [0.0], 'ship.pitch.amplitude': [0.0]}
WHEELS = {'mobile.left_wheel': 'left_wheel_joint', 'mobile.right_wheel': 'right_wheel_joint'}


@pytest.fixture
def platform(repository):
    """Parameters of the mobile manipulator on level ground."""
    return {'robot_description': str(repository / 'urdf/mobile_manipulator.urdf'), **STILL,
            **WHEELS, 'odometry.initial_pose': [1.0, 2.0, 0.5]}


def test_wheels_and_arm_have_a_controller_each_and_odometry_tells_the_pose(
        peer, start, platform):
    states = peer.listen(JointState, 'joint_states', SENSOR)
    poses = peer.listen(Odometry, 'odom', 1000)
    node = start('simulated_robot_node', {**platform, 'mobile.separate_commands': True})
    assert peer.until(lambda: len(states) > 20 and len(poses) > 2), node.log
    assert np.allclose(pose_of(poses[-1]), [1.0, 2.0, 0.5])
    assert list(states[-1].name) == [
        'right_wheel_joint', 'left_wheel_joint', 'arm1', 'arm2', 'arm3']
    wheels = peer.publisher(Float64MultiArray, 'wheel_controller/commands')
    arm = peer.publisher(Float64MultiArray, 'arm_controller/commands')
    wheels.publish(Float64MultiArray(data=[0.0] * 5))
    assert peer.until(lambda: node.lines('dropped a command of 5 values: expected 2')), node.log
    assert node.lines('hold a joint that nobody commands by model.held_joints')
    arm.publish(Float64MultiArray(data=[0.0, 13.7, 1.8]))
    wheels.publish(Float64MultiArray(data=[0.3, 0.3]))
    assert peer.until(lambda: list(states[-1].effort) == [0.3, 0.3, 0.0, 13.7, 1.8]), node.log
    assert peer.until(lambda: any(pose_of(pose)[0] > 1.05 for pose in poses)), node.log
    x, y, heading = next(pose_of(pose) for pose in poses if pose_of(pose)[0] > 1.05)
    assert y > 2.02 and abs(heading - 0.5) < 0.3
    slots = [stamp_ns(message.header.stamp) // PERIOD for message in poses]
    assert min(np.diff(slots)) >= 1  # a busy machine leaves cycles out, and adds none
    told = {stamp_ns(message.header.stamp) // PERIOD for message in states}
    assert {slot for slot in told if slots[0] < slot < slots[-1]} <= set(slots)
    node.interrupt()
    assert node.wait() == 0


@pytest.mark.parametrize('change, words', [
    ({'mobile.right_wheel': 'arm2'}, 'arm2'),
    ({'mobile.wheel_radius': 0.2}, 'contradicts'),
    ({'odometry.initial_pose': [0.0, 0.0]}, 'initial_pose'),
])
def test_wrong_wheels_end_it_with_2_and_one_line(start, platform, change, words):
    node = start('simulated_robot_node', {**platform, **change})
    assert node.wait() == 2
    assert words in node.lines('FATAL')[0], node.log

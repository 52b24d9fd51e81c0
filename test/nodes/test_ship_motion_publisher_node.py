import signal

from geometry_msgs.msg import AccelStamped
from nav_msgs.msg import Odometry
import numpy as np
import pytest
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import config_from_parameters
from robot_dynamics.motion.rotations import matrix_from_quat
from robot_dynamics.nodes.messages import stamp_ns, to_stamp
from robot_dynamics.nodes.ship_parameters import ShipClockConfig
from robot_dynamics.ship.ship_motion import ShipMotion
from ros_rig import SENSOR
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Imu

POINT = [1.0, 2.0, 3.0]


def vector(value):
    return np.array([value.x, value.y, value.z])


def quat(value):
    return np.array([value.x, value.y, value.z, value.w])


def test_imu_and_truth_are_those_of_the_ship_at_their_stamps(peer, start):
    imus = peer.listen(Imu, 'imu/data', SENSOR)
    truths = peer.listen(Odometry, 'ship/odometry')
    accelerations = peer.listen(AccelStamped, 'ship/acceleration')
    node = start('ship_motion_publisher', {'epoch': 1e9, 'base_point': POINT})
    assert peer.until(lambda: len(imus) > 30 and truths and accelerations), node.log
    ship = ShipMotion.regular()

    def time(message):
        return 1e-9 * (stamp_ns(message.header.stamp) - 10**18)

    for message in imus[-5:]:
        motion = ship.at(time(message), POINT)
        np.testing.assert_allclose(vector(message.angular_velocity), motion.angular_velocity)
        np.testing.assert_allclose(vector(message.linear_acceleration), motion.specific_force)
        np.testing.assert_allclose(
            matrix_from_quat(quat(message.orientation)), ship.pose(time(message)).rotation,
            atol=1e-12)
        assert message.header.frame_id == 'imu_link'
    pose = ship.pose(time(truths[-1]), POINT)
    np.testing.assert_allclose(vector(truths[-1].pose.pose.position), pose.position, atol=1e-12)
    np.testing.assert_allclose(
        vector(truths[-1].twist.twist.linear), pose.rotation.T @ pose.linear_velocity, atol=1e-12)
    assert truths[-1].header.frame_id == 'odom' and truths[-1].child_frame_id == 'base_link'
    motion = ship.at(time(accelerations[-1]), POINT)
    np.testing.assert_allclose(
        vector(accelerations[-1].accel.linear), motion.linear_acceleration, atol=1e-9)
    np.testing.assert_allclose(
        vector(accelerations[-1].accel.angular), motion.angular_acceleration, atol=1e-12)
    steps = np.diff([stamp_ns(message.header.stamp) for message in imus[5:]])
    assert steps.mean() > 9_500_000 and steps.min() < 10_500_000  # a busy machine adds to some
    node.interrupt(signal.SIGTERM)
    assert node.wait() == 0


def still_ship(**parameters):
    return {'ship.roll.amplitude': [0.0], 'ship.pitch.amplitude': [0.0], **parameters}


def test_at_rest_the_specific_force_points_up(peer, start):
    imus = peer.listen(Imu, 'imu/data', SENSOR)
    node = start('ship_motion_publisher', still_ship(**{'imu.reports_orientation': False}))
    assert peer.until(lambda: imus), node.log
    np.testing.assert_allclose(vector(imus[0].linear_acceleration), [0, 0, 9.80665], atol=1e-12)
    assert imus[0].orientation_covariance[0] == -1.0


def test_in_simulated_time_samples_lie_on_a_grid_and_repeat_with_the_clock(peer, start):
    imus = peer.listen(Imu, 'imu/data', SENSOR)
    node = start('ship_motion_publisher', {
        'use_sim_time': True, 'imu.gyro_noise_deg': 0.1, 'imu.seed': 3})
    clock = peer.publisher(Clock, '/clock')
    begin = 8_000_000_000
    assert peer.until(lambda: clock.publish(Clock(clock=to_stamp(begin))) or imus), node.log
    peer.spin(0.2)
    count = len(imus)
    clock.publish(Clock(clock=to_stamp(begin)))
    assert peer.until(lambda: len(imus) == count + 1)
    assert imus[-1] == imus[-2]
    clock.publish(Clock(clock=to_stamp(begin + 20_000_000)))
    assert peer.until(lambda: len(imus) == count + 3)
    assert [stamp_ns(message.header.stamp) for message in imus[-2:]] == [
        8_010_000_000, 8_020_000_000]
    assert imus[-1].angular_velocity != imus[-2].angular_velocity


def test_a_wrong_parameter_ends_the_node_with_2_and_one_line(start):
    node = start('ship_motion_publisher', {'imu.rate': 0.0})
    assert node.wait() == 2
    assert len(node.log.strip().splitlines()) == 1 and 'imu.rate' in node.log


@pytest.mark.parametrize('name, value, says', [
    ('mode', 'rough', "^ship.mode: is 'rough', expected one of regular"),
    ('roll.amplitude', [500.0], '^ship.roll.amplitude: is 500.0, expected a number from -100'),
    ('yaw.period', [float('nan')], '^ship.yaw.period: is nan')])
def test_a_ship_that_cannot_be_is_refused_by_the_name_of_its_parameter(name, value, says):
    with pytest.raises(ConfigurationError, match=says):
        config_from_parameters(ShipClockConfig, {f'ship.{name}': value})


def test_samples_arrive_late_lost_and_in_ned_but_keep_their_stamps(peer, start):
    imus = peer.listen(Imu, 'imu/data', SENSOR)
    truths = peer.listen(Odometry, 'ship/odometry')
    node = start('ship_motion_publisher', {
        'use_sim_time': True, 'ship.mode': 'irregular', 'ship.sea_state': 5, 'imu.delay': 0.03,
        'imu.dropout': 0.3, 'imu.ned': True, 'epoch': 1.0})
    clock = peer.publisher(Clock, '/clock')
    now = 8_000_000_000
    assert peer.until(lambda: clock.publish(Clock(clock=to_stamp(now))) or truths), node.log
    ship = ShipMotion.irregular(5)
    for k in range(1, 101):
        clock.publish(Clock(clock=to_stamp(now + k * 10_000_000)))
        assert peer.until(lambda: stamp_ns(truths[-1].header.stamp) >= now + k * 10_000_000)
    peer.spin(0.2)
    stamps = np.unique([stamp_ns(message.header.stamp) for message in imus
                        if message.header.frame_id])
    assert stamps.max() <= now + 970_000_000  # the last three are still under way
    assert 50 < len(stamps) < 85              # of 98
    last = imus[-1]
    assert last.header.frame_id == 'imu_link_ned'
    motion = ship.at(1e-9 * stamp_ns(last.header.stamp) - 1.0)
    np.testing.assert_allclose(
        vector(last.linear_acceleration), motion.specific_force * [1, -1, -1], atol=1e-9)

from builtin_interfaces.msg import Time
import numpy as np
import pytest
from rclpy.serialization import serialize_message
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.nodes.base_messages import reader_of_imu
from robot_dynamics.nodes.messages import (
    doubles, effort_template, imu_message, stamp_ns, to_stamp, trajectory_message)
from robot_dynamics.simulation.motions import paper_sinusoid
from sensor_msgs.msg import Imu


@pytest.mark.parametrize('nanoseconds', [0, 1, 999_999_999, 1_795_820_000_123_456_789])
def test_stamps_survive_the_round_trip_to_the_nanosecond(nanoseconds):
    assert stamp_ns(to_stamp(nanoseconds)) == nanoseconds


def test_a_stamp_is_seconds_and_nanoseconds():
    assert to_stamp(12_000_000_034) == Time(sec=12, nanosec=34)


def test_an_imu_sample_survives_the_round_trip():
    sample = ImuSample(5_000_000_007, (0.1, 0.2, 0.3), (1.0, 2.0, 9.0), (0.0, 0.6, 0.0, 0.8),
                       'imu_ned', (1e-6,) + (0.0,) * 8, (2e-6,) + (0.0,) * 8)
    again = reader_of_imu()(serialize_message(imu_message(sample)))
    assert again.stamp_ns == sample.stamp_ns
    assert again.frame_id == 'imu_ned'
    for name in ('angular_velocity', 'linear_acceleration', 'orientation_xyzw',
                 'orientation_covariance', 'angular_velocity_covariance'):
        assert tuple(getattr(again, name)) == tuple(getattr(sample, name)), name


def test_an_orientation_that_is_not_reported_stays_so():
    sample = ImuSample(1, (0.0,) * 3, (0.0, 0.0, 9.8), None, 'imu', NOT_REPORTED)
    message = imu_message(sample)
    assert message.orientation_covariance[0] == -1.0
    assert not reader_of_imu()(serialize_message(message)).has_orientation


def test_a_fresh_message_reports_everything_with_unknown_covariance():
    assert reader_of_imu()(serialize_message(Imu())).has_orientation


def test_doubles_are_what_was_given():
    assert list(doubles(np.array([1.0, -2.5]))) == [1.0, -2.5]
    assert list(doubles((3, 4.5))) == [3.0, 4.5]


def test_the_command_array_says_which_joints_it_is_for():
    message = effort_template(['a', 'b'])
    assert list(message.data) == [0.0, 0.0]
    assert message.layout.dim[0].label == 'a,b'


def test_a_trajectory_survives_the_round_trip_through_its_message():
    plain = JointTrajectory.from_reference(paper_sinusoid(), 2.0, 0.05, 7_000_000_001)
    message = trajectory_message(plain, efforts=np.ones((len(plain.times), 6)))
    again = JointTrajectory.from_points(
        message.joint_names, message.points, stamp_ns(message.header.stamp))
    assert again.names == plain.names and again.start_ns == plain.start_ns
    np.testing.assert_allclose(again.times, plain.times, atol=1e-9)
    np.testing.assert_array_equal(again.positions, plain.positions)
    np.testing.assert_array_equal(again.accelerations, plain.accelerations)
    assert list(message.points[3].effort) == [1.0] * 6

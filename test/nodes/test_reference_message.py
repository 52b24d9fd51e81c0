"""Trajectories read from their bytes are what rclpy reads, and long ones are refused by size."""

import numpy as np
import pytest
from rclpy.serialization import serialize_message
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import InputError
from robot_dynamics.nodes.messages import doubles, stamp_ns
from robot_dynamics.nodes.reference_message import MOST_UNEQUAL, trajectory_of
from trajectory_msgs.msg import JointTrajectory as Message, JointTrajectoryPoint


def message(rng, joints, count, fields, frame='', first_without=0):
    """Return a trajectory of random numbers with some fields filled."""
    made = Message(joint_names=[f'{"j" * (k % 4)}{k}' for k in range(joints)])
    made.header.frame_id = frame
    made.header.stamp.sec, made.header.stamp.nanosec = 12, 345
    for k in range(count):
        point = JointTrajectoryPoint(
            **{field: doubles(rng.normal(size=joints)) for field in fields[
                :1 if k < first_without else None]})
        point.time_from_start.sec, point.time_from_start.nanosec = k, 7 * k
        made.points.append(point)
    return made


def agree(made, most=1000):
    """Compare both ways to read a message."""
    expected = JointTrajectory.from_points(
        made.joint_names, made.points, stamp_ns(made.header.stamp))
    read = trajectory_of(serialize_message(made), most)
    assert read.names == expected.names and read.start_ns == expected.start_ns
    for field in ('times', 'positions', 'velocities', 'accelerations'):
        one, other = getattr(read, field), getattr(expected, field)
        assert (one is None) == (other is None), field
        if one is not None:
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize('fields', [
    ('positions',), ('positions', 'velocities'), ('positions', 'velocities', 'accelerations'),
    ('positions', 'effort'), ('positions', 'velocities', 'accelerations', 'effort')])
@pytest.mark.parametrize('joints', [1, 2, 6, 7])
@pytest.mark.parametrize('count', [1, 2, 3, 50])
def test_what_is_read_is_what_rclpy_reads(rng, fields, joints, count):
    for frame in ('', 'a', 'base', 'base_link'):
        agree(message(rng, joints, count, fields, frame))


def test_points_of_different_shape_are_read_one_by_one_if_they_are_few(rng):
    fields = ('positions', 'velocities', 'accelerations')
    agree(message(rng, 6, 50, fields, first_without=1))
    agree(message(rng, 6, 50, fields, first_without=20))
    many = serialize_message(message(rng, 6, 10 * MOST_UNEQUAL, fields, first_without=20))
    with pytest.raises(InputError, match='not of one shape'):
        trajectory_of(many, 10**6)


def test_too_many_points_or_none_are_refused_by_number(rng):
    with pytest.raises(InputError, match='are 51, expected 1 to 50'):
        trajectory_of(serialize_message(message(rng, 6, 51, ('positions',))), 50)
    with pytest.raises(InputError, match='are 0'):
        trajectory_of(serialize_message(message(rng, 6, 0, ('positions',))), 50)


@pytest.mark.parametrize('fields, text', [((), 'positions'), (('velocities',), 'positions')])
def test_points_without_positions_are_refused(rng, fields, text):
    with pytest.raises(InputError, match=text):
        trajectory_of(serialize_message(message(rng, 6, 5, fields)), 50)


@pytest.mark.parametrize('length', [6, 20, 40, 100, 180])
def test_a_message_that_is_cut_is_refused(rng, length):
    raw = serialize_message(message(rng, 2, 3, ('positions', 'velocities')))
    with pytest.raises(InputError):
        trajectory_of(raw[:length], 50)

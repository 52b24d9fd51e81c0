"""
Long trajectories read from their bytes, in no time that the command loop would miss.

rclpy makes an object of every point: 5,000 points take 50 ms, in which no thread of Python runs.
Points of one shape are equally long, so here they are columns of the message's bytes.
"""

from __future__ import annotations

import struct
from typing import List, Tuple

import numpy as np
from rclpy.serialization import deserialize_message
from robot_dynamics.bags.layout import Cursor
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.nodes.messages import stamp_ns
from trajectory_msgs.msg import JointTrajectory as JointTrajectoryMsg

MOST_UNEQUAL = 500  # points of different shape, which are read one by one
_LITTLE_ENDIAN = b'\x00\x01'  # of plain CDR
_FIELDS = ('positions', 'velocities', 'accelerations', 'effort')
_Place = Tuple[int, int, int]  # of the length, of the data, and how many


class _UnequalPoints(Exception):
    """The points are not of one shape."""


def trajectory_of(raw: bytes, most: int) -> JointTrajectory:
    """
    Return the trajectory of a serialized trajectory_msgs/JointTrajectory.

    Raises
    ------
    InputError
        If there are more, or they are wrong.
    """
    try:
        if raw[:2] != _LITTLE_ENDIAN:
            raise _UnequalPoints
        return _read(raw, most)
    except (_UnequalPoints, struct.error, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
    if len(raw) > MOST_UNEQUAL * 1000:
        raise InputError('points', 'are many and not of one shape: give each of them positions, '
                                   'velocities and accelerations')
    try:
        message = deserialize_message(raw, JointTrajectoryMsg)
    except Exception as error:  # noqa: B902  (of rmw, whose kinds differ)
        raise InputError('message', f'cannot be read: {error}') from error
    return JointTrajectory.from_points(
        message.joint_names, message.points, stamp_ns(message.header.stamp))


def _read(raw: bytes, most: int) -> JointTrajectory:
    cursor = Cursor(raw)
    seconds, nanoseconds = struct.unpack_from('<iI', raw, cursor.skip(8))
    cursor.text()  # frame_id
    names = tuple(cursor.text() for _ in range(cursor.uint32()))
    count = cursor.uint32()
    if not 0 < count <= most:
        raise InputError('points', f'are {count}, expected 1 to {most}')
    # the first may lie otherwise towards the alignment, all others lie alike
    rows = [_rows(raw, _point(cursor), 0, 1)]
    if count > 1:
        begin, second = cursor.position, _point(cursor)
        rows.append(_rows(raw, second, cursor.position - begin, count - 1))
    values = [np.vstack(field) for field in zip(*rows)]
    positions, velocities, accelerations = values[:3]
    width = len(names)
    return JointTrajectory(
        names, values[4] @ np.array([1.0, 1e-9]), positions,
        velocities if velocities.shape[1] == width else None,
        accelerations if accelerations.shape[1] == width else None,
        seconds * 1_000_000_000 + nanoseconds)


def _point(cursor: Cursor) -> List[_Place]:
    """Pass a point; returns where its arrays lie, and last its time."""
    places = []
    for _ in _FIELDS:
        count = cursor.uint32()
        length_at = cursor.position - 4
        places.append((length_at, *cursor.doubles(count)))
    cursor.align(4)
    at = cursor.skip(8)
    return [*places, (at, at, 2)]


def _rows(body: bytes, places: List[_Place], stride: int, count: int
          ) -> List[FloatArray]:
    """Return the arrays of some points that lie ``stride`` bytes apart, (count, k) each."""
    rows: List[FloatArray] = []
    for length_at, at, size in places[:-1]:
        lengths = np.ndarray((count,), '<u4', body, length_at, (stride,))
        if (lengths != size).any():
            raise _UnequalPoints
        rows.append(np.ndarray((count, size), '<f8', body, at, (stride, 8)).copy())
    at = places[-1][1]
    times = np.empty((count, 2))
    times[:, 0] = np.ndarray((count,), '<i4', body, at, (stride,))
    times[:, 1] = np.ndarray((count,), '<u4', body, at + 4, (stride,))
    rows.append(times)
    return rows

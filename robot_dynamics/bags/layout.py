"""
Where the numbers stand inside a serialised JointState, Imu or Float64MultiArray message.

The wire formats (CDR of ROS 2, little-endian; ROS 1) have no fixed offsets: strings and array
lengths come first.  But the messages of one publisher all have the same names and lengths, so
one :class:`Layout` serves all of them: equal *static* bytes mean equal offsets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
import struct
from typing import Any, Dict, List, Tuple

JOINT_STATE = 'sensor_msgs/msg/JointState'
IMU = 'sensor_msgs/msg/Imu'
TRAJECTORY = 'trajectory_msgs/msg/JointTrajectory'
ARRAY = 'std_msgs/msg/Float64MultiArray'


class LayoutError(ValueError):
    """The bytes are not a message of the expected type and encoding."""


@lru_cache
def typestore(ros1: bool) -> Any:
    """Return what ``rosbags`` knows of common types; it writes code for each that it meets."""
    from rosbags.typesys import get_typestore, Stores
    return get_typestore(Stores.ROS1_NOETIC if ros1 else Stores.LATEST)


@dataclass(frozen=True)
class Layout:
    """The fixed part of a message."""

    size: int  #: Length of the whole message in bytes
    #: Offset of the header stamp: seconds and nanoseconds, 4 bytes each; -1 without a header
    stamp: int
    #: Ranges of bytes that must be equal for the layout to hold
    static: Tuple[Tuple[int, int], ...]
    arrays: Dict[str, Tuple[int, int]]  #: Offset and number of float64 values of each array
    names: Tuple[str, ...]  #: Joint names (JointState), as they stand in the message
    frame_id: str  #: Frame of the header


class Cursor:
    """Walks through a message; aligns as CDR does, or not at all as ROS 1."""

    def __init__(self, raw: bytes, ros1: bool = False) -> None:
        self.raw = raw
        self.ros1 = ros1
        self.position = 0 if ros1 else 4

    def align(self, size: int) -> None:
        """Go to where a value of this size may stand."""
        if not self.ros1:
            self.position += -(self.position - 4) % size

    def uint32(self) -> int:
        """Read a length or a number."""
        self.align(4)
        if self.position + 4 > len(self.raw):
            raise LayoutError('message too short')
        value: int = struct.unpack_from('<I', self.raw, self.position)[0]
        self.position += 4
        return value

    def skip(self, size: int) -> int:
        """Pass so many bytes; return where they begin."""
        start = self.position
        if size < 0 or start + size > len(self.raw):
            raise LayoutError('message too short')
        self.position += size
        return start

    def text(self) -> str:
        """Read a string."""
        length = self.uint32()
        start = self.skip(length)
        value = self.raw[start:start + length]
        return (value if self.ros1 else value.rstrip(b'\0')).decode(errors='replace')

    def doubles(self, count: int) -> Tuple[int, int]:
        """Pass so many float64 values; return where they begin, and their number."""
        if count:
            self.align(8)
        return self.skip(8 * count), count


def find_layout(raw: bytes, msgtype: str, ros1: bool = False) -> Layout:
    """
    Read the layout of one message.

    Raises
    ------
    LayoutError
        If the encoding is not little-endian CDR (or ROS 1), or the lengths do not add up.
    """
    if not ros1 and raw[:2] != b'\x00\x01':
        raise LayoutError('not little-endian CDR')
    cursor = Cursor(raw, ros1)
    static: List[Tuple[int, int]] = [] if ros1 else [(0, 4)]
    stamp, frame_id = -1, ''
    begin = cursor.position
    if msgtype != ARRAY:
        if ros1:
            cursor.uint32()  # sequence number
        stamp = cursor.skip(8)
        begin = cursor.position
        frame_id = cursor.text()
    names: Tuple[str, ...] = ()
    arrays: Dict[str, Tuple[int, int]] = {}
    if msgtype == ARRAY:
        for _ in range(cursor.uint32()):  # dimensions: label, size, stride
            cursor.text(), cursor.uint32(), cursor.uint32()
        cursor.uint32()
        length = cursor.uint32()
        static.append((begin, cursor.position))
        arrays['data'] = cursor.doubles(length)
    elif msgtype == JOINT_STATE:
        count = cursor.uint32()
        if 4 * count > len(raw):
            raise LayoutError('message too short')
        names = tuple(cursor.text() for _ in range(count))
        for field in ('position', 'velocity', 'effort'):
            length = cursor.uint32()
            static.append((begin, cursor.position))
            arrays[field] = cursor.doubles(length)
            begin = cursor.position
    elif msgtype == IMU:
        static.append((begin, cursor.position))
        for field, length in (
                ('orientation', 4), ('orientation_covariance', 9), ('angular_velocity', 3),
                ('angular_velocity_covariance', 9), ('linear_acceleration', 3),
                ('linear_acceleration_covariance', 9)):
            arrays[field] = cursor.doubles(length)
    else:
        raise LayoutError(f'no layout for {msgtype}')
    if len(raw) - cursor.position not in range(0, 32):  # rclpy aligns empty arrays as well
        raise LayoutError('bytes left over')
    return Layout(len(raw), stamp, tuple(static), arrays, names, frame_id)

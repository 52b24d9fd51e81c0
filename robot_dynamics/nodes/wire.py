"""
The messages of the fast streams, read from their bytes and written into them.

rclpy makes an object with all its parts of every message that it takes, and takes one apart for
every message that it sends; at the rate of a controller that is half of what a node does.  The
messages of one publisher differ in stamp and numbers alone, so where these stand is looked up
once.
"""

from __future__ import annotations

import struct
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from rclpy.serialization import deserialize_message, serialize_message
from robot_dynamics.bags.layout import (
    ARRAY, find_layout, IMU, JOINT_STATE, Layout, LayoutError)
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray

_TYPES: Dict[Any, str] = {JointState: JOINT_STATE, Imu: IMU, Float64MultiArray: ARRAY}
_STAMP = struct.Struct('<iI')
_SECOND = 1_000_000_000
LONGEST = 100_000  # bytes, of some 3,000 joints: what is longer would hold up the loop


class Values(NamedTuple):
    """What one message holds."""

    stamp_ns: int  #: Of its header; 0 without one
    frame_id: str
    names: Tuple[str, ...]  #: Of the joints
    arrays: Dict[str, Tuple[float, ...]]  #: By field


class WireReader:
    """
    Reads what a raw subscription receives.

    Parameters
    ----------
    kind : JointState, Imu or Float64MultiArray
        The class of the message.
    """

    def __init__(self, kind: Any) -> None:
        self._kind = kind
        self._layout: Optional[Layout] = None
        self._static: List[Tuple[int, int, bytes]] = []
        self._arrays: List[Tuple[str, struct.Struct, int]] = []

    def read(self, raw: bytes) -> Values:
        """Return the values; what is no such message, or too long, counts as an empty one."""
        if len(raw) > LONGEST:
            raw = self._instead(raw)
        layout = self._layout
        if layout is None or len(raw) != layout.size or any(
                raw[start:stop] != was for start, stop, was in self._static):
            raw, layout = self._look(raw)
        stamp_ns = 0
        if layout.stamp >= 0:
            seconds, nanoseconds = _STAMP.unpack_from(raw, layout.stamp)
            stamp_ns = seconds * _SECOND + nanoseconds
        return Values(stamp_ns, layout.frame_id, layout.names, {
            name: numbers.unpack_from(raw, start) for name, numbers, start in self._arrays})

    def _look(self, raw: bytes) -> Tuple[bytes, Layout]:
        """Take the layout from here on from a message; returns that, if need be written anew."""
        try:
            layout = find_layout(raw, _TYPES[self._kind])
        except LayoutError:
            raw = self._rewritten(raw)
            layout = find_layout(raw, _TYPES[self._kind])
        self._layout = layout
        self._static = [(start, stop, raw[start:stop]) for start, stop in layout.static]
        self._arrays = [(name, struct.Struct(f'<{count}d'), start)
                        for name, (start, count) in layout.arrays.items()]
        return raw, layout

    def _instead(self, raw: bytes) -> bytes:
        """Return a message with the stamp of one that is too long, and no more."""
        message, said = self._kind(), f'{len(raw)} bytes, more than the {LONGEST} that are read'
        if hasattr(message, 'header'):
            stamp = message.header.stamp
            stamp.sec, stamp.nanosec = _STAMP.unpack_from(raw, 4)
            message.header.frame_id = said
        if hasattr(message, 'name'):
            message.name = [said]
        return bytes(serialize_message(message))

    def _rewritten(self, raw: bytes) -> bytes:
        try:
            message = deserialize_message(raw, self._kind)
        except Exception:  # noqa: B902  (a class of its own in every distribution)
            message = self._kind()
        return bytes(serialize_message(message))


class WireWriter:
    """
    One message that is sent again and again with other numbers.

    Parameters
    ----------
    template : JointState, Imu or Float64MultiArray
        Names and lengths are what they will always be.

    Raises
    ------
    ConfigurationError
        If the middleware does not write little-endian CDR.

    Attributes
    ----------
    message : bytes
        As it was filled last.
    """

    def __init__(self, template: Any) -> None:
        self.message = bytes(serialize_message(template))
        try:
            self._layout = find_layout(self.message, _TYPES[type(template)])
        except LayoutError as error:
            raise ConfigurationError(
                f'the middleware serialises messages in an unknown way ({error}); set '
                'RMW_IMPLEMENTATION to one that writes little-endian CDR, such as '
                'rmw_fastrtps_cpp or rmw_cyclonedds_cpp') from error
        self._bytes = memoryview(bytearray(self.message))

    def fill(self, stamp_ns: int = 0, **arrays: FloatArray) -> bytes:
        """Return the message with a stamp, where it has one, and these arrays by field."""
        layout, raw = self._layout, self._bytes
        if layout.stamp >= 0:
            _STAMP.pack_into(raw, layout.stamp, *divmod(stamp_ns, _SECOND))
        for name, values in arrays.items():
            start, count = layout.arrays[name]
            raw[start:start + 8 * count] = np.asarray(values, '<f8').tobytes()
        self.message = bytes(raw)
        return self.message

"""
Many raw messages at once to arrays.

Messages of equal length are laid side by side as one matrix of bytes; those whose static bytes
agree share a :class:`~robot_dynamics.bags.layout.Layout`, and their stamps and numbers are
then columns of that matrix.  What does not fit (big-endian, broken lengths) goes one by one
through ``rosbags``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.layout import find_layout, Layout, LayoutError

Deserialize = Callable[[bytes, str], Any]
_JOINT_FIELDS = ('position', 'velocity', 'effort')
_IMU_FIELDS = ('orientation', 'orientation_covariance', 'angular_velocity',
               'angular_velocity_covariance', 'linear_acceleration',
               'linear_acceleration_covariance')


@dataclass(frozen=True)
class Batch:
    """Decoded messages that share frame, names and array lengths."""

    order: NDArray[np.int64]  #: (N,), place of each message in the list that was decoded
    header_ns: NDArray[np.int64]  #: (N,) int64, header stamps in nanoseconds
    #: (N, k), the message's arrays by field name; k = 0 where the publisher left them empty
    arrays: Dict[str, NDArray[np.float64]]
    names: Tuple[str, ...]  #: Joint names (JointState only)
    frame_id: str  #: Frame of the header


class Decoder:
    """
    Decodes JointState or Imu messages in batches.

    Parameters
    ----------
    msgtype : str
        ``sensor_msgs/msg/JointState`` or ``sensor_msgs/msg/Imu``.
    ros1 : bool
        Whether the messages are serialised as in ROS 1.
    deserialize : callable
        The slow path: (raw, msgtype) -> message object.

    Attributes
    ----------
    broken : int
        Number of messages that neither path could read.
    """

    def __init__(self, msgtype: str, ros1: bool, deserialize: Deserialize) -> None:
        self.msgtype = msgtype
        self.ros1 = ros1
        self.broken = 0
        self._deserialize = deserialize

    def decode(self, raws: Sequence[bytes]) -> List[Batch]:
        """Decode a list of raw messages into one batch for each layout among them."""
        by_size: Dict[int, List[int]] = {}
        for index, raw in enumerate(raws):
            by_size.setdefault(len(raw), []).append(index)
        batches: List[Batch] = []
        for size, members in by_size.items():
            order = np.array(members, np.int64)
            matrix = np.frombuffer(b''.join([raws[i] for i in members]), np.uint8)
            self._decode_equal_size(matrix.reshape(len(members), size), order, raws, batches)
        return batches

    def _decode_equal_size(self, matrix: NDArray[np.uint8], order: NDArray[np.int64],
                           raws: Sequence[bytes], batches: List[Batch]) -> None:
        while len(order):
            first = raws[int(order[0])]
            try:
                layout = find_layout(first, self.msgtype, self.ros1)
            except LayoutError:
                slow = self._decode_slowly(first, int(order[0]))
                if slow is not None:
                    batches.append(slow)
                matrix, order = matrix[1:], order[1:]
                continue
            same = np.ones(len(order), bool)
            for start, stop in layout.static:
                same &= (matrix[:, start:stop] == matrix[0, start:stop]).all(axis=1)
            if same.all():
                batches.append(_columns(matrix, order, layout))
                return
            batches.append(_columns(matrix[same], order[same], layout))
            matrix, order = matrix[~same], order[~same]

    def _decode_slowly(self, raw: bytes, index: int) -> Optional[Batch]:
        try:
            message = self._deserialize(raw, self.msgtype)
            stamp = message.header.stamp
            names = tuple(getattr(message, 'name', ()))
            fields = _JOINT_FIELDS if hasattr(message, 'position') else _IMU_FIELDS
            arrays = {field: _flat(getattr(message, field)) for field in fields}
        except Exception:  # noqa: B902  (rosbags raises many kinds)
            self.broken += 1
            return None
        return Batch(np.array([index]), np.array([stamp.sec * 10**9 + stamp.nanosec], np.int64),
                     arrays, names, message.header.frame_id)


INTERFACES = ('position', 'velocity', 'effort')


def base_name(name: str) -> Tuple[str, str]:
    """Split ``joint1/position`` into joint and interface; other names have no interface."""
    joint, slash, interface = name.rpartition('/')
    return (joint, interface) if slash and joint and interface in INTERFACES else (name, '')


def without_interfaces(batch: Batch) -> Batch:
    """
    Sort values by joint where names carry interfaces, as ``joint1/position``, ``joint1/effort``.

    Some broadcasters of ros2_control publish all of them in the field position.
    """
    split = [base_name(name) for name in batch.names]
    if not split or not all(interface for _, interface in split) \
            or batch.arrays['position'].shape[1] != len(split):
        return batch
    joints = tuple(dict.fromkeys(joint for joint, _ in split))
    arrays = {}
    for interface in INTERFACES:
        columns = [split.index((joint, interface)) if (joint, interface) in split else -1
                   for joint in joints]
        arrays[interface] = np.empty((len(batch.order), 0)) if max(columns) < 0 else np.where(
            np.array(columns) < 0, np.nan, batch.arrays['position'][:, columns])
    return replace(batch, arrays=arrays, names=joints)


def _flat(value: Any) -> NDArray[np.float64]:
    if hasattr(value, 'x'):
        parts = [value.x, value.y, value.z] + ([value.w] if hasattr(value, 'w') else [])
        value = parts
    return np.array(value, np.float64).reshape(1, -1)


def _columns(matrix: NDArray[np.uint8], order: NDArray[np.int64], layout: Layout) -> Batch:
    """Cut stamps and arrays out of a matrix of equally laid out messages."""
    def cut(start: int, width: int, kind: str) -> NDArray[Any]:
        return np.ascontiguousarray(matrix[:, start:start + width]).view(kind)
    stamp = cut(layout.stamp, 8, '<u4').astype(np.int64)
    seconds = stamp[:, 0]
    # the seconds of ROS 2 are signed
    seconds = np.where(seconds >= 2**31, seconds - 2**32, seconds)
    arrays = {
        name: cut(start, 8 * count, '<f8').astype(np.float64) if count
        else np.empty((len(order), 0))
        for name, (start, count) in layout.arrays.items()}
    return Batch(order, seconds * 10**9 + stamp[:, 1], arrays, layout.names, layout.frame_id)

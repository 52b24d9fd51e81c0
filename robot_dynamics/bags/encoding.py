"""
Arrays to many serialised messages at once: the mirror of :mod:`robot_dynamics.bags.decoding`.

One message is serialised by ``rosbags``; the others are copies of its bytes with their own
stamps and numbers.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_dynamics.bags.layout import find_layout, IMU, JOINT_STATE, TRAJECTORY, typestore
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray


class Encoder:
    """
    Serialises JointState, Imu and String messages.

    Parameters
    ----------
    ros1 : bool
        Serialise as ROS 1 instead of CDR.
    """

    def __init__(self, ros1: bool = False) -> None:
        self.ros1 = ros1
        self.typestore = typestore(ros1)

    def text(self, value: str) -> bytes:
        """Serialise a ``std_msgs/msg/String``."""
        kind = 'std_msgs/msg/String'
        return self._serialize(self.typestore.types[kind](data=value), kind)

    def joint_states(self, stamp_ns: ArrayLike, names: Sequence[str],
                     position: Optional[ArrayLike] = None, velocity: Optional[ArrayLike] = None,
                     effort: Optional[ArrayLike] = None, frame_id: str = '') -> List[bytes]:
        """
        Serialise joint states.

        Parameters
        ----------
        stamp_ns : array_like of int, () or (T,)
            Header stamps.
        names : sequence of str, n
            Joint names.
        position, velocity, effort : array_like, (n,) or (T, n), optional
            What is None stays an empty array in the message.
        frame_id : str
            Frame of the header.
        """
        stamps = np.atleast_1d(np.asarray(stamp_ns, np.int64))
        arrays = {name: _rows(name, value, len(stamps)) for name, value in (
            ('position', position), ('velocity', velocity), ('effort', effort))}
        message = self.typestore.types[JOINT_STATE](
            header=self._header(frame_id), name=list(names),
            **{name: values[0] for name, values in arrays.items()})
        return self._copies(message, JOINT_STATE, stamps, arrays)

    def imu(self, stamp_ns: ArrayLike, angular_velocity: ArrayLike,
            linear_acceleration: ArrayLike, orientation_xyzw: Optional[ArrayLike] = None,
            frame_id: str = 'imu_link') -> List[bytes]:
        """
        Serialise IMU samples (REP-145).

        Parameters
        ----------
        stamp_ns : array_like of int, () or (T,)
            Header stamps.
        angular_velocity, linear_acceleration : array_like, (3,) or (T, 3)
            rad/s; specific force, m/s^2; in the IMU's axes.
        orientation_xyzw : array_like, (4,) or (T, 4), optional
            None: marked as not reported.
        frame_id : str
            Frame of the header.
        """
        stamps = np.atleast_1d(np.asarray(stamp_ns, np.int64))
        types = self.typestore.types
        reported = orientation_xyzw is not None
        quaternion = _rows('orientation_xyzw', orientation_xyzw if reported
                           else (0.0, 0.0, 0.0, 1.0), len(stamps))
        covariance = np.zeros(9)
        arrays = {'orientation': quaternion,
                  'angular_velocity': _rows('angular_velocity', angular_velocity, len(stamps)),
                  'linear_acceleration': _rows('linear_acceleration', linear_acceleration,
                                               len(stamps))}
        vector = types['geometry_msgs/msg/Vector3']
        message = types[IMU](
            header=self._header(frame_id),
            orientation=types['geometry_msgs/msg/Quaternion'](*map(float, quaternion[0])),
            orientation_covariance=covariance if reported else -np.eye(1, 9)[0],
            angular_velocity=vector(*map(float, arrays['angular_velocity'][0])),
            angular_velocity_covariance=covariance,
            linear_acceleration=vector(*map(float, arrays['linear_acceleration'][0])),
            linear_acceleration_covariance=covariance)
        return self._copies(message, IMU, stamps, arrays)

    def trajectory(self, stamp_ns: int, names: Sequence[str], times: ArrayLike,
                   positions: ArrayLike, velocities: Optional[ArrayLike] = None,
                   accelerations: Optional[ArrayLike] = None) -> bytes:
        """
        Serialise a ``trajectory_msgs/msg/JointTrajectory``.

        Parameters
        ----------
        stamp_ns : int
            Header stamp: where the times count from.
        names : sequence of str, n
            Joint names.
        times : array_like, (N,)
            Times from start, s.
        positions, velocities, accelerations : array_like, (N, n)
            SI; what is None stays empty in the points.
        """
        types, kind = self.typestore.types, TRAJECTORY
        ns = np.rint(np.asarray(times, np.float64) * 1e9).astype(np.int64)
        columns = [_rows(name, value, len(ns)) for name, value in (
            ('positions', positions), ('velocities', velocities),
            ('accelerations', accelerations))]
        duration = types['builtin_interfaces/msg/Duration']
        points = [types['trajectory_msgs/msg/JointTrajectoryPoint'](
            *(values[i] for values in columns), np.empty(0),
            duration(int(t // 10**9), int(t % 10**9))) for i, t in enumerate(ns)]
        header = self._header('')
        header.stamp.sec, header.stamp.nanosec = divmod(int(stamp_ns), 10**9)
        return self._serialize(types[kind](header, list(names), points), kind)

    def _header(self, frame_id: str) -> Any:
        types = self.typestore.types
        stamp = types['builtin_interfaces/msg/Time'](sec=0, nanosec=0)
        header = types['std_msgs/msg/Header']
        if self.ros1:
            return header(seq=0, stamp=stamp, frame_id=frame_id)
        return header(stamp=stamp, frame_id=frame_id)

    def _serialize(self, message: Any, kind: str) -> bytes:
        if self.ros1:
            return bytes(self.typestore.serialize_ros1(message, kind))
        return bytes(self.typestore.serialize_cdr(message, kind))

    def _copies(self, message: Any, kind: str, stamps: NDArray[np.int64],
                arrays: Dict[str, FloatArray]) -> List[bytes]:
        first = self._serialize(message, kind)
        layout = find_layout(first, kind, self.ros1)
        table = np.tile(np.frombuffer(first, np.uint8), (len(stamps), 1))
        seconds = np.stack([stamps // 10**9, stamps % 10**9], axis=1).astype('<u4')
        columns: List[Tuple[int, NDArray[Any]]] = [(layout.stamp, seconds)]
        columns += [(layout.arrays[name][0], values.astype('<f8'))
                    for name, values in arrays.items() if values.shape[1]]
        for start, values in columns:
            raw = np.ascontiguousarray(values).view(np.uint8)
            table[:, start:start + raw.shape[1]] = raw
        size = len(first)
        whole = table.tobytes()
        return [whole[i * size:(i + 1) * size] for i in range(len(stamps))]


def _rows(name: str, value: Optional[ArrayLike], count: int) -> FloatArray:
    if value is None:
        return np.empty((count, 0))
    array = np.asarray(value, np.float64)
    if array.ndim == 1:
        array = np.broadcast_to(array, (count, len(array)))
    if array.ndim != 2 or len(array) != count:
        raise InputError(name, f'expected {count} rows, got shape {array.shape}')
    return np.ascontiguousarray(array)

"""A ship's motion out of a recording: from odometry all of it, from an IMU how it turned."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.storage import Topic
from robot_dynamics.core.errors import BagError, UnknownNameError
from robot_dynamics.motion.frames import is_ned
from robot_dynamics.motion.rotations import matrix_from_quat, rpy_from_matrix
from robot_dynamics.ship.recorded_motion import RecordedMotion
from robot_dynamics.ship.ship_motion import ShipMotion

FloatArray = NDArray[np.float64]

ODOMETRY, IMU = 'nav_msgs/msg/Odometry', 'sensor_msgs/msg/Imu'
_NED_SIGNS = np.array([1.0, -1.0, -1.0])


def ship_of_recording(path: Union[str, Path], topic: str = '', cutoff: float = 0.0
                      ) -> Tuple[ShipMotion, str]:
    """
    Return the motion as recorded, and the topic that it is from.

    Positions are taken about their mean.  An IMU tells roll, pitch and yaw only; its
    acceleration is not integrated to a heave.

    Parameters
    ----------
    path : path-like
        A bag.
    topic : str
        Of nav_msgs/Odometry or sensor_msgs/Imu; empty: the only odometry, else the only IMU.
    cutoff : float
        Of a zero-phase low-pass filter over the samples, Hz; 0 for none.

    Raises
    ------
    RobotDynamicsError
        If the bag cannot be read, or does not say which topic is meant.
    """
    with Recording(path) as recording:
        channel = _chosen(recording, topic)
        time, quats, positions = _samples(recording, channel)
    rpy = np.unwrap(rpy_from_matrix(matrix_from_quat(quats)), axis=0)
    values: Dict[str, Any] = dict(zip(('roll', 'pitch', 'yaw'), rpy.T))
    if len(positions):
        values.update(zip(('surge', 'sway', 'heave'), (positions - positions.mean(axis=0)).T))
    return ShipMotion(RecordedMotion(time, values, cutoff=cutoff or None)), channel.topic


def _chosen(recording: Recording, topic: str) -> Topic:
    candidates = recording.topics_of_type(ODOMETRY) + recording.topics_of_type(IMU)
    if topic:
        for channel in candidates:
            if channel.topic == topic:
                return channel
        raise UnknownNameError('topic of odometry or IMU', topic, [c.topic for c in candidates])
    for msgtype in (ODOMETRY, IMU):
        found = recording.topics_of_type(msgtype)
        if len(found) == 1:
            return found[0]
        if found:
            raise BagError(f'{recording.path}: holds {", ".join(c.topic for c in found)} of type '
                           f'{msgtype}; say which one moves as the ship does (--topic)')
    raise BagError(f'{recording.path}: holds neither {ODOMETRY} nor {IMU}')


def _samples(recording: Recording, channel: Topic
             ) -> Tuple[FloatArray, FloatArray, FloatArray]:
    """Return times (T,) in s, orientations (T, 4), positions (T, 3) or (0, 3), z up."""
    stamps: List[int] = []
    quats: List[Tuple[float, ...]] = []
    positions: List[Tuple[float, ...]] = []
    for _, _, raw in recording.messages([channel.topic]):
        message = recording.deserialize(raw, channel.msgtype)
        stamp = message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec
        if stamps and stamp <= stamps[-1]:
            continue
        pose = message.pose.pose if channel.msgtype == ODOMETRY else None
        q = message.orientation if pose is None else pose.orientation
        ned = is_ned(message.header.frame_id)
        if pose is None and message.orientation_covariance[0] < 0:
            raise BagError(f'{recording.path}: {channel.topic} reports no orientation')
        stamps.append(stamp)
        quats.append((q.x, -q.y, -q.z, q.w) if ned else (q.x, q.y, q.z, q.w))
        if pose is not None:
            p = np.array([pose.position.x, pose.position.y, pose.position.z])
            positions.append(tuple(p * _NED_SIGNS if ned else p))
    since = np.array([stamp - stamps[0] for stamp in stamps], dtype=np.float64)
    return (1e-9 * since, np.array(quats, dtype=np.float64).reshape(-1, 4),
            np.array(positions, dtype=np.float64).reshape(-1, 3))

"""The messages that may measure the base, each as a sample: an IMU, or an orientation alone."""

from __future__ import annotations

from math import isfinite, nan
from typing import Any, Callable, Dict, Tuple, Union

from geometry_msgs.msg import QuaternionStamped, Vector3Stamped
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.motion.rotations import matrix_from_rpy, quat_from_matrix
from robot_dynamics.nodes.messages import imu_sample, stamp_ns
from robot_dynamics.nodes.wire import WireReader
from sensor_msgs.msg import Imu

_NONE = (0.0, 0.0, 0.0)


def sample_of_angles(message: Vector3Stamped) -> ImuSample:
    """Return roll, pitch and yaw (x, y, z in rad, about fixed axes) as a sample."""
    v = message.vector
    angles = v.x, v.y, v.z
    quat = quat_from_matrix(matrix_from_rpy(angles)).tolist() if all(map(isfinite, angles)) else (
        4 * [nan])
    return _orientation(message, tuple(quat))


def sample_of_quaternion(message: QuaternionStamped) -> ImuSample:
    """Return an orientation as a sample."""
    q = message.quaternion
    return _orientation(message, (q.x, q.y, q.z, q.w))


def reader_of_imu() -> Callable[[bytes], ImuSample]:
    """Return what reads the bytes of one publisher's sensor_msgs/Imu."""
    reader = WireReader(Imu)
    return lambda raw: imu_sample(reader.read(raw))


# By the value of the parameter base_topic_type: message, whether its bytes are read, topic, and
# what makes the conversion.
SOURCES: Dict[str, Tuple[type, bool, str, Callable[[], Callable[[Any], ImuSample]]]] = {
    'imu': (Imu, True, 'imu/data', reader_of_imu),
    'vector3': (Vector3Stamped, False, 'base_orientation', lambda: sample_of_angles),
    'quaternion': (QuaternionStamped, False, 'base_orientation', lambda: sample_of_quaternion)}


def _orientation(message: Union[QuaternionStamped, Vector3Stamped],
                 quat_xyzw: Tuple[float, ...]) -> ImuSample:
    """Build a sample that reports nothing but an orientation."""
    return ImuSample(stamp_ns(message.header.stamp), _NONE, _NONE, quat_xyzw,
                     message.header.frame_id, angular_velocity_covariance=NOT_REPORTED,
                     linear_acceleration_covariance=NOT_REPORTED)

"""
Conversions between ROS messages and the plain values of the rooms below.

What comes and goes in every cycle is read and written as bytes (:mod:`.wire`); here is the rest.
"""

from __future__ import annotations

from array import array
import math
from typing import Iterable, List, Optional, Sequence, Union

from builtin_interfaces.msg import Duration, Time
from geometry_msgs.msg import Quaternion, Vector3
from nav_msgs.msg import Odometry
import numpy as np
from robot_dynamics.control.pose_input import heading_of
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.nodes.wire import Values
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray, MultiArrayDimension, MultiArrayLayout
from trajectory_msgs.msg import JointTrajectory as JointTrajectoryMsg
from trajectory_msgs.msg import JointTrajectoryPoint

_SECOND = 1_000_000_000


def stamp_ns(stamp: Union[Time, Duration]) -> int:
    """Return a builtin_interfaces Time or Duration as integer nanoseconds."""
    return int(stamp.sec * _SECOND + stamp.nanosec)


def to_stamp(nanoseconds: int) -> Time:
    """Return a builtin_interfaces Time."""
    sec, nanosec = divmod(nanoseconds, _SECOND)
    return Time(sec=sec, nanosec=nanosec)


def set_stamp(stamp: Union[Time, Duration], nanoseconds: int) -> None:
    """Fill a Time or Duration in place."""
    stamp.sec, stamp.nanosec = divmod(nanoseconds, _SECOND)


def doubles(values: Iterable[float]) -> 'array[float]':
    """Return what rclpy takes for float64[] without looking at every element."""
    if isinstance(values, np.ndarray):
        return array('d', values.astype(np.float64, copy=False).tobytes())
    return array('d', values)


def imu_sample(values: Values) -> ImuSample:
    """Return what a sensor_msgs/Imu holds; what is not reported stays marked as such."""
    arrays = values.arrays
    return ImuSample(
        values.stamp_ns, arrays['angular_velocity'], arrays['linear_acceleration'],
        arrays['orientation'], values.frame_id, arrays['orientation_covariance'],
        arrays['angular_velocity_covariance'], arrays['linear_acceleration_covariance'])


def imu_message(sample: ImuSample) -> Imu:
    """Return a sample as sensor_msgs/Imu (REP-145)."""
    message = Imu()
    set_stamp(message.header.stamp, sample.stamp_ns)
    message.header.frame_id = sample.frame_id
    message.angular_velocity = vector3(sample.angular_velocity)
    message.linear_acceleration = vector3(sample.linear_acceleration)
    if sample.orientation_xyzw is not None:
        message.orientation = quaternion(sample.orientation_xyzw)
    message.orientation_covariance = [float(v) for v in sample.orientation_covariance]
    message.angular_velocity_covariance = [float(v) for v in sample.angular_velocity_covariance]
    message.linear_acceleration_covariance = [
        float(v) for v in sample.linear_acceleration_covariance]
    return message


def vector3(values: Union[Sequence[float], FloatArray]) -> Vector3:
    """Return (x, y, z) as geometry_msgs/Vector3."""
    return Vector3(x=float(values[0]), y=float(values[1]), z=float(values[2]))


def quaternion(xyzw: Union[Sequence[float], FloatArray]) -> Quaternion:
    """Return (x, y, z, w) as geometry_msgs/Quaternion."""
    return Quaternion(x=float(xyzw[0]), y=float(xyzw[1]), z=float(xyzw[2]), w=float(xyzw[3]))


def joint_state_template(names: Sequence[str], frame_id: str = '') -> JointState:
    """Return a JointState with names and zeros, to be filled again in every cycle."""
    message = JointState(name=list(names))
    message.header.frame_id = frame_id
    message.position = array('d', bytes(8 * len(names)))
    message.velocity = array('d', bytes(8 * len(names)))
    message.effort = array('d', bytes(8 * len(names)))
    return message


def effort_template(names: Sequence[str]) -> Float64MultiArray:
    """Return a Float64MultiArray whose one dimension is labelled with the joints."""
    dimension = MultiArrayDimension(label=','.join(names), size=len(names), stride=len(names))
    return Float64MultiArray(
        layout=MultiArrayLayout(dim=[dimension]), data=array('d', bytes(8 * len(names))))


def trajectory_message(plain: JointTrajectory, efforts: Optional[FloatArray] = None
                       ) -> JointTrajectoryMsg:
    """Return a plain trajectory as a message; ``efforts`` (N, n) fill the points' effort."""
    message = JointTrajectoryMsg(joint_names=list(plain.names))
    set_stamp(message.header.stamp, plain.start_ns)
    for row, time in enumerate(plain.times):
        point = JointTrajectoryPoint(positions=doubles(plain.positions[row]))
        if plain.velocities is not None:
            point.velocities = doubles(plain.velocities[row])
        if plain.accelerations is not None:
            point.accelerations = doubles(plain.accelerations[row])
        if efforts is not None:
            point.effort = doubles(efforts[row])
        set_stamp(point.time_from_start, int(round(time * _SECOND)))
        message.points.append(point)
    return message


def pose_of(message: Odometry) -> List[float]:
    """
    Return x, y [m] and heading [rad] of a nav_msgs/Odometry.

    An orientation that is none gives NaN, which the feedforward refuses by name.
    """
    position, q = message.pose.pose.position, message.pose.pose.orientation
    heading = heading_of((q.x, q.y, q.z, q.w))
    return [position.x, position.y, math.nan if heading is None else heading]

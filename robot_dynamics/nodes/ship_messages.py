"""The true motion of the arm's base as messages."""

from __future__ import annotations

from typing import Any, Protocol

from geometry_msgs.msg import AccelStamped, Point, TransformStamped, Vector3
from nav_msgs.msg import Odometry

from robot_dynamics.motion.rotations import rotate_back
from robot_dynamics.nodes.messages import quaternion, to_stamp, vector3
from robot_dynamics.ship.ship_motion import DeckPose

try:
    from tf2_msgs.msg import TFMessage
except ImportError:  # not among the wheels
    TFMessage = None

__all__ = ['acceleration_message', 'odometry_message', 'tf_message', 'TFMessage']


class Frames(Protocol):
    """Where the frames' names and the arm's place come from."""

    world_frame: str
    ship_frame: str
    base_frame: str
    base_point: tuple[float, ...]


def odometry_message(stamp_ns: int, pose: DeckPose, frames: Frames) -> Odometry:
    """Return pose in the world and twist in base axes, of the arm's base."""
    message = Odometry(child_frame_id=frames.base_frame)
    message.header.stamp = to_stamp(stamp_ns)
    message.header.frame_id = frames.world_frame
    x, y, z = (float(v) for v in pose.position)
    message.pose.pose.position = Point(x=x, y=y, z=z)
    message.pose.pose.orientation = quaternion(pose.quat_xyzw)
    message.twist.twist.linear = vector3(rotate_back(pose.rotation, pose.linear_velocity))
    message.twist.twist.angular = vector3(pose.angular_velocity)
    return message


def acceleration_message(stamp_ns: int, pose: DeckPose, frames: Frames) -> AccelStamped:
    """Return the acceleration of the arm's base, without gravity, in base axes."""
    message = AccelStamped()
    message.header.stamp = to_stamp(stamp_ns)
    message.header.frame_id = frames.base_frame
    message.accel.linear = vector3(rotate_back(pose.rotation, pose.linear_acceleration))
    message.accel.angular = vector3(pose.angular_acceleration)
    return message


def tf_message(stamp_ns: int, pose: DeckPose, frames: Frames) -> Any:
    """Return world to ship and ship to arm base."""
    place = tuple(float(v) for v in frames.base_point)
    centre = pose.position - pose.rotation @ place
    ship = TransformStamped(child_frame_id=frames.ship_frame)
    ship.header.frame_id = frames.world_frame
    ship.transform.translation = vector3(centre)
    ship.transform.rotation = quaternion(pose.quat_xyzw)
    base = TransformStamped(child_frame_id=frames.base_frame)
    base.header.frame_id = frames.ship_frame
    base.transform.translation = Vector3(x=place[0], y=place[1], z=place[2])
    for transform in (ship, base):
        transform.header.stamp = to_stamp(stamp_ns)
    return TFMessage(transforms=[ship, base])

"""What a simulated platform publishes beyond joint states: its odometry, and an IMU on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
import dataclasses
import math
from typing import Any, Union

from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.publisher import Publisher
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.nodes.messages import imu_message, set_stamp
from robot_dynamics.simulation.simulated_robot import SimulatedRobot
from sensor_msgs.msg import Imu


@dataclasses.dataclass(frozen=True)
class OdometryConfig(Configuration):
    """How a simulated platform reports where it is."""

    period: float = parameter(
        0.02, 'time between messages; rounded to whole periods of the joint states', 's', 1e-4,
        10.0, live=False)
    frame: str = parameter('odom', 'frame of the deck in which the platform drives', live=False)
    child_frame: str = parameter('base_footprint', 'frame of the platform', live=False)
    initial_pose: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'x, y [m] and heading [rad] of the platform at the start', '', -1e4, 1e4,
        live=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.initial_pose) != 3:
            raise ConfigurationError(
                f'initial_pose: has {len(self.initial_pose)} values, expected x, y, heading')


class GridPublisher(ABC):
    """
    Publishes something about a simulated platform on a fixed grid of stamps.

    Parameters
    ----------
    period : float, s
    publisher : rclpy publisher
    message : message
        What is published; filled anew for each stamp.
    """

    def __init__(self, robot: SimulatedRobot, period: float, publisher: Publisher[Any],
                 message: Union[Odometry, Imu]) -> None:
        self._robot = robot
        self._period_ns = to_ns(period)
        self._next_ns = self._shown_ns = 0
        self._publisher = publisher
        self._message = message

    def publish_due(self) -> None:
        """Publish if a message is due at the robot's present stamp, or the last one again."""
        now = self._robot.stamp_ns
        if now >= self._next_ns:
            self._next_ns = now - now % self._period_ns + self._period_ns
            self._shown_ns = now
            self._fill()
        if now == self._shown_ns:
            self._publisher.publish(self._message)

    @abstractmethod
    def _fill(self) -> None:
        """Make the message that of the robot's present stamp."""


class OdometryPublisher(GridPublisher):
    """Publishes the pose of a simulated platform."""

    def __init__(self, node: Node, robot: SimulatedRobot, config: OdometryConfig) -> None:
        message = Odometry(child_frame_id=config.child_frame)
        message.header.frame_id = config.frame
        super().__init__(robot, config.period, node.create_publisher(Odometry, 'odom', 10),
                         message)

    def _fill(self) -> None:
        odometry, message = self._robot.odometry(), self._message
        set_stamp(message.header.stamp, odometry.stamp_ns)
        x, y, heading = (float(value) for value in odometry.pose)
        pose, twist = message.pose.pose, message.twist.twist
        pose.position.x, pose.position.y = x, y
        pose.orientation.z, pose.orientation.w = math.sin(0.5 * heading), math.cos(0.5 * heading)
        twist.linear.x, twist.linear.y = odometry.forward, odometry.left
        twist.angular.z = odometry.turning_rate


class PlatformImuPublisher(GridPublisher):
    """
    Publishes ``imu/data``; the ship's own IMU must not be on the same topic.

    Parameters
    ----------
    config : ImuConfig
        Mounting is on the platform's base link.
    """

    def __init__(self, node: Node, robot: SimulatedRobot, config: ImuConfig) -> None:
        super().__init__(robot, 1.0 / config.rate, node.create_publisher(Imu, 'imu/data', 10),
                         Imu())
        self._model = ImuModel(config)

    def _fill(self) -> None:
        sample = self._model.measure(self._robot.stamp_ns, *self._robot.base_link_motion())
        if sample is not None:
            self._message = imu_message(sample)

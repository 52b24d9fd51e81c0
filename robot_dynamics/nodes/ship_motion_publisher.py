"""
Publishes what an IMU on a moving ship measures, and the ship's true motion.

The motion is a pure function of ROS time minus the epoch, so that a simulated robot with the same
parameters stands on exactly the same deck.  With ``use_sim_time`` the samples lie on a fixed grid
of stamps, and every message on ``/clock`` is answered by those that are due.  A sample that is
delayed keeps its stamp.
"""

from __future__ import annotations

import dataclasses
import heapq
import sys
from typing import Any, Callable, List, Tuple

from geometry_msgs.msg import AccelStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.publisher import Publisher
from robot_dynamics.core.parameters import group, parameter
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.nodes.fast_loop import FastLoop
from robot_dynamics.nodes.messages import imu_message, stamp_ns
from robot_dynamics.nodes.parameters import ParameterSet
from robot_dynamics.nodes.process import run
from robot_dynamics.nodes.ship_messages import (
    acceleration_message, odometry_message, tf_message, TFMessage)
from robot_dynamics.nodes.ship_parameters import ShipClockConfig, simulation_defaults
from rosgraph_msgs.msg import Clock as ClockMsg
from sensor_msgs.msg import Imu

LONGEST_BURST = 10  # samples that are sent late rather than left out
LATE_PERIOD = 0.0005  # s between looks at the samples that are under way


@dataclasses.dataclass(frozen=True)
class ShipPublisherConfig(ShipClockConfig):
    """Parameters of the node."""

    base_point: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'arm base in deck axes, from the rotation centre', 'm', -1e3, 1e3,
        live=False)
    world_frame: str = parameter('odom', 'frame in which the ship moves', live=False)
    ship_frame: str = parameter('ship_link', 'frame of the ship', live=False)
    base_frame: str = parameter('base_link', 'frame of the arm base', live=False)
    imu: ImuConfig = group(ImuConfig)


class ShipMotionPublisher(Node):
    """The node; see the module."""

    PARAMETERS = (ShipPublisherConfig,)

    def __init__(self) -> None:
        super().__init__('ship_motion_publisher')
        config = self._config = ParameterSet(
            self, ShipPublisherConfig, simulation_defaults()).config
        self._ship = config.ship.ship()
        self._imu = ImuModel(config.imu)
        self._period_ns = to_ns(1.0 / config.imu.rate)
        self._next_ns = 0
        self._last = Imu()
        self._under_way: List[Tuple[int, int, Imu]] = []  # arrival, stamp, message
        self._imus = self.create_publisher(Imu, 'imu/data', 10)
        self._truths: List[Tuple[Publisher[Any], Callable[..., Any]]] = [
            (self.create_publisher(Odometry, 'ship/odometry', 10), odometry_message),
            (self.create_publisher(AccelStamped, 'ship/acceleration', 10), acceleration_message)]
        if TFMessage is not None:
            self._truths.append((self.create_publisher(TFMessage, '/tf', 10), tf_message))
        self.fast_loop = FastLoop(self.context)
        if self.get_parameter('use_sim_time').value:
            self.fast_loop.listen(
                self.create_subscription(ClockMsg, '/clock', self._on_clock, 10))
        else:
            self.fast_loop.every(
                1.0 / config.imu.rate, lambda: self._publish(self.get_clock().now().nanoseconds))
            if config.imu.is_late:
                self.fast_loop.every(
                    LATE_PERIOD, lambda: self._deliver(self.get_clock().now().nanoseconds))

    def _on_clock(self, message: ClockMsg) -> None:
        """Answer; a time that is repeated is answered by the last sample again."""
        now = stamp_ns(message.clock)
        taken = self._publish_due(now)
        if not self._deliver(now) and not taken and now < self._next_ns:
            self._imus.publish(self._last)

    def _publish_due(self, now_ns: int) -> int:
        """Publish all samples due by now, and return how many that were."""
        period = self._period_ns
        if not now_ns - LONGEST_BURST * period <= self._next_ns <= now_ns + period:
            self._next_ns = now_ns // period * period  # the start, or a clock that jumped
        count = 0
        while self._next_ns <= now_ns:
            self._publish(self._next_ns)
            self._next_ns += period
            count += 1
        return count

    def _publish(self, stamp: int) -> None:
        t = 1e-9 * (stamp - self._config.epoch_ns)
        pose = self._ship.pose(t, self._config.base_point)
        motion = self._ship.at(t, self._config.base_point)
        sample = self._imu.measure(stamp, motion, pose.rotation)
        if sample is not None:
            if self._config.imu.is_late:
                heapq.heappush(self._under_way, (
                    self._imu.arrival_ns(sample), stamp, imu_message(sample)))
            else:
                self._send(imu_message(sample))
        for publisher, build in self._truths:
            if publisher.get_subscription_count():
                publisher.publish(build(stamp, pose, self._config))

    def _deliver(self, now_ns: int) -> int:
        """Publish the samples that arrive by now, and return how many that were."""
        count = 0
        while self._under_way and self._under_way[0][0] <= now_ns:
            self._send(heapq.heappop(self._under_way)[2])
            count += 1
        return count

    def _send(self, message: Imu) -> None:
        self._last = message
        self._imus.publish(message)


def main() -> None:
    """Run the node."""
    sys.exit(run('ship_motion_publisher', ShipMotionPublisher))


if __name__ == '__main__':
    main()

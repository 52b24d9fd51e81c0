"""
Publishes a desired motion of the joints, once, for everybody who comes: transient local.

The paper's sinusoids, a quintic from point to point, or a trajectory from a file, as positions,
velocities and accelerations.  It starts at a given time, or once the feedforward that is to
follow it is active.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Optional

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.subscription import Subscription
from robot_dynamics.control.reference import JointTrajectory, Reference
from robot_dynamics.control.trajectory_file import read_trajectory
from robot_dynamics.control.watchdog import ACTIVE
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.nodes.messages import trajectory_message
from robot_dynamics.nodes.parameters import ParameterSet
from robot_dynamics.nodes.process import run
from robot_dynamics.simulation.motions import paper_sinusoid, quintic_point_to_point
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory as JointTrajectoryMsg

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
PA10_JOINTS = ('joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6')


@dataclasses.dataclass(frozen=True)
class ReferenceConfig(Configuration):
    """Parameters of the node."""

    motion: str = parameter(
        'paper', 'sinusoids of the paper, a quintic from start to goal, or a file',
        choices=('paper', 'point_to_point', 'file'), live=False)
    file: str = parameter(
        '', 'trajectory as YAML, as robot-dynamics excite writes it; its joints and length hold',
        live=False)
    joints: tuple[str, ...] = parameter(PA10_JOINTS, 'joints that move', live=False)
    start: tuple[float, ...] = parameter(
        (), 'positions at rest from which the quintic starts', 'rad', -100.0, 100.0, live=False)
    goal: tuple[float, ...] = parameter(
        (), 'positions at rest at which the quintic ends', 'rad', -100.0, 100.0, live=False)
    duration: float = parameter(60.0, 'length of the motion', 's', 0.01, 3600.0, live=False)
    time_scale: float = parameter(
        1.0, 'how much slower than in the paper its sinusoids are', '', 0.1, 100.0, live=False)
    period: float = parameter(0.05, 'time between points', 's', 0.001, 1.0, live=False)
    epoch: float = parameter(
        0.0, 'ROS time at which the motion starts; 0: when the node starts', 's', 0.0, 1e11,
        live=False)
    start_after: str = parameter(
        '', 'topic with the state of a feedforward, feedforward/state: the motion starts once '
        'that is active, instead of at the epoch; empty: at the epoch', live=False)
    start_delay: float = parameter(
        1.0, 'from the state active to the start of the motion', 's', 0.0, 60.0, live=False)

    def reference(self) -> Reference:
        """Return the motion."""
        if self.motion == 'file':
            if not self.file:
                raise ConfigurationError('parameter file: is empty; give the trajectory to play')
            return read_trajectory(self.file)
        if self.motion == 'paper':
            if len(self.joints) != len(PA10_JOINTS):
                raise ConfigurationError(
                    f'parameter joints: the paper moves {len(PA10_JOINTS)} joints, here are '
                    f'{len(self.joints)}')
            return paper_sinusoid(self.joints, self.time_scale)
        for name in ('start', 'goal'):
            if len(getattr(self, name)) != len(self.joints):
                raise ConfigurationError(
                    f'parameter {name}: has {len(getattr(self, name))} values for '
                    f'{len(self.joints)} joints')
        return quintic_point_to_point(self.joints, self.start, self.goal, self.duration)


class ReferenceTrajectoryNode(Node):
    """The node; see the module."""

    PARAMETERS = (ReferenceConfig,)

    def __init__(self) -> None:
        super().__init__('reference_trajectory')
        self._config = ParameterSet(self, ReferenceConfig).config
        self._reference = self._config.reference()
        self._publisher = self.create_publisher(JointTrajectoryMsg, 'reference', LATCHED)
        self._waiting: Optional[Subscription[String]] = None
        if self._config.start_after:
            self._waiting = self.create_subscription(
                String, self._config.start_after, self._on_state, LATCHED)
            self.get_logger().info(f'waits until {self._waiting.topic_name} says {ACTIVE}')
        else:
            self._publish(to_ns(self._config.epoch) or self._now())

    def _on_state(self, message: String) -> None:
        if message.data == ACTIVE and self._waiting is not None:
            self.destroy_subscription(self._waiting)
            self._waiting = None
            self._publish(self._now() + to_ns(self._config.start_delay))

    def _publish(self, start_ns: int) -> None:
        config = self._config
        duration = self._reference.duration if config.motion == 'file' else config.duration
        self._publisher.publish(trajectory_message(JointTrajectory.from_reference(
            self._reference, duration, config.period, start_ns)))
        self.get_logger().info(
            f'{config.motion} motion of {duration:g} s for {", ".join(self._reference.names)} '
            f'from t = {1e-9 * start_ns:.3f} s')

    def _now(self) -> int:
        return self.get_clock().now().nanoseconds


def main() -> None:
    """Run the node."""
    sys.exit(run('reference_trajectory', ReferenceTrajectoryNode))


if __name__ == '__main__':
    main()

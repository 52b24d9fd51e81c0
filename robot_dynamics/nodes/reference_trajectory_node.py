"""
Publishes a desired motion of the joints, once, for everybody who comes: transient local.

The paper's sinusoids, or a quintic from point to point, as positions, velocities and
accelerations.
"""

from __future__ import annotations

import dataclasses
import sys

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from robot_dynamics.control.reference import JointTrajectory, Reference
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import check_parameters, parameter
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.nodes.messages import trajectory_message
from robot_dynamics.nodes.parameters import ParameterSet
from robot_dynamics.nodes.process import run
from robot_dynamics.simulation.motions import paper_sinusoid, quintic_point_to_point
from trajectory_msgs.msg import JointTrajectory as JointTrajectoryMsg

PA10_JOINTS = ('joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6')


@dataclasses.dataclass(frozen=True)
class ReferenceConfig:
    """Parameters of the node."""

    motion: str = parameter(
        'paper', 'sinusoids of the paper, or a quintic from start to goal',
        choices=('paper', 'point_to_point'), live=False)
    joints: tuple[str, ...] = parameter(PA10_JOINTS, 'joints that move', live=False)
    start: tuple[float, ...] = parameter(
        (), 'positions at rest from which the quintic starts', 'rad', -100.0, 100.0, live=False)
    goal: tuple[float, ...] = parameter(
        (), 'positions at rest at which the quintic ends', 'rad', -100.0, 100.0, live=False)
    duration: float = parameter(60.0, 'length of the motion', 's', 0.01, 3600.0, live=False)
    period: float = parameter(0.05, 'time between points', 's', 0.001, 1.0, live=False)
    epoch: float = parameter(
        0.0, 'ROS time at which the motion starts; 0: when the node starts', 's', 0.0, 1e11,
        live=False)

    def __post_init__(self) -> None:
        check_parameters(self)

    def reference(self) -> Reference:
        """Return the motion."""
        if self.motion == 'paper':
            if len(self.joints) != len(PA10_JOINTS):
                raise ConfigurationError(
                    f'parameter joints: the paper moves {len(PA10_JOINTS)} joints, here are '
                    f'{len(self.joints)}')
            return paper_sinusoid(self.joints)
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
        config = ParameterSet(self, ReferenceConfig).config
        start_ns = to_ns(config.epoch) or self.get_clock().now().nanoseconds
        plain = JointTrajectory.from_reference(
            config.reference(), config.duration, config.period, start_ns)
        publisher = self.create_publisher(
            JointTrajectoryMsg, 'reference',
            QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
        publisher.publish(trajectory_message(plain))
        self.get_logger().info(
            f'{config.motion} motion of {config.duration:g} s for {", ".join(config.joints)} '
            f'from t = {1e-9 * start_ns:.3f} s')


def main() -> None:
    """Run the node."""
    sys.exit(run('reference_trajectory', ReferenceTrajectoryNode))


if __name__ == '__main__':
    main()

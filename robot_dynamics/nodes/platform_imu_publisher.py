"""What an IMU on a simulated platform measures: deck and wheels together."""

from __future__ import annotations

from rclpy.node import Node
from robot_dynamics.imu.sensor_model import ImuModel
from robot_dynamics.nodes.imu_parameters import ImuParameters
from robot_dynamics.nodes.messages import imu_message
from robot_dynamics.nodes.odometry import GridPublisher
from robot_dynamics.simulation.simulated_robot import SimulatedRobot
from sensor_msgs.msg import Imu


class PlatformImuPublisher(GridPublisher):
    """
    Publishes ``imu/data``; the ship's own IMU must not be on the same topic.

    Parameters
    ----------
    node : Node
    robot : SimulatedRobot
    config : ImuParameters
        Mounting is on the platform's base link.
    """

    def __init__(self, node: Node, robot: SimulatedRobot, config: ImuParameters) -> None:
        super().__init__(robot, 1.0 / config.rate, node.create_publisher(Imu, 'imu/data', 10),
                         Imu())
        self._model = ImuModel(config.config())

    def _fill(self) -> None:
        sample = self._model.measure(self._robot.stamp_ns, *self._robot.base_link_motion())
        if sample is not None:
            self._message = imu_message(sample)

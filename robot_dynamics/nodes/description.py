"""The robot description of a node: a parameter, or the topic where there is none."""

from __future__ import annotations

from rclpy.qos import DurabilityPolicy, QoSProfile

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.model.robot_model import RobotModel

DESCRIPTION_QOS = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def model_from_parameter(description: str) -> RobotModel:
    """
    Return the model of a ``robot_description`` parameter: URDF text, or the path of a URDF.

    Raises
    ------
    RobotDynamicsError
        If it is empty or not a robot description.
    """
    if not description.strip():
        raise ConfigurationError(
            'parameter robot_description: is empty; give the URDF as text or as a path')
    return RobotModel.from_urdf(description)

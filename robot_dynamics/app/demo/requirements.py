"""What the demo needs beyond Python packages."""

from __future__ import annotations

import importlib.util

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.ros_hint import ROS_MISSING


def require_ros() -> None:
    """
    Check that rclpy can be found, without loading it.

    Raises
    ------
    ConfigurationError
        If not; says how to get it.
    """
    if importlib.util.find_spec('rclpy') is None:
        raise ConfigurationError(ROS_MISSING)

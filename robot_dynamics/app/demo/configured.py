"""Ship and IMU of a scenario's configuration file, as its nodes read them."""

from __future__ import annotations

from typing import Any, Dict, Type

from robot_dynamics.app.graph import Simulation
from robot_dynamics.core.parameters import config_from_parameters
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.ship.ship_config import ship_from_parameters
from robot_dynamics.ship.ship_motion import ShipMotion


def configured_ship(scenario: Type[Simulation]) -> ShipMotion:
    """Return the ship of the configuration file."""
    return ship_from_parameters(_group(scenario, 'ship.'))


def configured_imu(scenario: Type[Simulation]) -> ImuConfig:
    """Return the IMU of the configuration file."""
    return config_from_parameters(ImuConfig, _group(scenario, 'imu.'))


def _group(scenario: Type[Simulation], prefix: str) -> Dict[str, Any]:
    parameters = scenario.configuration('ship_motion_publisher')
    return {name[len(prefix):]: value for name, value in parameters.items()
            if name.startswith(prefix)}

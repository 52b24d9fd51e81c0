"""Ship and IMU of a scenario's configuration file, as its nodes read them."""

from __future__ import annotations

import math
from typing import Type

from robot_dynamics.app.graph import Simulation
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.ship.ship_motion import ShipMotion


def configured_ship(scenario: Type[Simulation]) -> ShipMotion:
    """Return the ship of the configuration file."""
    return ShipMotion.from_parameters({
        name[len('ship.'):]: value
        for name, value in scenario.configuration('ship_motion_publisher').items()
        if name.startswith('ship.')})


def configured_imu(scenario: Type[Simulation]) -> ImuConfig:
    """Return the IMU of the configuration file."""
    parameters = scenario.configuration('ship_motion_publisher')

    def value(name: str) -> float:
        return float(parameters.get(f'imu.{name}', 0.0))
    return ImuConfig(
        rate=value('rate') or 100.0, accelerometer_noise=value('accelerometer_noise'),
        orientation_noise=math.radians(value('orientation_noise_deg')),
        gyro_noise=math.radians(value('gyro_noise_deg')))

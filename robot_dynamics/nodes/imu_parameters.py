"""The simulated IMU as parameters of a node."""

from __future__ import annotations

import dataclasses
import math

from robot_dynamics.base.imu_model import ImuConfig
from robot_dynamics.control.parameters import check_parameters, parameter


@dataclasses.dataclass(frozen=True)
class ImuParameters:
    """Noise, mounting and conventions of the sensor; the defaults are a perfect one."""

    rate: float = parameter(100.0, 'samples per second', 'Hz', 1.0, 1000.0, live=False)
    orientation_noise_deg: float = parameter(
        0.0, 'standard deviation of the orientation per axis', 'deg', 0.0, 45.0, live=False)
    gyro_noise_deg: float = parameter(
        0.0, 'standard deviation of the angular velocity per axis', 'deg/s', 0.0, 100.0,
        live=False)
    accelerometer_noise: float = parameter(
        0.0, 'standard deviation of the specific force per axis', 'm/s^2', 0.0, 10.0, live=False)
    mounting_rpy: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'roll, pitch, yaw of the sensor on the arm base', 'rad', -7.0, 7.0,
        live=False)
    mounting_xyz: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'place of the sensor in base axes', 'm', -1e3, 1e3, live=False)
    reports_orientation: bool = parameter(
        True, 'false: the orientation covariance starts with -1', live=False)
    ned: bool = parameter(False, 'FRD axes in a NED world', live=False)
    frame_id: str = parameter('imu_link', 'name of the frame of the sensor', live=False)
    seed: int = parameter(1, 'of the noise', '', 0, 2**31 - 1, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)

    def config(self) -> ImuConfig:
        """Return the configuration of the sensor's model."""
        values = dataclasses.asdict(self)
        values['orientation_noise'] = math.radians(values.pop('orientation_noise_deg'))
        values['gyro_noise'] = math.radians(values.pop('gyro_noise_deg'))
        return ImuConfig(**values)

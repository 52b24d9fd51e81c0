"""The simulated IMU as parameters of a node."""

from __future__ import annotations

import dataclasses
import math

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import check_parameters, parameter
from robot_dynamics.imu.sensor_model import ImuConfig

_IN_DEGREES = ('orientation_noise', 'gyro_noise', 'gyro_noise_density', 'gyro_bias',
               'gyro_bias_walk')
_ZERO = (0.0, 0.0, 0.0)


@dataclasses.dataclass(frozen=True)
class ImuParameters:
    """Noise, mounting and conventions of the sensor; the defaults are a perfect one."""

    rate: float = parameter(100.0, 'samples per second', 'Hz', 1.0, 1000.0, live=False)
    orientation_noise_deg: float = parameter(
        0.0, 'standard deviation of the orientation per axis', 'deg', 0.0, 45.0, live=False)
    gyro_noise_deg: float = parameter(
        0.0, 'standard deviation of the angular velocity per axis', 'deg/s', 0.0, 100.0,
        live=False)
    gyro_noise_density_deg: float = parameter(
        0.0, 'the same as a density, instead', 'deg/s/sqrt(Hz)', 0.0, 10.0, live=False)
    gyro_bias_deg: tuple[float, ...] = parameter(
        _ZERO, 'constant error of the angular velocity at the start, sensor axes', 'deg/s',
        -100.0, 100.0, live=False)
    gyro_bias_walk_deg: float = parameter(
        0.0, 'random walk of that error', 'deg/s/sqrt(s)', 0.0, 10.0, live=False)
    accelerometer_noise: float = parameter(
        0.0, 'standard deviation of the specific force per axis', 'm/s^2', 0.0, 10.0, live=False)
    accelerometer_noise_density: float = parameter(
        0.0, 'the same as a density, instead', 'm/s^2/sqrt(Hz)', 0.0, 1.0, live=False)
    accelerometer_bias: tuple[float, ...] = parameter(
        _ZERO, 'constant error of the specific force at the start, sensor axes', 'm/s^2', -10.0,
        10.0, live=False)
    accelerometer_bias_walk: float = parameter(
        0.0, 'random walk of that error', 'm/s^2/sqrt(s)', 0.0, 1.0, live=False)
    mounting_rpy: tuple[float, ...] = parameter(
        _ZERO, 'roll, pitch, yaw of the sensor on the arm base', 'rad', -7.0, 7.0, live=False)
    mounting_xyz: tuple[float, ...] = parameter(
        _ZERO, 'place of the sensor in base axes', 'm', -1e3, 1e3, live=False)
    delay: float = parameter(
        0.0, 'from the stamp of a sample to its publication', 's', 0.0, 1.0, live=False)
    jitter: float = parameter(
        0.0, 'a uniform share of this comes on top of the delay', 's', 0.0, 1.0, live=False)
    dropout: float = parameter(
        0.0, 'probability that a sample is lost', '', 0.0, 1.0, live=False)
    reports_orientation: bool = parameter(
        True, 'false: the orientation covariance starts with -1', live=False)
    ned: bool = parameter(
        False, 'FRD axes in a NED world, and a frame that ends in _ned', live=False)
    frame_id: str = parameter('imu_link', 'name of the frame of the sensor', live=False)
    seed: int = parameter(1, 'of the noise', '', 0, 2**31 - 1, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)
        for name in ('gyro_bias_deg', 'accelerometer_bias', 'mounting_rpy', 'mounting_xyz'):
            if len(getattr(self, name)) != 3:
                raise ConfigurationError(f'imu.{name}: expected 3 values')

    @property
    def is_late(self) -> bool:
        """Whether samples are published later than they are taken."""
        return self.delay > 0.0 or self.jitter > 0.0

    def config(self) -> ImuConfig:
        """Return the configuration of the sensor's model."""
        values = dataclasses.asdict(self)
        for name in _IN_DEGREES:
            degrees = values.pop(f'{name}_deg')
            values[name] = ([math.radians(value) for value in degrees]
                            if isinstance(degrees, tuple) else math.radians(degrees))
        return ImuConfig(**values)

"""An IMU that measures a simulated base, with all that makes a real one worse."""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.motion import frames, rotations
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.ship.ship_motion import ORIGIN, ShipMotion

_ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ImuConfig(Configuration):
    """
    Noise, mounting and conventions of a simulated IMU; the defaults are a perfect one.

    Angles are held in rad, and are parameters in degrees.  Noise is given either per sample or as
    density; a density times the square root of the rate is the noise of one sample.
    """

    rate: float = parameter(100.0, 'samples per second', 'Hz', 1.0, 1000.0, live=False)
    orientation_noise: float = parameter(
        0.0, 'standard deviation of the orientation per axis', 'deg', 0.0, 45.0,
        degrees=True, live=False)
    gyro_noise: float = parameter(
        0.0, 'standard deviation of the angular velocity per axis', 'deg/s', 0.0, 100.0,
        degrees=True, live=False)
    gyro_noise_density: float = parameter(
        0.0, 'the same as a density, instead', 'deg/s/sqrt(Hz)', 0.0, 10.0,
        degrees=True, live=False)
    gyro_bias: tuple[float, ...] = parameter(
        _ZERO, 'constant error of the angular velocity at the start, sensor axes', 'deg/s',
        -100.0, 100.0, degrees=True, live=False)
    gyro_bias_walk: float = parameter(
        0.0, 'random walk of that error', 'deg/s/sqrt(s)', 0.0, 10.0, degrees=True, live=False)
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
    seed: int = parameter(0, 'of the noise', '', 0, 2**31 - 1, live=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ('gyro_bias', 'accelerometer_bias', 'mounting_rpy', 'mounting_xyz'):
            if len(getattr(self, name)) != 3:
                raise ConfigurationError(f'{name}: expected 3 values')
        for name in ('gyro_noise', 'accelerometer_noise'):
            if getattr(self, name) and getattr(self, f'{name}_density'):
                raise ConfigurationError(f'{name} and {name}_density are both given; '
                                         'give the noise of one sample or its density')

    @property
    def is_late(self) -> bool:
        """Whether samples are published later than they are taken."""
        return self.delay > 0.0 or self.jitter > 0.0


class ImuModel:
    """
    The sensor: measures one base motion after the other.

    Parameters
    ----------
    config : ImuConfig, optional
        None is a perfect sensor at the base origin.
    """

    def __init__(self, config: Optional[ImuConfig] = None) -> None:
        self.config = c = config or ImuConfig()
        root_rate = math.sqrt(c.rate)
        self.gyro_sigma = c.gyro_noise or c.gyro_noise_density * root_rate
        self.accelerometer_sigma = (
            c.accelerometer_noise or c.accelerometer_noise_density * root_rate)
        self.R_BI = rotations.matrix_from_rpy(c.mounting_rpy)
        self.p_BI = np.array(c.mounting_xyz, dtype=np.float64)
        self._at_base = not np.any(c.mounting_rpy) and not self.p_BI.any()
        self.frame_id = c.frame_id + ('_ned' if c.ned and not frames.is_ned(c.frame_id) else '')
        self._random = np.random.default_rng(c.seed)
        self._gyro_bias = np.array(c.gyro_bias, dtype=np.float64)
        self._accelerometer_bias = np.array(c.accelerometer_bias, dtype=np.float64)
        self._last_ns: Optional[int] = None
        self._covariances = (
            _covariance(c.orientation_noise) if c.reports_orientation else NOT_REPORTED,
            _covariance(self.gyro_sigma), _covariance(self.accelerometer_sigma))

    def measure(self, stamp_ns: int, motion: BaseMotion, rotation: ArrayLike
                ) -> Optional[ImuSample]:
        """
        Measure the base at one instant; None if the sample is lost.

        Parameters
        ----------
        stamp_ns : int
            In nanoseconds.
        motion : BaseMotion
            Exact, at the arm's base.
        rotation : array_like, (3, 3)
            R_WB of the base in a world with z up.
        """
        c = self.config
        noise = self._random.standard_normal(15)
        lost = self._random.random() < c.dropout
        self._walk(stamp_ns, noise[9:12], noise[12:15])
        sensed, R = motion, np.asarray(rotation)
        if not self._at_base:
            sensed, R = motion.transformed(self.R_BI, self.p_BI), R @ self.R_BI
        w, force = sensed.angular_velocity, sensed.specific_force
        if c.ned:
            w, force, R = frames.swap_body(w), frames.swap_body(force), frames.swap_matrix(R)
        if lost:
            return None
        if c.orientation_noise:
            R = R @ rotations.exp(c.orientation_noise * noise[0:3])
        quat = rotations.quat_from_matrix(R)
        w = w + self._gyro_bias + self.gyro_sigma * noise[3:6]
        force = force + self._accelerometer_bias + self.accelerometer_sigma * noise[6:9]
        return ImuSample(
            stamp_ns, tuple(w.tolist()), tuple(force.tolist()),
            tuple(quat.tolist()) if c.reports_orientation else None, self.frame_id,
            *self._covariances)

    def measure_ship(self, stamp_ns: int, ship: ShipMotion, t: float,
                     point: ArrayLike = ORIGIN) -> Optional[ImuSample]:
        """Measure a base bolted to a ship's deck at ``point``, ``t`` seconds after its epoch."""
        return self.measure(stamp_ns, ship.at(float(t), point), ship.rotation_at(float(t)))

    def arrival_ns(self, sample: ImuSample) -> int:
        """When the sample reaches its subscribers: its stamp, the delay, a draw of the jitter."""
        late = self.config.delay + self.config.jitter * self._random.random()
        return sample.stamp_ns + round(late * 1e9)

    def _walk(self, stamp_ns: int, gyro: FloatArray, accelerometer: FloatArray) -> None:
        """Let the biases wander over the time since the last sample."""
        if self._last_ns is not None:
            root = math.sqrt(max(0, stamp_ns - self._last_ns) * 1e-9)
            self._gyro_bias = self._gyro_bias + self.config.gyro_bias_walk * root * gyro
            self._accelerometer_bias = (
                self._accelerometer_bias
                + self.config.accelerometer_bias_walk * root * accelerometer)
        self._last_ns = stamp_ns


def _covariance(sigma: float) -> tuple[float, ...]:
    v = sigma * sigma
    return (v, 0.0, 0.0, 0.0, v, 0.0, 0.0, 0.0, v)

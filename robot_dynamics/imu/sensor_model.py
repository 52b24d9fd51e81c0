"""An IMU that measures a simulated base, with all that makes a real one worse."""

from __future__ import annotations

from dataclasses import dataclass, fields
import math
from typing import Any, Mapping, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.gate import as_scalar, as_seed, as_vector, FloatArray
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.motion import frames, rotations
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.ship.ship_motion import ORIGIN, ShipMotion


@dataclass(frozen=True)
class ImuConfig:
    """
    What an IMU does to the truth.

    Noise is given either per sample or as density; a density times the square root of the rate
    is the noise of one sample.
    """

    rate: float = 100.0  #: In Hz
    orientation_noise: float = 0.0  #: Standard deviation per axis and sample, rad
    #: Standard deviation per axis and sample, rad/s, or density, rad/s/sqrt(Hz)
    gyro_noise: float = 0.0
    gyro_noise_density: float = 0.0
    #: In m/s^2, or m/s^2/sqrt(Hz)
    accelerometer_noise: float = 0.0
    accelerometer_noise_density: float = 0.0
    #: At the start, sensor axes, rad/s and m/s^2
    gyro_bias: Sequence[float] = (0.0, 0.0, 0.0)
    accelerometer_bias: Sequence[float] = (0.0, 0.0, 0.0)
    #: Random walk of the bias, rad/s/sqrt(s) and m/s^2/sqrt(s)
    gyro_bias_walk: float = 0.0
    accelerometer_bias_walk: float = 0.0
    #: Roll, pitch, yaw of the sensor on the base (R_BI), rad
    mounting_rpy: Sequence[float] = (0.0, 0.0, 0.0)
    mounting_xyz: Sequence[float] = (0.0, 0.0, 0.0)  #: The sensor's place in base axes, m
    #: A sample arrives this long after its stamp, plus a uniform share of the jitter, s
    delay: float = 0.0
    jitter: float = 0.0
    dropout: float = 0.0  #: Probability that a sample is lost, 0 to 1
    reports_orientation: bool = True  #: If not, the orientation covariance starts with -1
    ned: bool = False  #: FRD axes in a NED world, the frame's name ending in ``_ned``
    frame_id: str = 'imu_link'  #: Name of the sensor's frame
    seed: int = 0  #: Of all that is random

    def __post_init__(self) -> None:
        for name in ('orientation_noise', 'gyro_noise', 'gyro_noise_density', 'delay', 'jitter',
                     'accelerometer_noise', 'accelerometer_noise_density', 'gyro_bias_walk',
                     'accelerometer_bias_walk'):
            as_scalar(name, getattr(self, name), 0.0)
        as_scalar('rate', self.rate, 1e-3, 1e5, 'Hz')
        as_scalar('dropout', self.dropout, 0.0, 1.0)
        as_seed(self.seed)
        for name in ('gyro_bias', 'accelerometer_bias', 'mounting_rpy', 'mounting_xyz'):
            as_vector(name, getattr(self, name), 3)
        for name in ('gyro_noise', 'accelerometer_noise'):
            if getattr(self, name) and getattr(self, f'{name}_density'):
                raise ConfigurationError(f'{name} and {name}_density are both given; '
                                         'give the noise of one sample or its density')

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> ImuConfig:
        """Build from flat parameters named like the attributes."""
        known = [field.name for field in fields(cls)]
        for name in parameters:
            if name not in known:
                raise UnknownNameError('IMU parameter', name, known)
        return cls(**parameters)


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

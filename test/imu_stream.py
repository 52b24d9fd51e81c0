"""Many IMU samples of a ship at once: the noise of a whole run in a few array operations."""

from typing import Dict, Iterator, Sequence, Tuple

import numpy as np

from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.motion import rotations
from robot_dynamics.ship.ship_motion import ShipMotion

DEG = np.pi / 180
NOISE: Dict[str, float] = {
    'orientation_noise': 0.05 * DEG, 'gyro_noise': 0.02 * DEG, 'accelerometer_noise': 0.02}


def samples(ship: ShipMotion, config: ImuConfig, duration: float,
            point: Sequence[float] = (0.0, 0.0, 0.0), begin: float = 0.0
            ) -> Iterator[Tuple[float, ImuSample]]:
    """Yield time and sample of a sensor at the base origin without mounting, delay or walk."""
    count, random = int(duration * config.rate), np.random.default_rng(config.seed)
    t = begin + np.arange(count) / config.rate
    motion, R = ship.at(t, point), ship.pose(t, point).rotation
    noise = random.standard_normal((3, count, 3))
    quats = rotations.quat_from_matrix(R @ rotations.exp(config.orientation_noise * noise[0]))
    w = motion.angular_velocity + config.gyro_bias + config.gyro_noise * noise[1]
    force = motion.specific_force + config.accelerometer_noise * noise[2]
    kept = random.random(count) >= config.dropout
    covariance = (0.0,) * 9 if config.reports_orientation else NOT_REPORTED
    for i in np.flatnonzero(kept):
        yield float(t[i]), ImuSample(
            round(t[i] * 1e9), w[i].tolist(), force[i].tolist(), quats[i].tolist(),
            orientation_covariance=covariance)

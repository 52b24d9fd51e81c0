"""Bases from half a second to a ship's period: the estimators side by side, and holding still."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.estimation.estimators import ESTIMATORS, make_estimator
from robot_dynamics.imu.sample import ImuSample

RATE, LENGTH, SETTLED, AHEAD = 100.0, 60.0, 30.0, 1.0   # Hz, s, s, s
PERIODS = (0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0, 6.0, 9.0, 15.0)
ROLL = math.radians(2.0)
G = 9.80665


def narrow_band(period: float, seed: int) -> NDArray[np.float64]:
    """Roll of forty waves within 10 % of a frequency, (T, 3): angle, rate, acceleration."""
    rng = np.random.default_rng(seed)
    t = np.arange(0.0, LENGTH + 2.0, 1.0 / RATE)
    w = (2 * math.pi / period * (1.0 + 0.1 * rng.standard_normal(40)))[:, None]
    waves = ROLL * math.sqrt(2.0 / 40) * np.exp(1j * (2 * math.pi * rng.random((40, 1)) + w * t))
    return np.stack([(f * waves).sum(axis=0).real for f in (1.0, 1j * w, -w * w)], axis=1)


def errors(name: str, motion: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return acceleration error over signal, tilt in 1 s over its deviation, share within 95 %."""
    rng, steps = np.random.default_rng(9), round(AHEAD * RATE)
    estimator = make_estimator(name)
    now, later, inside = [], [], []
    for k in range(int(LENGTH * RATE)):
        angle, rate, acceleration = motion[k]
        noisy = angle + math.radians(0.05) * rng.standard_normal()
        gyro = np.array([rate, 0.0, 0.0]) + math.radians(0.02) * rng.standard_normal(3)
        force = np.array([0.0, G * math.sin(angle), G * math.cos(angle)])
        estimator.update(ImuSample(
            k * 10_000_000, tuple(gyro), tuple(force + 0.02 * rng.standard_normal(3)),
            (math.sin(noisy / 2), 0.0, 0.0, math.cos(noisy / 2))))
        if k >= SETTLED * RATE and k % 10 == 0:
            estimate = estimator.at(k * 10_000_000)
            now.append(estimate.motion.angular_acceleration[0] - acceleration)
            if estimate.covariance is not None:
                inside.append(abs(now[-1]) < 1.96 * math.sqrt(estimate.covariance[3, 3]))
            g = estimator.at(round((k + steps) * 1e7)).motion.gravity
            later.append(math.atan2(-g[1], -g[2]) - motion[k + steps, 0])
    rms = [float(np.sqrt(np.mean(np.square(values)))) for values in (now, later)]
    return (rms[0] / float(motion[:, 2].std()), rms[1] / float(motion[:, 0].std()),
            float(np.mean(inside)) if inside else math.nan)


def main() -> int:
    """Print the table; 1 if the blend errs more than holding still, or by half of a signal."""
    print('roll of 2 deg in a narrow band, 100 Hz, gyro 0.02 deg/s, orientation 0.05 deg, 30 s '
          'after the start;\nacceleration: error over signal, %; 1 s: error of the tilt over its '
          'standard deviation; within: of the stated 95 %')
    print('period   ' + '   '.join(f'{name:>14}: acc  1 s  within' for name in ESTIMATORS)
          + '    held: 1 s')
    met = True
    for period in PERIODS:
        motion = narrow_band(period, 1)
        found = {name: errors(name, motion) for name in ESTIMATORS}
        first = round(SETTLED * RATE)
        held = float((motion[first + 100:, 0] - motion[first:-100, 0]).std()
                     / motion[:, 0].std())
        cells = '   '.join(f'{100 * a:19.1f} {b:5.2f} ' + (
            '      -' if math.isnan(c) else f'{100 * c:5.0f} %') for a, b, c in found.values())
        print(f'{period:4.1f} s   {cells}      {held:5.2f}', flush=True)
        met = met and found['blend'][1] <= 1.1 * held and found['blend'][0] < 0.5
    return 0 if met else 1

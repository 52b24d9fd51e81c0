"""Bases of all kinds, from half a second to a ship's period: the estimators side by side."""

from __future__ import annotations

import math

from benchmarks._base_motions import DT, FloatArray, MOTIONS, Record
import numpy as np

from robot_dynamics.estimation.estimators import ESTIMATORS, make_estimator
from robot_dynamics.imu.sample import ImuSample

SETTLED, AHEAD = 20.0, 1.0   # s
EVERY = 10                   # samples between two questions
G = 9.80665


def samples(record: Record) -> list[ImuSample]:
    """Return what an IMU at the base says: gyro 0.02 deg/s, orientation 0.05 deg, 0.02 m/s^2."""
    rng = np.random.default_rng(9)
    angle, rate, _ = record.roll
    n = len(angle)
    measured = angle + math.radians(0.05) * rng.standard_normal(n)
    gyro = math.radians(0.02) * rng.standard_normal((n, 3))
    gyro[:, 0] += rate + record.shake_rate
    force = 0.02 * rng.standard_normal((n, 3))
    lift = G + record.heave + record.shake_force
    force[:, 1] += lift * np.sin(angle)
    force[:, 2] += lift * np.cos(angle)
    return [ImuSample(round(k * DT * 1e9), tuple(gyro[k]), tuple(force[k]),
                      (math.sin(a / 2), 0.0, 0.0, math.cos(a / 2)))
            for k, a in enumerate(measured.tolist())]


def errors(name: str, record: Record, stream: list[ImuSample]) -> tuple[float, float, float]:
    """Return errors of angular acceleration now and of tilt in 1 s, and the share within 95 %."""
    estimator, steps = make_estimator(name), round(AHEAD / DT)
    now, later, inside = [], [], []
    for k, sample in enumerate(stream[:-steps]):
        estimator.update(sample)
        if k * DT >= SETTLED and k % EVERY == 0:
            estimate = estimator.at(sample.stamp_ns)
            now.append(estimate.motion.angular_acceleration[0] - record.roll[2, k])
            if estimate.covariance is not None:
                inside.append(abs(now[-1]) < 1.96 * math.sqrt(estimate.covariance[3, 3]))
            g = estimator.at(sample.stamp_ns + round(AHEAD * 1e9)).motion.gravity
            later.append(_turn(math.atan2(-g[1], -g[2]) - record.roll[0, k + steps]))
    return _rms(now), _rms(later), float(np.mean(inside)) if inside else math.nan


def main() -> int:
    """Print the table; 1 if the blend errs by over 1.2 times holding still a second ahead."""
    print('100 Hz, gyro 0.02 deg/s, orientation 0.05 deg, from 20 s after the start; acc: error\n'
          'of the angular acceleration over the signal, %; 1 s: error of the tilt a second\n'
          'ahead, deg; within: share of accelerations within the stated 95 %')
    print(f'{"":24}'
          + '   '.join(f'{name:>14}: acc    1 s  within' for name in ESTIMATORS)
          + '   held: 1 s')
    met = True
    for name, make in MOTIONS.items():
        record = make(np.random.default_rng(1))
        stream, steps = samples(record), round(AHEAD / DT)
        found = {other: errors(other, record, stream) for other in ESTIMATORS}
        first = round(SETTLED / DT)
        held = _rms(record.roll[0, first + steps:] - record.roll[0, first:-steps])
        signal = max(float(record.roll[2, first:].std()), 1e-9)
        print(f'{name:24}' + '   '.join(
            f'{min(100 * a / signal, 9999):19.1f} {math.degrees(b):6.2f} '
            + ('      -' if math.isnan(c) else f'{100 * c:5.0f} %') for a, b, c in found.values())
            + f'   {math.degrees(held):8.2f}', flush=True)
        met = met and found['blend'][1] <= 1.2 * held + math.radians(0.05)
    return 0 if met else 1


def _turn(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi


def _rms(values: list[float] | FloatArray) -> float:
    return float(np.sqrt(np.mean(np.square(values))))

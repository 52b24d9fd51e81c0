"""
What one call of an estimator costs: processor time of its thread, whatever else runs.

A ship at sea at 100, 200 and 1000 Hz, with stamps that jitter and some pauses; the first samples,
in which the estimator begins, are counted too.
"""

from __future__ import annotations

import sys
import time
from typing import Callable, Dict, List, Sequence

import numpy as np

from robot_dynamics.estimation.estimators import ADAPTIVE, make_estimator, warm_up_estimator
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.ship.ship_motion import ShipMotion

RATES = (100.0, 200.0, 1000.0)  # Hz
COUNT = 9000                    # samples
JITTER = 0.02                   # of the interval, standard deviation
PAUSES = (3000, 5000)           # samples after which nothing comes for a quarter of a second
AHEAD_NS = 3_000_000
TARGET = 100.0                  # us, at the 99.9th percentile


def stream(rate: float) -> List[ImuSample]:
    """Return what an IMU on a ship says."""
    rng = np.random.default_rng(5)
    ship, sensor = ShipMotion.irregular(5, seed=5), ImuModel(ImuConfig(
        rate=rate, orientation_noise=9e-4, gyro_noise=3.5e-4, accelerometer_noise=0.02, seed=5))
    stamps = 1.0 + (np.arange(COUNT) + JITTER * rng.standard_normal(COUNT)) / rate
    for first in PAUSES:
        stamps[first:] += 0.25
    return [sensor.measure_ship(round(1e9 * t), ship, t) for t in stamps.tolist()]


def costs(name: str, samples: Sequence[ImuSample]) -> Dict[str, List[float]]:
    """Return the processor time of every call, us."""
    estimator = make_estimator(name, self_maintaining=False)
    found: Dict[str, List[float]] = {}

    def timed(what: str, call: Callable[[], object]) -> object:
        begin = time.thread_time_ns()
        result = call()
        found.setdefault(what, []).append(1e-3 * (time.thread_time_ns() - begin))
        return result

    for sample in samples:
        timed('update', lambda: estimator.update(sample))
        estimate = timed('at', lambda: estimator.at(sample.stamp_ns + AHEAD_NS))
        timed('covariance', lambda: estimate.covariance)  # type: ignore[attr-defined]
        timed('maintain', estimator.maintain)
    return found


def main() -> int:
    """Print the table; 1 if a call costs more than it may."""
    warm_up_estimator(ADAPTIVE)
    met = True
    print(f'{"":20}{"median":>10}{"99 %":>10}{"99.9 %":>10}{"largest":>10}   us')
    for rate in RATES:
        samples = stream(rate)
        for what, values in costs(ADAPTIVE, samples).items():
            row = np.percentile(values, [50, 99, 99.9, 100])
            met = met and bool(row[2] <= TARGET)
            print(f'{what:12}{rate:5.0f} Hz' + ''.join(f'{value:10.1f}' for value in row)
                  + ('' if row[2] <= TARGET else f'   over {TARGET:g} us'), flush=True)
    return 0 if met else 1


if __name__ == '__main__':
    sys.exit(main())

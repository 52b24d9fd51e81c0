"""
Base motion estimated and predicted: ours with one setting against others tuned for every case.

Sea states 2 to 6, two hulls, beam and head seas, gyro noise 0.02 and 0.1 deg/s, orientation noise
0 and 0.05 deg, 100 Hz; three records each, of seeds that were not used in development.  Errors are
RMS in percent of the signal's RMS: angular acceleration now, and the angle some time ahead.  Last,
a motion that no sum of waves made: a roll with a hardening restoring moment (Duffing), so that the
filter is not graded by its own model.  Run with --quick for sea state 5 and the closed-form hull
only.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from typing import Dict, List, NamedTuple, Sequence, Tuple

from benchmarks import _base_motion_rivals as rivals
import numpy as np
from numpy.typing import NDArray

from robot_dynamics.estimation.motion_estimator import BaseMotionEstimator
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion.rotations import quat_from_rpy
from robot_dynamics.ship.ship_motion import ShipMotion

FloatArray = NDArray[np.float64]

DT = 0.01                       # s
SETTLE, LENGTH = 60.0, 260.0    # s: left out, and in all
AHEAD = (0.1, 0.5, 1.0, 2.0)    # s
TRAINING_SEED, SEEDS = 2236, (3141, 5926, 5358)  # one record holds too few swings to judge by
DEG = math.pi / 180
G = 9.80665
STRIDE = 10                     # samples between those that are judged

# error over signal in percent that the project asks for: sea state 5, 65 m hull
ACCELERATION_TARGET = {('roll', 0.02): 2.4, ('pitch', 0.02): 5.0, ('roll', 0.1): 6.7,
                       ('pitch', 0.1): 14.4}
PREDICTION_TARGET = {('roll', 0.1): 0.2, ('pitch', 0.1): 0.7, ('roll', 1.0): 1.4,
                     ('pitch', 1.0): 2.5, ('roll', 2.0): 7.0, ('pitch', 2.0): 9.0}
WORST_RATIO = 1.3
HONEST, COVERED = (0.7, 1.4), (90.0, 98.0)


class Case(NamedTuple):
    """One row: axis 0 is roll in a beam sea, 1 pitch in a head sea."""

    sea_state: int
    hull: str
    axis: int
    gyro: float         # deg/s
    orientation: float  # deg

    @property
    def name(self) -> str:
        """The name of the axis."""
        return ('roll', 'pitch')[self.axis]


class Record(NamedTuple):
    """Angle, rate, acceleration as they are, and angle and rate as they are measured."""

    truth: FloatArray   # (3, T)
    angle: FloatArray
    rate: FloatArray


class Result(NamedTuple):
    """What ours reached: errors in percent, actual over stated sigma, coverage in percent."""

    acceleration: float
    prediction: List[float]
    sigma: List[float]
    covered: List[float]


def sea_record(case: Case, seed: int) -> Record:
    """Let a ship move for one case and measure it."""
    ship = ShipMotion.irregular(
        case.sea_state, hull=None if case.hull == '65 m' else 'supply_vessel', seed=seed,
        wave_direction=math.pi / 2 if case.axis == 0 else math.pi)
    x = ship.degrees_of_freedom(np.arange(0, LENGTH, DT))
    return measured(x[:, 3 + case.axis::6].T.copy(), case, seed)


def measured(truth: FloatArray, case: Case, seed: int) -> Record:
    """Add the noise of a case."""
    random = np.random.default_rng(seed)
    noise = random.standard_normal((2, truth.shape[1])) * DEG
    return Record(truth, truth[0] + case.orientation * noise[0], truth[1] + case.gyro * noise[1])


def duffing_record(case: Case, seed: int) -> Record:
    """Roll of a hull that stiffens with the angle, forced by the slope of an irregular sea."""
    ship = ShipMotion.irregular(case.sea_state, seed=seed)
    slope = ship.degrees_of_freedom(np.arange(0, LENGTH + DT, DT / 2))[:, 3]
    w0, damping, stiffening = 2 * math.pi / 9.0, 0.06, 8.0

    def acceleration(angle: float, rate: float, force: float) -> float:
        return (0.3 * w0**2 * force - 2 * damping * w0 * rate
                - w0**2 * angle * (1 + stiffening * angle * angle))
    count = round(LENGTH / DT)
    truth, a, r = np.zeros((3, count)), 0.0, 0.0
    for i in range(count):
        f0, f1, f2 = slope[2 * i:2 * i + 3]
        k1 = acceleration(a, r, f0)
        truth[:, i] = a, r, k1
        k2 = acceleration(a + DT / 2 * r, r + DT / 2 * k1, f1)
        k3 = acceleration(a + DT / 2 * (r + DT / 2 * k1), r + DT / 2 * k2, f1)
        k4 = acceleration(a + DT * (r + DT / 2 * k2), r + DT * k3, f2)
        a += DT * (r + DT / 6 * (k1 + k2 + k3))
        r += DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return measured(truth, case, seed)


def ours(record: Record, axis: int) -> Result:
    """Feed the samples to the estimator one by one and compare what it says with the truth."""
    count = len(record.angle)
    rpy, w = np.zeros((count, 3)), np.zeros((count, 3))
    rpy[:, axis], w[:, axis] = record.angle, record.rate
    force = G * np.stack([-np.sin(record.truth[0]) * (axis == 1),
                          np.sin(record.truth[0]) * (axis == 0), np.cos(record.truth[0])], 1)
    estimator = BaseMotionEstimator()
    start, furthest = round(SETTLE / DT), round(max(AHEAD) / DT)
    rows: List[List[float]] = []
    for i, (quat, rate, f) in enumerate(zip(quat_from_rpy(rpy).tolist(), w.tolist(),
                                            force.tolist())):
        stamp = i * 10_000_000
        estimator.update(ImuSample(stamp, rate, f, quat))
        if i >= start and i % STRIDE == 0 and i + furthest < count:
            now = estimator.at(stamp)
            row = [now.motion.packed[3 + axis] - record.truth[2, i],
                   _sigma(now.covariance, 3 + axis)]
            for ahead in AHEAD:
                steps = round(ahead / DT)
                then = estimator.at(stamp + steps * 10_000_000)
                g = then.motion.gravity
                angle = math.atan2(-g[1], -g[2]) if axis == 0 else math.asin(g[0] / G)
                row += [angle - record.truth[0, i + steps],
                        _sigma(then.covariance, 10 - axis) / abs(g[2])]
            rows.append(row)
    table = np.array(rows)
    error, stated = table[:, 0::2], table[:, 1::2]
    score = error / stated
    rms = 100 * np.sqrt((error**2).mean(axis=0))
    return Result(rms[0] / record.truth[2, start:].std(),
                  (rms[1:] / record.truth[0, start:].std()).tolist(),
                  np.sqrt((score**2).mean(axis=0)).tolist(),
                  (100 * (np.abs(score) < 1.96).mean(axis=0)).tolist())


def _sigma(covariance: object, index: int) -> float:
    return float(np.sqrt(np.asarray(covariance)[index, index]))


def others(records: Sequence[Record], training: Record, case: Case
           ) -> Tuple[Dict[str, float], Dict[str, List[float]]]:
    """Return the errors of the rivals, each tuned on the training record of the same case."""
    rivals.kalman.noise = (  # type: ignore[attr-defined]
        max(case.orientation, 1e-3) * DEG, case.gyro * DEG)
    acceleration = {}
    for name, (rival, settings) in rivals.ACCELERATION.items():
        best = settings[0] if len(settings) == 1 else min(settings, key=lambda s: _error(
            rival(training.angle, training.rate, DT, s), training.truth[2], 0))
        acceleration[name] = float(_rms([
            _error(rival(r.angle, r.rate, DT, best), r.truth[2], 0) for r in records]))
    regression = rivals.AutoRegression(training.angle, training.rate, DT)
    predictors = {'hold': rivals.hold, 'line': rivals.line, 'regression': regression.predict}
    prediction = {name: [float(_rms([
        _error(predict(r.angle, r.rate, ahead), r.truth[0], round(ahead / DT)) for r in records]))
        for ahead in AHEAD] for name, predict in predictors.items()}
    return acceleration, prediction


def _rms(values: Sequence[object]) -> FloatArray:
    return np.asarray(np.sqrt(np.mean(np.square(np.array(values)), axis=0)))


def _error(found: FloatArray, truth: FloatArray, steps: int) -> float:
    start = round(SETTLE / DT)
    error = found[start:len(found) - steps] - truth[start + steps:]
    return float(100 * np.sqrt(np.nanmean(error**2)) / truth[start:].std())


def cost() -> Tuple[float, float, float]:
    """Median cost of an update and of a prediction, and the mean with the slow part, in us."""
    record = sea_record(Case(5, '65 m', 0, 0.02, 0.05), SEEDS[0])
    estimator = BaseMotionEstimator(self_maintaining=False)
    quats = quat_from_rpy(np.outer(record.angle, [1.0, 0.0, 0.0])).tolist()
    samples = [ImuSample(i * 10_000_000, [rate, 0.0, 0.0], [0.0, 0.0, G], quat)
               for i, (rate, quat) in enumerate(zip(record.rate.tolist(), quats))]
    updates, predictions, slow = [], [], []
    for sample in samples[:12000]:
        t0 = time.perf_counter()
        estimator.update(sample)
        t1 = time.perf_counter()
        estimator.at(sample.stamp_ns + 20_000_000)
        t2 = time.perf_counter()
        estimator.maintain()
        slow.append(time.perf_counter() - t2)
        updates.append(t1 - t0)
        predictions.append(t2 - t1)
    half = len(updates) // 2
    return (1e6 * float(np.median(updates)), 1e6 * float(np.median(predictions)),
            1e6 * float(np.mean(slow[half:])))


def main(argv: Sequence[str] = ()) -> int:
    """Print the tables; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.base_motion')
    parser.add_argument('--quick', action='store_true', help='sea state 5 and one hull only')
    parser.add_argument('--states', type=int, nargs='+', default=[2, 3, 4, 5, 6])
    options = parser.parse_args(list(argv))
    missed: List[str] = []
    states, hulls = ((5,), ('65 m',)) if options.quick else (
        tuple(options.states), ('65 m', 'supply'))
    cases = [Case(s, h, a, g, o) for s, h, a, g, o in itertools.product(
        states, hulls, (0, 1), (0.02, 0.1), (0.0, 0.05))]
    print('error over signal in %; sigma: actual over stated (share within the 95 % interval)\n')
    print(f'{"case":34}|{"acceleration":^45}|{"angle ahead: ours (regression)":^52}| sigma')
    print(f'{"":34}|{"diff":>7}{"Butter":>8}{"SavGol":>8}{"Kalman":>8}{"ours":>8}      |'
          + ''.join(f'{f"{ahead:g} s":^13}' for ahead in AHEAD) + '|')
    for kind, make, chosen in (
            ('sea', sea_record, cases),
            ('', duffing_record, [Case(5, 'Duffing', 0, gyro, 0.05) for gyro in (0.02, 0.1)])):
        for case in chosen:
            missed += _row(case, [make(case, seed) for seed in SEEDS],
                           make(case, TRAINING_SEED), kind)
    update, prediction, slow = cost()
    print(f'\nan update {update:.1f} us (at most 15), a prediction {prediction:.1f} us '
          f'(at most 15), learning {slow:.1f} us a sample on average')
    missed += [text for text, value in (('update', update), ('prediction', prediction))
               if value > 15]
    print('\nall targets met' if not missed else f'\n{len(missed)} targets missed:')
    for text in missed:
        print(f'  {text}')
    return 1 if missed else 0


def _pooled(results: Sequence[Result]) -> Result:
    """Take several records for one: mean squares, mean coverage."""
    return Result(float(_rms([r.acceleration for r in results])),
                  _rms([r.prediction for r in results]).tolist(),
                  _rms([r.sigma for r in results]).tolist(),
                  np.mean([r.covered for r in results], axis=0).tolist())


def _row(case: Case, records: Sequence[Record], training: Record, kind: str) -> List[str]:
    """Print one case and return the targets that it misses."""
    acceleration, prediction = others(records, training, case)
    found = _pooled([ours(record, case.axis) for record in records])
    label = (f'{kind} {case.sea_state} {case.hull:7}{case.name:6}{case.gyro:5.2f} deg/s '
             f'{case.orientation:4.2f} deg')
    best = min(acceleration.values())
    target = (ACCELERATION_TARGET.get((case.name, case.gyro))
              if (case.sea_state, case.hull) == (5, '65 m') else None)
    print(f'{label:34}|' + ''.join(f'{value:8.1f}' for value in acceleration.values())
          + f'{found.acceleration:8.2f}' + (f' <{target:4.1f}' if target else '      ')
          + '|' + ''.join(f'{mine:6.2f} ({other:4.1f})' for mine, other in zip(
              found.prediction, prediction['regression']))
          + '| ' + ' '.join(f'{s:.2f}({c:.0f})' for s, c in zip(found.sigma, found.covered)),
          flush=True)
    missed = []
    if target and found.acceleration > target:
        missed.append(f'{label}: acceleration')
    if found.acceleration > WORST_RATIO * best:
        missed.append(f'{label}: {found.acceleration / best:.2f} times the best rival')
    if target and case.orientation == 0.0 and case.gyro == 0.02:
        missed += [f'{label}: prediction at {ahead:g} s' for ahead, value in zip(
            AHEAD, found.prediction) if value > PREDICTION_TARGET.get((case.name, ahead), 99)]
    for mine, ahead, *rivals_errors in zip(found.prediction, AHEAD, *prediction.values()):
        if mine > WORST_RATIO * min(rivals_errors):
            missed.append(f'{label}: {mine / min(rivals_errors):.2f} times the best rival at '
                          f'{ahead:g} s')
    for what, s, c in zip(('now', *AHEAD), found.sigma, found.covered):
        if not HONEST[0] <= s <= HONEST[1] or not COVERED[0] <= c <= COVERED[1]:
            missed.append(f'{label}: sigma {what}: {s:.2f}, {c:.0f} % covered')
    return missed


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

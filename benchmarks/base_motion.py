"""
Base motion estimated and predicted, on bases of all kinds, against the simplest methods there are.

Motions that share no code with the package's ships (narrow bands, seas, USV, drone, truck and
more), its ships at sea states 2 to 6 (two hulls, roll in a beam sea and pitch in a head sea, two
gyros, with and without noise of the orientation), and a roll that stiffens with its angle.
100 Hz, errors from 20 s after the start on, against hold, the mean of a minute, cubics through
the last 0.1, 0.4 and 1.4 s, and an autoregression on a minute, each with one setting.  A ratio is
ours over the best rival's error in that case: of the angular acceleration (wd) and the level
acceleration (a) now, and of the tilt 0.1, 0.5, 1 and 2 s ahead.  The stated 95 % interval has to
hold the angular acceleration, with its vibration, in 90 to 99 % of the answers, also of the first
ten seconds' (10 s); where something vibrates, up to 100: an oscillation never goes as far beyond
its RMS as noise does.  ``--ablations`` leaves out one mechanism at a time instead.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from typing import Iterator, List, Sequence

from benchmarks import _ablations
from benchmarks._base_motions import DT, LENGTH, MOTIONS, Record, swing
from benchmarks._estimator_trial import AHEAD, Case, Trial, try_out
import numpy as np

from robot_dynamics.estimation.estimators import (
    ADAPTIVE, ESTIMATORS, make_estimator, warm_up_estimator)
from robot_dynamics.ship.ship_motion import ShipMotion

STATES, HULLS = (2, 3, 4, 5, 6), ('65 m', 'supply')
QUANTITIES = ('turn', 'force', *(f'{h:g} s' for h in AHEAD))
SEED, SHIP_SEED = 1, 3141
WORST, COVERED, LARGEST = 1.1, (90.0, 99.0), 2.0


def motions() -> Iterator[Case]:
    """Yield the motions that share no code with the package's ships."""
    for name, make in MOTIONS.items():
        yield Case(name, make(np.random.default_rng(SEED)))


def ships(states: Sequence[int] = STATES) -> Iterator[Case]:
    """Yield the package's own ships at sea, and a stiffening roll in such a sea."""
    sensors = tuple(itertools.product((0.02, 0.1), (0.0, 0.05)))
    for state, hull, axis in itertools.product(states, HULLS, (0, 1)):
        ship = ShipMotion.irregular(
            state, hull=None if hull == '65 m' else 'supply_vessel', seed=SHIP_SEED,
            wave_direction=math.pi if axis else math.pi / 2)
        x = ship.degrees_of_freedom(np.arange(0, LENGTH, DT))
        record = _record(x[:, 3 + axis::6].T.copy(), x[:, 14])
        for gyro, orientation in sensors:
            yield Case(f'{state} {hull} {("roll", "pitch")[axis]} {gyro:g} {orientation:g}',
                       record, gyro, orientation)
    if 5 in states:
        slope = ShipMotion.irregular(5, seed=SHIP_SEED).degrees_of_freedom(
            np.arange(0, LENGTH, DT))[:, 3]
        roll = swing(0.3 * (2 * math.pi / 9)**2 * slope, 9.0, 0.06, cubic=8.0)
        for gyro in (0.02, 0.1):
            yield Case(f'5 stiffening roll {gyro:g} 0.05', _record(roll, 0.0 * roll[0]), gyro)


def _record(roll: np.ndarray, heave: np.ndarray) -> Record:
    return Record(roll, heave, np.zeros(len(heave)), np.zeros(len(heave)))


def missed(case: Case, trial: Trial) -> List[str]:
    """Return what a case misses."""
    found = [f'{quantity} {trial.ratio(quantity):.2f} ({trial.best(quantity)[0]})'
             for quantity in QUANTITIES if trial.ratio(quantity) > WORST]
    most = 100.0 if case.record.shake_rate.any() else COVERED[1]
    for share, when in ((trial.within, ''), (trial.early, ' at first')):
        if not COVERED[0] <= 100 * share <= most:
            found.append(f'interval {100 * share:.1f} %{when}')
    if trial.largest > LARGEST:
        found.append(f'{trial.largest:.1f} times the largest difference')
    return found


def main(argv: Sequence[str] = ()) -> int:
    """Print the tables; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks base_motion')
    parser.add_argument('--ablations', action='store_true', help='leave out one mechanism')
    parser.add_argument('--estimator', default=ADAPTIVE, choices=ESTIMATORS)
    parser.add_argument('--only', default='', help='cases whose name contains it')
    parser.add_argument('--states', type=int, nargs='*', default=list(STATES),
                        help='sea states of the ships of the package')
    parser.add_argument('--orientation', type=float, metavar='DEG',
                        help='noise of the orientation in all cases, instead of their own')
    options = parser.parse_args(list(argv))
    warm_up_estimator(options.estimator)
    if options.ablations:
        return _ablations.table(options.only)
    print(f'{"":27}{"wd %":>7} | {"wd":>5} {"a":>5} ' + ' '.join(
        f'{f"{h:g} s":>5}' for h in AHEAD) + '  | within 95 %, 10 s')
    trials, failures = [], 0
    for case in itertools.chain(motions(), ships(options.states)):
        if options.only in case.name:
            if options.orientation is not None:
                case = case._replace(orientation=options.orientation)
            trial = try_out(lambda: make_estimator(options.estimator), case)
            short = missed(case, trial)
            failures += bool(short)
            trials.append(trial)
            print(f'{case.name:27}{min(9999, 100 * trial.ours["turn"] / trial.signal):7.1f} | '
                  + ' '.join(f'{trial.ratio(q):5.2f}' for q in QUANTITIES)
                  + f'  | {100 * trial.within:3.0f} {100 * trial.early:3.0f} %   '
                  + '; '.join(short), flush=True)
    print(f'\n{len(trials)} cases, {failures} miss something; of the ratios above {WORST:g}:')
    for quantity in QUANTITIES:
        ratios = [trial.ratio(quantity) for trial in trials]
        print(f'  {quantity:6} {sum(ratio > WORST for ratio in ratios):3d}, median '
              f'{np.median(ratios):.2f}, worst {max(ratios):.2f}')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

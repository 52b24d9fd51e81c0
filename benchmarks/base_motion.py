"""
Base motion estimated and predicted, on bases of all kinds, against the simplest methods there are.

Motions that share no code with the package's ships (narrow bands, seas, USV, drone, truck and
more), its ships at sea states 2 to 6 (two hulls, roll in a beam sea and pitch in a head sea, two
gyros, with and without noise of the orientation), and a roll that stiffens with its angle.
100 Hz, errors from 20 s after the start on, against hold, the mean of a minute, cubics through
the last 0.1, 0.4 and 1.4 s, and an autoregression on a minute, each with one setting.  Each case
is three records, of other waves and other noise.  A ratio is ours over the best rival's error in
that case: of the angular acceleration (wd) and the level acceleration (a) now, and of the tilt
0.1, 0.5, 1 and 2 s ahead.  The stated 95 % interval has to hold the angular acceleration, with its
vibration, in 90 to 99 % of the answers, also of those in the ten seconds after a start (10 s), of
four in each record: in so few seconds errors hang together, and would leave these bounds by chance
with a perfect interval, too; where something vibrates, up to 100: an oscillation never goes as far
beyond its RMS as noise does.
``--ablations`` leaves out one mechanism at a time instead.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
import functools
import itertools
import math
import os
import sys
from typing import Iterator, List, Sequence, Tuple

from benchmarks import _ablations
from benchmarks._base_motions import DT, LENGTH, MOTIONS, Record, swing
from benchmarks._estimator_trial import (
    AHEAD, Case, combined, held_at_first, Trial, try_out)
import numpy as np

from robot_dynamics.estimation.estimators import (
    ADAPTIVE, ESTIMATORS, make_estimator, warm_up_estimator)
from robot_dynamics.ship.ship_motion import ShipMotion

STATES, HULLS = (2, 3, 4, 5, 6), ('65 m', 'supply')
QUANTITIES = ('turn', 'force', *(f'{h:g} s' for h in AHEAD))
SEEDS, SHIP_SEED, STARTS = (1, 2, 3), 3140, 4
WORST, COVERED, LARGEST = 1.1, (90.0, 99.0), 2.0


def motions(seed: int) -> Iterator[Case]:
    """Yield the motions that share no code with the package's ships."""
    for name, make in MOTIONS.items():
        yield Case(name, make(np.random.default_rng(seed)), seed=seed)


def ships(seed: int, states: Sequence[int] = STATES) -> Iterator[Case]:
    """Yield the package's own ships at sea, and a stiffening roll in such a sea."""
    sensors = tuple(itertools.product((0.02, 0.1), (0.0, 0.05)))
    for state, hull, axis in itertools.product(states, HULLS, (0, 1)):
        ship = ShipMotion.irregular(
            state, hull=None if hull == '65 m' else 'supply_vessel', seed=SHIP_SEED + seed,
            wave_direction=math.pi if axis else math.pi / 2)
        x = ship.degrees_of_freedom(np.arange(0, LENGTH, DT))
        record = _record(x[:, 3 + axis::6].T.copy(), x[:, 14])
        for gyro, orientation in sensors:
            yield Case(f'{state} {hull} {("roll", "pitch")[axis]} {gyro:g} {orientation:g}',
                       record, gyro, orientation, seed)
    if 5 in states:
        slope = ShipMotion.irregular(5, seed=SHIP_SEED + seed).degrees_of_freedom(
            np.arange(0, LENGTH, DT))[:, 3]
        roll = swing(0.3 * (2 * math.pi / 9)**2 * slope, 9.0, 0.06, cubic=8.0)
        for gyro in (0.02, 0.1):
            yield Case(f'5 stiffening roll {gyro:g} 0.05', _record(roll, 0.0 * roll[0]), gyro,
                       seed=seed)


def _record(roll: np.ndarray, heave: np.ndarray) -> Record:
    return Record(roll, heave, np.zeros(len(heave)), np.zeros(len(heave)))


def tried(estimator: str, cases: Sequence[Case]) -> Tuple[Trial, float]:
    """Return what records of one kind show together, and what is held in the first seconds."""
    make = functools.partial(make_estimator, estimator)
    return combined([try_out(make, case) for case in cases]), float(
        np.mean([held_at_first(make, case, STARTS) for case in cases]))


def missed(case: Case, trial: Trial, early: float) -> List[str]:
    """Return what a case misses."""
    found = [f'{quantity} {trial.ratio(quantity):.2f} ({trial.best(quantity)[0]})'
             for quantity in QUANTITIES if trial.ratio(quantity) > WORST]
    most = 100.0 if case.record.shake_rate.any() else COVERED[1]
    for share, when in ((trial.within, ''), (early, ' at first')):
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
    parser.add_argument('--seeds', type=int, nargs='+', default=list(SEEDS),
                        help='of the waves and the noise, one for each record of a case')
    parser.add_argument('--orientation', type=float, metavar='DEG',
                        help='noise of the orientation in all cases, instead of their own')
    options = parser.parse_args(list(argv))
    warm_up_estimator(options.estimator)
    if options.ablations:
        return _ablations.table(options.only)
    kinds = [[case if options.orientation is None else
              case._replace(orientation=options.orientation) for case in cases]
             for cases in zip(*(itertools.chain(motions(seed), ships(seed, options.states))
                                for seed in options.seeds)) if options.only in cases[0].name]
    if not kinds:
        parser.error(f'no case is named like {options.only!r}')
    print(f'{"":27}{"wd %":>7} | {"wd":>5} {"a":>5} ' + ' '.join(
        f'{f"{h:g} s":>5}' for h in AHEAD) + '  | within 95 %, 10 s')
    trials, failures = [], 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (case, *_), (trial, early) in zip(kinds, pool.map(
                functools.partial(tried, options.estimator), kinds)):
            short = missed(case, trial, early)
            failures += bool(short)
            trials.append(trial)
            print(f'{case.name:27}{min(9999, 100 * trial.ours["turn"] / trial.signal):7.1f} | '
                  + ' '.join(f'{trial.ratio(q):5.2f}' for q in QUANTITIES)
                  + f'  | {100 * trial.within:3.0f} {100 * early:3.0f} %   '
                  + '; '.join(short), flush=True)
    print(f'\n{len(trials)} cases, {failures} miss something; of the ratios above {WORST:g}:')
    for quantity in QUANTITIES:
        ratios = [trial.ratio(quantity) for trial in trials]
        print(f'  {quantity:6} {sum(ratio > WORST for ratio in ratios):3d}, median '
              f'{np.median(ratios):.2f}, worst {max(ratios):.2f}')
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

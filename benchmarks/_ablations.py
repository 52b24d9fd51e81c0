"""The adaptive estimator with one of its mechanisms left out: what each is worth, and where."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, Optional, Tuple
from unittest import mock

from benchmarks._base_motions import MOTIONS
from benchmarks._estimator_trial import Case, Trial, try_out
import numpy as np

from robot_dynamics.estimation.adaptive import compiling, signal_predictor
from robot_dynamics.estimation.adaptive.attitude_filter import AngleFilter
from robot_dynamics.estimation.adaptive.design import Design
from robot_dynamics.estimation.adaptive.motion_estimator import AdaptiveEstimator
from robot_dynamics.imu.sample import ImuSample

WORTH = 1.1  # times the error, somewhere

Change = Callable[[Design, Any], Tuple[Design, Any]]  # of the constants and the tuning


def _without(*fixed: int) -> Change:
    """Let some of the predictors that learn nothing say that nothing moves."""
    def change(design: Design, tuning: Any) -> Tuple[Design, Any]:
        weights = design.fixed.copy()
        weights[list(fixed)] = 0.0
        return design._replace(fixed=weights), tuning
    return change


def _without_sea(sea: int) -> Change:
    def change(design: Design, tuning: Any) -> Tuple[Design, Any]:
        weights = design.prior.copy()
        weights[sea] = weights[1 - sea]
        return design._replace(prior=weights), tuning
    return change


def _tuned(**values: Any) -> Change:
    return lambda design, tuning: (design, tuning._replace(**values))


def _one_band(design: Design, tuning: Any) -> Tuple[Design, Any]:
    same = {name: getattr(design, name).copy() for name in ('filters', 'powers', 'overlap')}
    for array in same.values():
        array[3:] = array[2]
    return design._replace(**same), tuning


def _no_overlap(design: Design, tuning: Any) -> Tuple[Design, Any]:
    return design._replace(overlap=np.zeros_like(design.overlap)), tuning


def _reports_as_they_are(self: AngleFilter, error: float) -> None:
    self.begin(self.angle + error)


CHANGES: Dict[str, Change] = {
    'hold': _without(0), 'mean': _without(1), 'cubics': _without(2, 3, 4),
    'sea of ships': _without_sea(0), 'sea of anything': _without_sea(1),
    'regressions': _tuned(filled=1e9),
    'regression that believes little': _tuned(believed=np.array([10.0, 10.0])),
    'regression that believes much': _tuned(believed=np.array([0.1, 0.1])),
    'choice of band': _one_band, 'noise of both sides taken out': _no_overlap,
    'largest answer': _tuned(largest=1e9), 'weights little by little': _tuned(passing=1.0),
    'doubt of a young filter': _tuned(grown=1e-9),
    'foresight of a young filter': _tuned(early=1e9),
    'errors by their size': _tuned(levelled=1e9),
    'regressions only where they learned': _tuned(unknown=1e9)}
PATCHES: Dict[str, Tuple[Any, str, Any]] = {
    'filter of the angle': (AngleFilter, '_correct', _reports_as_they_are),
    'bridge over pauses': (AdaptiveEstimator, '_bridge', lambda self, points: None),
    'glitches left out': (AdaptiveEstimator, '_believed', lambda self, stamp, found: [
        0.0 if value != value else value for value in found])}


@contextmanager
def left_out(name: str) -> Iterator[None]:
    """Leave a mechanism out of the estimators that are made meanwhile."""
    if name in PATCHES:
        owner, method, other = PATCHES[name]
        with mock.patch.object(owner, method, other):
            yield
        return
    change, plain = CHANGES[name], compiling.constants

    def constants(dt: float) -> Tuple[Design, compiling.Arrays]:
        design, tuning = change(plain(dt)[0], compiling.tuning())
        return design, compiling.pack(design, tuning)[1]
    with mock.patch.object(signal_predictor, 'constants', constants):
        yield


def _pauses(k: int, sample: ImuSample) -> Optional[ImuSample]:
    return None if k % 250 < 40 else sample


def _glitches(k: int, sample: ImuSample) -> Optional[ImuSample]:
    if k % 300 != 299:
        return sample
    return ImuSample(sample.stamp_ns, (8.0, 0.0, 0.0), (0.0, 60.0, 0.0), sample.orientation_xyzw)


def situations() -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Yield what ablations are tried on: motions, first seconds, and streams with faults."""
    for name in ('linear sea 9 s', 'narrow band 1 s', 'swell and wind sea', 'slamming', 'truck',
                 'usv with propeller', 'start and stop', 'drone', 'mooring'):
        yield name, {'case': name, 'end': 70.0}
    for name in ('linear sea 9 s', 'narrow band 1 s', 'narrow band 40 s', 'crane barge'):
        yield f'{name}, first 4 s', {'case': name, 'begin': 0.3, 'end': 4.0}
        yield f'{name}, 4 to 12 s', {'case': name, 'begin': 4.0, 'end': 12.0}
    yield 'linear sea 4 s with pauses', {'case': 'linear sea 4 s', 'end': 50.0, 'change': _pauses}
    yield 'linear sea 4 s with glitches', {'case': 'linear sea 4 s', 'end': 50.0,
                                           'change': _glitches}


def _errors(**how: Any) -> Trial:
    name = how.pop('case')
    case = Case(name, MOTIONS[name](np.random.default_rng(1)))
    return try_out(AdaptiveEstimator, case, against=False, **how)


def table(only: str = '') -> int:
    """Print what leaving out a mechanism costs where it costs most; 1 if one is worth little."""
    chosen = list(situations())
    full = {name: _errors(**dict(how)) for name, how in chosen}
    print('error without over error with, where it is largest')
    met = True
    for mechanism in (*CHANGES, *PATCHES):
        if only not in mechanism:
            continue
        with left_out(mechanism):
            rows = [(found.ours[quantity] / max(full[name].ours[quantity], 1e-5), quantity, name)
                    for name, how in chosen for found in [_errors(**dict(how))]
                    for quantity in found.ours]
        worst, quantity, where = max(rows)
        met = met and worst > WORTH
        print(f'  {mechanism:34}{worst:7.2f}   {quantity:6} {where}'
              + ('' if worst > WORTH else '   worth little'), flush=True)
    return 0 if met else 1

"""The adaptive estimator with one of its mechanisms left out: what each is worth, and where."""

from __future__ import annotations

from contextlib import contextmanager
import dataclasses
import math
from typing import Any, Callable, Dict, Iterator, Optional, Tuple
from unittest import mock

from benchmarks._base_motions import MOTIONS
from benchmarks._estimator_trial import beside, Case, Trial, try_out
import numpy as np

from robot_dynamics.estimation.adaptive import (
    attitude_filter, compiling, design as designs, motion_estimator, settings, signal_predictor,
    tilt)
from robot_dynamics.estimation.adaptive.design import Design
from robot_dynamics.estimation.adaptive.late_rates import LateRates
from robot_dynamics.estimation.adaptive.motion_estimator import AdaptiveEstimator
from robot_dynamics.estimation.adaptive.tilt import Tilt
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED

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


def _without_heel(design: Design, tuning: Any) -> Tuple[Design, Any]:
    with mock.patch.object(settings, 'HEEL', 0.0):
        prior, metric = designs._prior(design.edges, design.knots, design.filled,
                                       float(design.scalars[0]))
    return design._replace(prior=prior, metric=metric), tuning


def _newest_slope(self: LateRates) -> Any:
    """Return rates at once, of the last two reports."""
    if len(self._reports) < settings.SLOPED:
        return None
    (before, old), (now, new) = self._reports[-2], self._reports[-1]
    step = 1e-9 * (now - before)
    self._noise = np.full(2, 1e-6 * step)
    values = np.array(new)
    return now, (values[:2] - np.array(old)[:2]) / step, values[:2], values[2:]


def _bridged_without_doubt(self: AdaptiveEstimator, points: Any) -> None:
    _BRIDGE(self, points)
    self._doubt = None


_BRIDGE = AdaptiveEstimator._bridge


def _report_as_it_is(axis: Any, error: float) -> None:
    axis[attitude_filter.ANGLE] += error


CHANGES: Dict[str, Change] = {
    'hold': _without(0), 'mean': _without(1), 'cubics': _without(2, 3, 4),
    'sea of ships': _without_sea(0), 'sea of anything': _without_sea(1),
    'regressions': _tuned(filled=1e9),
    'regression that believes little': _tuned(believed=np.array(settings.BELIEVED[1:] * 2)),
    'regression that believes much': _tuned(believed=np.array(settings.BELIEVED[:1] * 2)),
    'choice of band': _one_band, 'noise of both sides taken out': _no_overlap,
    'largest answer': _tuned(largest=1e9), 'weights little by little': _tuned(passing=1.0),
    'doubt of a young filter': _tuned(grown=1e-9),
    'foresight of a young filter': _tuned(early=1e9),
    'regressions only where they learned': _tuned(unknown=1e9),
    'mean of the angle in seas': _without_heel,
    'noise below which nothing is left out': _tuned(clear=1.0),
    'noise of a narrower band': _tuned(detail=0.0),
    'noise in the choice of band': _tuned(leaking=0.0),
    'third smallest noise': _tuned(quantile=0), 'guesses as samples': _tuned(seam=1.0),
    'shrinking': _tuned(shrink=0.0), 'hopeless ones left out': _tuned(hopeless=1e9),
    'new weights at once where the old err': _tuned(apart_by=1e9),
    'young filters judge by their last errors': _tuned(young=1e9),
    'seas beside few samples': _tuned(many=0.0),
    'what was judged before': _tuned(lasting=0.0),
    'first samples of the noise count for less': _tuned(settling=1.0),
    'few swings are less than their mean': _tuned(low=0.0),
    'noise that is uncertain': _tuned(alike=0.0, swings=0.0),
    'few errors tell little': _tuned(wide=0.0),
    'errors stated by those foreseen': _tuned(missed=1e9),
    'doubt of what is far from now': _tuned(far=1e9),
    'the mean alone where nothing moves': _tuned(rest=0.0),
    'no answer far from the newest samples': _tuned(steady=2.0)}
PATCHES: Dict[str, Tuple[Any, str, Any]] = {
    'filter of the angle': (attitude_filter, 'correct', _report_as_it_is),
    'steady bias': (attitude_filter, 'STEADYING', 1e-9),
    'slopes truer than the gyro': (attitude_filter, 'TRUEST', 1e9),
    'noise of the gyro forgotten': (signal_predictor.SignalPredictor, 'young', False),
    'reports far off': (attitude_filter, 'LEAST', 1e9),
    'short loss of rates in the tilt': (attitude_filter, 'MISSING', 0.0),
    'bridge over pauses': (AdaptiveEstimator, '_bridge', lambda self, points: None),
    'parabola in the bridge': (motion_estimator, '_LONG', 1e9),
    'bridge of the tilt': (Tilt, 'bridge', lambda *_: None),
    'no noise across pauses': (signal_predictor.SignalPredictor, 'pause', lambda self: None),
    'doubt after a pause': (AdaptiveEstimator, '_bridge', _bridged_without_doubt),
    'jumps carried over': (AdaptiveEstimator, '_carry_over', lambda self, dt, found: None),
    'passing over to slopes': (
        AdaptiveEstimator, '_pass_over', lambda self, stamp_ns, late, found, angles:
        None if late else self._predictor.set_least_noise((0.0, 0.0))),
    'late slopes': (LateRates, 'middle', _newest_slope),
    'short loss of a measurement': (motion_estimator, '_MISSING', -1.0),
    'glitches left out': (AdaptiveEstimator, '_believed', lambda self, stamp, found: [
        0.0 if value != value else value for value in found])}


@contextmanager
def left_out(name: str) -> Iterator[None]:
    """Leave a mechanism out of the estimators that are made meanwhile."""
    if name in PATCHES:
        owner, method, other = PATCHES[name]
        kernels = compiling.compiled()
        if owner is attitude_filter:  # as it stands there, not as it was compiled
            kernels = kernels._replace(observe=attitude_filter.observe)
        with mock.patch.object(owner, method, other), mock.patch.object(
                tilt, 'compiled', lambda: kernels):
            yield
        return
    change, plain = CHANGES[name], compiling.constants

    def constants(dt: float) -> Tuple[Design, compiling.Arrays]:
        design, tuning = change(plain(dt)[0], compiling.tuning())
        return design, compiling.pack(design, tuning)[1]
    with mock.patch.object(signal_predictor, 'constants', constants), mock.patch.object(
            signal_predictor, '_blank', signal_predictor._blank.__wrapped__):
        yield


def _pauses(k: int, sample: ImuSample) -> Optional[ImuSample]:
    return None if k % 250 < 40 else sample


def _long_pauses(k: int, sample: ImuSample) -> Optional[ImuSample]:
    return None if k % 400 < 150 else sample


def _glitches(k: int, sample: ImuSample) -> Optional[ImuSample]:
    if k % 300 != 299:
        return sample
    return ImuSample(sample.stamp_ns, (8.0, 0.0, 0.0), (0.0, 60.0, 0.0), sample.orientation_xyzw)


def _leaps(k: int, sample: ImuSample) -> Optional[ImuSample]:
    x, y, z = sample.angular_velocity
    return dataclasses.replace(sample, angular_velocity=(x + (0.1 if k > 3000 else 0.0), y, z))


def _turned(k: int, sample: ImuSample) -> Optional[ImuSample]:
    return sample if k % 300 != 299 else dataclasses.replace(
        sample, orientation_xyzw=(math.sin(0.2), 0.0, 0.0, math.cos(0.2)))


def _no_gyro(k: int, sample: ImuSample) -> ImuSample:
    return dataclasses.replace(sample, angular_velocity_covariance=NOT_REPORTED)


def _gyro_in_turns(k: int, sample: ImuSample) -> Optional[ImuSample]:
    return sample if k // 100 % 2 == 0 else _no_gyro(k, sample)


def _force_in_turns(k: int, sample: ImuSample) -> Optional[ImuSample]:
    return sample if k // 500 % 2 == 0 else dataclasses.replace(
        sample, linear_acceleration_covariance=NOT_REPORTED)


def _alternating(k: int, sample: ImuSample) -> Optional[ImuSample]:
    return sample if k % 2 == 0 else dataclasses.replace(
        _no_gyro(k, sample), linear_acceleration_covariance=NOT_REPORTED)


STREAMS: Dict[str, Callable[[int, ImuSample], Optional[ImuSample]]] = {
    'pauses': _pauses, 'long pauses': _long_pauses, 'glitches': _glitches, 'a jump': _leaps,
    'glitches of the tilt': _turned, 'no gyro': _no_gyro, 'a gyro in turns': _gyro_in_turns,
    'forces in turns': _force_in_turns, 'less in every second': _alternating}


def situations() -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Yield what ablations are tried on: motions, first seconds, and streams with faults."""
    for name in ('linear sea 9 s', 'narrow band 1 s', 'swell and wind sea', 'slamming', 'truck',
                 'usv with propeller', 'start and stop', 'drone', 'mooring', 'standing still'):
        yield name, {'case': name, 'end': 70.0}
    for name in ('linear sea 9 s', 'narrow band 1 s', 'narrow band 40 s', 'crane barge'):
        yield f'{name}, first 4 s', {'case': name, 'begin': 0.3, 'end': 4.0}
        yield f'{name}, 4 to 12 s', {'case': name, 'begin': 4.0, 'end': 12.0}
    for gyro in (0.02, 0.1):
        yield f'linear sea 9 s with exact angles, gyro {gyro}', {
            'case': 'linear sea 9 s', 'end': 50.0, 'gyro': gyro, 'orientation': 0.0}
    for name, change in STREAMS.items():
        case = {'a jump': 'linear sea 9 s', 'a gyro in turns': 'narrow band 3 s'}.get(
            name, 'linear sea 4 s')
        yield f'{case} with {name}', {'case': case, 'end': 50.0, 'change': change}


def _errors(**how: Any) -> Trial:
    name = how.pop('case')
    noise = {sensor: how.pop(sensor) for sensor in ('gyro', 'orientation') if sensor in how}
    case = Case(name, MOTIONS[name](np.random.default_rng(1)), **noise)
    return try_out(AdaptiveEstimator, case, against=False, **how)


def _ratios(found: Trial, full: Trial, name: str) -> Iterator[Tuple[float, str, str]]:
    """Yield how much larger each error is, and how much further intervals are off 95 %."""
    for quantity, error in found.ours.items():
        yield beside(quantity, error, full.ours[quantity]), quantity, name
    without, with_it = (max(width, 1.0 / width) for width in np.clip(
        [found.width, full.width], 0.1, 10.0).tolist())
    yield without / with_it, 'interval', name


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
            rows = [row for name, how in chosen
                    for row in _ratios(_errors(**dict(how)), full[name], name)]
        worst, quantity, where = max(rows)
        met = met and worst > WORTH
        print(f'  {mechanism:34}{worst:7.2f}   {quantity:6} {where}'
              + ('' if worst > WORTH else '   worth little'), flush=True)
    return 0 if met else 1

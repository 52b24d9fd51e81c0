"""
What others make of an IMU: hold, the mean, polynomials, an autoregression, each with one setting.

All are causal, see one axis at an even rate, and answer at every sample: the angular acceleration
and the acceleration along a level axis now, and the angle some time ahead.
"""

from __future__ import annotations

from typing import Callable, Dict, NamedTuple, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray
from scipy import signal

FloatArray = NDArray[np.float64]

WINDOWS = (0.1, 0.4, 1.4)     # s, of the cubics
FURTHEST = 0.25               # s; a cubic is asked no further ahead, as in the package
ORDER, SPACING = 20, 0.1      # of the autoregression: values of angle and rate so many s apart
MEMORY, REFIT = 60.0, 1.0     # s
CENTRED = 5                   # samples on both sides, of what it learns as the acceleration


class Measured(NamedTuple):
    """Angle, rate and level acceleration as measured, (T,) each, and the interval, s."""

    angle: FloatArray
    rate: FloatArray
    force: FloatArray
    dt: float


Answers = Dict[str, FloatArray]  # by quantity, (T,)


def hold(seen: Measured, ahead: Sequence[float]) -> Answers:
    """Keep what was measured last; the angular acceleration is the last difference."""
    return {'turn': np.diff(seen.rate, prepend=seen.rate[0]) / seen.dt, 'force': seen.force,
            **{f'{h:g} s': seen.angle for h in ahead}}


def mean(seen: Measured, ahead: Sequence[float]) -> Answers:
    """Keep to the mean of a minute."""
    fade = np.exp(-seen.dt / MEMORY)
    weight = signal.lfilter([1.0], [1.0, -fade], np.ones(len(seen.angle)))
    angle, force = (signal.lfilter([1.0], [1.0, -fade], x) / weight
                    for x in (seen.angle, seen.force))
    return {'turn': np.zeros(len(angle)), 'force': force, **{f'{h:g} s': angle for h in ahead}}


def cubic(window: float) -> Callable[[Measured, Sequence[float]], Answers]:
    """Return what fits a cubic to the last seconds of every signal."""
    def answers(seen: Measured, ahead: Sequence[float]) -> Answers:
        count = max(5, round(window / seen.dt) + 1)
        s = np.linspace(-1.0, 0.0, count)
        powers, span = np.vander(s, 4, increasing=True), (count - 1) * seen.dt
        fit = np.linalg.solve(powers.T @ powers, powers.T)

        def at(x: FloatArray, h: float) -> FloatArray:
            weights = (h / span)**np.arange(4) @ fit
            return np.asarray(signal.lfilter(weights[::-1], [1.0], x))
        return {'turn': signal.lfilter(fit[1][::-1] / span, [1.0], seen.rate),
                'force': at(seen.force, 0.0),
                **{f'{h:g} s': at(seen.angle, min(h, FURTHEST)) for h in ahead}}
    return answers


def autoregression(seen: Measured, ahead: Sequence[float]) -> Answers:
    """Regress what came on the values before it, every second anew, on the last minute."""
    step, refit = round(SPACING / seen.dt), round(REFIT / seen.dt)
    box = np.ones(2 * CENTRED + 1) / (2 * CENTRED + 1)
    slope = np.convolve(np.gradient(seen.rate, seen.dt), box, 'same')
    both = np.hstack([_past(seen.angle, step), _past(seen.rate, step)])
    # smoothed targets are known half their width later
    return {**_regressed(both, refit, {'turn': (slope, 0, CENTRED), **{
                f'{h:g} s': (seen.angle, round(h / seen.dt), 0) for h in ahead}}),
            **_regressed(_past(seen.force, step), refit, {
                'force': (np.convolve(seen.force, box, 'same'), 0, CENTRED)})}


def _regressed(x: FloatArray, refit: int, targets: Dict[str, Tuple[FloatArray, int, int]]
               ) -> Answers:
    """Return by name what a regression says; of targets: values, how far ahead, how late known."""
    X = np.hstack([x, np.ones((len(x), 1))])
    count, kept = len(X) // refit, round(MEMORY / REFIT)
    grams = [X[b * refit:(b + 1) * refit:3].T @ X[b * refit:(b + 1) * refit:3]
             for b in range(count)]
    out = {}
    for name, (values, h, late) in targets.items():
        y = np.concatenate([values[h:], np.zeros(h)])
        cross = [X[b * refit:(b + 1) * refit:3].T @ y[b * refit:(b + 1) * refit:3]
                 for b in range(count)]
        out[name] = np.full(len(X), np.nan)
        behind = 1 + (h + late) // refit  # blocks whose targets are not all known yet
        first = 1 + ORDER * round(SPACING / REFIT * refit) // refit
        for b in range(first + behind + 3, count):
            used = range(max(first, b - kept), b - behind + 1)
            gram = np.sum([grams[k] for k in used], axis=0)
            weights = np.linalg.solve(gram + 1e-9 * np.diag(np.diag(gram) + 1e-12),
                                      np.sum([cross[k] for k in used], axis=0))
            out[name][b * refit:(b + 1) * refit] = X[b * refit:(b + 1) * refit] @ weights
    return out


def _past(x: FloatArray, step: int) -> FloatArray:
    """Values at every instant and at those before it, (T, ORDER)."""
    padded = np.concatenate([np.full(step * (ORDER - 1), x[0]), x])
    start = step * (ORDER - 1) + np.arange(len(x))
    return padded[start[:, None] - step * np.arange(ORDER)]


RIVALS: Dict[str, Callable[[Measured, Sequence[float]], Answers]] = {
    'hold': hold, 'mean': mean, **{f'cubic {w:g} s': cubic(w) for w in WINDOWS},
    'regression': autoregression}

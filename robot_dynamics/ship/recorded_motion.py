"""
Replay of a recorded motion: quintic splines through the samples, with exact derivatives.

A spline of degree five has a continuous jerk, so that the replayed angular acceleration is smooth.
Noise in a recording becomes large in its second derivative: ``cutoff`` filters it forwards and
backwards first, which shifts nothing in time.
"""

from __future__ import annotations

from bisect import bisect_right
import math
from pathlib import Path
from typing import Any, Mapping, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robot_dynamics.core.errors import ConfigurationError, InputError, UnknownNameError
from robot_dynamics.core.gate import as_scalar, as_vector
from robot_dynamics.motion.series_time import increasing_time
from robot_dynamics.ship.csv_rows import read_rows
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM
from robot_dynamics.ship.ramp import apply_ramp, apply_ramp_series

FloatArray = NDArray[np.float64]

_DEGREE = 5
_FADE = 5.0  # s; the replay ends at rest


class RecordedMotion:
    """
    Six degrees of freedom from samples; outside the recording the ship lies still.

    Parameters
    ----------
    time : array_like, (T,)
        In s, increasing; the replay begins at its first value.
    values : mapping of str to array_like, (T,)
        Some of surge, sway, heave (m), roll, pitch, yaw (rad).
    playback_rate : float
        2 replays twice as fast: rates double, accelerations grow fourfold.
    cutoff : float, optional
        Frequency of a zero-phase low-pass filter over the samples, Hz.
    """

    def __init__(self, time: ArrayLike, values: Mapping[str, ArrayLike],
                 playback_rate: float = 1.0, cutoff: Optional[float] = None) -> None:
        from scipy.interpolate import make_interp_spline
        stamps = increasing_time('time', time)
        if len(stamps) <= _DEGREE:
            raise InputError('time', f'has {len(stamps)} samples, a replay needs at least '
                                     f'{_DEGREE + 1}')
        self.playback_rate = as_scalar('playback_rate', playback_rate, 1e-3, 1e3)
        samples = np.zeros((len(stamps), 6))
        for name, column in values.items():
            if name not in DEGREES_OF_FREEDOM:
                raise UnknownNameError('degree of freedom', name, DEGREES_OF_FREEDOM)
            samples[:, DEGREES_OF_FREEDOM.index(name)] = as_vector(name, column, len(stamps))
        if cutoff:
            samples = _filtered(stamps, samples, as_scalar('cutoff', cutoff, 0.0, unit='Hz'))
        stamps = (stamps - stamps[0]) / self.playback_rate
        spline = make_interp_spline(stamps, samples, _DEGREE)
        self._knots = spline.t[_DEGREE:-_DEGREE]
        # (intervals, powers from 0 up, 6) over the time since each knot
        self._coefficients = np.stack(
            [spline(self._knots[:-1], nu=power) / math.factorial(power)
             for power in range(_DEGREE + 1)], axis=1)
        self._knot_list = self._knots.tolist()
        self.duration = float(stamps[-1])
        self._fade = min(_FADE, 0.25 * self.duration)

    @classmethod
    def from_csv(cls, path: Union[str, Path], playback_rate: float = 1.0,
                 cutoff: Optional[float] = None) -> RecordedMotion:
        """
        Read ``time`` (s) and columns named by degree of freedom, angles also as ``roll_deg``.

        Raises
        ------
        ConfigurationError
            If the file is missing, has no such columns or holds no numbers.
        """
        time, values = _read_columns(Path(path))
        return cls(time, values, playback_rate, cutoff)

    def evaluate(self, t: float) -> list[float]:
        """Return 6 values, 6 rates, 6 accelerations at one time in s."""
        if not 0.0 <= t <= self.duration:
            return [0.0] * 18
        i = min(bisect_right(self._knot_list, t) - 1, len(self._coefficients) - 1)
        rows = _power_rows(t - self._knot_list[i])
        numbers: list[float] = (np.array(rows) @ self._coefficients[i]).ravel().tolist()
        for edge in (t, self.duration - t):
            if edge < self._fade:
                numbers = _ramped(numbers, edge, self._fade, edge is t)
        return numbers

    def evaluate_series(self, t: FloatArray) -> FloatArray:
        """Do so at many times, (T,) -> (T, 18)."""
        inside = np.clip(t, 0.0, self.duration)
        i = np.clip(np.searchsorted(self._knots, inside, side='right') - 1, 0,
                    len(self._coefficients) - 1)
        rows = np.moveaxis(np.array(_power_rows(inside - self._knots[i])), -1, 0)
        out = (rows @ self._coefficients[i]).reshape(len(t), 18)
        out = apply_ramp_series(out, inside, self._fade)
        backward = np.repeat([1.0, -1.0, 1.0], 6)  # a ramp down is a ramp up in reversed time
        out = apply_ramp_series(out * backward, self.duration - inside, self._fade) * backward
        return np.where(((t < 0) | (t > self.duration))[:, None], 0.0, out)


def _ramped(numbers: list[float], edge: float, fade: float, forward: bool) -> list[float]:
    """Fade in, or out by fading in with time reversed (rates change sign twice)."""
    if forward:
        return apply_ramp(numbers, edge, fade)
    mirrored = numbers[:6] + [-x for x in numbers[6:12]] + numbers[12:]
    faded = apply_ramp(mirrored, edge, fade)
    return faded[:6] + [-x for x in faded[6:12]] + faded[12:]


def _power_rows(s: Any) -> list[list[Any]]:
    """Powers of s with their first and second derivatives, coefficients from power 0 up."""
    zero, one, s2 = 0.0 * s, 0.0 * s + 1.0, s * s
    return [[one, s, s2, s * s2, s2 * s2, s * s2 * s2],
            [zero, one, 2 * s, 3 * s2, 4 * s * s2, 5 * s2 * s2],
            [zero, zero, 2 * one, 6 * s, 12 * s2, 20 * s * s2]]


def _filtered(stamps: FloatArray, samples: FloatArray, cutoff: float) -> FloatArray:
    """Resample evenly, low-pass forwards and backwards, and return to the stamps."""
    from scipy import signal
    spacing = float(np.median(np.diff(stamps)))
    if cutoff >= 0.5 / spacing:
        return samples
    even = np.arange(stamps[0], stamps[-1] + 0.5 * spacing, spacing)
    sections = signal.butter(4, cutoff, fs=1 / spacing, output='sos')
    smooth = [signal.sosfiltfilt(sections, np.interp(even, stamps, column))
              for column in samples.T]
    return np.stack([np.interp(stamps, even, column) for column in smooth], axis=1)


def _read_columns(path: Path) -> tuple[list[float], dict[str, FloatArray]]:
    rows = read_rows(path)
    known = {name: (name, 1.0) for name in DEGREES_OF_FREEDOM}
    known.update({f'{name}_deg': (name, np.pi / 180) for name in DEGREES_OF_FREEDOM[3:]})
    present = [name for name in known if rows and rows[0].get(name) is not None]
    if not present or rows[0].get('time') is None:
        raise ConfigurationError(f'{path}: expected a column time and some of '
                                 f'{", ".join(known)}')
    try:
        table = {name: np.array([float(row[name]) for row in rows])
                 for name in ['time', *present]}
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f'{path}: holds what is no number ({error})') from error
    return table.pop('time').tolist(), {
        known[name][0]: column * known[name][1] for name, column in table.items()}

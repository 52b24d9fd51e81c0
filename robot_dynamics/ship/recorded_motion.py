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
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError, InputError, UnknownNameError
from robot_dynamics.core.gate import as_scalar, as_vector, FloatArray
from robot_dynamics.core.units import FACTORS, split_unit
from robot_dynamics.motion.series_time import increasing_time
from robot_dynamics.ship.csv_rows import read_rows
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM
from robot_dynamics.ship.ramp import apply_ramp, apply_ramp_series

_DEGREE = 5
_CAPSIZED = 1.0  # rad of roll or pitch, from which on an angle without a unit is taken for degrees


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
    fade : float
        Time in which the motion grows from rest at its beginning and comes to rest at its end, s;
        0: it begins and ends as recorded, in a step.

    Attributes
    ----------
    duration : float
        Of the replay, s.
    spacing : float
        Median distance of its samples, s.
    measured : tuple of str
        Degrees of freedom that were recorded; the others are zero.
    """

    def __init__(self, time: ArrayLike, values: Mapping[str, ArrayLike],
                 playback_rate: float = 1.0, cutoff: Optional[float] = None, fade: float = 0.0
                 ) -> None:
        from scipy.interpolate import make_interp_spline
        stamps = increasing_time('time', time)
        if len(stamps) <= _DEGREE:
            raise InputError('time', f'has {len(stamps)} samples, a replay needs at least '
                                     f'{_DEGREE + 1}')
        step = np.diff(stamps)
        if step.max() > max(20.0 * float(np.median(step)), 5.0):
            at = int(np.argmax(step))
            raise InputError('time', f'has a pause of {step[at]:.3g} s after index {at}, across '
                                     'which nothing is known; cut the recording there')
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
        self.spacing = float(np.median(np.diff(stamps)))
        self.measured = tuple(name for name in DEGREES_OF_FREEDOM if name in values)
        self._fade = min(as_scalar('fade', fade, 0.0, unit='s'), 0.25 * self.duration)

    @classmethod
    def from_csv(cls, path: Union[str, Path], playback_rate: float = 1.0,
                 cutoff: Optional[float] = None, fade: float = 0.0) -> RecordedMotion:
        """
        Read ``time`` and columns named by degree of freedom, as :func:`motion_of_columns`.

        Raises
        ------
        ConfigurationError
            If the file is missing, has no such columns or holds no numbers.
        """
        time, values = motion_of_columns(str(path), _read_columns(Path(path)))
        return cls(time, values, playback_rate, cutoff, fade)

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


def motion_of_columns(where: str, columns: Mapping[str, ArrayLike]
                      ) -> tuple[FloatArray, dict[str, FloatArray]]:
    """
    Find time and degrees of freedom among columns.

    Parameters
    ----------
    where : str
        The file, for messages.
    columns : mapping of str to array_like, (T,)
        Header -> values: ``time`` (s) and some of ``surge``, ``sway``, ``heave`` (m), ``roll``,
        ``pitch``, ``yaw`` (rad), each also with its unit, as ``roll_deg``, ``roll[deg]`` or
        ``time (ms)``.

    Returns
    -------
    time : ndarray, (T,)
        In s.
    values : dict of ndarray, (T,)
        By degree of freedom, m and rad; angles without jumps of a turn.

    Raises
    ------
    ConfigurationError
        If there are no such columns, a unit is not known, or angles cannot be in rad.
    """
    found: dict[str, FloatArray] = {}
    stated: dict[str, str] = {}
    for header, column in columns.items():
        name, factor, unit = split_unit(header)
        name = name.lower()
        for ending in ('deg', 'rad'):
            if name.endswith(f'_{ending}'):
                name, factor, unit = name[:-4], FACTORS[ending], ending
        if name not in ('time', *DEGREES_OF_FREEDOM):
            continue
        if factor is None:
            raise ConfigurationError(f'{where}: column {header!r} states a unit that is not known '
                                     f'({unit!r})')
        found[name], stated[name] = factor * np.asarray(column, np.float64), unit
    if 'time' not in found or len(found) < 2:
        raise ConfigurationError(f'{where}: expected a column time and some of '
                                 f'{", ".join(DEGREES_OF_FREEDOM)}, angles also as roll_deg; it '
                                 f'has {", ".join(list(columns)[:8])}')
    for name in ('roll', 'pitch'):
        most = float(np.max(np.abs(found.get(name, np.zeros(1)))))
        if most > _CAPSIZED and not stated[name]:
            raise ConfigurationError(f'{where}: {name} reaches {most:.3g}, which are degrees '
                                     f'rather than rad; call the column {name}_deg, or '
                                     f'{name}_rad if it is so')
    time = found.pop('time')
    return time, {name: np.unwrap(column) if name in DEGREES_OF_FREEDOM[3:] else column
                  for name, column in found.items()}


def _read_columns(path: Path) -> dict[str, FloatArray]:
    rows = read_rows(path)
    names = [name for name in (rows[0] if rows else {}) if name]
    try:
        return {name: np.array([float(row[name]) for row in rows])
                for name in names if _is_wanted(name)}
    except (TypeError, ValueError) as error:
        raise ConfigurationError(f'{path}: holds what is no number ({error})') from error


def _is_wanted(header: str) -> bool:
    name = split_unit(header)[0].lower().removesuffix('_deg').removesuffix('_rad')
    return name in ('time', *DEGREES_OF_FREEDOM)

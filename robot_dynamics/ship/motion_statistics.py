"""What a sailor states about a motion: RMS, significant values, periods; and its spectrum."""

from __future__ import annotations

from dataclasses import dataclass
import math

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM
from robot_dynamics.ship.ship_motion import ShipMotion


@dataclass(frozen=True)
class MotionStatistics:
    """One quantity over a stretch of time; where it was not measured all are NaN."""

    name: str
    unit: str
    mean: float
    rms: float  #: About the mean
    significant: float  #: Significant single amplitude, 2 RMS (of a narrow-banded motion)
    maximum: float  #: Largest distance from the mean
    zero_crossing_period: float  #: Mean time between its upward crossings, s; NaN: there are none


def describe(name: str, unit: str, values: FloatArray, spacing: float) -> MotionStatistics:
    """
    Describe one evenly sampled quantity.

    Parameters
    ----------
    name, unit : str
        For the result.
    values : ndarray, (T,)
        Samples.
    spacing : float
        Between samples, s.
    """
    x = values - values.mean()
    rms = float(np.sqrt((x * x).mean()))
    moves = rms > 1e-12  # else only rounding crosses the mean
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0) & moves)
    period = math.nan
    if len(up) > 1:
        # crossings between samples, by straight lines
        cross = up + x[up] / (x[up] - x[up + 1])
        period = float((cross[-1] - cross[0]) / (len(up) - 1) * spacing)
    return MotionStatistics(name, unit, float(values.mean()), rms, 2 * rms,
                            float(np.abs(x).max()), period)


def unknown(name: str, unit: str) -> MotionStatistics:
    """Return the statistics of what was not measured."""
    return MotionStatistics(name, unit, *[math.nan] * 5)


def ship_statistics(ship: ShipMotion, duration: float, spacing: float = 0.1,
                    start: float = 0.0, point: tuple[float, float, float] = (0.0, 0.0, 0.0)
                    ) -> list[MotionStatistics]:
    """
    Describe a ship's six degrees of freedom and what a deck point feels.

    Parameters
    ----------
    ship : ShipMotion
        The ship.
    duration, spacing, start : float
        Stretch and sampling, s.
    point : tuple of 3 float
        Of the deck, deck axes from the rotation centre, m.

    Returns
    -------
    list of MotionStatistics
        Degrees of freedom (m, deg), angular velocity (deg/s) and acceleration (deg/s^2) about
        the deck's x and y axes, linear acceleration of the point (m/s^2).
    """
    t = np.arange(max(2, round(duration / spacing)), dtype=np.float64) * spacing + start
    x = ship.degrees_of_freedom(t)
    deg = 180 / math.pi
    measured = getattr(ship.source, 'measured', DEGREES_OF_FREEDOM)
    found = [describe(name, 'm' if i < 3 else 'deg', x[:, i] * (1 if i < 3 else deg), spacing)
             if name in measured else unknown(name, 'm' if i < 3 else 'deg')
             for i, name in enumerate(DEGREES_OF_FREEDOM)]
    motion = ship.at(t, point)
    for axis, letter in enumerate('xy'):
        found.append(describe(f'angular velocity {letter}', 'deg/s',
                              motion.angular_velocity[:, axis] * deg, spacing))
    for axis, letter in enumerate('xy'):
        found.append(describe(f'angular acceleration {letter}', 'deg/s^2',
                              motion.angular_acceleration[:, axis] * deg, spacing))
    for axis, letter in enumerate('xyz'):
        name = f'linear acceleration {letter}'
        found.append(describe(name, 'm/s^2', motion.linear_acceleration[:, axis], spacing)
                     if set(measured) & set(DEGREES_OF_FREEDOM[:3]) else unknown(name, 'm/s^2'))
    return found


def power_spectrum(values: FloatArray, spacing: float, segments: int = 8
                   ) -> tuple[FloatArray, FloatArray]:
    """
    Estimate a one-sided spectrum by Welch's averaged, overlapping, Hann-windowed pieces.

    Parameters
    ----------
    values : ndarray, (T,)
        Evenly sampled.
    spacing : float, s
    segments : int
        The pieces have 2 T / (segments + 1) samples and overlap by half.

    Returns
    -------
    frequency, density : ndarray, (F,)
        In rad/s, and unit^2 s/rad: its integral is the variance.
    """
    length = max(8, 2 * len(values) // (segments + 1))
    window = np.hanning(length)
    starts = range(0, len(values) - length + 1, max(1, length // 2))
    x = values - values.mean()
    pieces = np.array([np.abs(np.fft.rfft(window * x[s:s + length]))**2 for s in starts])
    density = 2 * pieces.mean(axis=0) * spacing / (window**2).sum() / (2 * math.pi)
    return np.asarray(2 * math.pi * np.fft.rfftfreq(length, spacing)), np.asarray(density)

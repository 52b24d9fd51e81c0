"""
The check of linear theory: irregular seas through the exact, nonlinear dynamics.

The sea is a sum of evenly spaced waves with Gaussian amplitudes, put together by a fast Fourier
transform at the frequency of encounter; its period is the duration, so that nothing repeats within
it.  Rotations are composed and centrifugal terms count, unlike in the frequency domain.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Callable, Optional, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.operability.frequency_domain import Ship
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.ship.irregular_motion import encounter_frequency
from robot_dynamics.ship.rigid_deck import base_motion_series
from robot_dynamics.ship.spectra import WaveSpectrum

RATE = 10.0     # samples per second
_BAND = (0.4, 8.0)  # of the peak frequency
_EULER = 0.5772156649015329  # the mean of Gumbel's law lies this many of its scales over the mode


def sea_motion(ship: Ship, spectrum: WaveSpectrum, heading: float, duration: float,
               rate: float = RATE, seed: int = 0) -> FloatArray:
    """
    Return the ship's motion in one irregular sea.

    Parameters
    ----------
    heading : float
        Where the waves travel to, from the bow, rad.
    duration, rate : float
        In s and Hz.

    Returns
    -------
    ndarray, (T, 18)
        As :meth:`ShipMotion.degrees_of_freedom`.
    """
    random = np.random.default_rng(seed)
    count = 2 * int(duration * rate / 2)
    step = 2 * math.pi * rate / count
    wp = spectrum.peak_frequency
    w: FloatArray = step * np.arange(
        max(1, round(_BAND[0] * wp / step)), round(_BAND[1] * wp / step) + 1, dtype=np.float64)
    amplitude = np.sqrt(spectrum.density(w) * step) * (
        random.standard_normal(len(w)) + 1j * random.standard_normal(len(w)))
    directions, shares = ship.directions(heading)
    direction = directions[random.choice(len(directions), len(w), p=shares)]
    motion = ship.hull.transfer(w, direction, ship.speed) * amplitude
    encounter = encounter_frequency(w, direction, ship.speed)
    motion = np.where(encounter < 0.0, motion.conj(), motion)
    bins = np.rint(np.abs(encounter) / step).astype(int)
    inside = bins <= count // 2
    spectra = np.zeros((6, count // 2 + 1), complex)
    for k in range(6):
        np.add.at(spectra[k], bins[inside], motion[k, inside])
    iw = 1j * step * np.arange(count // 2 + 1)
    lines = np.concatenate([spectra, iw * spectra, iw * iw * spectra])
    # Re(sum X_k exp(i w_k t)): half the line on each side of the two-sided transform
    return np.ascontiguousarray(np.fft.irfft(0.5 * count * lines, count, axis=1).T)


@dataclass(frozen=True, eq=False)
class SeaSample:
    """Loads over N seeds of one sea."""

    #: (R,), of each row, over all seeds
    mean: FloatArray
    deviation: FloatArray
    maxima: FloatArray  #: (N, R), largest value of each seed
    largest_tilt: float  #: Largest roll or pitch of all seeds, rad

    def most_probable_maximum(self, rate: FloatArray, duration: float) -> FloatArray:
        """
        Estimate the mode of the largest value, (R,), from the seeds' maxima.

        Their mean lies over the mode by Euler's constant of scales of Gumbel's law, which is the
        deviation over sqrt(2 ln(rate T)) for a Gaussian process.
        """
        scale = self.deviation / np.sqrt(2.0 * np.log(np.maximum(rate * duration, math.e)))
        return self.maxima.mean(axis=0) - _EULER * scale


def simulate_sea(robot: RobotLoads, states: RobotStates, rows: FloatArray, R_DB: FloatArray,
                 p_DB: FloatArray, ship: Ship, spectrum: WaveSpectrum, heading: float,
                 duration: float, seeds: Sequence[int], gravity: float = STANDARD_GRAVITY,
                 rate: float = RATE, progress: Optional[Callable[[str, float], None]] = None
                 ) -> SeaSample:
    """
    Send irregular seas through the exact dynamics of one state.

    Parameters
    ----------
    states : RobotStates
        Of one state, which the robot keeps.
    rows : ndarray, (R, m)
        What is looked at, as linear functions of the loads.
    R_DB, p_DB : ndarray
        Where the robot's base stands: (3, 3), and (3,) in m, deck axes.
    ship, spectrum, heading, duration, rate
        As for :func:`sea_motion`.
    seeds : sequence of int
        One sea each.
    gravity : float, m/s^2
    progress : callable, optional
        Told in words what is done, and the share that is.
    """
    sums, squares, count, maxima, tilt = 0.0, 0.0, 0, [], 0.0
    for number, seed in enumerate(seeds):
        if progress is not None:
            progress(f'sea {number + 1} of {len(seeds)}', number / len(seeds))
        motion = sea_motion(ship, spectrum, heading, duration, rate, seed)
        tilt = max(tilt, float(np.abs(motion[:, 3:5]).max()))
        packed = base_motion_series(motion, p_DB, gravity).reshape(-1, 4, 3) @ R_DB
        base = BaseMotion.from_packed(np.ascontiguousarray(packed.reshape(-1, 12)))
        loads = robot.function(states.q, states.qd, states.qdd, base)
        values = loads @ rows.T
        sums, squares = sums + values.sum(axis=0), squares + (values * values).sum(axis=0)
        count += len(values)
        maxima.append(values.max(axis=0))
    mean = np.asarray(sums / count)
    deviation = np.sqrt(np.maximum(squares / count - mean * mean, 0.0))
    return SeaSample(mean, deviation, np.array(maxima), tilt)

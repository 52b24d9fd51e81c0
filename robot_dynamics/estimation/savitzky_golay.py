"""
The simple estimator: local polynomials through the last samples, evaluated where asked.

A cubic is fitted by least squares to the last fraction of a second of every channel (Savitzky &
Golay 1964, at the end of the window instead of its middle).  Its derivative at the requested
instant is the angular acceleration, and evaluating it there instead of at the window's end
compensates the delay of sensor and transport.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.estimation.protocol import (
    BaseEstimate, FULL, level_of, NONE, ORIENTATION, SPECIFIC_FORCE, unusable)
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample, Rejection
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.motion.level_frame import up_direction

_CAPACITY = 1024  # samples kept: more than a second at 1 kHz
_CHANNELS = 10    # angular velocity, specific force, quaternion


class SavitzkyGolayEstimator:
    """
    Base motion by local polynomials.

    Parameters
    ----------
    window : float
        Length of the fitted piece, s.  Longer is smoother and follows less.
    mounting : ImuMounting, optional
        Where the sensor sits; None means at the base origin, parallel.
    gravity_magnitude : float
        In m/s^2.
    max_gap : float
        A longer silence starts a new window, s.
    max_extrapolation : float
        An instant further past the last sample is answered as of this far past it, s.
    """

    def __init__(self, window: float = 0.5, mounting: Optional[ImuMounting] = None,
                 gravity_magnitude: float = STANDARD_GRAVITY, max_gap: float = 0.25,
                 max_extrapolation: float = 0.25) -> None:
        self.window = as_scalar('window', window, 0.02, 10.0, 's')
        self.mounting = mounting or ImuMounting()
        self.gravity_magnitude = as_scalar('gravity_magnitude', gravity_magnitude, 0.0)
        self.max_gap = as_scalar('max_gap', max_gap, 0.0, unit='s')
        self.max_extrapolation = as_scalar('max_extrapolation', max_extrapolation, 0.0, unit='s')
        self.resets = 0
        # each sample is written twice, so that the newest n always lie in one piece
        self._values = np.zeros((2 * _CAPACITY, _CHANNELS))
        self._times = np.zeros(2 * _CAPACITY)
        self._clear()

    def reset(self) -> None:
        """Forget all samples."""
        self.resets += 1
        self._clear()

    def maintain(self) -> None:
        """Do nothing: there is no work that can wait."""

    def _clear(self) -> None:
        self._next = 0          # where the next sample goes
        self._count = 0         # samples in the window
        self._origin_ns = self._last_ns = 0
        self._level = NONE
        self._fit: Optional[tuple[FloatArray, float]] = None

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """
        Take one sample.

        A stamp that goes back (a restarted simulation, a looped bag) and a gap longer than
        ``max_gap`` start afresh.

        Returns
        -------
        Rejection or None
            Why the sample was not used; None if it was.
        """
        level = level_of(sample)
        problem = unusable(sample, level, self._last_ns if self._count else None)
        if problem is not None:
            return problem
        spacing = (sample.stamp_ns - self._last_ns) * 1e-9
        if self._count and (spacing < 0 or spacing > self.max_gap or level != self._level):
            self.reset()
        self._append(sample, level)
        return None

    def _append(self, sample: ImuSample, level: str) -> None:
        numbers = self.mounting.to_base(sample)
        if self._count == 0:
            self._origin_ns = sample.stamp_ns
        else:
            _keep_sign(numbers, self._values[self._next - 1 + _CAPACITY])
        time = (sample.stamp_ns - self._origin_ns) * 1e-9
        for place in (self._next, self._next + _CAPACITY):
            self._values[place] = numbers
            self._times[place] = time
        self._next = (self._next + 1) % _CAPACITY
        self._count = min(self._count + 1, _CAPACITY)
        self._last_ns, self._level, self._fit = sample.stamp_ns, level, None

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant; see the protocol."""
        if self._count == 0:
            return BaseEstimate(BaseMotion.still(self.gravity_magnitude), NONE)
        if self._fit is None:
            self._fit = self._fitted()
        coefficients, span = self._fit
        ahead = min((stamp_ns - self._last_ns) * 1e-9, self.max_extrapolation)
        s, r = ahead / span, 1.0 / span
        rows = np.array(((1.0, s, s * s, s * s * s), (0.0, r, 2 * s * r, 3 * s * s * r),
                         (0.0, 0.0, 2 * r * r, 6 * s * r * r)))
        value, rate, curvature = rows[:, :len(coefficients)].dot(coefficients).tolist()
        quat = value[6:10]
        norm = sum(x * x for x in quat)**0.5
        quat = [x / norm for x in quat]
        if self._level == ORIENTATION:
            w = _twice_product(quat, [x / norm for x in rate[6:10]])
            wd = _twice_product(quat, [x / norm for x in curvature[6:10]])
        else:
            w, wd = value[0:3], rate[0:3]
        return BaseEstimate(self._motion(w, wd, value[3:6], quat), self._level)

    def _motion(self, w: list[float], wd: list[float], force: list[float], quat: list[float]
                ) -> BaseMotion:
        """Put the pieces together at the level in use."""
        acceleration = (0.0, 0.0, 0.0)
        if self._level in (FULL, SPECIFIC_FORCE):
            acceleration = self.mounting.force_at_origin(force, w, wd)
        if self._level == SPECIFIC_FORCE:
            return BaseMotion.from_packed(
                np.array((*w, *wd, *acceleration, 0.0, 0.0, 0.0)), specific_force_only=True)
        gx, gy, gz = (-self.gravity_magnitude * up for up in up_direction(quat))
        if self._level == FULL:
            ax, ay, az = acceleration
            acceleration = (ax + gx, ay + gy, az + gz)
        return BaseMotion.from_packed(np.array((*w, *wd, *acceleration, gx, gy, gz)))

    def _fitted(self) -> tuple[FloatArray, float]:
        """Fit the newest window: coefficients (degree + 1, channels) in s = t / span."""
        end = self._next + _CAPACITY
        times = self._times[end - self._count:end]
        count = self._count - int(np.searchsorted(times, times[-1] - self.window - 1e-9))
        values, times = self._values[end - count:end], times[self._count - count:]
        span = float(times[-1] - times[0])
        degree = self._degree(count, span)
        if span == 0.0:
            return values[-1:], 1.0
        powers = np.vander((times - times[-1]) / span, degree + 1, increasing=True)
        return np.asarray(np.linalg.solve(powers.T @ powers, powers.T @ values)), span

    def _degree(self, count: int, span: float) -> int:
        """Let the polynomial grow with the window: a short one knows no curvature."""
        share = span / self.window
        return min(count - 1, 0 if share < 0.1 else 1 if share < 0.4 else 2 if share < 0.8 else 3)


def _keep_sign(numbers: list[float], previous: FloatArray) -> None:
    """Flip a quaternion that would jump: q and -q are the same orientation."""
    if sum(a * b for a, b in zip(numbers[6:10], previous[6:10])) < 0:
        numbers[6:10] = [-x for x in numbers[6:10]]


def _twice_product(quat: list[float], other: list[float]) -> list[float]:
    """Vector part of 2 conj(q) p: angular velocity for p = q', acceleration for p = q''."""
    x, y, z, w = quat
    a, b, c, d = other
    return [2 * (w * a - x * d - y * c + z * b), 2 * (w * b - y * d - z * a + x * c),
            2 * (w * c - z * d - x * b + y * a)]

"""
Piecewise polynomials up to fifth order: the one form in which desired motion is evaluated.

Each segment has a normalised time s from 0 to 1 and coefficients c with p(s) = sum c_k s^k;
derivatives are exact.
"""

from __future__ import annotations

from bisect import bisect_right
from math import comb
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray

ORDER = 6  # coefficients of a segment

# to Bernstein coefficients, whose range contains that of the polynomial
_BERNSTEIN = np.array([[comb(i, k) / comb(ORDER - 1, k) for k in range(ORDER)]
                       for i in range(ORDER)])
_FINE = np.linspace(0.0, 1.0, 65)[:, None] ** np.arange(ORDER)
_AT_ONCE = 10_000  # curves that are looked at closely together: bounds the memory


def hermite(step: Any, p0: Any, p1: Any, v0: Any = None, v1: Any = None, a0: Any = None,
            a1: Any = None) -> FloatArray:
    """
    Return the coefficients of segments through given ends.

    Quintic with velocities and accelerations, cubic with velocities only, else linear.

    Parameters
    ----------
    step : (S, 1) array, s
        Duration of each segment.
    p0, p1, v0, v1, a0, a1 : (S, n) array
        Position, velocity, acceleration at both ends.

    Returns
    -------
    (S, 6, n) array
    """
    distance = p1 - p0
    c = np.zeros((distance.shape[0], ORDER, distance.shape[1]))
    c[:, 0] = p0
    if v0 is None:
        c[:, 1] = distance
        return c
    u0, u1 = step * v0, step * v1
    c[:, 1] = u0
    if a0 is None:
        c[:, 2] = 3.0 * distance - 2.0 * u0 - u1
        c[:, 3] = u0 + u1 - 2.0 * distance
        return c
    w0, w1 = 0.5 * step**2 * a0, 0.5 * step**2 * a1
    c[:, 2] = w0
    c[:, 3] = 10.0 * distance - 6.0 * u0 - 4.0 * u1 - 3.0 * w0 + w1
    c[:, 4] = -15.0 * distance + 8.0 * u0 + 7.0 * u1 + 3.0 * w0 - 2.0 * w1
    c[:, 5] = 6.0 * distance - 3.0 * (u0 + u1) - w0 + w1
    return c


class PiecewisePolynomial:
    """
    Segments one after another, held before the first and after the last.

    Parameters
    ----------
    knots : (S + 1,) array, s
        Ends of the segments, strictly increasing.
    coefficients : (S, 6, n) array
        Per segment, in its normalised time; S may be 0 for a single held point.
    last : (n,) array
        Position held after the end.
    """

    def __init__(self, knots: FloatArray, coefficients: FloatArray, last: FloatArray) -> None:
        self.knots = np.ascontiguousarray(knots, dtype=np.float64)
        self.coefficients = np.ascontiguousarray(coefficients, dtype=np.float64)
        self.first = self.coefficients[0, 0] if len(self.coefficients) else last
        self.last = last
        self._knots: list[float] = self.knots.tolist()
        self._powers = np.zeros((3, ORDER))
        self._powers[0, 0] = 1.0

    @property
    def end(self) -> float:
        """Time of the last knot, s."""
        return self._knots[-1]

    def sample_into(self, t: float, out: FloatArray) -> None:
        """Write position, velocity, acceleration at ``t`` seconds into ``out`` (3, n)."""
        knots = self._knots
        if t >= knots[-1]:
            out[0] = self.last
            out[1:] = 0.0
            return
        if t < knots[0]:
            out[0] = self.first
            out[1:] = 0.0
            return
        k = bisect_right(knots, t) - 1
        start = knots[k]
        rate = 1.0 / (knots[k + 1] - start)
        s = (t - start) * rate
        s2 = s * s
        s3 = s2 * s
        s4 = s3 * s
        rate2 = rate * rate
        self._powers[:] = (
            (1.0, s, s2, s3, s4, s4 * s),
            (0.0, rate, 2.0 * s * rate, 3.0 * s2 * rate, 4.0 * s3 * rate, 5.0 * s4 * rate),
            (0.0, 0.0, 2.0 * rate2, 6.0 * s * rate2, 12.0 * s2 * rate2, 20.0 * s3 * rate2))
        np.dot(self._powers, self.coefficients[k], out=out)

    def sample(self, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return position, velocity, acceleration (T, n) at ``times`` (T,)."""
        p = np.empty((len(times), len(self.last)))
        v = np.zeros_like(p)
        a = np.zeros_like(p)
        before, after = times < self.knots[0], times >= self.knots[-1]
        p[before] = self.first
        p[after] = self.last
        inside = ~(before | after)
        if inside.any():
            t = times[inside]
            k = np.searchsorted(self.knots, t, side='right') - 1
            rate = 1.0 / (self.knots[k + 1] - self.knots[k])
            s = ((t - self.knots[k]) * rate)[:, None]
            c = self.coefficients[k]
            rate = rate[:, None]
            p[inside] = _horner(c, s)
            v[inside] = _horner(c[:, 1:] * np.arange(1.0, 6.0)[:, None], s) * rate
            a[inside] = _horner(
                c[:, 2:] * np.array([2.0, 6.0, 12.0, 20.0])[:, None], s) * rate**2
        return p, v, a

    def extremes(self, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
        """
        Return lowest and highest position of each joint (n,), between the points as well.

        Only curves that may leave ``lower`` and ``upper`` (n,) are looked at closely, in 64
        parts; of the others the ends are.
        """
        lowest, highest = self.last.copy(), self.last.copy()
        if not len(self.coefficients):
            return lowest, highest
        hull = _BERNSTEIN @ self.coefficients
        lowest = np.minimum(lowest, hull[:, [0, -1]].min(axis=(0, 1)))
        highest = np.maximum(highest, hull[:, [0, -1]].max(axis=(0, 1)))
        doubtful: NDArray[np.bool_] = (hull.min(axis=1) < lower) | (hull.max(axis=1) > upper)
        segments, joints = np.nonzero(doubtful)
        for begin in range(0, len(segments), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            course = self.coefficients[segments[part], :, joints[part]] @ _FINE.T
            np.minimum.at(lowest, joints[part], course.min(axis=1))
            np.maximum.at(highest, joints[part], course.max(axis=1))
        return lowest, highest

    def peak_velocity(self) -> FloatArray:
        """Return the largest speed of each joint (n,), at quarters of the segments."""
        if not len(self.coefficients):
            return np.zeros(len(self.last))
        s = np.linspace(0.0, 1.0, 5)[:, None]
        powers = np.arange(1.0, ORDER) * s**np.arange(ORDER - 1)
        rate = 1.0 / np.diff(self.knots)
        speed = np.abs(powers @ self.coefficients[:, 1:]) * rate[:, None, None]
        return np.asarray(speed.max(axis=(0, 1)))


def held(position: FloatArray, time: float = 0.0) -> PiecewisePolynomial:
    """Return the motion that stays at ``position`` (n,)."""
    return PiecewisePolynomial(
        np.array([time]), np.zeros((0, ORDER, len(position))), np.array(position))


def joined(first: Optional[PiecewisePolynomial],
           second: PiecewisePolynomial) -> PiecewisePolynomial:
    """Return ``first`` followed by ``second``, which starts where the first ends."""
    if first is None:
        return second
    return PiecewisePolynomial(
        np.concatenate([first.knots, second.knots[1:]]),
        np.concatenate([first.coefficients, second.coefficients]), second.last)


def between(t0: float, state0: FloatArray, t1: float, state1: FloatArray) -> PiecewisePolynomial:
    """Return the quintic from ``state0`` at ``t0`` to ``state1`` at ``t1``, each (3, n)."""
    rows0, rows1 = state0[:, None, :], state1[:, None, :]
    coefficients = hermite(np.array([[t1 - t0]]), rows0[0], rows1[0], rows0[1], rows1[1],
                           rows0[2], rows1[2])
    return PiecewisePolynomial(np.array([t0, t1]), coefficients, np.array(state1[0]))


def stopping(t0: float, state0: FloatArray, duration: float) -> PiecewisePolynomial:
    """
    Return the quintic that comes to rest ``duration`` seconds after ``t0``.

    It travels half of what the initial velocity would have, which keeps the deceleration one
    smooth bump.
    """
    rest = np.zeros_like(state0)
    rest[0] = state0[0] + 0.5 * duration * state0[1]
    return between(t0, state0, t0 + duration, rest)


def carried_on(time: float, state: FloatArray, duration: float
               ) -> tuple[PiecewisePolynomial, FloatArray]:
    """Carry a state on with its acceleration; returns the motion and the state at its end."""
    coefficients = np.zeros((1, ORDER, state.shape[1]))
    coefficients[0, 0] = state[0]
    coefficients[0, 1] = duration * state[1]
    coefficients[0, 2] = 0.5 * duration**2 * state[2]
    end = np.stack([coefficients[0, :3].sum(axis=0), state[1] + duration * state[2], state[2]])
    return PiecewisePolynomial(np.array([time, time + duration]), coefficients, end[0]), end


def _horner(coefficients: FloatArray, s: FloatArray) -> FloatArray:
    """Evaluate polynomials (T, K, n) at s (T, 1)."""
    value = np.array(coefficients[:, -1])
    for k in range(coefficients.shape[1] - 2, -1, -1):
        value *= s
        value += coefficients[:, k]
    return value

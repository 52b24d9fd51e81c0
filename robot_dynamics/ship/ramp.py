"""A start from rest: a factor that grows smoothly from 0 to 1, with two derivatives."""

from __future__ import annotations

import numpy as np

from robot_dynamics.core.gate import FloatArray


def ramp(t: float, duration: float) -> tuple[float, float, float]:
    """
    Quintic smooth step 10 s^3 - 15 s^4 + 6 s^5 of s = t / duration, with derivatives.

    Parameters
    ----------
    t : float
        Time since the start, s; before it the factor is 0.
    duration : float
        In s; 0 means no ramp: the factor is 1 always.
    """
    if duration <= 0 or t >= duration:
        return 1.0, 0.0, 0.0
    if t <= 0:
        return 0.0, 0.0, 0.0
    s = t / duration
    return (s**3 * (10 + s * (6 * s - 15)), 30 * (s * (1 - s))**2 / duration,
            60 * s * (1 - s) * (1 - 2 * s) / duration**2)


def apply_ramp(numbers: list[float], t: float, duration: float) -> list[float]:
    """Scale 6 values, 6 rates, 6 accelerations (one list of 18) by the ramp's product rule."""
    r, rd, rdd = ramp(t, duration)
    x, xd, xdd = numbers[:6], numbers[6:12], numbers[12:]
    return ([r * v for v in x] + [r * vd + rd * v for v, vd in zip(x, xd)]
            + [r * vdd + 2 * rd * vd + rdd * v for v, vd, vdd in zip(x, xd, xdd)])


def apply_ramp_series(values: FloatArray, t: FloatArray, duration: float) -> FloatArray:
    """Do as :func:`apply_ramp` for series: (T, 18) at (T,) -> (T, 18)."""
    if duration <= 0:
        return values
    s = np.clip(t / duration, 0.0, 1.0)[:, None]
    r = s**3 * (10 + s * (6 * s - 15))
    rd = 30 * (s * (1 - s))**2 / duration
    rdd = 60 * s * (1 - s) * (1 - 2 * s) / duration**2
    x, xd, xdd = values[:, :6], values[:, 6:12], values[:, 12:]
    return np.hstack([r * x, r * xd + rd * x, r * xdd + 2 * rd * xd + rdd * x])

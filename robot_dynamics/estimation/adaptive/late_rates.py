"""
Rates of angles where no gyro measures them: slopes of reports on both sides of an instant.

A filter that only looks back would lag, and a lag is an error of the acceleration; so the rates
come late instead, as those of the middle of a window, and what has been since is predicted.
"""

from __future__ import annotations

from collections import deque
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.adaptive import settings


class LateRates:
    """A window of reported angles, and of what was measured beside them."""

    def __init__(self) -> None:
        self._reports: deque[tuple[int, tuple[float, ...]]] = deque()
        self._noise = np.zeros(2)  # variance of the angles' reports, times their interval

    def add(self, stamp_ns: int, angles: Sequence[float], beside: Sequence[float]) -> None:
        """Take a report of the angles."""
        self._reports.append((stamp_ns, (*angles, *beside)))
        oldest = stamp_ns - round(1e9 * settings.SLOPE)
        while len(self._reports) > settings.SLOPED and self._reports[0][0] < oldest:
            self._reports.popleft()

    def middle(self) -> Optional[tuple[int, FloatArray, FloatArray, FloatArray]]:
        """Return stamp, rates, angles and what was measured beside them in the middle of it."""
        if len(self._reports) < settings.SLOPED:
            return None
        begin = self._reports[0][0]
        t = np.array([stamp - begin for stamp, _ in self._reports]) * 1e-9
        if t[-1] < 0.8 * settings.SLOPE:
            return None
        values = np.array([report for _, report in self._reports])
        angles, beside = values[:, :2], values[:, 2:]
        mean, centre = angles.mean(axis=0), t.mean()
        t -= centre
        rates = t @ angles / (t @ t)
        rest = angles - mean - t[:, None] * rates
        variance = (rest**2).sum(axis=0) / (len(t) - 2) * t[-1] * 2 / (len(t) - 1)
        self._noise = (variance if not self._noise.any()
                       else self._noise + 0.02 * (variance - self._noise))
        return begin + round(1e9 * centre), rates, mean, beside[int(np.argmin(np.abs(t)))]

    def noise(self, step: float) -> FloatArray:
        """Return the deviation of white noise, on a grid of a step, that disturbs as much."""
        return np.asarray(settings.SLOPE_NOISE * np.sqrt(self._noise / step))

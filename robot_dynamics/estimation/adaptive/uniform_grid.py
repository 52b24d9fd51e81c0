"""Samples that come when they like, on an even grid of instants: straight lines between them."""

from __future__ import annotations

import math

import numpy as np

from robot_dynamics.estimation.adaptive import settings

_FIRST = 7      # samples before the step is chosen
_RANK = 1       # of their intervals, from the shortest: the others may hold lost samples
_AVERAGED = 2 / 3  # of the step; sensors with shorter intervals are averaged
_FASTER = 0.6   # of the step; a sensor that becomes so much faster begins a new grid


class _Group:
    """Samples that are averaged, those of one step of the grid at most."""

    def __init__(self) -> None:
        self.count, self.first_ns, self._later_ns = 0, 0, 0
        self._sum: list[float] = []

    def add(self, stamp_ns: int, values: list[float]) -> None:
        if self.count == 0:
            self.first_ns, self._later_ns, self._sum = stamp_ns, 0, values
        else:
            self._later_ns += stamp_ns - self.first_ns
            self._sum = [a + b for a, b in zip(self._sum, values)]
        self.count += 1

    def mean(self) -> tuple[int, list[float]]:
        """Return the mean stamp and the mean of the values; the next sample begins anew."""
        count, self.count = self.count, 0
        return self.first_ns + self._later_ns // count, [total / count for total in self._sum]


class UniformGrid:
    """
    Values at even instants from values at any.

    A sensor that is faster than the grid is averaged; between two samples the grid follows a
    straight line, and it may lead the newest one by a small part of a step.

    Attributes
    ----------
    step : float
        In s; 0 until it is known.
    stamp_ns : int
        Of the last point.
    """

    def __init__(self) -> None:
        self.step, self.stamp_ns = 0.0, 0
        self._first: list[tuple[int, list[float]]] = []
        self._apart, self._group = 0, _Group()
        self._last: tuple[int, list[float]] = (0, [])
        self._interval = 0.0

    @property
    def too_coarse(self) -> bool:
        """Whether the sensor has become faster than a coarse grid."""
        return self.step > 1.5 * settings.STEP and self._interval < _FASTER * self.step

    def add(self, stamp_ns: int, values: list[float]) -> list[tuple[list[float], bool]]:
        """Take a sample; return the points that it completes, and whether each is a sample's."""
        if self.step == 0.0:
            self._first.append((stamp_ns, values))
            if len(self._first) < _FIRST:
                return []
            apart = np.diff([stamp for stamp, _ in self._first]) * 1e-9
            self._choose_step(float(np.sort(apart)[_RANK]))
            self._first = self._first[int(max(np.flatnonzero(apart > 3 * self.step) + 1,
                                              default=0)):]  # a pause tells nothing
            self.stamp_ns = self._first[0][0] - round(1e9 * self.step)
            self._last = self._first[0]
            return [point for first in self._first for point in self._take(*first)]
        return self._take(stamp_ns, values)

    def _choose_step(self, apart: float) -> None:
        self.step = self._interval = min(settings.STEPS, key=lambda step: abs(
            math.log(step / max(apart, settings.STEP))))
        self._apart = round(1e9 * apart)

    def _take(self, stamp_ns: int, values: list[float]) -> list[tuple[list[float], bool]]:
        step = round(1e9 * self.step)
        if self._apart > _AVERAGED * step:
            return self._pass(stamp_ns, values)
        points = []
        if self._group.count and stamp_ns - self._group.first_ns >= step:
            points = self._pass(*self._group.mean())
        self._group.add(stamp_ns, values)
        if stamp_ns + 1.5 * self._apart > self._group.first_ns + step:  # the next will be beyond
            points += self._pass(*self._group.mean())
        return points

    def _pass(self, stamp_ns: int, values: list[float]) -> list[tuple[list[float], bool]]:
        last_ns, last = self._last
        apart = stamp_ns - last_ns
        if apart > 0:
            self._interval += 0.02 * (apart * 1e-9 - self._interval)
        step, points = round(1e9 * self.step), []
        while self.stamp_ns + step <= stamp_ns + settings.LEAD * step:
            self.stamp_ns += step
            share = 1.0 if apart <= 0 else (self.stamp_ns - last_ns) / apart
            points.append(([a + share * (b - a) for a, b in zip(last, values)],
                           self.stamp_ns > stamp_ns - 0.5 * step))
        self._last = stamp_ns, values
        return points

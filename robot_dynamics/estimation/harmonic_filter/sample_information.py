"""
What the samples of many signals have told about their oscillators, whatever their stamps do.

A sample that measures the value some time ago sees row [cos(w s), -sin(w s)] of the coefficients
of now, one that measures the rate [v sin(w s), v cos(w s)].  The information, the sum of
row^T row by the weights of the window, is kept as two sums of phases for each pair of frequencies,
which move on with time by turning.  New samples wait and are added together, when there is time.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Callable, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.harmonic_filter.compiling import compile_kernel
from robot_dynamics.estimation.harmonic_filter.information import InformationGrid, matrices


_PORTION = 32                # samples that are added at once
_MOST_WAITING = 2000         # samples; more are added at once
_MEMORY = 500                # samples, of the usual interval
_UNEVEN = 1.6                # ratio of an interval to the usual one
_SAME_INTERVAL = 0.25        # share by which the usual interval may change
_FORGOTTEN = 4.0             # windows after which it does not matter what samples did


class Told(NamedTuple):
    """
    Information about one channel, (2 N, 2 N) each.

    Attributes
    ----------
    exact : ndarray
        Of the samples.
    squared : ndarray
        With the squares of the window's weights, as if the samples had come evenly.
    steady : ndarray or None
        As ``exact`` if the samples had come evenly; None where they did.
    """

    exact: FloatArray
    squared: FloatArray
    steady: Optional[FloatArray]


class SampleInformation:
    """
    The information of samples about channels that may each be measured in two ways.

    Parameters
    ----------
    frequency, weight : ndarray, (G, N)
        Of each band: frequencies in rad/s, the first 0, and what a unit of b_k adds to a rate.
    band : ndarray of int, (C,)
        Of each channel.
    window : float
        Time constant of the exponential window, s.
    """

    def __init__(self, frequency: FloatArray, weight: FloatArray, band: NDArray[np.int64],
                 window: float) -> None:
        self._frequency, self._weight, self._band = frequency, weight, band
        self._window = window
        self.restart()

    def restart(self) -> None:
        """Forget all samples."""
        # channels and ways of measuring that always came together share their sums
        self._sums: dict[tuple[int, int], _Sums] = {}
        self._live: list[_Sums] = []
        self._waiting: list[float] = []
        self._age, self._count, self.interval = 0.0, 0, 0.0
        self._even_from = -math.inf  # age of the last sample that came at another interval
        self._grids: list[Optional[tuple[InformationGrid, InformationGrid]]] = (
            [None] * len(self._frequency))

    def declare(self, reported: NDArray[np.bool_]) -> None:
        """Say which measurements, (C, 2), the next samples hold."""
        self._add_waiting()
        now = {(int(c), int(m)) for c, m in np.argwhere(reported)}
        fresh: dict[int, _Sums] = {}
        for c, m in now - self._sums.keys():
            g = int(self._band[c])
            self._sums[c, m] = fresh.setdefault(g, _Sums(self._frequency[g], self._window))
        for sums in set(self._sums.values()):
            members = {key for key, own in self._sums.items() if own is sums}
            if members & now and members - now:
                other = sums.copy()
                self._sums.update({key: other for key in members - now})
        self._live = list({self._sums[key] for key in now})

    def live(self, c: int) -> NDArray[np.bool_]:
        """Return whether values and rates of a channel have told anything, (2,)."""
        return np.array([(c, m) in self._sums for m in range(2)])

    def take(self, dt: float) -> None:
        """Take note of a sample dt s after the one before; of the first one 0."""
        self._age += dt
        self._waiting.append(self._age)
        if len(self._waiting) > _MOST_WAITING:
            self._add_waiting()
        interval, count = self.interval, self._count
        if count > 1 and not interval < _UNEVEN * dt < _UNEVEN * _UNEVEN * interval:
            self._even_from = self._age
        if count:
            self.interval = interval + (dt - interval) / count
        if count < _MEMORY:
            self._count = count + 1

    def tidy(self) -> bool:
        """Add the samples that wait if there are many; returns whether there were."""
        due = len(self._waiting) >= _PORTION
        if due:
            self._add_waiting()
        return due

    def told(self, c: int, information: FloatArray) -> Told:
        """
        Return what the samples told of a channel.

        Parameters
        ----------
        c : int
            The channel.
        information : ndarray, (2,)
            Of one value and of one rate.
        """
        self._add_waiting()
        g = int(self._band[c])
        evenly, squares = self._grid_pair(g)
        uneven = self._age - self._even_from < _FORGOTTEN * self._window
        told = np.zeros((3 if uneven else 2, *2 * (2 * self._frequency.shape[1],)))
        # in order, so that the same samples give the same sum to the last bit
        for sums in dict.fromkeys(self._sums[c, m] for m in range(2) if (c, m) in self._sums):
            sums.move_to(self._age)
            share = sums.weight / max(sums.weight_on(evenly), 1e-300)
            parts = [matrices(sums.minus, sums.plus, self._weight[g]), sums.on(squares)]
            if uneven:
                parts.append(sums.on(evenly))
            for m in range(2):
                if self._sums.get((c, m)) is sums:
                    for k, part in enumerate(parts):
                        told[k] += (share if k else 1.0) * information[m] * part[m]
        return Told(told[0], told[1], told[2] if uneven else None)

    def _add_waiting(self) -> None:
        if self._waiting:
            ages = np.array(self._waiting)
            self._waiting.clear()
            for sums in self._live:
                sums.add(ages)

    def _grid_pair(self, g: int) -> tuple[InformationGrid, InformationGrid]:
        """Even samples, with the weights of the window and with their squares."""
        pair = self._grids[g]
        if pair is None or not (
                abs(pair[0].interval - self.interval) <= _SAME_INTERVAL * self.interval):
            decay = math.exp(-self.interval / self._window)
            pair = self._grids[g] = (
                InformationGrid(self._frequency[g], self._weight[g], self.interval, decay),
                InformationGrid(self._frequency[g], self._weight[g], self.interval, decay**2))
        return pair


class _Sums:
    """Sums over samples s ago, by weight, of exp(-i (a -+ b) s), a and b of two oscillators."""

    def __init__(self, frequency: FloatArray, window: float) -> None:
        size = len(frequency)
        self._frequency, self._window = frequency, window
        self.minus = np.zeros((size, size), dtype=np.complex128)
        self.plus = np.zeros_like(self.minus)
        self._at = self._oldest = self._newest = 0.0  # ages
        self._add = compiled()

    def copy(self) -> _Sums:
        """Return sums of the same samples."""
        other = _Sums(self._frequency, self._window)
        other.minus[...], other.plus[...] = self.minus, self.plus
        other._at, other._oldest, other._newest = self._at, self._oldest, self._newest
        return other

    @property
    def weight(self) -> float:
        """Of all samples together; one of now has 1."""
        return float(self.minus[0, 0].real)

    def move_to(self, age: float) -> None:
        """Look back from a later instant."""
        dt, self._at = age - self._at, age
        if dt > 0.0:
            phase = np.exp(-1j * dt * self._frequency)
            left = math.exp(-dt / self._window)
            self.minus *= left * np.multiply.outer(phase, phase.conj())
            self.plus *= left * np.multiply.outer(phase, phase)

    def add(self, ages: FloatArray) -> None:
        """Add samples, in order."""
        if self.weight == 0.0:
            self._oldest = float(ages[0])
        self._newest = float(ages[-1])
        self.move_to(self._newest)
        self._add(self.minus, self.plus, self._frequency, self._newest - ages, self._window)

    def on(self, grid: InformationGrid) -> tuple[FloatArray, FloatArray]:
        """Return what samples on a grid would have told in the same stretch, by both ways."""
        told = grid.of_last((self._at - self._oldest) / grid.interval + 1)
        if self._at > self._newest:
            after = grid.of_last((self._at - self._newest) / grid.interval)
            told = told[0] - after[0], told[1] - after[1]
        return told

    def weight_on(self, grid: InformationGrid) -> float:
        """Return the weight of samples on a grid in the same stretch."""
        oldest = grid.decay**((self._at - self._oldest) / grid.interval + 1)
        newest = grid.decay**((self._at - self._newest) / grid.interval)
        return float((newest - oldest) / (1.0 - grid.decay))


@functools.lru_cache(maxsize=1)
def compiled() -> Callable[..., Any]:
    """Compile ``add_samples`` (about a second, once a process)."""
    return compile_kernel(_add_samples)


def _add_samples(minus, plus, frequency, ago, window):  # type: ignore[no-untyped-def]
    """Add samples so many s ago to both sums, (N, N)."""
    n = len(frequency)
    cosine = np.empty(n)
    sine = np.empty(n)
    for s in ago:
        weight = np.exp(-s / window)
        for k in range(n):
            cosine[k] = np.cos(frequency[k] * s)
            sine[k] = np.sin(frequency[k] * s)
        for i in range(n):
            c = weight * cosine[i]
            d = weight * sine[i]
            for k in range(n):
                cc = c * cosine[k]
                ss = d * sine[k]
                sc = d * cosine[k]
                cs = c * sine[k]
                minus[i, k] += complex(cc + ss, cs - sc)
                plus[i, k] += complex(cc - ss, -cs - sc)

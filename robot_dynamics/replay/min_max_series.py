"""A long series reduced to what a figure can show: least, greatest and mean value in bins."""

from __future__ import annotations

from typing import Dict

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray

BINS = 800


class MinMaxSeries:
    """
    Named channels over time, in at most ``bins`` bins.

    Parameters
    ----------
    start_ns, stop_ns : int
        The span.
    samples : int
        Number of samples to come; few samples need no more bins than that.
    bins : int
        Most bins.
    """

    def __init__(self, start_ns: int, stop_ns: int, samples: int, bins: int = BINS) -> None:
        self.bins = max(1, min(bins, samples))
        self.start_ns = start_ns
        self._width = max(stop_ns - start_ns, 1) / self.bins
        self.count = np.zeros(self.bins)
        self._sum: Dict[str, FloatArray] = {}
        self._low: Dict[str, FloatArray] = {}
        self._high: Dict[str, FloatArray] = {}

    @property
    def time(self) -> FloatArray:
        """Middle of each bin in s since the start, (bins,)."""
        return np.asarray((np.arange(self.bins) + 0.5) * self._width * 1e-9, np.float64)

    def add(self, stamp_ns: NDArray[np.int64], channels: Dict[str, FloatArray],
            use: NDArray[np.bool_]) -> None:
        """
        Add samples.

        Parameters
        ----------
        stamp_ns : (N,) int64
            Increasing.
        channels : dict of (N, K) arrays
            The same names each time.
        use : (N,) bool
            Which samples count.
        """
        rows = np.flatnonzero(use)
        if not len(rows):
            return
        bins = ((stamp_ns[rows] - self.start_ns) / self._width).astype(int)
        bins = np.clip(bins, 0, self.bins - 1)
        starts = np.flatnonzero(np.concatenate([[True], np.diff(bins) != 0]))
        at = bins[starts]
        np.add.at(self.count, at, np.diff(np.append(starts, len(rows))))
        for name, values in channels.items():
            if name not in self._sum:
                shape = (self.bins, values.shape[1])
                self._sum[name] = np.zeros(shape)
                self._low[name] = np.full(shape, np.inf)
                self._high[name] = np.full(shape, -np.inf)
            part = values[rows]
            np.add.at(self._sum[name], at, np.add.reduceat(part, starts))
            np.minimum.at(self._low[name], at, np.minimum.reduceat(part, starts))
            np.maximum.at(self._high[name], at, np.maximum.reduceat(part, starts))

    @property
    def names(self) -> list[str]:
        """Names of the channels."""
        return list(self._sum)

    def mean(self, name: str) -> FloatArray:
        """Mean of each bin, (bins, K); NaN where a bin is empty: a gap stays a gap."""
        with np.errstate(invalid='ignore', divide='ignore'):
            return np.asarray(self._sum[name] / self.count[:, None])

    def low(self, name: str) -> FloatArray:
        """Least value of each bin, (bins, K); NaN where empty."""
        return np.where(np.isfinite(self._low[name]), self._low[name], np.nan)

    def high(self, name: str) -> FloatArray:
        """Greatest value of each bin, (bins, K); NaN where empty."""
        return np.where(np.isfinite(self._high[name]), self._high[name], np.nan)

"""Evaluate one stream, smoothed and differentiated, at the stamps of another."""

from __future__ import annotations

from typing import List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.columns import Columns
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.replay.clocks import ClockMap
from robot_dynamics.replay.differentiation import derivatives
from robot_dynamics.replay.segments import Segment

StampArray = NDArray[np.int64]


class StreamWindow:
    """
    A stream cut into segments, evaluated at the stamps of another.

    Parameters
    ----------
    table : Columns
        The stream's rows.
    segments : list of Segment
        Its pieces without gaps.
    half_width : float
        Half window of the local fits, s.
    clock : ClockMap
        From its stamps to the asker's clock.
    """

    def __init__(self, table: Columns, segments: List[Segment], half_width: float,
                 clock: Optional[ClockMap] = None) -> None:
        self.table = table
        self.half_width = half_width
        self.clock = ClockMap() if clock is None else clock
        self._epochs = 1 + max((s.epoch for s in segments), default=0)
        self._segments = segments
        self._begin = np.array([self.clock(table.read(s.start, s.start + 1)[0])[0]
                                for s in segments], np.int64)
        self._end = np.array([self.clock(table.read(s.stop - 1, s.stop)[0])[0]
                              for s in segments], np.int64)

    def evaluate(self, stamps: StampArray, epoch: int, epochs: int, origin_ns: int,
                 columns: slice) -> Tuple[FloatArray, NDArray[np.bool_]]:
        """
        Fit the stream at some stamps.

        Parameters
        ----------
        stamps : (N,) int64
            Increasing, ns.
        epoch, epochs : int
            Which of the asker's epochs they belong to, and how many it has.
        origin_ns : int
            Where the fit's time is zero; keep it fixed for equal results in other blocks.
        columns : slice
            Columns of the table to fit.

        Returns
        -------
        fit : (3, N, C) array
            Value, first and second derivative; NaN outside the segments.
        inside : (N,) bool
            True where a whole window lies within one segment.
        """
        width = len(range(*columns.indices(self.table.width)))
        fit = np.full((3, len(stamps), width), np.nan)
        inside = np.zeros(len(stamps), bool)
        own_epoch = epoch if epochs == self._epochs else min(epoch, self._epochs - 1)
        margin = int(self.half_width * 1e9)
        for i, segment in enumerate(self._segments):
            if segment.epoch != own_epoch or self._end[i] < stamps[0] or \
                    self._begin[i] > stamps[-1]:
                continue
            first, last = np.searchsorted(stamps, [self._begin[i], self._end[i] + 1])
            if first == last:
                continue
            rows = [self.table.find(self.clock.back(int(stamp)), segment.start, segment.stop)
                    for stamp in (stamps[first] - margin - 1000, stamps[last - 1] + margin + 1000)]
            known, values = self.table.read(rows[0], rows[1])
            time: FloatArray = (self.clock(known) - origin_ns) * np.float64(1e-9)
            at: FloatArray = (stamps[first:last] - origin_ns) * np.float64(1e-9)
            fit[:, first:last] = derivatives(time, values[:, columns], at, self.half_width)
            part = stamps[first:last]
            inside[first:last] = (part - margin >= self._begin[i]) & (
                part + margin <= self._end[i])
        return fit, inside

    def interpolate(self, stamps: StampArray, columns: slice) -> FloatArray:
        """
        Interpolate columns linearly, (N, C); for values that must not be smoothed.

        Only for streams with a single epoch; NaN outside.
        """
        low = max(self.table.find(self.clock.back(int(stamps[0])), 0, len(self.table)) - 1, 0)
        high = self.table.find(self.clock.back(int(stamps[-1])), 0, len(self.table)) + 1
        known, values = self.table.read(low, high)
        if not len(known):
            return np.full((len(stamps), len(range(*columns.indices(self.table.width)))), np.nan)
        origin = int(stamps[0])
        x, xp = (stamps - origin) * 1e-9, (self.clock(known) - origin) * 1e-9
        return np.stack([np.interp(x, xp, column, left=np.nan, right=np.nan)
                         for column in values[:, columns].T], axis=1)

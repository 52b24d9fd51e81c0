"""
Which stamps of a stream can be trusted, decided while it streams by.

Header stamps count.  Messages whose stamp repeats or falls back a little are left out; a large
fall (a restarted simulation, a looped bag) begins a new *epoch*; a stream whose header stamps
never change is stamped by the recorder instead.  What was done is counted and reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, INFO, WARNING

StampArray = NDArray[np.int64]

RESET_NS = 500_000_000
"""A stamp that falls back by more than this begins a new epoch."""

_PAIR_STEP = 64


@dataclass
class Epoch:
    """A run of rows whose stamps increase: [start, stop)."""

    start: int
    stop: int


class Timeline:
    """
    Filters the stamps of one stream.

    Attributes
    ----------
    clock : str
        ``header`` or ``recorder``.
    epochs : list of Epoch
        Rows kept, by epoch.
    """

    def __init__(self) -> None:
        self.clock = ''
        self.epochs: List[Epoch] = []
        self.equal = self.backward = self.unset = 0
        self._rows = 0
        self._last: Optional[int] = None
        self._periods: List[NDArray[np.int64]] = []
        self._pairs: List[NDArray[np.int64]] = []

    def accept(self, header_ns: StampArray, recorder_ns: StampArray
               ) -> Tuple[StampArray, NDArray[np.bool_]]:
        """
        Choose the stamps of a batch and which of its messages to keep.

        Parameters
        ----------
        header_ns, recorder_ns : (N,) int64
            Both stamps of each message, in the recorder's order.

        Returns
        -------
        stamps : (N,) int64
            The stamps to use.
        keep : (N,) bool
            False where a message must be left out.
        """
        if not self.clock:
            constant = len(header_ns) > 1 and bool((header_ns == header_ns[0]).all())
            self.clock = 'recorder' if constant or not header_ns.any() else 'header'
        stamps = header_ns if self.clock == 'header' else recorder_ns
        keep = np.zeros(len(stamps), bool)
        present = np.ones(len(stamps), bool)
        if self.clock == 'header':
            present = stamps != 0
            if self._last is None and len(stamps) and stamps[0] == 0:
                present[0] = True  # a clock may start at zero
            self.unset += int((~present).sum())
        rows = np.flatnonzero(present)
        used = stamps[rows]
        previous = np.concatenate([[used[0] if self._last is None else self._last], used[:-1]]) \
            if len(used) else used
        breaks = np.flatnonzero(used < previous - RESET_NS)
        for begin, end in zip([0, *breaks], [*breaks, len(used)]):
            if begin == end:
                continue
            if self._last is None or begin in breaks:
                self.epochs.append(Epoch(self._rows, self._rows))
                self._last = None
            part = used[begin:end]
            floor = np.concatenate([[part[0] - 1 if self._last is None else self._last],
                                    part[:-1]])
            floor = np.maximum.accumulate(floor)
            good = part > floor
            self.equal += int((part == floor).sum())
            self.backward += int((part < floor).sum())
            keep[rows[begin:end][good]] = True
            self._rows += int(good.sum())
            self.epochs[-1].stop = self._rows
            self._last = int(max(part.max(), floor[0]))
        kept = stamps[keep]
        if len(kept) > 1:
            self._periods.append(np.diff(kept)[:512])
        self._pairs.append(np.stack([kept, recorder_ns[keep]], 1)[::_PAIR_STEP])
        return stamps, keep

    @property
    def period_ns(self) -> float:
        """Median distance of the stamps in ns (NaN with fewer than two)."""
        periods = self._all_periods()
        return float(np.median(periods)) if len(periods) else float('nan')

    @property
    def jitter_ns(self) -> float:
        """Half the width of the central 90 % of the stamps' distances, ns."""
        periods = self._all_periods()
        if not len(periods):
            return float('nan')
        low, high = np.percentile(periods, [5, 95])
        return float(high - low) / 2

    def _all_periods(self) -> NDArray[np.int64]:
        if not self._periods:
            return np.empty(0, np.int64)
        step = max(1, len(self._periods) // 64)
        periods = np.concatenate(self._periods[::step])
        return periods[periods > 0]

    def clock_relation(self) -> Tuple[float, float]:
        """
        Fit recorder = header + offset + drift * (header - its start).

        Returns
        -------
        offset_ns : float
            Recorder minus header at the start.
        drift : float
            Relative difference of the two clocks' rates (NaN where the span is too short).
        """
        pairs = np.concatenate(self._pairs) if self._pairs else np.empty((0, 2), np.int64)
        if not len(pairs):
            return float('nan'), float('nan')
        delay = (pairs[:, 1] - pairs[:, 0]).astype(np.float64)
        elapsed = (pairs[:, 0] - pairs[0, 0]).astype(np.float64)
        if len(pairs) < 4 or np.ptp(elapsed) < 1e9 or len(self.epochs) != 1:
            return float(np.median(delay)), float('nan')
        base = delay[0]
        slope, offset = np.polyfit(elapsed, delay - base, 1)
        return float(base + offset), float(slope)

    def report(self, name: str, findings: Findings) -> None:
        """Note everything unusual about the stamps of the stream called ``name``."""
        if self.clock == 'recorder':
            findings.add(WARNING, 'stamps-unset', name,
                         'header stamps are zero or never change; the times of reception were '
                         'used, which carry the delays of the recorder')
        for count, code, what in (
                (self.unset, 'stamps-zero', 'had no header stamp'),
                (self.equal, 'stamps-equal', 'repeated the stamp before them'),
                (self.backward, 'stamps-backward', 'came with an earlier stamp')):
            if count:
                findings.add(WARNING if count > 0.01 * max(self._rows, 1) else INFO, code, name,
                             f'{count} messages {what} and were left out')
        if len(self.epochs) > 1:
            findings.add(WARNING, 'stamps-reset', name,
                         f'stamps jump back {len(self.epochs) - 1} time(s) (restart or loop); '
                         'each part was analysed for itself')
        if self.clock == 'header':
            self._report_clocks(name, findings)
        if self.jitter_ns > 0.25 * self.period_ns:
            findings.add(INFO, 'stamps-jitter', name,
                         f'stamps are {self.period_ns / 1e6:.3g} ms apart, with a jitter of '
                         f'{self.jitter_ns / 1e6:.2g} ms')

    def _report_clocks(self, name: str, findings: Findings) -> None:
        offset, drift = self.clock_relation()
        if abs(offset) > 60e9:
            findings.add(INFO, 'clock-offset', name,
                         f'header and recorder clocks are {abs(offset) / 1e9:,.0f} s apart; '
                         'header stamps were used')
        if abs(drift) > 1e-3:
            findings.add(WARNING, 'clock-drift', name,
                         f'the header clock runs {"slower" if drift > 0 else "faster"} than that '
                         f'of the recorder by {abs(1 / (1 + drift) - 1):.2%} (a simulation, or a '
                         'wrong clock); '
                         'header stamps were used')

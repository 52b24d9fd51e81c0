"""Bring the stamps of two streams to one clock, through the recorder where they disagree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.columns import Columns
from robot_dynamics.bags.findings import Findings, WARNING
from robot_dynamics.bags.timeline import Timeline

_RATE_TOLERANCE = 1e-3
_LATEST_ARRIVAL_NS = 2_000_000_000  # no transport delays one stream by more against another


@dataclass(frozen=True)
class ClockMap:
    """Stamps of one stream in the clock of another: t' = t + shift + rate * (t - origin)."""

    #: See above
    origin_ns: int = 0
    shift_ns: int = 0
    rate: float = 0.0  #: Relative difference of rates

    def __call__(self, stamp_ns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Convert stamps, (N,) ns."""
        if not self.rate:
            return stamp_ns + self.shift_ns
        return stamp_ns + self.shift_ns + np.rint(
            self.rate * (stamp_ns - self.origin_ns)).astype(np.int64)

    def back(self, stamp_ns: int) -> int:
        """Invert the map for one stamp."""
        plain = stamp_ns - self.shift_ns - self.origin_ns
        return self.origin_ns + int(round(plain / (1.0 + self.rate)))


def common_clock(name: str, table: Columns, timeline: Timeline, to_table: Columns,
                 to_timeline: Timeline, findings: Findings) -> ClockMap:
    """
    Return the map from one stream's stamps to another's clock; identity where they agree.

    Streams agree if their stamps overlap, and their rates and offsets against the recorder are
    equal.  If not, the times of reception relate them: less exact, and noted.
    """
    first, last = _span(table, timeline)
    to_first, to_last = _span(to_table, to_timeline)
    overlap = min(last, to_last) - max(first, to_first)
    offset, drift = timeline.clock_relation()
    to_offset, to_drift = to_timeline.clock_relation()
    difference = drift - to_drift
    same_rate = not np.isfinite(difference) or abs(difference) < _RATE_TOLERANCE
    shift = int(round(offset - to_offset)) if np.isfinite(offset - to_offset) else 0
    if overlap > 0 and same_rate and not abs(shift) > _LATEST_ARRIVAL_NS:
        return ClockMap()
    if same_rate:
        findings.add(WARNING, 'clocks-differ', name,
                     f'its stamps are {abs(shift) / 1e9:,.3f} s away from those of the joint '
                     'states; aligned by the times of reception, exact to some ms at best')
        return ClockMap(first, shift, 0.0)
    # header h1 is received at h1 + offset + drift (h1 - first); the same instant in h2's clock
    rate = (1.0 + drift) / (1.0 + to_drift) - 1.0
    received = first + offset
    shift = int(round(to_first + (received - to_first - to_offset) / (1.0 + to_drift))) - first
    findings.add(WARNING, 'clocks-differ', name,
                 f'its clock runs at another rate than that of the joint states ({rate:+.2%}); '
                 'aligned by the times of reception, exact to some ms at best')
    return ClockMap(first, shift, rate)


def _span(table: Columns, timeline: Timeline) -> tuple[int, int]:
    firsts, lasts = [], []
    for epoch in timeline.epochs:
        firsts.append(int(table.read(epoch.start, epoch.start + 1)[0][0]))
        lasts.append(int(table.read(epoch.stop - 1, epoch.stop)[0][0]))
    return min(firsts), max(lasts)

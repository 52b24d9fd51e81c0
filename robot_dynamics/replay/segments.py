"""Cut a stream at its gaps: what lies between them is analysed, nothing is bridged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np

from robot_dynamics.bags.columns import Columns
from robot_dynamics.bags.timeline import Timeline

_BLOCK = 65536


@dataclass(frozen=True)
class Segment:
    """Rows [start, stop) of a table without a gap; ``epoch`` counts the clock's restarts."""

    start: int
    stop: int
    epoch: int


@dataclass(frozen=True)
class Gap:
    """A pause in a stream."""

    stream: str  #: Topic
    stamp_ns: int  #: Last stamp before it
    duration: float  #: In s


def default_max_gap(timeline: Timeline) -> float:
    """Return the distance of stamps (s) from which on samples are taken to be missing."""
    return max(3.5 * timeline.period_ns, timeline.period_ns + 4 * timeline.jitter_ns) * 1e-9


def split(name: str, table: Columns, timeline: Timeline, max_gap: Optional[float] = None
          ) -> Tuple[List[Segment], List[Gap]]:
    """
    Find the segments and gaps of a table.

    Parameters
    ----------
    name : str
        Topic, for the gaps.
    timeline : Timeline
        Their stamps' history.
    max_gap : float, optional
        Largest distance in s that is no gap; by default three and a half periods.
    """
    limit = (default_max_gap(timeline) if max_gap is None else max_gap) * 1e9
    segments: List[Segment] = []
    gaps: List[Gap] = []
    for number, epoch in enumerate(timeline.epochs):
        begin = epoch.start
        previous: Optional[int] = None
        for row in range(epoch.start, epoch.stop, _BLOCK):
            stamps, _ = table.read(row, min(row + _BLOCK, epoch.stop))
            offset = row
            if previous is not None:
                stamps, offset = np.concatenate([[previous], stamps]), row - 1
            steps = np.diff(stamps)
            for index in np.flatnonzero(steps > limit):
                cut = offset + int(index) + 1
                segments.append(Segment(begin, cut, number))
                gaps.append(Gap(name, int(stamps[index]), float(steps[index]) * 1e-9))
                begin = cut
            previous = int(stamps[-1])
        if begin < epoch.stop:
            segments.append(Segment(begin, epoch.stop, number))
    return segments, gaps

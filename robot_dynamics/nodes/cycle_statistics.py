"""How regular the cycles of a node are, and what they cost."""

from __future__ import annotations

from typing import Dict

LONGEST_GAP = 1000  # periods: a longer one is a stream that stopped, not cycles that were missed


class CycleStatistics:
    """
    Counts missed cycles by the stamps that were answered, and keeps the time of computing.

    Parameters
    ----------
    period_ns : int
        From one joint state to the next, ns.
    """

    def __init__(self, period_ns: int) -> None:
        self._period_ns = period_ns
        self._last_ns = -1
        self._count = 0
        self._sum_ns = 0
        self._longest_ns = 0
        self.missed = self._missed_before = 0

    def note(self, stamp_ns: int, compute_ns: int) -> None:
        """Note a cycle: the stamp that it answered, and how long it took."""
        if self._last_ns >= 0:
            gap = (stamp_ns - self._last_ns + self._period_ns // 2) // self._period_ns
            if 1 < gap <= LONGEST_GAP:
                self.missed += gap - 1
        self._last_ns = stamp_ns
        self._count += 1
        self._sum_ns += compute_ns
        if compute_ns > self._longest_ns:
            self._longest_ns = compute_ns

    def drain(self) -> Dict[str, float]:
        """Return the figures since the last call, times in s, and all missed cycles so far."""
        missed = self.missed - self._missed_before
        mean = 1e-9 * self._sum_ns / self._count if self._count else 0.0
        values = {'compute_time_mean': mean, 'compute_time_max': 1e-9 * self._longest_ns,
                  'missed_cycles': self.missed,
                  'missed_share': missed / max(1, self._count + missed)}
        self._missed_before = self.missed
        self._count = self._sum_ns = self._longest_ns = 0
        return values

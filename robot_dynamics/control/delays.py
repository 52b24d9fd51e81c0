"""Delays as they are measured: a running mean, its scatter, and nothing else."""

from __future__ import annotations

import math

from robot_dynamics.core.stamps import to_ns

_MEMORY = 100  # occurrences
_LONGEST = 1.0  # s; what takes longer is a pause, not a delay


class DelayMeter:
    """
    Mean and standard deviation of a delay over about the last hundred occurrences.

    Parameters
    ----------
    longest : float
        A single delay counts for at most so much, s: a pause must not shift the mean.

    Attributes
    ----------
    mean : float
        In s; 0 before the first occurrence.
    """

    def __init__(self, longest: float = _LONGEST) -> None:
        self._longest_ns = to_ns(longest)
        self.reset()

    def reset(self) -> None:
        """Forget what was measured."""
        self.mean = 0.0
        self._variance = 0.0
        self._count = 0

    def note(self, delay_ns: int) -> None:
        """Take one delay; one that is negative (clocks that differ) counts as none."""
        delay = min(max(delay_ns, 0), self._longest_ns) * 1e-9
        self._count = min(self._count + 1, _MEMORY)
        share = 1.0 / self._count
        away = delay - self.mean
        self.mean += share * away
        self._variance += share * ((1.0 - share) * away * away - self._variance)

    @property
    def deviation(self) -> float:
        """Standard deviation, s."""
        return math.sqrt(max(self._variance, 0.0))

    @property
    def mean_ns(self) -> int:
        """The mean in integer nanoseconds."""
        return to_ns(self.mean)

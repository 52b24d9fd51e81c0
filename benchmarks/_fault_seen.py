"""What was seen of a fault from outside."""

from __future__ import annotations

import dataclasses
from typing import Any, List, Mapping, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
CONTROLLED = ('active', 'ramping_in', 'holding')


@dataclasses.dataclass
class Seen:
    """What came of a fault."""

    began: float = 0.0
    noticed: Optional[float] = None  # s after its beginning
    words: str = ''
    states: List[str] = dataclasses.field(default_factory=list)
    course: List[Tuple[float, str]] = dataclasses.field(  # s, of the feedforward alone
        default_factory=lambda: [(0.0, 'active')])
    times: List[float] = dataclasses.field(default_factory=list)  # of efforts, s
    errors: List[float] = dataclasses.field(default_factory=list)  # % of the limit
    steps: List[float] = dataclasses.field(default_factory=list)  # % of the limit
    broken: List[str] = dataclasses.field(default_factory=list)  # invariants
    paused: float = 0.0  # s, longest time between two ticks of the streams

    def add(self, at: float, effort: FloatArray, exact: FloatArray, before: FloatArray,
            limit: FloatArray, largest_step: Optional[float]) -> None:
        """
        Judge an effort (n,), Nm, taken ``at`` so many seconds.

        ``exact`` is what the motion takes when it was sent, ``before`` the one before it, and
        ``largest_step`` in % of the ``limit`` how far it may lie from that; None: anywhere.
        """
        if not np.isfinite(effort).all():
            self.broken.append(f'not finite: {effort}')
            return
        if (np.abs(effort) > limit * (1.0 + 1e-9)).any():
            self.broken.append(f'beyond the limits: {effort}')
        step, error = (100.0 * float((np.abs(effort - other) / limit).max())
                       for other in (before, exact))
        if largest_step is not None and step > largest_step + 1e-6:
            self.broken.append(f'a step of {step:.0f} % of the limit at {at:.3f} s')
        self.steps.append(step)
        self.times.append(at)
        self.errors.append(error)

    def largest(self, until: Optional[float] = None) -> float:
        """Return the largest error, % of the limit, until so many seconds after the beginning."""
        return max((error for at, error in zip(self.times, self.errors)
                    if until is None or at <= until), default=0.0)

    def controlled(self) -> float:
        """Return the largest error, % of the limit, while the robot is controlled or held."""
        return max((error for at, error in zip(self.times, self.errors) if [
            word for since, word in self.course if since <= at][-1] in CONTROLLED), default=0.0)

    def when(self, state: str) -> Optional[float]:
        """Return when a state was first seen, s after the beginning."""
        return next((float(word.split('@')[1]) for word in self.states
                     if word.split('@')[0] == state), None)


class Sent:
    """How many messages of one sender, of which some are lost on the way, a message stands for."""

    def __init__(self) -> None:
        self._sender: Any = None
        self._number = 0

    def since_last(self, info: Mapping[str, Any]) -> int:
        """Return how many were sent since the last one that came, this one included."""
        number = info['publication_sequence_number'] or 0
        sender = info['publisher_gid']['data']
        count = number - self._number if sender == self._sender else 1
        self._sender, self._number = sender, number
        return max(count, 1)

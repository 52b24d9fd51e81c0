"""What was seen of a fault from outside."""

from __future__ import annotations

import dataclasses
from typing import List, Optional, Tuple

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

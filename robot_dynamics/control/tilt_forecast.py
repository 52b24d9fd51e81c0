"""
How a base tilts on when nobody measures it any more: as was foreseen, where that has held lately.

What was foreseen just before counts for nothing, as the last samples may have been wrong already.
So it reaches for a second; then the tilt stays.  A base that is not foreseen well stays where it
was last, and none is believed to go further than it has gone lately.
"""

from __future__ import annotations

from collections import deque
from typing import Callable

import numpy as np

from robot_dynamics.core.gate import FloatArray

HORIZON_NS, SPACING_NS = 1_500_000_000, 100_000_000  # of predictions
DOUBTED_NS = 500_000_000  # before the last sample, in which they may rest on wrong ones
LATEST_NS = 20_000_000  # after its instant, at which a prediction is still judged
REMEMBERED, FEWEST = 100, 20  # predictions that trust rests on
BETTER = 0.5  # times as far off as a tilt that stays, at most, to be believed


class TiltForecast:
    """
    Judges an estimator by what has become of its predictions.

    Parameters
    ----------
    predicted : callable
        ``predicted(stamp_ns)`` returns the gravity vector (3,) in base axes at an instant.
    """

    def __init__(self, predicted: Callable[[int], FloatArray]) -> None:
        self._predicted = predicted
        self.reset()

    def reset(self) -> None:
        """Forget all predictions."""
        self._made: deque[tuple[int, FloatArray, FloatArray]] = deque()
        self._moved: deque[tuple[FloatArray, FloatArray]] = deque(maxlen=REMEMBERED)
        self._noted_ns = -SPACING_NS

    def note(self, gravity: FloatArray, now_ns: int) -> None:
        """Take the gravity vector (3,) of now: judge what was predicted, and predict anew."""
        while self._made and self._made[0][0] <= now_ns:
            due_ns, predicted, before = self._made.popleft()
            if now_ns - due_ns < LATEST_NS:
                self._moved.append((predicted - gravity, before - gravity))
        if not 0 <= now_ns - self._noted_ns < SPACING_NS:
            due_ns = now_ns + HORIZON_NS
            self._made.append((due_ns, self._predicted(due_ns), gravity))
            self._noted_ns = now_ns

    def after(self, gravity: FloatArray, last_ns: int, now_ns: int) -> FloatArray:
        """Return the gravity vector (3,) now, where the last measured was so, at an instant."""
        if len(self._moved) < FEWEST:
            return gravity
        errors, ways = np.linalg.norm(np.array(self._moved), axis=2).T
        if not (errors**2).sum() <= BETTER**2 * (ways**2).sum():
            return gravity
        known = [(due_ns - last_ns, predicted) for due_ns, predicted, _ in self._made
                 if due_ns - HORIZON_NS <= last_ns - DOUBTED_NS]
        if not known:
            return gravity
        stamps, vectors = (np.array(part) for part in zip(*known))
        change = np.array([np.interp(now_ns - last_ns, stamps, part) for part in vectors.T])
        change -= gravity
        size, longest = float(np.linalg.norm(change)), float(ways.max())
        return gravity + change if size <= longest else gravity + longest / size * change

"""
The even grid onto which samples are brought for what cannot do without, whatever their stamps do.

Stamps jitter, come in pairs, pause at the start, and change their rate.  A regression on the past
must not notice: the interval is found from the first samples, and hardly changes afterwards; it
follows the clock of the sensor, over a minute.
"""

from __future__ import annotations

from typing import List

BEGIN_ANEW = -1        # instead of a number of points

_FASTEST = 8e-4        # s; the interval is not shorter
_PAIR = 0.25           # of the usual step: samples that are closer together are a pair
_MULTIPLE = 0.6        # of the median: it is two steps or more, where most samples are lost
_SETTLING = 4          # steps that are taken as they are
_FIRST_LOOK, _LAST_LOOK = 8, 64  # steps after which the interval is found again, and doubles
_WRONG = 1.2           # ratio of intervals that makes the samples before useless
_MEMORY, _SHARE = 10.0, 1e-3  # s over which the grid moves to where samples are, or a thousand


class SamplingGrid:
    """
    Says how many points of the grid lie between two samples.

    Attributes
    ----------
    interval : float
        Between points, s; 0 before there are two samples.
    step : float
        Between the points of the last placement, s: the interval, and a little that brings the
        grid to the samples.
    lead : float
        Of the last sample ahead of its point, s.
    """

    def __init__(self) -> None:
        self.restart()

    def restart(self, interval: float = 0.0) -> None:
        """Begin anew with the next sample, with an interval, s, if it is known."""
        self.interval = self.step = interval
        self.lead = 0.0
        self._steps: List[float] = []
        self._left_out = 0.0  # s from the sample taken last to the one left out last
        self._heard, self._look = (_LAST_LOOK, 0) if interval else (0, _FIRST_LOOK)
        self._elapsed, self._points = self._heard * interval, self._heard

    def place(self, dt: float) -> int:
        """
        Place a sample that is not the first.

        Parameters
        ----------
        dt : float
            Since the sample that was taken last, s.

        Returns
        -------
        int
            How many points to go on; 0 to leave the sample out, because its point is taken;
            BEGIN_ANEW where those before are of no use: restart with the present ``interval``.
        """
        self._heard += 1
        if self._heard <= _LAST_LOOK:
            self._steps.append(dt - self._left_out)
            if self._heard == self._look and self._is_wrong():
                return BEGIN_ANEW
        count = self._settled(dt) if self._heard <= _SETTLING else self._followed(dt)
        if count < 1:
            self._left_out = dt
            return 0
        self._left_out = 0.0
        self._elapsed, self._points = self._elapsed + dt, self._points + count
        return count

    def _settled(self, dt: float) -> int:
        """Place one of the first samples, all of which are taken."""
        self.interval = self._found()
        count = max(1, int(dt / self.interval + 0.5))
        self.step = dt / count
        return count

    def _followed(self, dt: float) -> int:
        """Place a sample on a grid that follows them; without jitter lead is 0 all the time."""
        share = max(1.0 / self._heard, min(1.0, max(_SHARE, self.interval / _MEMORY)))
        self.step = self.interval + share * self.lead
        count = int((dt + self.lead) / self.step + 0.5)
        if count > 0:
            self.lead += dt - count * self.step
            if self._elapsed > _MEMORY:
                self.interval += 0.25 * share * share * self.lead  # critically damped
            elif self._heard > _LAST_LOOK:
                self.interval = (self._elapsed + dt) / (self._points + count)
        return count

    def _is_wrong(self) -> bool:
        """Find the interval again; returns whether the points so far must be given up for it."""
        self.interval = found = self._found()
        self._look *= 2
        if self._heard < _LAST_LOOK:
            return False
        placed, self._elapsed, self._points = (
            self._elapsed / self._points, self._heard * found, self._heard)
        self._steps.clear()
        return not 1 / _WRONG < found / placed < _WRONG

    def _found(self) -> float:
        """
        Return the interval of a grid on which the last samples lie, s.

        Some samples may be lost, and stamps may jitter or come in pairs.
        """
        ordered = sorted(self._steps)
        apart = [step for step in ordered if step > _PAIR * ordered[len(ordered) // 2]]
        short, usual = (apart[(len(apart) - 1) // share] for share in (4, 2))
        usual = max(_FASTEST, short if short < _MULTIPLE * usual else usual)
        points = max(1, sum(int(step / usual + 0.5) for step in self._steps))
        return sum(self._steps) / points

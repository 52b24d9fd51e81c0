"""
Transitions without a step: an offset that decays, and a blend that takes a given time.

Into activity the difference between what the arm feels and what it should feel fades out, while
the feedback works from the first moment; out of it the command blends into another effort.
"""

from __future__ import annotations

import dataclasses
from typing import Optional

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.stamps import to_ns


@dataclasses.dataclass(frozen=True)
class RampConfig(Configuration):
    """Times and ends of the ramps."""

    start_from: str = parameter(
        'measured', 'effort from which activation ramps in: the measured one (where joint '
        'states report none, or zero for every joint, the last command, or that of gravity) or '
        'zero', choices=('measured', 'zero'))
    ramp_in: float = parameter(
        1.0, 'duration of the ramp at activation and after a fault', 's', 0.0, 60.0)
    ramp_out: float = parameter(
        1.0, 'duration of the ramp at deactivation to gravity-only, and from there to zero', 's',
        0.0, 60.0)
    end_at: str = parameter(
        'zero', 'effort at which deactivation ends: zero (brakes must be on) or holding gravity '
        'at the last known tilt', choices=('zero', 'gravity'))


def smooth_step(s: float) -> float:
    """Return 0 to 1 for s from 0 to 1 with zero slope at both ends (cubic)."""
    if s <= 0.0:
        return 0.0
    if s >= 1.0:
        return 1.0
    return s * s * (3.0 - 2.0 * s)


def progress(now_ns: int, start_ns: int, duration: float) -> float:
    """Return the smooth share of a ramp of ``duration`` seconds that has passed."""
    length = to_ns(duration)
    return 1.0 if length <= 0 else smooth_step((now_ns - start_ns) / length)


class OffsetRamp:
    """Adds an offset that decays to nothing, so that a computed effort takes over smoothly."""

    def __init__(self) -> None:
        self._offset: Optional[FloatArray] = None
        self._start_ns = 0
        self._duration = 0.0

    @property
    def active(self) -> bool:
        """Whether an offset is still being added."""
        return self._offset is not None

    def begin(self, present: FloatArray, computed: FloatArray, now_ns: int,
              duration: float) -> None:
        """Start from the ``present`` effort (n,) where ``computed`` (n,) is wanted."""
        self._offset = present - computed
        self._start_ns = now_ns
        self._duration = duration

    def remaining(self, now_ns: int) -> float:
        """Return how long an offset will still be added, s."""
        if self._offset is None:
            return 0.0
        return max(0.0, self._duration - (now_ns - self._start_ns) * 1e-9)

    def cancel(self) -> None:
        """Forget the offset."""
        self._offset = None

    def add_to(self, effort: FloatArray, now_ns: int) -> None:
        """Add what is left of the offset to ``effort`` (n,) in place."""
        if self._offset is None:
            return
        share = 1.0 - progress(now_ns, self._start_ns, self._duration)
        if share <= 0.0:
            self._offset = None
        else:
            effort += share * self._offset

    def lead(self, last: FloatArray, effort: FloatArray, now_ns: int) -> None:
        """
        Add what is left of the offset to ``effort`` (n,) in place, but lead never away from it.

        Where the effort steps to what acts, as that of somebody who begins a ramp as well, the
        offset ends; ``last`` (n,) is what was sent last.
        """
        if self._offset is None:
            return
        share = 1.0 - progress(now_ns, self._start_ns, self._duration)
        if share > 0.0:
            gap = (last - effort) / share
            self._offset = np.clip(self._offset, np.minimum(gap, 0.0), np.maximum(gap, 0.0))
        self.add_to(effort, now_ns)

    def preview(self, effort: FloatArray, at_ns: int) -> FloatArray:
        """Return ``effort`` (n,) with what will be left of the offset at a later instant."""
        if self._offset is None:
            return effort
        share = 1.0 - progress(at_ns, self._start_ns, self._duration)
        return effort + share * self._offset


class Blend:
    """Goes from one effort to another in a given time."""

    def __init__(self, start: FloatArray, start_ns: int, duration: float) -> None:
        self._start = start.copy()
        self._start_ns = start_ns
        self._duration = duration

    def at(self, target: FloatArray, now_ns: int) -> FloatArray:
        """Return the effort (n,) on the way to ``target`` (n,)."""
        share = progress(now_ns, self._start_ns, self._duration)
        return (1.0 - share) * self._start + share * target

    def done(self, now_ns: int) -> bool:
        """Whether the time is over."""
        return progress(now_ns, self._start_ns, self._duration) >= 1.0

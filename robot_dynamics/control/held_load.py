"""Whether an arm can hold what it is told to carry, where it is."""

from __future__ import annotations

from typing import Callable, Optional

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.joint_checks import EffortRangeCheck
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.core.gate import FloatArray


class HeldLoad:
    """
    Compares the effort that holds a load with the limits, as soon as the posture is known.

    Parameters
    ----------
    limiter : EffortLimiter
        Knows the limits.
    effort : callable
        ``effort()`` returns what holds the arm with its load, (n,), Nm, or None where no posture
        is known.
    """

    def __init__(self, limiter: EffortLimiter, effort: Callable[[], Optional[FloatArray]],
                 events: EventLog) -> None:
        self._limiter, self._effort, self._events = limiter, effort, events
        self._unchecked: Optional[float] = None  # kg

    def clear(self) -> None:
        """Take note that there is no load."""
        self._unchecked = None

    def problem(self, mass: float) -> str:
        """Say why a mass cannot be held; where that is not known yet, :meth:`allows` tells."""
        effort = self._effort()
        finding = None if effort is None else EffortRangeCheck(
            self._limiter.joints, self._limiter.effort_limit, 'effort').examine(effort)
        self._unchecked = mass if effort is None else None
        return '' if finding is None else (
            f'payload.mass: to hold {mass:g} kg where the arm is, {finding.text}')

    def allows(self, now_ns: int) -> bool:
        """Whether a command may be given: not with a load that the first posture cannot hold."""
        mass = self._unchecked
        problem = '' if mass is None else self.problem(mass)
        if problem:
            self._unchecked = mass
            self._events.report(EventKind.EFFORT_IMPLAUSIBLE, f'nothing is sent: {problem}',
                                now_ns, 'error', 'payload')
        return not problem

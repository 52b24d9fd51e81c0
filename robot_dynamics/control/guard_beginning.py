"""
What a guard begins with: what the arm feels, or, where nobody knows that, commands that agree.

One first command alone moves nothing.
"""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.guard_config import GuardConfig
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns

MEASURED_AGE = 0.2  # s: an older measured effort is not started from


class GuardBeginning:
    """
    Knows the measured effort, and how long commands have agreed.

    Parameters
    ----------
    limiter : EffortLimiter
        That of the guard, which is seeded with what commands agree on.
    """

    def __init__(self, config: GuardConfig, limiter: EffortLimiter, events: EventLog) -> None:
        self._limiter, self._events = limiter, events
        self._measured: FloatArray = np.zeros(len(config.joints))
        self._measured_ns = self._since_ns = self._command_ns = -1
        self.configure(config)

    def configure(self, config: GuardConfig) -> None:
        """Take times from a configuration."""
        self._joints, self._time = config.joints, config.recovery_time
        self._age_ns = to_ns(config.command_age)

    def on_joint_state(self, names: Sequence[str], effort: Sequence[float], now_ns: int) -> None:
        """Take the measured effort, by name, where it is one of every joint."""
        by_name = dict(zip(names, effort))
        values = np.array([by_name.get(name, np.nan) for name in self._joints], dtype=np.float64)
        if values.any() and (abs(values) <= self._limiter.effort_limit).all():
            self._measured, self._measured_ns = values, now_ns

    def measured(self, now_ns: int) -> Optional[FloatArray]:
        """Return the measured effort (n,), Nm, or None where none is known that is recent."""
        known = self._measured_ns >= 0 and now_ns - self._measured_ns <= to_ns(MEASURED_AGE)
        return self._measured if known else None

    def agreed(self, command: FloatArray, now_ns: int) -> Optional[FloatArray]:
        """
        Take one of the first commands (n,), Nm; return what they agree on, or None yet.

        They agree where each lies within the rate limit of the one before, for the recovery time.
        """
        limiter, effort = self._limiter, command.copy()
        pause_ns, self._command_ns = now_ns - self._command_ns, now_ns
        goes_on = self._since_ns >= 0 and 0 <= pause_ns <= self._age_ns
        if goes_on:
            limiter.limit(effort, now_ns)
        if not goes_on or limiter.rate_limited:
            effort, self._since_ns = limiter.seed(command, now_ns), now_ns
            if self._time:
                self._events.report(
                    EventKind.WAITING, 'neither a measured effort nor that of gravity is known: '
                    f'commands are forwarded once they agree for {self._time:g} s '
                    '(recovery_time)', now_ns, 'info', 'agreement')
        if now_ns - self._since_ns < to_ns(self._time):
            return None
        self._since_ns = -1  # the next beginning is another
        return effort

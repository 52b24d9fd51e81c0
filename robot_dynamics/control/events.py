"""
What went wrong or changed, as typed values that a node turns into one throttled log line.

Objects of this room never log and never raise for a bad message: they report an
:class:`Event`.  Repetitions of the same kind about the same subject within a period are
counted, not repeated.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import Optional


class EventKind(enum.Enum):
    """What happened; the value is a stable word for diagnostics and tests."""

    JOINT_MISSING = 'joint_missing'
    JOINT_STATE_MALFORMED = 'joint_state_malformed'
    JOINT_STATE_NOT_FINITE = 'joint_state_not_finite'
    VELOCITY_ESTIMATED = 'velocity_estimated'
    BASE_ORIENTATION_MISSING = 'base_orientation_missing'
    BASE_SAMPLE_REFUSED = 'base_sample_refused'
    BASE_LEVEL_CHANGED = 'base_level_changed'
    STAMP_REFUSED = 'stamp_refused'
    POSE_REFUSED = 'pose_refused'
    REFERENCE_REFUSED = 'reference_refused'
    REFERENCE_JOINTS_IGNORED = 'reference_joints_ignored'
    REFERENCE_STOPPED = 'reference_stopped'
    CLOCK_JUMPED = 'clock_jumped'
    STATE_CHANGED = 'state_changed'
    WRENCH_REFUSED = 'wrench_refused'
    WRENCH_STALE = 'wrench_stale'
    COMMAND_NOT_FINITE = 'command_not_finite'
    COMMAND_REFUSED = 'command_refused'
    SATURATED = 'saturated'
    WAITING = 'waiting'


@dataclasses.dataclass(frozen=True)
class Event:
    """
    One report.

    Attributes
    ----------
    kind : EventKind
    severity : str
        ``info``, ``warning`` or ``error``.
    text : str
        One clear line naming the offender.
    stamp_ns : int
        When it happened, on the clock of the caller.
    subject : str
        What it is about (an input, a joint); repetitions are counted by kind and subject.
    suppressed : int
        How many like it were not reported since the last one.
    """

    kind: EventKind
    severity: str
    text: str
    stamp_ns: int
    subject: str = ''
    suppressed: int = 0


class EventLog:
    """
    Collects events, at most one a period for each kind and subject.

    Parameters
    ----------
    period_ns : int
        Shortest time between two events of one kind about one subject, ns.
    capacity : int
        Most events kept until :meth:`drain` is called; later ones are dropped.
    """

    def __init__(self, period_ns: int = 1_000_000_000, capacity: int = 200) -> None:
        self._period_ns = period_ns
        self._capacity = capacity
        self._pending: list[Event] = []
        self._last: dict[tuple[EventKind, str], int] = {}
        self._suppressed: dict[tuple[EventKind, str], int] = {}

    def report(self, kind: EventKind, text: str, stamp_ns: int, severity: str = 'warning',
               subject: str = '', always: bool = False) -> None:
        """Report one event; ``always`` passes the throttle (changes of state)."""
        key = (kind, subject)
        last: Optional[int] = self._last.get(key)
        if not always and last is not None and 0 <= stamp_ns - last < self._period_ns:
            self._suppressed[key] = self._suppressed.get(key, 0) + 1
            return
        if len(self._pending) >= self._capacity:
            return
        if len(self._last) >= 10 * self._capacity:  # subjects come from messages: bound them
            self._last.clear()
            self._suppressed.clear()
        self._last[key] = stamp_ns
        self._pending.append(Event(
            kind, severity, text, stamp_ns, subject, self._suppressed.pop(key, 0)))

    def drain(self) -> list[Event]:
        """Return the events since the last call, oldest first."""
        events, self._pending = self._pending, []
        return events

"""
What went wrong or changed, as typed values that a node turns into one throttled log line.

Objects of this room never log and never raise for a bad message: they report an
:class:`Event`.  Repetitions of the same kind about the same subject are counted, and told ever
more rarely.
"""

from __future__ import annotations

import dataclasses
import enum

from robot_dynamics.core.formatting import printable

LONGEST_TEXT = 600  # characters: names come from messages
LONGEST_WAIT = 60  # periods between two events that go on and on
CALM = 10          # periods without one, after which the next is news
BURST = 6          # that always pass


class EventKind(enum.Enum):
    """What happened; the value is a stable word for diagnostics and tests."""

    JOINT_MISSING = 'joint_missing'
    JOINT_STATE_MALFORMED = 'joint_state_malformed'
    JOINT_STATE_NOT_FINITE = 'joint_state_not_finite'
    POSITION_IMPLAUSIBLE = 'position_implausible'
    VELOCITY_ESTIMATED = 'velocity_estimated'
    BASE_ORIENTATION_MISSING = 'base_orientation_missing'
    BASE_SAMPLE_REFUSED = 'base_sample_refused'
    BASE_LEVEL_CHANGED = 'base_level_changed'
    STAMP_REFUSED = 'stamp_refused'
    POSE_REFUSED = 'pose_refused'
    REFERENCE_REFUSED = 'reference_refused'
    REFERENCE_TOO_FAST = 'reference_too_fast'
    REFERENCE_JOINTS_IGNORED = 'reference_joints_ignored'
    REFERENCE_STOPPED = 'reference_stopped'
    CLOCK_JUMPED = 'clock_jumped'
    STATE_CHANGED = 'state_changed'
    WRENCH_REFUSED = 'wrench_refused'
    WRENCH_STALE = 'wrench_stale'
    COMMAND_NOT_FINITE = 'command_not_finite'
    COMMAND_REFUSED = 'command_refused'
    EFFORT_IMPLAUSIBLE = 'effort_implausible'
    SATURATED = 'saturated'
    TRIPPED = 'tripped'
    WAITING = 'waiting'


@dataclasses.dataclass(frozen=True)
class Event:
    """One report."""

    kind: EventKind
    severity: str  #: ``info``, ``warning`` or ``error``
    text: str  #: One clear line naming the offender
    stamp_ns: int  #: When it happened, on the clock of the caller
    suppressed: int = 0  #: How many like it were not reported since the last one


@dataclasses.dataclass
class _Throttle:
    """Of one kind and subject: when it was told, how long to wait, what was held back."""

    wait_ns: int
    told_ns: int
    seen_ns: int
    free: int
    suppressed: int = 0


class EventLog:
    """
    Collects events; repetitions of one kind about one subject are told ever more rarely.

    The second is told a period after the first, and then the wait doubles up to a minute's worth
    of periods; after a calm it begins anew.  What always passes, such as a change of state, does
    so a few times, until it flaps.

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
        self._throttles: dict[tuple[EventKind, str], _Throttle] = {}

    def report(self, kind: EventKind, text: str, stamp_ns: int, severity: str = 'warning',
               subject: str = '', always: bool = False) -> None:
        """
        Report one event about a subject, an input or a joint.

        ``always`` passes the throttle until it flaps (changes of state).
        """
        throttle = self._throttle((kind, subject), stamp_ns)
        free = always and throttle.free > 0
        if not free and 0 <= stamp_ns - throttle.told_ns < throttle.wait_ns:
            throttle.suppressed += 1
            return
        if len(self._pending) >= self._capacity:
            return
        if free:
            throttle.free -= 1
        else:
            throttle.wait_ns = min(max(2 * throttle.wait_ns, self._period_ns),
                                   LONGEST_WAIT * self._period_ns)
        throttle.told_ns = stamp_ns
        text = printable(text if len(text) <= LONGEST_TEXT else f'{text[:LONGEST_TEXT]} ...')
        self._pending.append(Event(kind, severity, text, stamp_ns, throttle.suppressed))
        throttle.suppressed = 0

    def drain(self) -> list[Event]:
        """Return the events since the last call, oldest first."""
        events, self._pending = self._pending, []
        return events

    def _throttle(self, key: tuple[EventKind, str], stamp_ns: int) -> _Throttle:
        """Return what holds back events like this one; a new one after a calm."""
        throttle = self._throttles.get(key)
        if throttle is None or not 0 <= stamp_ns - throttle.seen_ns <= CALM * self._period_ns:
            if throttle is None and len(self._throttles) >= 10 * self._capacity:
                self._throttles.clear()  # subjects come from messages: bound them
            held = 0 if throttle is None else throttle.suppressed
            throttle = self._throttles[key] = _Throttle(0, stamp_ns, stamp_ns, BURST, held)
        throttle.seen_ns = stamp_ns
        return throttle

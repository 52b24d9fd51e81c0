"""
Joint states as they come from anybody's driver, brought to the order of the model.

Names may come in any order, with others among them; velocity and effort may be empty or NaN.  A
message that cannot be used changes nothing and gives one event.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.angle_unwrapping import AngleUnwrapping
from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.finite import all_below
from robot_dynamics.control.joint_checks import JointChecks
from robot_dynamics.control.trips import SensorFault
from robot_dynamics.control.watchdog import InputMonitor
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_seconds

PLAUSIBLE = 1e6  # rad, rad/s, Nm: beyond this a number is no measurement


class JointStateInput:
    """
    The last valid joint state, in the order of the model.

    Parameters
    ----------
    names : sequence of str
        Joints of the model.
    velocity_filter : float
        Time constant of velocities estimated from positions, s.
    unwrapping : AngleUnwrapping, optional
        Which joints are continuous: those are followed over whole unwrapping.
    checks : JointChecks, optional
        In the order of the model; what fails one is not used.

    Attributes
    ----------
    position, velocity, effort : (nv,) array, rad, rad/s, Nm
        Effort is zero where it is not reported.
    fault : SensorFault
        Whether positions are implausible all the time.
    has_effort : bool
        Whether the last message reported the effort of every joint.
    is_known : bool
        Whether a position was taken since the posture was forgotten while others were refused.
    """

    def __init__(self, names: Sequence[str], monitor: InputMonitor, events: EventLog,
                 velocity_filter: float, unwrapping: Optional[AngleUnwrapping] = None,
                 checks: Optional[JointChecks] = None) -> None:
        self.names = tuple(names)
        self._unwrapping = unwrapping or AngleUnwrapping()
        self.checks = checks
        self._has_velocity = False
        self.velocity_filter = velocity_filter
        self.monitor = monitor
        self.fault = SensorFault()
        self._events = events
        self._message_names: tuple[str, ...] = ()
        self._columns: Optional[FloatArray] = None
        self._in_order = False
        self.position = np.zeros(len(self.names))
        self.velocity = np.zeros(len(self.names))
        self.effort = np.zeros(len(self.names))
        self.has_effort = self.is_known = False

    def reset(self) -> None:
        """Forget everything but the last values."""
        self.monitor.reset()
        self.has_effort = self._has_velocity = False
        self.forget_posture()

    def forget_posture(self) -> None:
        """Take the next position as it is, wherever the joints were before."""
        self.is_known = self.is_known and self.fault.finding is None
        self.fault.reset()
        if self.checks is not None:
            self.checks.reset()

    def on_command(self, effort: Optional[FloatArray], effort_limit: FloatArray) -> None:
        """Take note of what is sent, (n,), Nm, in command order; it must not change later."""
        if self.checks is not None:
            self.checks.on_command(effort, effort_limit)

    def receive(self, stamp_ns: int, arrival_ns: int, names: Sequence[str], position: ArrayLike,
                velocity: ArrayLike, effort: ArrayLike) -> bool:
        """Take one message; returns whether it was used."""
        problem = self.monitor.refusal(stamp_ns, arrival_ns)
        if problem:
            if stamp_ns != self.monitor.stamp_ns or stamp_ns <= 0:  # duplicates are harmless
                self._report(EventKind.STAMP_REFUSED, f'the joint state {problem}', arrival_ns)
            return False
        columns = self._columns_of(names, arrival_ns)
        if columns is None:
            return False
        count = len(self._message_names)
        q = _numbers(position, count)
        if q is None:
            self._report(EventKind.JOINT_STATE_MALFORMED,
                         f'the joint state names {count} joints but its positions are not '
                         f'{count} numbers', arrival_ns)
            return False
        if not self._in_order:
            q = q[columns]
        if not all_below(q, PLAUSIBLE):
            joint = self.names[int(np.argmin(np.abs(q) < PLAUSIBLE))]
            self._report(EventKind.JOINT_STATE_NOT_FINITE,
                         f'the position of joint {joint} is not a usable number', arrival_ns)
            return False
        qd = self._ordered(velocity, columns, count)
        tau = self._ordered(effort, columns, count)
        if self._unwrapping and self.monitor.received:
            q = q + self._unwrapping.offset(q, self.position)  # the driver may count no unwrapping
        self._has_velocity = self._has_velocity or (qd is not None and bool(qd.any()))
        checks = self.checks
        finding = None if checks is None else checks.judge(
            stamp_ns, q, qd if self._has_velocity else None, tau)  # zeros may be no measurement
        if checks is not None and finding is not None:
            self.fault.note(finding, arrival_ns)
            if checks.instead is not None:
                self.velocity[:] = checks.instead
            self._report(EventKind.POSITION_IMPLAUSIBLE,
                         f'{finding.text}: the joint state is not used', arrival_ns)
            return False
        if not self._receive_velocity(qd, q, stamp_ns, arrival_ns):
            return False
        self.has_effort = tau is not None and all_below(tau, PLAUSIBLE)
        if self.has_effort:
            self.effort[:] = tau
        else:
            self.effort[:] = 0.0
        self.position[:] = q
        self.is_known = True
        self.monitor.accept(stamp_ns, arrival_ns)
        self.fault.reset()
        return True

    def _receive_velocity(self, reported: Optional[FloatArray], q: FloatArray, stamp_ns: int,
                          arrival_ns: int) -> bool:
        """Use reported velocities, and estimate those that are absent or NaN."""
        if reported is not None and all_below(reported, PLAUSIBLE):
            self.velocity[:] = reported
            if self.checks is not None and self.checks.corrects:
                self.velocity += self.checks.correction
            return True
        if reported is not None and (np.isinf(reported) | (np.abs(reported) > PLAUSIBLE)).any():
            joint = self.names[int(np.argmax(~(np.abs(reported) <= PLAUSIBLE)))]
            self._report(EventKind.JOINT_STATE_NOT_FINITE,
                         f'the velocity of joint {joint} is not a usable number', arrival_ns)
            return False
        missing = np.ones(len(q), dtype=bool) if reported is None else np.isnan(reported)
        names = [name for name, absent in zip(self.names, missing) if absent]
        self._report(EventKind.VELOCITY_ESTIMATED,
                     f'joint states report no velocity for {", ".join(names)}: it is estimated '
                     'from the positions', arrival_ns, 'info')
        estimate = np.zeros(len(q))
        if self.monitor.received:
            step = to_seconds(stamp_ns - self.monitor.stamp_ns)
            share = step / (step + self.velocity_filter)
            slope = (q - self.position) / step
            estimate = self.velocity + share * (slope - self.velocity)
        self.velocity[:] = estimate if reported is None else np.where(
            missing, estimate, reported)
        return True

    def _ordered(self, values: ArrayLike, columns: Any, count: int) -> Optional[FloatArray]:
        """Return values in the order of the model, or None where they are not reported."""
        numbers = _numbers(values, count)
        if numbers is None or self._in_order:
            return numbers
        return np.asarray(numbers[columns])

    def _columns_of(self, names: Sequence[str], arrival_ns: int) -> Any:
        """Return where the joints of the model stand in a message; remembered while equal."""
        try:
            message_names = tuple(names)
            if message_names == self._message_names and self._columns is not None:
                return self._columns
            places = {name: index for index, name in enumerate(message_names)}
        except TypeError:
            self._report(EventKind.JOINT_STATE_MALFORMED, 'the joint state has no list of names',
                         arrival_ns)
            return None
        self._columns = None
        missing = [name for name in self.names if name not in places]
        if missing:
            self._report(
                EventKind.JOINT_MISSING,
                f'the joint state lacks {", ".join(missing)} (it names '
                f'{", ".join(map(str, message_names[:12])) or "nothing"}); a joint that is '
                'never reported must be held by the model', arrival_ns)
            return None
        twice = [name for name in self.names if message_names.count(name) > 1]
        if twice:
            self._report(EventKind.JOINT_STATE_MALFORMED,
                         f'the joint state names {", ".join(twice)} more than once', arrival_ns)
            return None
        self._message_names = message_names
        self._columns = np.array([places[name] for name in self.names])
        self._in_order = message_names == self.names
        return self._columns

    def _report(self, kind: EventKind, text: str, stamp_ns: int,
                severity: str = 'warning') -> None:
        self._events.report(kind, text, stamp_ns, severity, 'joint_states')


def _numbers(values: ArrayLike, count: int) -> Optional[FloatArray]:
    """Return ``count`` numbers as an array, or None where the field holds something else."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None
    return array if array.shape == (count,) else None

"""
The effort guard: forwards fresh finite commands, and acts by itself when they stop.

It stands between feedforward and controller in a process of its own, so that it survives the
feedforward.  It knows no dynamics: the effort that holds gravity comes to it beside the commands
while these are alive.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.events import Event, EventKind, EventLog
from robot_dynamics.control.fallback import Fallback
from robot_dynamics.control.guard_beginning import GuardBeginning, MEASURED_AGE
from robot_dynamics.control.guard_commands import CommandContinuity, efforts_by_name, efforts_of
from robot_dynamics.control.guard_config import GuardConfig
from robot_dynamics.control.guard_envelope import GuardEnvelope
from robot_dynamics.control.limits import EffortLimiter, ROUNDING
from robot_dynamics.control.ramp import OffsetRamp
from robot_dynamics.control.trips import Trip
from robot_dynamics.control.watchdog import ACTIVE, GRAVITY_ONLY, HOLDING, RAMPING_TO_GRAVITY
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns

WAITING = 'waiting'        # nothing to guard: no command yet, or the feedforward has ended
FORWARDING = 'forwarding'
NEVER_NS = 2**62


class EffortGuard:
    """
    Passes commands on, and takes over when they stop.

    What it sends itself is at most ``command_age`` plus the caller's tick period late.

    Parameters
    ----------
    config : GuardConfig
        ``joints`` fixes the length of a command.
    effort_limit : (n,) array, Nm, optional
        Of the description; None where only the configuration limits.
    """

    def __init__(self, config: GuardConfig, effort_limit: Optional[ArrayLike] = None) -> None:
        if not config.joints:
            raise ConfigurationError('joints: is empty, expected the joints of the commands')
        self.config = config
        self.names = config.joints
        self._limiter = EffortLimiter(config.joints, config.limits, effort_limit)
        self._events = EventLog(to_ns(config.event_period))
        self._envelope = GuardEnvelope(
            config.joints, config, self._limiter.effort_limit, self._events)
        self._beginning = GuardBeginning(config, self._limiter, self._events)
        self._continuity = CommandContinuity(config.joints, self._limiter)
        self._fallback = Fallback(config, self._limiter, self._target)
        self._ramp = OffsetRamp()
        self._guarding = self._taken_over = self._ending = False
        self._command: FloatArray = np.zeros(len(self.names))
        self._gravity: FloatArray = np.zeros(len(self.names))
        self._command_ns = self._gravity_ns = self._awake_until_ns = -1
        self._sent_ns = -NEVER_NS
        self._clock_ns: Optional[int] = None

    def configure(self, config: GuardConfig) -> None:
        """
        Change live parameters; towards smaller limits the effort comes down by the rate limit.

        Raises
        ------
        ConfigurationError
            If the limits do not fit the joints; then nothing has changed.
        """
        try:
            self._limiter.configure(config.limits)
            self._envelope.configure(config, self._limiter.effort_limit)
        except ConfigurationError:
            self._limiter.configure(self.config.limits)
            self._envelope.configure(self.config, self._limiter.effort_limit)
            raise
        self._fallback.configure(config)
        self._beginning.configure(config)
        self.config = config

    @property
    def trip(self) -> Optional[Trip]:
        """Return why nothing is forwarded until :meth:`clear_trip`, or None."""
        return self._envelope.trips.trip

    def clear_trip(self) -> Optional[Trip]:
        """Let commands be forwarded again, as after silence; returns what was in force."""
        trip = self.trip
        self._envelope.trips.clear()
        return trip

    @property
    def state(self) -> str:
        """Return waiting, forwarding, or the stage of the fallback."""
        if not self._guarding:
            return WAITING
        return FORWARDING if self._fallback.stage == ACTIVE else self._fallback.stage

    @property
    def wants_service(self) -> bool:
        """Whether the final action ``call_service`` is in force: call until there is an answer."""
        return self._guarding and self._fallback.wants_service

    def on_command(self, effort: ArrayLike, arrival_ns: int) -> Optional[FloatArray]:
        """
        Take a command (n,), Nm, in the order of ``joints``.

        The first one is led to in the ramp time from the measured effort, or where none is known
        from the gravity effort, and the first after a pause in which nobody called from what was
        sent last.  Where neither is known commands pass once they agree for the recovery time.

        Returns
        -------
        (n,) array or None
            What to send at once: for a command that does not go on from the last one, what that
            asks for.  None if nothing is trusted yet, or other than commands is sent.
        """
        now_ns = self._advance_clock(arrival_ns)
        values = efforts_of(effort, self.names)
        if isinstance(values, str):
            self._refuse(values, now_ns)
            return None
        if self._taken_over or self.trip is not None:
            return None
        self._envelope.cut(values, now_ns)
        if not self._goes_on(values, now_ns):  # the one before is in force
            return self._forwarded(now_ns) if self._fallback.stage == ACTIVE else None
        trips, age_ns = self._envelope.on_command(now_ns), to_ns(self.config.command_age)
        pause_ns, self._command, self._command_ns = now_ns - self._command_ns, values, now_ns
        if not self._guarding:
            acting = self._acting(now_ns)
            if acting is None:
                acting = self._beginning.agreed(values, now_ns)
            if acting is None:
                return None
            self._guarding = True
            self._limiter.seed(acting, now_ns)
            self._fallback.restart(ACTIVE, now_ns)
            self._fade_in(now_ns)
            self._report_state(WAITING, now_ns)
        elif self._fallback.stage in (ACTIVE, HOLDING) and (
                pause_ns > age_ns + to_ns(self.config.hold_time)):
            self._awake_until_ns = now_ns + age_ns  # by now it would have ramped
        if now_ns <= self._awake_until_ns:
            self._fade_in(now_ns)  # from the last again: the first may have waited for long
        self._update(True, now_ns)
        if trips:
            self._stop_for_good(now_ns)
        return self._forwarded(now_ns) if self._fallback.stage == ACTIVE else None

    def on_gravity_effort(self, names: Sequence[str], effort: ArrayLike, arrival_ns: int) -> None:
        """Take the effort that holds gravity, by name; it is used only on silence."""
        now_ns = self._advance_clock(arrival_ns)
        values = efforts_by_name(names, effort, self.names)
        if isinstance(values, str):
            self._refuse(values, now_ns)
            return
        limit = self._limiter.effort_limit
        values = np.clip(values, -limit, limit)
        self._envelope.on_gravity_effort(values, now_ns)
        self._gravity, self._gravity_ns = values, now_ns

    def on_joint_state(self, names: Sequence[str], effort: Sequence[float],
                       arrival_ns: int) -> None:
        """
        Take the measured effort, by name: where a beginning is led on from.

        What names not all joints, or is zero for all as where none is measured, is not used.
        """
        self._beginning.on_joint_state(names, effort, self._advance_clock(arrival_ns))

    def knows_effort(self, now_ns: int) -> bool:
        """Return whether a measured effort is known that a beginning can be led on from."""
        return self._beginning.measured(now_ns) is not None

    def on_no_subscribers(self, now_ns: int) -> None:
        """
        Take note that no controller hears the efforts: there is nothing to guard.

        An arm that is held because commands are silent is held again by the next controller.
        """
        now_ns, self._sent_ns = self._advance_clock(now_ns), -NEVER_NS
        if self._guarding and not self._holds_on_silence():
            self._leave(now_ns)

    def on_new_subscriber(self, now_ns: int) -> None:
        """Take note of a new controller: the arm is led from what it feels to what is held."""
        now_ns, self._sent_ns = self._advance_clock(now_ns), -NEVER_NS
        if self._guarding and self._holds_on_silence():
            before, acting = self.state, self._acting(now_ns)
            if acting is not None:
                self._limiter.seed(acting, now_ns)
            self._fallback.restart(RAMPING_TO_GRAVITY, now_ns)
            self._report_state(before, now_ns)

    def on_finished(self, now_ns: int) -> None:
        """
        Take note that the feedforward has ended on purpose: its silence is no fault.

        Where the arm does not feel its last command yet, that is led to first.
        """
        now_ns = self._advance_clock(now_ns)
        if not self._guarding or self._taken_over or self.trip is not None:
            return
        if self._has_arrived():
            self._leave(now_ns)
        elif not self._ending:
            before, self._ending = self.state, True
            if self._fallback.stage != ACTIVE:
                self._fallback.restart(ACTIVE, now_ns)
                self._fade_in(now_ns)
            self._report_state(before, now_ns)

    def take_over(self, now_ns: int) -> None:
        """Forward nothing more, and ramp to the gravity effort as on silence."""
        now_ns = self._advance_clock(now_ns)
        if self._guarding and not self._taken_over:
            before, self._taken_over, self._ending = self.state, True, False
            if self._fallback.stage == ACTIVE and self._holds_nothing():
                self._leave(now_ns)
            elif self._fallback.stage in (ACTIVE, HOLDING):
                self._fallback.restart(RAMPING_TO_GRAVITY, now_ns)
                self._report_state(before, now_ns)

    def settled(self, now_ns: int) -> bool:
        """Return whether nothing is left to ramp: it waits, or sends what it will go on with."""
        return not self._guarding or self._fallback.settled(now_ns)

    def tick(self, now_ns: int) -> Optional[FloatArray]:
        """Return what to send on silence, or None while there is nothing to do."""
        now_ns = self._advance_clock(now_ns)
        if not self._guarding:
            return None
        if self._ending:
            effort = self._forwarded(now_ns)
            if self._has_arrived():
                self._leave(now_ns)
            return effort
        fresh = not self._taken_over and self.trip is None and (
            now_ns - self._command_ns <= to_ns(self.config.command_age))
        if not fresh and self._fallback.stage == ACTIVE and self._holds_nothing():
            self._leave(now_ns)  # silence after zero
            return None
        self._update(fresh, now_ns)
        if self._fallback.stage == ACTIVE:
            return None
        self._ramp.cancel()
        return self._limited(self._fallback.effort(now_ns), now_ns)

    @property
    def quiet_until_ns(self) -> int:
        """Until when a tick has nothing to do, unless something arrives before."""
        if not self._guarding:
            return NEVER_NS
        if self._ending or self._taken_over or self._fallback.stage != ACTIVE:
            return self._command_ns
        return self._command_ns + to_ns(self.config.command_age)

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return state, ages and limits in use, for diagnostics."""
        limiter = self._limiter
        age, gravity_age = (
            (now_ns - stamp_ns) * 1e-9 if stamp_ns >= 0 else float('inf')
            for stamp_ns in (self._command_ns, self._gravity_ns))
        return {
            'state': self.state, 'trip': '' if self.trip is None else self.trip.text,
            'command_age': age, 'gravity_effort_age': gravity_age,
            'enveloped': self._envelope.beyond,
            'saturated': limiter.named(limiter.saturated),
            'rate_limited': limiter.named(limiter.rate_limited)}

    def drain_events(self) -> list[Event]:
        """Return the events since the last call, oldest first, already throttled."""
        return self._events.drain()

    def _update(self, fresh: bool, now_ns: int) -> None:
        before, stage = self.state, self._fallback.stage
        if self._fallback.update(fresh, now_ns):
            if self._fallback.stage == ACTIVE and stage != HOLDING:
                self._fade_in(now_ns)
            self._report_state(before, now_ns)

    def _stop_for_good(self, now_ns: int) -> None:
        """Ramp to gravity, whatever is commanded, and say why."""
        trip, before = self.trip, self.state
        assert trip is not None
        self._events.report(
            EventKind.TRIPPED, f'nothing is forwarded until the trip is cleared: {trip.text}',
            now_ns, 'error', trip.cause, always=True)
        if self._fallback.stage in (ACTIVE, HOLDING):
            self._fallback.restart(RAMPING_TO_GRAVITY, now_ns)
            self._report_state(before, now_ns)

    def _fade_in(self, now_ns: int) -> None:
        """Lead from what was sent last to the commands."""
        assert self._limiter.last is not None
        self._ramp.begin(self._limiter.last, self._command, now_ns, self.config.ramp_time)

    def _leave(self, now_ns: int) -> None:
        """Guard nothing until the next command."""
        before = self.state
        self._guarding = self._ending = False
        self._ramp.cancel()
        self._report_state(before, now_ns)

    def _holds_on_silence(self) -> bool:
        """Whether the arm is held by the guard, before its final action."""
        return self._fallback.stage in (HOLDING, RAMPING_TO_GRAVITY, GRAVITY_ONLY)

    def _holds_nothing(self) -> bool:
        """Whether the effort sent last is zero."""
        return self._limiter.last is not None and not self._limiter.last.any()

    def _has_arrived(self) -> bool:
        """Whether the last command, within the limits, is what was sent last."""
        limiter = self._limiter
        wanted = np.clip(self._command, -limiter.effort_limit, limiter.effort_limit)
        return limiter.last is not None and bool((abs(wanted - limiter.last) <= ROUNDING).all())

    def _acting(self, now_ns: int) -> Optional[FloatArray]:
        """Return what the arm feels before the first command, or None where nobody knows."""
        if 0 <= now_ns - self._sent_ns <= to_ns(MEASURED_AGE):
            return self._limiter.last  # a measurement may be from before
        measured = self._beginning.measured(now_ns)
        return self._gravity if measured is None and self._knows_gravity() else measured

    def _forwarded(self, now_ns: int) -> FloatArray:
        effort = self._command.copy()
        assert self._limiter.last is not None
        self._ramp.lead(self._limiter.last, effort, now_ns)
        return self._limited(effort, now_ns)

    def _limited(self, effort: FloatArray, now_ns: int) -> FloatArray:
        self._sent_ns = now_ns
        if not self._limiter.limit(effort, now_ns):
            assert self._limiter.last is not None
            return self._limiter.last.copy()
        return effort

    def _target(self, now_ns: int) -> FloatArray:
        """Return the gravity effort, or zero where it was too old when the commands stopped."""
        return self._gravity if self._knows_gravity() else np.zeros(len(self.names))

    def _knows_gravity(self) -> bool:
        """Whether the gravity effort was recent when the last command came."""
        return self._gravity_ns >= 0 and (
            self._command_ns - self._gravity_ns <= to_ns(self.config.gravity_age))

    def _goes_on(self, command: FloatArray, now_ns: int) -> bool:
        """Whether a command goes on from the last; where two command for long, that trips."""
        passed_ns = now_ns - self._command_ns
        if not self._guarding or now_ns <= self._awake_until_ns or (
                passed_ns > to_ns(self.config.command_age)):
            self._continuity.reset()
            return True
        jump = self._continuity.examine(command, self._command, passed_ns, now_ns)
        if jump is not None:
            self._refuse(jump.text, now_ns)
        elif self._envelope.trips.on_sensor(
                self._continuity.signal, self._continuity.fault, now_ns):
            self._stop_for_good(now_ns)
        return jump is None and self.trip is None

    def _advance_clock(self, now_ns: int) -> int:
        """Note the time; returns it, or the later one that was seen already."""
        before = self._clock_ns
        if before is None or now_ns >= before:
            self._clock_ns = now_ns
        elif before - now_ns > to_ns(self.config.clock_jump):
            self._clock_ns = now_ns
            self._limiter.rebase(now_ns)
            self._ramp.cancel()
            self._awake_until_ns = -1
            # what was fresh stays fresh for one age, and a stage begins anew
            self._command_ns = min(self._command_ns, now_ns)
            self._gravity_ns = min(self._gravity_ns, now_ns)
            self._envelope.rebase(now_ns)
            self._fallback.restart(self._fallback.stage, now_ns)
            self._events.report(
                EventKind.CLOCK_JUMPED, f'the clock went back by {(before - now_ns) * 1e-9:.3f} s',
                now_ns, 'warning', always=True)
        return self._clock_ns if self._clock_ns is not None else now_ns

    def _refuse(self, problem: str, now_ns: int) -> None:
        self._events.report(EventKind.COMMAND_REFUSED, f'{problem}: not forwarded', now_ns)

    def _report_state(self, before: str, now_ns: int) -> None:
        if self.state == before:
            return
        severity = 'info' if self.state in (WAITING, FORWARDING) else 'error'
        self._events.report(EventKind.STATE_CHANGED, f'{before} -> {self.state}', now_ns,
                            severity, self.state, always=True)

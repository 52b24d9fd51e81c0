"""From valid inputs to one command: ramp in, follow, fall back, ramp out."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

import numpy as np

from robot_dynamics.control.command import Command
from robot_dynamics.control.effort_law import EffortLaw
from robot_dynamics.control.effort_model import EffortModel
from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.fallback import Fallback
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.inputs import FeedforwardInputs
from robot_dynamics.control.joint_checks import EffortRangeCheck
from robot_dynamics.control.learning import Learning
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.control.ramp import OffsetRamp
from robot_dynamics.control.ramp_out import RampOut
from robot_dynamics.control.trips import Trip, Trips
from robot_dynamics.control.watchdog import (
    ACTIVE, FINAL_ACTION, GRAVITY_ONLY, HOLDING, RAMPING_TO_GRAVITY)
from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.gate import FloatArray

# States, in the order in which they usually follow; those of the middle are the watchdog's.
WAITING = 'waiting'          # an input has not been valid yet: no command
RAMPING_IN = 'ramping_in'
TRIPPED = 'tripped'          # on the way to gravity and there, until the trip is cleared
RAMPING_OUT = 'ramping_out'  # stop() was called
FINISHED = 'finished'        # the ramp-out is over: no command
STATES = (WAITING, RAMPING_IN, ACTIVE, HOLDING, RAMPING_TO_GRAVITY, GRAVITY_ONLY, TRIPPED,
          FINAL_ACTION, RAMPING_OUT, FINISHED)
InForce = Callable[[int, Optional[FloatArray]], Optional[FloatArray]]
_SERIOUS = (RAMPING_TO_GRAVITY, GRAVITY_ONLY, TRIPPED, FINAL_ACTION)


class CommandStateMachine:
    """
    The state machine between inputs and commands.

    Attributes
    ----------
    state : str
        One of :data:`STATES`.
    count : int
        Commands given.
    in_force : callable, optional
        See :meth:`.FeedforwardCore.resume_from`.
    """

    def __init__(self, config: FeedforwardConfig, inputs: FeedforwardInputs,
                 model: EffortModel, law: EffortLaw, limiter: EffortLimiter, trips: Trips,
                 events: EventLog) -> None:
        self.config = config
        self.state, self.count = WAITING, 0
        self.in_force: Optional[InForce] = None
        self.limiter = limiter
        self.trips = trips
        self.learning = Learning.of(config, model, inputs.joints, law, limiter.effort_limit)
        self.fallback = Fallback(config.watchdog, limiter, self.gravity_effort)
        self._inputs = inputs
        self._model = model
        self._law = law
        self._events = events
        self._columns = law.columns
        law.bound(config.envelope, limiter)
        self._zeros = np.zeros(len(limiter.joints))
        self._ramp = OffsetRamp()
        self._ramp_out: Optional[RampOut] = None
        self._resume_due = True   # the reference must be compared with the arm
        # the next computed effort may differ from the last command: fade over so many seconds
        self._fade: Optional[float] = None
        # how the computed effort went on lately, and how it would now but for a lower level
        self._before = self._trend = self._expected = self._zeros

    def configure(self, config: FeedforwardConfig) -> None:
        """Take new ramps and times; the effort changes over the ramp-in time."""
        self.config = config
        self.fallback.configure(config.watchdog)
        self.trips.configure(config.trips)
        self._law.bound(config.envelope, self.limiter)
        self.smooth_next()

    def smooth_next(self) -> None:
        """Expect the computed effort to step: what changes it shall fade in."""
        self._fade = self.config.ramp.ramp_in

    def restart(self, now_ns: int) -> None:
        """Wait for valid inputs, then ramp in; nothing changes unless it was stopped before."""
        if self.state not in (WAITING, FINISHED) and self._ramp_out is None:
            return
        self._inputs.follower.clear()
        self._inputs.examine_anew()
        self.trips.clear()
        self._ramp.cancel()
        self._ramp_out = None
        self._resume_due = True
        self._enter(WAITING, now_ns)

    def pause(self, now_ns: int, cause: str, last_acts: bool) -> None:
        """
        Wait again, whatever was under way but the ramp-out: what comes next ramps in.

        ``last_acts`` tells whether the arm still feels the last command.
        """
        if self.state == FINISHED or self._ramp_out is not None:
            return
        if not last_acts:
            self.limiter.forget()
            self._inputs.follow_the_arm()
        self.trips.begin_anew()
        self._ramp.cancel()
        self._resume_due = True
        self._enter(WAITING, now_ns)
        self._events.report(EventKind.WAITING, cause, now_ns, 'info', cause)

    def clear_trip(self, now_ns: int) -> Optional[Trip]:
        """Let the inputs decide again; returns what was in force."""
        trip = self.trips.trip
        if trip is not None:
            self.trips.clear()
            self._inputs.examine_anew()
            self._events.report(
                EventKind.TRIPPED, f'the stop was cleared: {trip.text}', now_ns, 'warning', '',
                always=True)
        return trip

    def stop(self, now_ns: int) -> None:
        """Begin the ramp-out."""
        if self._ramp_out is not None:
            return
        if self.state in (WAITING, FINISHED):
            self._enter(FINISHED, now_ns)
            return
        self._inputs.follower.stop(now_ns)
        self._ramp_out = RampOut(self.config, self.limiter, self.gravity_effort, now_ns,
                                 self.fallback.at_zero)

    def on_clock_jump(self, now_ns: int) -> None:
        """Hold the last command until the inputs of the new time are valid."""
        self.limiter.rebase(now_ns)
        self.trips.begin_anew()
        self._ramp.cancel()
        self._resume_due = True
        if self.state in (WAITING, FINISHED):
            return
        if self._ramp_out is not None:
            self._ramp_out = RampOut(self.config, self.limiter, self.gravity_effort, now_ns,
                                     self.fallback.at_zero)
            self._ramp_out.skip_tracking()
        else:
            stage = self.fallback.stage
            self.fallback.restart(HOLDING if stage == ACTIVE else stage, now_ns)

    def run(self, now_ns: int) -> Optional[Command]:
        """Return the command for now, or None when nothing may be sent."""
        if self.state == FINISHED:
            return None
        self._inputs.watch_stream(now_ns)
        stale = self._inputs.stale(now_ns, self.state == WAITING)
        tripped = self.trips.trip is not None
        if self.state == WAITING and (stale and not (
                tripped and self._inputs.joints.is_known) or not self._begin(now_ns)):
            if stale:
                self._inputs.follow_the_arm()
                self._events.report(EventKind.WAITING, 'nothing is sent yet: waiting for valid '
                                    + ' and '.join(stale), now_ns, 'info', ' '.join(stale))
            return None
        if self._ramp_out is not None:
            effort, state = self._ramped_out(self._ramp_out, now_ns, not stale), RAMPING_OUT
        else:
            self._watch_sensors(now_ns)
            effort, state = self._follow_or_fall_back(
                now_ns, not stale and self.trips.trip is None)
        command = self._sent(effort, state, now_ns)
        if self.learning is not None:
            self.learning.on_command(command)
        if state in (ACTIVE, RAMPING_IN) and self.trips.on_command(
                self._law.error, self.limiter.saturated + self._law.beyond, now_ns):
            self._stop_for_good(now_ns)
        return command

    def preview(self, stamps_ns: Sequence[int],
                sample_into: Callable[[int, FloatArray], None]
                ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Predict desired motion (N, 3, n), effort and its friction (N, n) at coming instants."""
        points = np.empty((len(stamps_ns), 3, len(self._columns)))
        efforts = np.empty((len(stamps_ns), len(self._columns)))
        limit = self.limiter.effort_limit
        for k, stamp_ns in enumerate(stamps_ns):
            effort = self._law.preview(stamp_ns, sample_into, points[k])
            efforts[k] = np.clip(self._ramp.preview(effort, stamp_ns), -limit, limit)
        return points, efforts, self._law.friction(points[:, 1])

    def gravity_effort(self, now_ns: int) -> FloatArray:
        """Return the effort (n,) that holds gravity, at the last posture, with the tilt now."""
        gravity = self._model.level_base.gravity
        if self.config.base_motion != 'fixed':
            gravity = self._inputs.base.gravity(now_ns, gravity)
        try:
            placement = self._inputs.placement
            torque = self._model.gravity_torque(
                self._inputs.joints.position, gravity,
                None if placement is None else placement.pose.at(now_ns))
        except RobotDynamicsError as error:
            self._report_fault(f'gravity cannot be computed: {error}', now_ns)
            return self._zeros.copy() if self.limiter.last is None else self.limiter.last.copy()
        return np.asarray(torque[self._columns])

    # -------------------------------------------------------------------------------- parts

    def _begin(self, now_ns: int) -> bool:
        """
        Start from the measured effort or zero; returns whether a command can be given.

        Where no effort is reported, or zero for every joint, as by drivers that measure none, the
        last command of an earlier activation still acts; without one the arm is taken to be held
        by the effort of gravity.  So it is where a measured effort is not plausible.

        Where a trip is in force, the start leads to gravity, where the arm is.  Where somebody
        else holds the arm, he brings it to rest first.
        """
        joints, tripped = self._inputs.joints, self.trips.trip is not None
        if self.in_force is not None and not self._inputs.at_rest:
            cause = 'nothing is sent yet: waiting for the controller to bring the arm to rest'
            self._events.report(EventKind.WAITING, cause, now_ns, 'info', cause)
            return False
        if tripped:
            self._law.rest_at(joints.position[self._columns])
        elif not self._computed(now_ns):
            self._resume_due = True  # the arm may move until the next attempt
            return False
        start = self._zeros
        if self.config.ramp.start_from == 'measured':
            if joints.effort[self._columns].any():
                start = self._plausible_effort(now_ns)
            elif self.limiter.last is not None:
                start = self.limiter.last
            else:
                start = self.gravity_effort(now_ns)
        self.limiter.seed(start, now_ns)
        self.fallback.restart(RAMPING_TO_GRAVITY if tripped else ACTIVE, now_ns)
        self.smooth_next()
        return True

    def _plausible_effort(self, now_ns: int) -> FloatArray:
        """Return the measured effort (n,), or where it is beyond the limits that of gravity."""
        measured = self._inputs.joints.effort[self._columns]
        limiter = self.limiter
        finding = EffortRangeCheck(limiter.joints, limiter.effort_limit).examine(measured)
        if finding is None:
            return measured
        self._events.report(
            EventKind.EFFORT_IMPLAUSIBLE, f'{finding.text}: it is not used, the ramp starts from '
            'the effort of gravity', now_ns, 'warning', finding.signal)
        return self.gravity_effort(now_ns)

    def _computed(self, now_ns: int) -> bool:
        """Compute the effort that follows the reference; returns whether that was possible."""
        inputs = self._inputs
        if self._resume_due:
            measured = inputs.joints.position[self._columns]
            inputs.follower.resume(measured, now_ns)
            self._lead_on(now_ns, measured if self.state == WAITING else None)
            self._resume_due = False
        try:
            if self._law.compute(now_ns):
                if inputs.base.level_change() and self._fade is None:
                    # a ramp under way ends when it would have, however often the level changes
                    self._fade = self._ramp.remaining(now_ns) or self.config.ramp.ramp_in
                    self._expected = self._trend
                else:
                    self._trend = self._law.effort - self._before
                self._before = self._law.effort.copy()  # a ramp is added in place
                return True
            problem = 'the computed effort is not finite'
        except RobotDynamicsError as error:
            problem = f'the dynamics refuse the inputs: {error}'
        self._report_fault(problem, now_ns)
        return False

    def _lead_on(self, now_ns: int, measured: Optional[FloatArray] = None) -> None:
        """Let the motion go on from where somebody else holds the arm, if anybody does."""
        desired = None if self.in_force is None else self.in_force(now_ns, measured)
        if desired is not None:
            self._inputs.follower.lead_from(desired, now_ns, self.config.ramp.ramp_in)

    def _follow_or_fall_back(self, now_ns: int, fresh: bool) -> tuple[FloatArray, str]:
        fallback, usable = self.fallback, fresh
        before = fallback.stage
        if fresh and before in (ACTIVE, HOLDING):
            if before == HOLDING and not self._resume_due:
                self._lead_on(now_ns)
            usable = self._computed(now_ns)
        if fallback.update(usable, now_ns) and fallback.stage == ACTIVE:
            if before == HOLDING:
                # a ramp under way ends when it would have, however often the inputs falter
                self._fade = max(self._ramp.remaining(now_ns), self.config.watchdog.hold_time)
            else:
                self.smooth_next()
                self._resume_due = True
                if not self._computed(now_ns):
                    fallback.restart(GRAVITY_ONLY, now_ns)
        if fallback.stage != ACTIVE:
            if fallback.stage != HOLDING:
                self._ramp.cancel()
            self._law.feedback = self._zeros
            tripped = self.trips.trip is not None and fallback.stage != FINAL_ACTION
            return fallback.effort(now_ns), TRIPPED if tripped else fallback.stage
        effort = self._smoothed(now_ns)
        return effort, RAMPING_IN if self._ramp.active else ACTIVE

    def _watch_sensors(self, now_ns: int) -> None:
        for name, fault in self._inputs.faults():
            if self.trips.on_sensor(name, fault, now_ns):
                self._stop_for_good(now_ns)

    def _stop_for_good(self, now_ns: int) -> None:
        """Ramp to gravity from wherever the effort is, and say why."""
        trip = self.trips.trip
        assert trip is not None
        self._events.report(
            EventKind.TRIPPED, f'stopped until the trip is cleared: {trip.text}', now_ns, 'error',
            trip.cause, always=True)
        if self.fallback.stage in (ACTIVE, HOLDING):
            self.fallback.restart(RAMPING_TO_GRAVITY, now_ns)

    def _smoothed(self, now_ns: int) -> FloatArray:
        """Return the computed effort, led over from the last command where it would step."""
        effort = self._law.effort
        if self._fade is not None:
            assert self.limiter.last is not None
            self._ramp.begin(self.limiter.last + self._expected, effort, now_ns, self._fade)
            self._fade, self._expected = None, self._zeros
        self._ramp.add_to(effort, now_ns)
        return effort

    def _ramped_out(self, ramp_out: RampOut, now_ns: int, fresh: bool) -> FloatArray:
        """Track while the motion comes to rest, then ramp."""
        if ramp_out.tracks(now_ns):
            if fresh and self.fallback.stage == ACTIVE and self._computed(now_ns):
                return self._smoothed(now_ns)
            ramp_out.skip_tracking()
        self._law.feedback = self._zeros
        return ramp_out.effort(now_ns)

    def _sent(self, effort: FloatArray, state: str, now_ns: int) -> Command:
        """Limit an effort and wrap it up."""
        limiter, law = self.limiter, self._law
        if not limiter.limit(
                effort, now_ns, law.turned if state in (ACTIVE, RAMPING_IN) else None):
            self._report_fault('the effort is not finite: the last one is repeated', now_ns)
            assert limiter.last is not None
            effort = limiter.last.copy()
        self._inputs.joints.on_command(limiter.last, limiter.effort_limit)
        self._enter(state, now_ns)
        if self._ramp_out is not None and self._ramp_out.over(now_ns) and (
                not limiter.rate_limited):
            self._enter(FINISHED, now_ns)
        saturated = limiter.named(limiter.saturated)
        if saturated:
            self._events.report(
                EventKind.SATURATED, 'effort limit reached at ' + ', '.join(saturated), now_ns,
                'warning')
        if law.beyond and state in (ACTIVE, RAMPING_IN):
            self._events.report(
                EventKind.SATURATED, f'the effort of {", ".join(limiter.named(law.beyond))} is '
                'held within its envelope (envelope.share)', now_ns, 'warning', 'envelope')
        self.count += 1
        return Command(
            now_ns, now_ns + law.lead_ns, limiter.joints, effort, law.feedback,
            law.desired, self.state, self._inputs.base_level, saturated,
            limiter.named(limiter.rate_limited), law.asked, self._columns, self.config.friction)

    def _enter(self, state: str, now_ns: int) -> None:
        """Change the state, and say so once."""
        if state == self.state:
            return
        stale = self._inputs.stale(now_ns)
        cause = f' ({", ".join(stale)} stale)' if stale and state != WAITING else ''
        self._events.report(
            EventKind.STATE_CHANGED, f'{self.state} -> {state}{cause}', now_ns,
            'error' if state in _SERIOUS else 'warning' if state == HOLDING else 'info', state,
            always=True)
        self.state = state

    def _report_fault(self, problem: str, now_ns: int) -> None:
        self._events.report(EventKind.COMMAND_NOT_FINITE, problem, now_ns, 'error')

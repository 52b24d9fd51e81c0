"""
Ages of the inputs, and the staged answer when one of them falls silent.

An input is fresh when both its header stamp and its arrival are recent.  On silence the command
is held for a short time, then ramped to gravity-only with the tilt as far as it is known, then the
final action is taken; when all inputs have been fresh again for a while, control resumes.
"""

from __future__ import annotations

import dataclasses

from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.stamps import to_ns

JOINT_STATES = 'joint_states'
BASE_MOTION = 'base_motion'
REFERENCE = 'reference'

# Stages, in the order in which silence runs through them.
ACTIVE = 'active'
HOLDING = 'holding'
RAMPING_TO_GRAVITY = 'ramping_to_gravity'
GRAVITY_ONLY = 'gravity_only'
FINAL_ACTION = 'final_action'


@dataclasses.dataclass(frozen=True)
class FallbackConfig(Configuration):
    """What follows silence, and how it ends."""

    hold_time: float = parameter(
        0.05, 'how long the last command is held on silence', 's', 0.0, 5.0)
    ramp_time: float = parameter(
        0.5, 'duration of the ramp to gravity-only, and from there to zero', 's', 0.0, 60.0)
    final_action: str = parameter(
        'hold_gravity', 'what follows the ramp: keep holding gravity, ramp to zero, or ask for a '
        'service to be called', choices=('hold_gravity', 'zero', 'call_service'))
    final_effort: str = parameter(
        'gravity', 'what is commanded when the service is called: what a deactivated forward '
        'controller leaves on its interfaces for ever', choices=('gravity', 'zero'))
    final_delay: float = parameter(
        2.0, 'how long gravity is held before the final action', 's', 0.0, 3600.0)
    recovery_time: float = parameter(
        0.2, 'how long all inputs must be fresh before control resumes', 's', 0.0, 60.0)


@dataclasses.dataclass(frozen=True)
class WatchdogConfig(FallbackConfig):
    """When an input counts as stale, and what happens then."""

    joint_states_age: float = parameter(
        0.05, 'oldest joint state, by header stamp and by arrival', 's', 0.001, 10.0)
    base_motion_age: float = parameter(
        0.1, 'oldest sample of the base motion, by header stamp and by arrival', 's', 0.001, 10.0)
    base_settling: float = parameter(
        0.5, 'how long samples of the base motion must have come before they are used, so that '
        'the estimator has filled its window', 's', 0.0, 60.0)
    future_tolerance: float = parameter(
        0.05, 'how far ahead of the clock a header stamp may be', 's', 0.0, 10.0)
    clock_jump: float = parameter(
        0.05, 'a clock that goes back by more than this resets the filters', 's', 0.0, 10.0)
    reference_stale: str = parameter(
        'hold_position', 'when a streamed reference stops: bring the arm to rest and hold it, or '
        'the same stages as for the other inputs', choices=('hold_position', 'fallback'))


class InputMonitor:
    """
    Keeps the age of one input, and refuses stamps that cannot be right.

    Parameters
    ----------
    age : float
        Oldest that counts as fresh, s.
    future_tolerance : float
        How far ahead of its arrival a stamp may be, s.
    """

    def __init__(self, name: str, age: float, future_tolerance: float) -> None:
        self.name = name
        self.configure(age, future_tolerance)
        self.count = 0
        self.reset()

    def configure(self, age: float, future_tolerance: float) -> None:
        """Change the limits, s."""
        self._age_ns = to_ns(age)
        self._future_ns = to_ns(future_tolerance)

    def reset(self) -> None:
        """Forget all stamps: nothing has been received."""
        self.stamp_ns = -1
        self.arrival_ns = -1
        self._period_ns = 0.0

    @property
    def received(self) -> bool:
        """Whether anything valid was received since the start or the last reset."""
        return self.stamp_ns >= 0

    @property
    def rate(self) -> float:
        """Rate of the stamps, Hz, smoothed over some twenty; 0 where unknown."""
        return 1e9 / self._period_ns if self._period_ns > 0.0 else 0.0

    def refusal(self, stamp_ns: int, arrival_ns: int) -> str:
        """Say in words why a stamp cannot be used; empty where it can."""
        if stamp_ns <= 0:
            return 'has no stamp (zero): the driver must stamp its messages'
        if stamp_ns - arrival_ns > self._future_ns:
            return (f'is stamped {(stamp_ns - arrival_ns) * 1e-9:.3f} s ahead of the clock: '
                    'are the clocks synchronised?')
        if stamp_ns < self.stamp_ns:
            return f'is {(self.stamp_ns - stamp_ns) * 1e-9:.3f} s older than the one before'
        if stamp_ns == self.stamp_ns:
            return 'has the stamp of the one before'
        return ''

    def accept(self, stamp_ns: int, arrival_ns: int) -> None:
        """Note a valid message."""
        if self.received:
            period = stamp_ns - self.stamp_ns
            self._period_ns += (period - self._period_ns) * (0.05 if self._period_ns else 1.0)
        self.stamp_ns = stamp_ns
        self.arrival_ns = arrival_ns
        self.count += 1

    def fresh(self, now_ns: int) -> bool:
        """Whether stamp and arrival are both recent enough."""
        return (self.stamp_ns >= 0 and now_ns - self.stamp_ns <= self._age_ns
                and now_ns - self.arrival_ns <= self._age_ns)

    def age(self, now_ns: int) -> float:
        """Return the larger of both ages, s; infinite where nothing was received."""
        if self.stamp_ns < 0:
            return float('inf')
        return (now_ns - min(self.stamp_ns, self.arrival_ns)) * 1e-9


class FallbackStages:
    """
    The sequence that silence runs through, and the way back.

    While holding, one fresh moment is enough to be active again; from any later stage all
    inputs must be fresh for the recovery time without a break.

    Parameters
    ----------
    hold_time, ramp_time, final_delay, recovery_time : float
        Durations, s.
    final_action : bool
        Whether gravity-only is followed by a final action.
    """

    def __init__(self, hold_time: float, ramp_time: float, final_delay: float,
                 recovery_time: float, final_action: bool) -> None:
        self.configure(hold_time, ramp_time, final_delay, recovery_time, final_action)
        self.stage = ACTIVE
        self.since_ns = 0
        self._fresh_since_ns = -1

    def configure(self, hold_time: float, ramp_time: float, final_delay: float,
                  recovery_time: float, final_action: bool) -> None:
        """Change the durations, s."""
        self._lengths = {HOLDING: to_ns(hold_time), RAMPING_TO_GRAVITY: to_ns(ramp_time),
                         GRAVITY_ONLY: to_ns(final_delay)}
        self._recovery_ns = to_ns(recovery_time)
        self._final_action = final_action

    def enter(self, stage: str, now_ns: int) -> None:
        """Go to a stage at once, and count time from here."""
        self.stage = stage
        self.since_ns = now_ns
        self._fresh_since_ns = -1

    def update(self, fresh: bool, now_ns: int) -> bool:
        """Move on; returns whether the stage has changed."""
        before = self.stage
        if fresh:
            if self.stage == ACTIVE:
                return False
            if self._fresh_since_ns < 0:
                self._fresh_since_ns = now_ns
            if self.stage == HOLDING or now_ns - self._fresh_since_ns >= self._recovery_ns:
                self.enter(ACTIVE, now_ns)
                return True
        else:
            self._fresh_since_ns = -1
            if self.stage == ACTIVE:
                self.enter(HOLDING, now_ns)
        waiting_for = self._fresh_since_ns
        for stage, following in ((HOLDING, RAMPING_TO_GRAVITY),
                                 (RAMPING_TO_GRAVITY, GRAVITY_ONLY)):
            if self.stage == stage and now_ns - self.since_ns >= self._lengths[stage]:
                self.enter(following, self.since_ns + self._lengths[stage])
        if (self.stage == GRAVITY_ONLY and self._final_action
                and now_ns - self.since_ns >= self._lengths[GRAVITY_ONLY]):
            self.enter(FINAL_ACTION, now_ns)
        self._fresh_since_ns = waiting_for
        return self.stage != before

"""The effort to send while an input is silent: held, ramped to gravity-only, then the end."""

from __future__ import annotations

from typing import Callable, Optional

import numpy as np

from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.control.ramp import Blend
from robot_dynamics.control.watchdog import (
    FallbackConfig, FallbackStages, FINAL_ACTION, GRAVITY_ONLY, HOLDING, RAMPING_TO_GRAVITY)
from robot_dynamics.core.gate import FloatArray

LONGEST_SLEW = 0.02  # s: longest time between two efforts that the slew of the target credits


class Fallback:
    """
    Goes through the stages and gives the effort of each.

    Parameters
    ----------
    limiter : EffortLimiter
        Knows the last command.
    gravity : callable
        ``gravity(now_ns)`` returns the effort (n,) that holds gravity as far as is known.
    """

    def __init__(self, config: FallbackConfig, limiter: EffortLimiter,
                 gravity: Callable[[int], FloatArray]) -> None:
        self._limiter = limiter
        self._gravity = gravity
        self._to_gravity: Optional[Blend] = None
        self._to_zero: Optional[Blend] = None
        self._target: Optional[FloatArray] = None
        self._target_ns = 0
        self._stages = FallbackStages(
            config.hold_time, config.ramp_time, config.final_delay, config.recovery_time,
            config.final_action != 'hold_gravity')
        self._config = config

    def configure(self, config: FallbackConfig) -> None:
        """Change times and final action."""
        self._config = config
        self._stages.configure(
            config.hold_time, config.ramp_time, config.final_delay, config.recovery_time,
            config.final_action != 'hold_gravity')

    @property
    def stage(self) -> str:
        """Return the present stage."""
        return self._stages.stage

    @property
    def at_zero(self) -> bool:
        """Whether the final action commands zero and it is being taken."""
        config = self._config
        return self.stage == FINAL_ACTION and (
            config.final_action == 'zero'
            or (config.final_action == 'call_service' and config.final_effort == 'zero'))

    @property
    def wants_service(self) -> bool:
        """
        Whether the final action is to call a service, and the effort before it has been reached.

        A controller that is deactivated leaves its last effort where it is: so first things first.
        """
        if self.stage != FINAL_ACTION or self._config.final_action != 'call_service':
            return False
        last = self._limiter.last
        return not self.at_zero or last is None or not last.any()

    def settled(self, now_ns: int) -> bool:
        """Return whether the ramp of the present stage is over: to gravity, or to zero."""
        ramp = self._to_zero if self.at_zero else self._to_gravity
        return ramp is not None and ramp.done(now_ns)

    def restart(self, stage: str, now_ns: int) -> None:
        """Go to a stage at once, and count time from here."""
        self._stages.enter(stage, now_ns)
        self._forget()

    def update(self, fresh: bool, now_ns: int) -> bool:
        """Move on; returns whether the stage has changed."""
        before = self.stage
        changed = self._stages.update(fresh, now_ns)
        if changed and (before, self.stage) != (RAMPING_TO_GRAVITY, GRAVITY_ONLY):
            self._forget()
        return changed

    def effort(self, now_ns: int) -> FloatArray:
        """Return what to send at the present stage, (n,), Nm."""
        last = self._limiter.last
        assert last is not None
        if self.stage == HOLDING:
            return last.copy()
        if self.at_zero:
            if self._to_zero is None:
                self._to_zero = Blend(last, now_ns, self._config.ramp_time)
            return self._to_zero.at(np.zeros_like(last), now_ns)
        if self._to_gravity is None:
            self._to_gravity = Blend(last, now_ns, self._config.ramp_time)
        return self._to_gravity.at(self._slewed(self._gravity(now_ns), now_ns), now_ns)

    def _slewed(self, gravity: FloatArray, now_ns: int) -> FloatArray:
        """
        Let the target change by at most its limit per ramp time.

        Tilt or posture may step when an input returns after a silence.
        """
        before, self._target_ns = self._target_ns, now_ns
        if self._target is None or self._config.ramp_time <= 0.0:
            self._target = gravity
        else:
            share = min(max(now_ns - before, 0) * 1e-9, LONGEST_SLEW) / self._config.ramp_time
            step = share * self._limiter.effort_limit
            self._target = np.clip(gravity, self._target - step, self._target + step)
        target: FloatArray = self._target
        return target

    def _forget(self) -> None:
        self._to_gravity = self._to_zero = None
        self._target = None

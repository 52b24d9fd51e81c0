"""The way out at deactivation: motion to rest, ramp to gravity-only, and on to zero."""

from __future__ import annotations

from typing import Callable, Optional

import numpy as np

from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.control.ramp import Blend
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns


class RampOut:
    """
    Gives the effort of each phase from a stamp on.

    Parameters
    ----------
    limiter : EffortLimiter
        Knows the last command.
    gravity : callable
        ``gravity(now_ns)`` returns the effort (n,) that holds gravity.
    now_ns : int
        When it begins.
    at_zero : bool
        The effort is zero already: there is nothing to ramp.
    """

    def __init__(self, config: FeedforwardConfig, limiter: EffortLimiter,
                 gravity: Callable[[int], FloatArray], now_ns: int, at_zero: bool) -> None:
        self._limiter = limiter
        self._gravity = gravity
        self._duration = config.ramp.ramp_out
        self._ends_at_zero = at_zero or config.ramp.end_at == 'zero'
        self._tracks_until_ns = now_ns if at_zero else now_ns + to_ns(config.stop_time)
        self._tracking = not at_zero
        self._to_gravity: Optional[Blend] = None
        self._to_zero: Optional[Blend] = None
        if at_zero:
            self._to_zero = Blend(self._last(), now_ns, 0.0)

    def tracks(self, now_ns: int) -> bool:
        """Whether the desired motion is still being brought to rest."""
        if now_ns >= self._tracks_until_ns:
            self._tracking = False
        return self._tracking

    def skip_tracking(self) -> None:
        """Ramp from now on: the inputs do not allow to track."""
        self._tracking = False

    def effort(self, now_ns: int) -> FloatArray:
        """Return what to send after tracking is over, (n,), Nm."""
        if self._to_zero is None:
            if self._to_gravity is None:
                self._to_gravity = Blend(self._last(), now_ns, self._duration)
            if not (self._ends_at_zero and self._to_gravity.done(now_ns)):
                return self._to_gravity.at(self._gravity(now_ns), now_ns)
            self._to_zero = Blend(self._last(), now_ns, self._duration)
        return self._to_zero.at(np.zeros_like(self._last()), now_ns)

    def over(self, now_ns: int) -> bool:
        """Whether the last effort given is the final one."""
        final = self._to_zero if self._ends_at_zero else self._to_gravity
        return final is not None and final.done(now_ns)

    def _last(self) -> FloatArray:
        assert self._limiter.last is not None
        return self._limiter.last

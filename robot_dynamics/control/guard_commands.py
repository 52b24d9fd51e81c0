"""
What of a guard's commands can be used: numbers that go on from those before.

Whoever else sends commands beside the feedforward is not heard while that goes on.
"""

from __future__ import annotations

from typing import Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.finite import all_finite
from robot_dynamics.control.limits import EffortLimiter
from robot_dynamics.control.trips import LONGEST_GAP_NS, SensorFault
from robot_dynamics.core.checks import Finding
from robot_dynamics.core.gate import FloatArray

STEPS = 2  # of the longest, between two commands: one may be lost


def efforts_of(values: ArrayLike, joints: Sequence[str]) -> Union[FloatArray, str]:
    """Return efforts (n,), Nm, as an array, or in words why they are none."""
    try:
        efforts = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        efforts = np.empty(0)
    if efforts.shape != (len(joints),):
        return f'a command does not hold {len(joints)} numbers'
    if not all_finite(efforts):
        joint = joints[int(np.argmin(np.isfinite(efforts)))]
        return f'the effort of joint {joint} is not a usable number'
    return efforts


def efforts_by_name(names: Sequence[str], values: ArrayLike, joints: Sequence[str]
                    ) -> Union[FloatArray, str]:
    """Return the efforts that hold gravity in the order of ``joints``, or why they are none."""
    try:
        by_name = dict(zip(names, np.asarray(values, dtype=np.float64).tolist()))
        return efforts_of([by_name[name] for name in joints], joints)
    except (KeyError, TypeError, ValueError, OverflowError):
        return 'the gravity effort does not name all joints'


class CommandContinuity:
    """
    A command lies as near to the last one as the rate limit allows in the time between.

    One that does not is not used, unless nothing else comes for the age of commands.  Commands
    that go on from those before a jump, as if that had not been, tell of two who command.

    Parameters
    ----------
    joints : sequence of str
        In command order.
    limiter : EffortLimiter
        Knows the limits.

    Attributes
    ----------
    fault : SensorFault
        How long two have been commanding.
    """

    signal = 'commands'

    def __init__(self, joints: Sequence[str], limiter: EffortLimiter) -> None:
        self._joints, self._limiter = tuple(joints), limiter
        self.fault = SensorFault()
        self.reset()

    def reset(self) -> None:
        """Forget the commands before."""
        self._jump: Optional[Finding] = None  # since the last command in use
        self._returned_ns = 0
        self.fault.reset()

    def examine(self, command: FloatArray, last: FloatArray, passed_ns: int, now_ns: int
                ) -> Optional[Finding]:
        """Look at a command (n,), Nm, so long after the last (n,) that is used."""
        limiter, shortest_ns = self._limiter, STEPS * self._limiter.longest_step_ns
        limit = limiter.effort_limit
        distance = abs(np.clip(command, -limit, limit) - np.clip(last, -limit, limit))
        rate = limiter.effort_rate
        bound = 1e-9 * max(passed_ns, shortest_ns) * rate
        if (distance > bound).any():
            i = int(np.argmax(distance / bound))
            self._jump = Finding(
                'jump', self.signal, f'the effort of joint {self._joints[i]} jumps by '
                f'{distance[i]:.3g} Nm within {1e-6 * passed_ns:.3g} ms, more than '
                f'{bound[i]:.3g} Nm; is there another publisher of commands?',
                float(distance[i]), float(bound[i]), 'Nm')
            return self._jump
        if self._jump is not None and (distance <= 1e-9 * shortest_ns * rate).all():
            if now_ns - self._returned_ns > LONGEST_GAP_NS:
                self.fault.reset()
            self.fault.note(self._jump, now_ns)
            self._returned_ns = now_ns
        self._jump = None
        return None

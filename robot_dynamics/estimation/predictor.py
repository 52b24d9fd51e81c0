"""
The base motion when the torque acts: an estimator asked for the future, by delays it measures.

Between a sample's stamp and the instant at which the torque that follows from it acts lie the
sensor's and the transport's delay, the computation and the actuator.  The first are visible in the
stamps; the last is a parameter.
"""

from __future__ import annotations

import math
from typing import Optional

from robot_dynamics.core.gate import as_scalar
from robot_dynamics.estimation.protocol import BaseEstimate, BaseMotionSource
from robot_dynamics.imu.sample import ImuSample, Rejection

_MEMORY = 100  # samples, of the measured delay


class BaseMotionPredictor:
    """
    An estimator with a clock's view of its own lateness.

    Parameters
    ----------
    estimator : BaseMotionSource
        Usually a :class:`~robot_dynamics.estimation.motion_estimator.BaseMotionEstimator`.
    actuator_delay : float
        From publishing a command to its torque, s.

    Attributes
    ----------
    sample_delay, sample_jitter : float
        Mean and standard deviation of arrival minus stamp, s.
    computation_delay : float
        Mean time from asking to publishing, s, as reported by :meth:`published`.
    """

    def __init__(self, estimator: BaseMotionSource, actuator_delay: float = 0.0) -> None:
        self.estimator = estimator
        self.actuator_delay = as_scalar('actuator_delay', actuator_delay, 0.0, 1.0, 's')
        self._forget()

    def _forget(self) -> None:
        self.sample_delay = self.computation_delay = 0.0
        self._variance = 0.0
        self._samples = self._commands = 0
        self._asked_ns: Optional[int] = None

    @property
    def sample_jitter(self) -> float:
        """Standard deviation of arrival minus stamp, s."""
        return math.sqrt(max(self._variance, 0.0))

    def update(self, sample: ImuSample, arrival_ns: Optional[int] = None) -> Optional[Rejection]:
        """
        Take one sample that arrived at ``arrival_ns``; say why if it was not used.

        Without an arrival the delay is not measured.
        """
        rejection = self.estimator.update(sample)
        if arrival_ns is not None and rejection is None:
            self._samples = min(self._samples + 1, _MEMORY)
            share = 1.0 / self._samples
            away = (arrival_ns - sample.stamp_ns) * 1e-9 - self.sample_delay
            self.sample_delay += share * away
            self._variance += share * ((1 - share) * away * away - self._variance)
        return rejection

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant."""
        return self.estimator.at(stamp_ns)

    def when_acting(self, now_ns: int) -> BaseEstimate:
        """Return the base motion at the instant at which a command computed now will act."""
        self._asked_ns = now_ns
        return self.estimator.at(now_ns + self.horizon_ns)

    def published(self, now_ns: int) -> None:
        """Tell that the command asked for last was published, to measure the computation."""
        if self._asked_ns is not None:
            self._commands = min(self._commands + 1, _MEMORY)
            taken = (now_ns - self._asked_ns) * 1e-9
            self.computation_delay += (taken - self.computation_delay) / self._commands
            self._asked_ns = None

    @property
    def horizon_ns(self) -> int:
        """From now to the instant at which a command takes effect, ns."""
        return round((self.computation_delay + self.actuator_delay) * 1e9)

    def reset(self) -> None:
        """Forget samples and delays."""
        self.estimator.reset()
        self._forget()

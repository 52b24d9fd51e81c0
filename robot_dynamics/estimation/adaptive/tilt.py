"""Roll and pitch now: from reports and gyro, or from gyro and forces where nothing is reported."""

from __future__ import annotations

import math
from typing import Optional, Sequence

from robot_dynamics.estimation.adaptive import motion_signals
from robot_dynamics.estimation.adaptive.attitude_filter import AngleFilter
from robot_dynamics.estimation.adaptive.signal_predictor import SignalPredictor
from robot_dynamics.estimation.complementary_filter import TiltFromForce
from robot_dynamics.estimation.protocol import NONE, SPECIFIC_FORCE

_TURN = 2 * math.pi


class Tilt:
    """
    Roll and pitch, whatever is measured.

    Attributes
    ----------
    angles : tuple of 2 float
        Roll and pitch, rad; roll may go beyond half a turn.
    """

    def __init__(self) -> None:
        self._from_force, self._axes = TiltFromForce(), (AngleFilter(), AngleFilter())
        self.angles = (0.0, 0.0)
        self._report: Optional[Sequence[float]] = None
        self._level = NONE

    def unfolded(self, angles: Sequence[float]) -> tuple[float, float]:
        """Bring roll near the last one by whole turns: a base may hang upside down."""
        return angles[0] + _TURN * round((self.angles[0] - angles[0]) / _TURN), angles[1]

    def update(self, dt: float, w: Optional[Sequence[float]], force: Optional[Sequence[float]],
               reported: Optional[Sequence[float]], level: str) -> None:
        """
        Take a sample.

        Parameters
        ----------
        dt : float
            Since the last one, s.
        w, force, reported : sequence of float or None
            Angular velocity, rad/s, and specific force, m/s^2, in base axes; roll and pitch.
        level : str
            What the sample can give.
        """
        if level == SPECIFIC_FORCE:
            assert w is not None and force is not None
            if self._level not in (SPECIFIC_FORCE, NONE):  # the gyro goes on from what is known
                self._from_force.begin(*self.angles, self.gyro_bias)
            self.angles = self.unfolded(self._from_force.update(dt, w, force))
            for axis, angle in zip(self._axes, self.angles):
                axis.begin(angle)
        else:
            reported = None if reported is None else self.unfolded(reported)
            if w is not None and reported == self._report:
                reported = None  # repeated by the driver: nothing new
            elif reported is not None:
                self._report = reported
            rates = None if w is None else motion_signals.signals(*self.angles, w, None, 0.0)[:2]
            roll, pitch = (axis.update(dt, None if rates is None else rates[k],
                                       None if reported is None else reported[k])
                           for k, axis in enumerate(self._axes))
            self.angles = roll, pitch
        self._level = level

    def bridge(self, predictor: SignalPredictor, since: float, dt: float, w: Sequence[float]
               ) -> None:
        """Turn by what was predicted for a pause, not by the mean of two rates, from then on."""
        (before, _), (after, variance) = (predictor.at(since + x) for x in (0.0, dt))
        rates = motion_signals.signals(*self.angles, w, None, 0.0)
        for c, axis in enumerate(self._axes):
            mean, off = 0.5 * (before[c, 1] + after[c, 1]), rates[c] - axis.bias - after[c, 1]
            axis.bend((after[c, 0] - before[c, 0]) - dt * mean,
                      float(variance[c, 0] + (0.5 * dt * off)**2))

    def set_noise(self, noise: Sequence[float]) -> None:
        """Tell the standard deviations of the rates of roll and pitch, rad/s."""
        for axis, value in zip(self._axes, noise):
            axis.noise = value

    @property
    def gyro_bias(self) -> tuple[float, float]:
        """Constant error of the measured rates of roll and pitch, rad/s, as estimated."""
        a, b = self._axes
        return a.steady_bias, b.steady_bias

    @property
    def variances(self) -> tuple[float, float]:
        """Of roll and pitch now, rad^2."""
        if self._level == SPECIFIC_FORCE:
            return self._from_force.doubt**2, self._from_force.doubt**2
        a, b = self._axes
        return a.variance, b.variance

"""Roll and pitch now: from reports and gyro, or from gyro and forces where nothing is reported."""

from __future__ import annotations

from typing import Sequence

from robot_dynamics.estimation.adaptive import attitude_filter as field, motion_signals
from robot_dynamics.estimation.adaptive.compiling import compiled
from robot_dynamics.estimation.adaptive.signal_predictor import SignalPredictor
from robot_dynamics.estimation.complementary_filter import TiltFromForce
from robot_dynamics.estimation.protocol import NONE, SPECIFIC_FORCE


class Tilt:
    """
    Roll and pitch, whatever is measured.

    Parameters
    ----------
    gravity : float
        Magnitude, m/s^2.

    Attributes
    ----------
    angles : tuple of 2 float
        Roll and pitch, rad; roll may go beyond half a turn.
    exact : bool
        Whether reports have been truer than the gyro.
    """

    def __init__(self, gravity: float) -> None:
        self._gravity = gravity
        self._from_force, self._axes = TiltFromForce(), field.fresh_axes()
        self.angles: tuple[float, ...] = (0.0, 0.0)
        self._level, self.exact = NONE, False

    def update(self, dt: float, w: Sequence[float], force: Sequence[float],
               reported: Sequence[float], level: str) -> tuple[tuple[float, ...], list[float]]:
        """
        Take a sample, with NaN for what it does not tell, ``dt`` s after the last one.

        Returns the reported roll and pitch, roll by whole turns near that of the estimate, and
        the signals (see ``motion_signals``), without the bias of the gyro.
        """
        certain = level == SPECIFIC_FORCE
        if certain:
            if self._level not in (SPECIFIC_FORCE, NONE):  # the gyro goes on from what is known
                self._from_force.begin(self.angles[0], self.angles[1], self.gyro_bias)
            reported = self._from_force.update(dt, w, force)
        found = compiled().observe(
            self._axes, dt, *w, *force, *reported, certain, self._gravity)
        self.angles, self._level, self.exact = found[:2], level, found[10] > 0.0
        return found[2:4], list(found[4:10])

    def bridge(self, predictor: SignalPredictor, since: float, dt: float, w: Sequence[float]
               ) -> None:
        """Turn by what was predicted for a pause, not by the mean of two rates, from then on."""
        before = predictor.at(since)[0].tolist()
        after, variance = (said.tolist() for said in predictor.at(since + dt))
        rates = motion_signals.signals(*self.angles, *w, *[0.0] * 4)
        for axis, rate, (angle, began, _), (turned, ends, _), (doubt, _, _) in zip(
                self._axes, rates, before, after, variance):
            off = rate - axis[field.BIAS] - ends
            axis[field.ANGLE] += turned - angle - 0.5 * dt * (began + ends)  # beyond the mean
            axis[field.VARIANCE] += doubt + (0.5 * dt * off)**2

    def set_noise(self, noise: Sequence[float]) -> None:
        """Tell the standard deviations of the rates of roll and pitch, rad/s."""
        self._axes[:, field.NOISE] = noise

    @property
    def gyro_bias(self) -> tuple[float, ...]:
        """Constant error of the measured rates of roll and pitch, rad/s, as estimated."""
        return tuple(self._axes[:, field.STEADY_BIAS].tolist())

    @property
    def variances(self) -> tuple[float, ...]:
        """Of roll and pitch now, rad^2."""
        if self._level == SPECIFIC_FORCE:
            return self._from_force.doubt**2, self._from_force.doubt**2
        return tuple(self._axes[:, field.VARIANCE].tolist())

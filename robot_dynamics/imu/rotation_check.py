"""Whether angular velocity and orientation tell of one rotation, at any time."""

from __future__ import annotations

from typing import Optional

import numpy as np

from robot_dynamics.core.checks import Finding
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.imu.mistakes import Mistake, Suspicion
from robot_dynamics.imu.rate_agreement import rate_unit, RateAgreement
from robot_dynamics.imu.sample import ImuSample

SPAN = 0.1           # s over which both are compared at once
MEMORY = 200         # spans that the slow comparison rests on
ENOUGH = 40          # of them, to be judged
FORGETS = 10.0       # spans that the noise is known from
DISAGREES = 0.1      # rad/s, of roll and pitch: bias and delay of an orientation
TIMES = 4.0          # as much as the noise is fine, too
LARGEST_NOISE = 0.2  # rad/s, of a change from span to span
YAW_DISAGREES = 1.0  # rad/s: a compass corrects itself
SHARE = 0.2          # and of the larger of both


class RotationCheck:
    """
    Rates are those of the orientation: at once within a bound, in the long run closely.

    A noisy orientation widens the bound, up to a limit.  Unit, sign, a dead gyro and an
    orientation that is frozen are told by name.  A sensor that has failed is trusted again when
    both agree over a span.
    """

    signal = 'angular_velocity'

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self._agreement = RateAgreement(SPAN, MEMORY, ENOUGH)
        self._finding: Optional[Finding] = None
        self._noise = LARGEST_NOISE**2 / 4.0
        self._apart: FloatArray = np.zeros(3)

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Take a sample in base axes; returns what the span before it has shown."""
        if not sample.has_angular_velocity or not sample.has_orientation:
            return None
        assert sample.orientation_xyzw is not None
        if self._agreement.add(
                sample.stamp_ns, sample.angular_velocity, sample.orientation_xyzw):
            self._finding = self._at_once(np.array(sample.up)) or self._in_the_long_run()
        return self._finding

    def _at_once(self, up: FloatArray) -> Optional[Finding]:
        rate, rotation = self._agreement.rate, self._agreement.rotation
        apart = rate - rotation
        yaw = abs(float(apart @ up))
        apart -= (apart @ up) * up
        tilt = float(np.linalg.norm(apart))
        share = SHARE * max(float(np.linalg.norm(rate)), float(np.linalg.norm(rotation)))
        allowed = max(DISAGREES, TIMES * self._noise**0.5) + share
        if tilt <= allowed and yaw <= YAW_DISAGREES + share:
            self._learn(apart)
            return None
        value, bound = (tilt, allowed) if tilt > allowed else (yaw, YAW_DISAGREES + share)
        mistakes, cause = _cause(rate, rotation)
        return Suspicion(
            'rotation', self.signal, f'its angular velocity is {value:.3g} rad/s from what its '
            f'orientation does, more than {bound:.3g} rad/s{cause}', value, bound, 'rad/s',
            mistakes=mistakes)

    def _learn(self, apart: FloatArray) -> None:
        """Learn the noise: it changes, where a fault stays; each orientation is in two spans."""
        change = float(np.linalg.norm(apart - self._apart))
        self._noise += (min(change, LARGEST_NOISE)**2 / 3.0 - self._noise) / FORGETS
        self._apart = apart

    def _in_the_long_run(self) -> Optional[Finding]:
        wrong = self._agreement.reversed_axes()
        if wrong:
            return _suspicion(
                Mistake.RATE_SIGN, f'angular velocity about {" and ".join(wrong)} has the '
                'opposite sign of what the orientation does: one of them may be in NED and one '
                'in FLU axes')
        scale = self._agreement.scale()
        if scale is not None and not 0.5 < scale < 2.0:
            unit = rate_unit(scale)
            asked = ';' if unit is None else f': is it in {unit[0]}?'
            return _suspicion(
                Mistake.RATE_UNIT, f'angular velocity is {scale:.3g} times what the orientation '
                f'does{asked} REP-103 wants rad/s')
        if self._agreement.is_rate_dead():
            return _suspicion(
                Mistake.RATE_DEAD, 'angular velocity is zero while the orientation turns')
        if self._agreement.is_orientation_frozen():
            return _suspicion(
                Mistake.ORIENTATION_FROZEN, 'the orientation does not change while the angular '
                'velocity says that it turns')
        return None


def _suspicion(mistake: Mistake, text: str) -> Suspicion:
    return Suspicion('rotation', RotationCheck.signal, text, mistakes=(mistake,))


def _cause(rate: FloatArray, rotation: FloatArray) -> tuple[tuple[Mistake, ...], str]:
    """Name what two rotations over one span suggest, where that is clear."""
    slow, fast = sorted((float(np.linalg.norm(rate)), float(np.linalg.norm(rotation))))
    along = float(rate @ rotation)
    if slow < 0.1 * fast and along > 0.9 * slow * fast and fast > 30.0 * slow and (
            rate @ rate > rotation @ rotation):
        return (Mistake.RATE_UNIT,), ': is it in deg/s? REP-103 wants rad/s'
    if along < -0.9 * slow * fast and slow > 0.5 * fast:
        return (Mistake.RATE_SIGN,), ': it has the opposite sign'
    return (), ''

"""
Which samples of an IMU are plausible, at any time: the checks that every sample passes.

They are judged in base axes.  What they cannot tell from motion is what a base could do: an error
that begins smaller than the bounds and grows no faster than a base moves.
"""

from __future__ import annotations

import dataclasses
from typing import Optional

import numpy as np

from robot_dynamics.core.checks import Check, Finding
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.imu import plausibility_kernel as kernel
from robot_dynamics.imu.force_mistake import force_mistake
from robot_dynamics.imu.mistakes import Mistake, Suspicion
from robot_dynamics.imu.rate_agreement import compiled, rate_unit, RateAgreement
from robot_dynamics.imu.sample import ImuSample

RATE_STEP = 0.1       # rad/s: noise and vibration of a gyro
FORCE_STEP = 3.0      # m/s^2: vibration
FORCE_SLOPE = 50.0    # m/s^3
FORCE_SHARE = 0.3     # of a force in what the next is compared with: vibration hides each
SPAN = 0.1            # s over which rates and orientation are compared at once
MEMORY, ENOUGH = 200, 40  # spans that the slow comparison rests on, and that it needs
STUCK = ('angular velocity', 'linear acceleration', 'orientation', 'sample')
# of each check of the kernel but two: word, signal, what it says, unit
TEXTS = {
    kernel.STUCK: ('stuck', 'sample', 'its {what} has repeated itself for {value:.3g} s, longer '
                   'than {bound:.3g} s: does the driver still read its sensor?', 's'),
    kernel.RATE_CHANGE: (
        'angular_velocity_change', 'angular_velocity', 'its angular velocity steps by '
        '{value:.3g} rad/s, more than {bound:.3g} rad/s: is that its unit?', 'rad/s'),
    kernel.FORCE_CHANGE: (
        'linear_acceleration_change', 'linear_acceleration', 'its linear acceleration steps by '
        '{value:.3g} m/s^2, more than {bound:.3g} m/s^2: is that its unit?', 'm/s^2'),
    kernel.TILT_CHANGE: ('orientation_change', 'orientation', 'its orientation steps by '
                         '{value:.3g} rad, more than {bound:.3g} rad', 'rad'),
    kernel.GAIN: (
        'velocity', 'linear_acceleration', 'the specific force and the orientation say that the '
        'base has gained {value:.3g} m/s, more than {bound:g} m/s: one of them is wrong by a part '
        'of gravity', 'm/s')}


@dataclasses.dataclass(frozen=True)
class ImuChecksConfig(Configuration):
    """What the base can do; the defaults are those of a ship in any sea."""

    largest_acceleration: float = parameter(
        8.0, 'largest acceleration of the base beside gravity: what force and orientation say '
        'beyond it is not used', 'm/s^2', 0.1, 1e4, live=False)
    largest_velocity: float = parameter(
        10.0, 'largest change of its velocity within some ten seconds, by the same signals',
        'm/s', 0.1, 1e4, live=False)
    largest_angular_acceleration: float = parameter(
        10.0, 'largest angular acceleration of the base', 'rad/s^2', 0.01, 1e5, live=False)


class PlausibilityCheck:
    """
    All checks of samples in base axes (:mod:`.plausibility_kernel`): the first finding counts.

    What of the specific force f is not gravity accelerates the base: f - g u, with up u of the
    orientation.  That closes a whole kind at once: another unit, gravity removed or added, a sign,
    another frame, an orientation that is askew.  Rates are those of the orientation: at once
    within a bound, in the long run closely.  A sensor that has failed is trusted again when both
    agree over a span.

    Parameters
    ----------
    gravity : float, m/s^2
    rotation : bool
        Whether rates are held against the orientation.
    """

    signal = 'sample'

    def __init__(self, gravity: float, config: ImuChecksConfig, rotation: bool = True) -> None:
        self._gravity = as_scalar('gravity_magnitude', gravity, 0.0)
        self._config, self._rotation = config, rotation
        compiled()
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        config, self._agreement = self._config, RateAgreement(
            SPAN if self._rotation else np.inf, MEMORY, ENOUGH)
        self._m, state = self._agreement.m, self._agreement.state
        self._m[kernel.HELD_U, 2] = 1.0
        state['gravity'], state['noise'] = self._gravity, kernel.LARGEST_NOISE**2 / 4.0
        state['largest_acceleration'] = config.largest_acceleration
        state['largest_velocity'] = config.largest_velocity
        self._state = state
        self._signals = np.zeros(4, kernel.SIGNAL)
        self._signals['step'][:2] = RATE_STEP, FORCE_STEP
        self._signals['slope'][:2] = config.largest_angular_acceleration, FORCE_SLOPE
        self._signals['share'][:2] = 1.0, FORCE_SHARE
        self._in_the_long_run: Optional[Finding] = None

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Compare a sample in base axes with those before it, and its signals with each other."""
        reported = sample.has_angular_velocity + 2 * sample.has_linear_acceleration + (
            4 * sample.has_orientation)
        number = compiled()[0](
            self._m, self._signals, self._state, sample.stamp_ns, reported,
            *sample.angular_velocity, *sample.linear_acceleration,
            *(sample.orientation_xyzw or (0.0, 0.0, 0.0, 1.0)))
        return None if number == kernel.NOTHING else self._found(number, sample)

    def _found(self, number: int, sample: ImuSample) -> Optional[Finding]:
        """Say what the kernel has found, and judge the long run where a span has ended."""
        state = self._state[0]
        if state['ended']:
            state['ended'] = 0
            self._in_the_long_run = self._judge_the_long_run()
            state['disagrees'] = 2 * (self._in_the_long_run is not None)
        if state['disagrees'] == 2:
            return self._in_the_long_run
        value, bound = float(state['value']), float(state['bound'])
        if number == kernel.ACCELERATION:
            return self._acceleration(sample, value, bound)
        if number == kernel.DISAGREEMENT:
            mistakes, cause = _cause(self._agreement.rate, self._agreement.rotation)
            return Suspicion(
                'rotation', 'angular_velocity', f'its angular velocity is {value:.3g} rad/s from '
                f'what its orientation does, more than {bound:.3g} rad/s{cause}', value, bound,
                'rad/s', mistakes=mistakes)
        if number == kernel.SPAN_ENDED:
            return None
        word, signal, text, unit = TEXTS[number]
        return Finding(word, signal, text.format(
            value=value, bound=bound, what=STUCK[state['stuck']]), value, bound, unit)

    def _acceleration(self, sample: ImuSample, value: float, bound: float) -> Suspicion:
        size = float(np.linalg.norm(sample.linear_acceleration))
        suspected = force_mistake(size, self._gravity)
        return Suspicion(
            'acceleration', 'linear_acceleration', 'the specific force and the orientation say '
            f'that the base accelerates by {value:.3g} m/s^2, more than {bound:g} m/s^2'
            + ('' if suspected is None else
               f': the force is {size:.3g} m/s^2, {suspected[1]}'),
            value, bound, 'm/s^2', mistakes=() if suspected is None else (suspected[0],))

    def _judge_the_long_run(self) -> Optional[Suspicion]:
        """Tell unit, sign, a dead gyro and an orientation that is frozen by name."""
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


def plausibility_checks(gravity: float, config: ImuChecksConfig = ImuChecksConfig(),
                        rotation: bool = True) -> list[Check[ImuSample]]:
    """Return new checks of samples in base axes: parameters as of :class:`PlausibilityCheck`."""
    return [PlausibilityCheck(gravity, config, rotation)]


def _suspicion(mistake: Mistake, text: str) -> Suspicion:
    return Suspicion('rotation', 'angular_velocity', text, mistakes=(mistake,))


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

"""
A self-test of the IMU from its first samples: which wrong sign, frame or unit it suspects.

At rest the specific force is +g up.  A ship in heavy seas changes its length by a third and its
direction by thirty degrees, a wrong sign, frame or unit by far more: so the test needs no rest.
What rest alone can show (small disagreements of tilt) is tested where there is rest.  What can be
told of any sample is told there (:mod:`.plausibility`).
"""

from __future__ import annotations

import math
from typing import Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.checks import Finding
from robot_dynamics.core.gate import as_scalar, as_vector, FloatArray
from robot_dynamics.imu.force_mistake import force_mistake
from robot_dynamics.imu.mistakes import Mistake, Suspicion
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY
from robot_dynamics.motion.frames import is_ned

_SHORTEST = 0.3            # s of samples before the force is judged
_FEWEST = 8                # samples
_OPPOSITE = math.cos(math.radians(120.0))
_ASKEW = math.cos(math.radians(60.0))
_DISAGREES = math.cos(math.radians(6.0))  # force and orientation at rest
_EXPLAINED = math.cos(math.radians(2.0))
_REST_RATE, _REST_FORCE = 0.02, 0.03      # rad/s, and share of gravity


class SensorSelfTest:
    """
    Judges an IMU by its first samples, in base axes; a check that finds a mistake finds it again.

    Parameters
    ----------
    ned : bool, optional
        Whether the sensor counts as one with NED axes; None decides by the suffix ``_ned`` of
        its frame.
    gravity_magnitude : float, m/s^2
    up : array_like, (3,), or None
        Direction of up in base axes while the platform is level; None where that is not known.

    Attributes
    ----------
    finished : bool
        Whether no more samples are needed.
    finding : Suspicion or None
        What was found; then the test is finished.
    """

    signal = 'first samples'

    def __init__(self, ned: Optional[bool] = None,
                 gravity_magnitude: float = STANDARD_GRAVITY,
                 up: Optional[ArrayLike] = (0.0, 0.0, 1.0)) -> None:
        self._ned = ned
        self._gravity = as_scalar('gravity_magnitude', gravity_magnitude, 0.0)
        self._expected = None if up is None else as_vector('up', up, 3)
        self.reset()

    def reset(self) -> None:
        """Begin again."""
        self.finished = False
        self.finding: Optional[Suspicion] = None
        self._first_ns: Optional[int] = None
        self._forces: list[Sequence[float]] = []
        self._ups: list[Sequence[float]] = []
        self._rates: list[Sequence[float]] = []

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Take one usable sample; returns what has been found until now."""
        if not self.finished:
            self._add(sample)
        return self.finding

    def _add(self, sample: ImuSample) -> None:
        if self._first_ns is None or sample.stamp_ns < self._first_ns:
            self.reset()
            self._first_ns = sample.stamp_ns
        age = (sample.stamp_ns - self._first_ns) * 1e-9
        self._collect(sample)
        if age >= _SHORTEST and len(self._forces) >= _FEWEST:
            self.finding, self.finished = self._judge_force(sample), True

    def _collect(self, sample: ImuSample) -> None:
        if sample.has_linear_acceleration:
            self._forces.append(sample.linear_acceleration)
        if sample.has_orientation:
            self._ups.append(sample.up)
        if sample.has_angular_velocity:
            self._rates.append(sample.angular_velocity)

    def _judge_force(self, sample: ImuSample) -> Optional[Suspicion]:
        force = np.mean(self._forces, axis=0)
        size = float(np.linalg.norm(force))
        scale = force_mistake(size, self._gravity)
        if scale is not None:
            return _found((scale[0],), f'the specific force is {size:.3g} m/s^2 where '
                          f'{self._gravity:.4g} is expected: {scale[1]}')
        direction = force / size
        if not self._ups:
            return self._without_orientation(direction, sample)
        up = np.mean(self._ups, axis=0)
        up /= max(float(np.linalg.norm(up)), 1e-9)
        together = float(direction @ up)
        up_expected, force_expected = self._as_expected(up), self._as_expected(direction)
        if together < _OPPOSITE:
            if up_expected < 0 < force_expected:
                return _found(
                    (Mistake.ORIENTATION_WORLD,), 'the specific force points up, but the '
                    'orientation says that the base hangs upside down: the orientation is '
                    'probably given in a world with z down; give it in a world with z up, or all '
                    'of the message in NED axes')
            return self._reversed(sample, 'the specific force points down where the orientation '
                                  'says up')
        if up_expected < _ASKEW and force_expected < _ASKEW:
            return _mounting_finding(force_expected)
        return self._disagreement(force, direction, up, together)

    def _as_expected(self, direction: FloatArray) -> float:
        """Cosine between a direction and the one in which up is expected; 1 where unknown."""
        return 1.0 if self._expected is None else float(direction @ self._expected)

    def _without_orientation(self, direction: FloatArray, sample: ImuSample
                             ) -> Optional[Suspicion]:
        along = self._as_expected(direction)
        if along < _OPPOSITE:
            found = self._reversed(sample, 'at rest the specific force is +g up, but it points '
                                   'down')
            return _found(
                (*found.mistakes, Mistake.UPSIDE_DOWN), found.text + ', or a sensor that is '
                'mounted upside down: give imu.mounting_rpy')
        return _mounting_finding(along) if along < _ASKEW else None

    def _reversed(self, sample: ImuSample, seen: str) -> Suspicion:
        ned = is_ned(sample.frame_id) if self._ned is None else self._ned
        sign = 'or a driver that publishes gravity where REP-145 wants specific force'
        if ned:
            return _found((Mistake.FLU_AS_NED, Mistake.FORCE_SIGN),
                          f'{seen}: suspected are FLU axes declared as NED (imu.axes, or the '
                          f'suffix of the frame {sample.frame_id!r}), {sign}')
        return _found((Mistake.NED_AS_FLU, Mistake.FORCE_SIGN),
                      f'{seen}: suspected are NED axes declared as FLU (set imu.axes to ned, '
                      f'or name the frame {sample.frame_id + "_ned"!r}), {sign}')

    def _disagreement(self, force: FloatArray, direction: FloatArray, up: FloatArray,
                      together: float) -> Optional[Suspicion]:
        """Compare the tilts of a sensor at rest."""
        at_rest = abs(np.linalg.norm(force) / self._gravity - 1.0) < _REST_FORCE and (
            bool(self._rates) and float(np.sqrt(np.mean(np.square(self._rates)) * 3))
            < _REST_RATE)
        if together > _DISAGREES or not at_rest:
            return None
        seen = (f'at rest force and orientation disagree by '
                f'{math.degrees(math.acos(max(-1.0, together))):.0f} deg')
        for signs, what in (((-1, 1, 1), 'pitch has'), ((1, -1, 1), 'roll has'),
                            ((-1, -1, 1), 'roll and pitch have')):
            if float((direction * signs) @ up) > _EXPLAINED:
                return _found((Mistake.ORIENTATION_SIGN,),
                              f'{seen}: in one of them {what} the wrong sign, as if one were '
                              'in NED and one in FLU axes')
        return _found((Mistake.MOUNTING,), f'{seen}: is the orientation that of the sensor '
                      'frame? (imu.mounting_rpy turns both)')


def _mounting_finding(along: float) -> Suspicion:
    angle = math.degrees(math.acos(max(-1.0, min(1.0, along))))
    kind = Mistake.UPSIDE_DOWN if along < _OPPOSITE else Mistake.MOUNTING
    what = 'upside down' if kind is Mistake.UPSIDE_DOWN else f'askew by {angle:.0f} deg'
    return _found((kind,), f'the sensor sees the base {what}: give imu.mounting_rpy if the '
                  'sensor is mounted so, or mount.base_rpy if the arm is')


def _found(mistakes: tuple[Mistake, ...], text: str) -> Suspicion:
    return Suspicion('self_test', SensorSelfTest.signal,
                     f'the self-test of the sensor has failed: {text}', mistakes=mistakes)

"""
A look at the first seconds of an IMU: whether its parts agree, and agree with REP-145.

Means over some seconds of waves are enough: on average the specific force of a ship at sea points
up and has the size of gravity, the reported orientation says where up is, and the gyro must
turn the way the orientation does.
"""

from __future__ import annotations

from dataclasses import dataclass
import enum
import math
from typing import Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.base.imu_sample import check_sample, ImuSample
from robot_dynamics.base.mounting import ImuMounting
from robot_dynamics.motion import rotations
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY

FloatArray = NDArray[np.float64]

_DISAGREE = math.radians(20.0)   # between specific force and reported up
_LEAST_RATE = 0.01               # rad/s; below, the gyro cannot be compared
_LIKENESS = 0.5                  # correlation of gyro and turning orientation that is too little


class Suspicion(str, enum.Enum):
    """What is probably wrong."""

    NONE = 'none'
    NOT_SPECIFIC_FORCE = 'not_specific_force'
    UNIT_G = 'unit_g'
    GRAVITY_REMOVED = 'gravity_removed'
    WRONG_MAGNITUDE = 'wrong_magnitude'
    MOUNTING = 'mounting'
    GYRO_DEGREES = 'gyro_degrees'
    GYRO_AXES = 'gyro_axes'


@dataclass(frozen=True)
class Verdict:
    """
    Outcome of the self-test.

    Attributes
    ----------
    suspicion : Suspicion
        ``NONE`` if nothing is suspicious.
    text : str
        For people.
    """

    suspicion: Suspicion
    text: str

    @property
    def passed(self) -> bool:
        """Whether nothing is suspicious."""
        return self.suspicion is Suspicion.NONE


class ImuSelfTest:
    """
    Collect samples for some seconds, then judge.

    Parameters
    ----------
    mounting : ImuMounting, optional
        As the estimator uses it.
    gravity_magnitude : float
        In m/s^2.
    duration : float
        In s; a few wave periods average better than one.
    """

    def __init__(self, mounting: Optional[ImuMounting] = None,
                 gravity_magnitude: float = STANDARD_GRAVITY, duration: float = 5.0) -> None:
        self.mounting, self.duration = mounting or ImuMounting(), duration
        self.gravity_magnitude = gravity_magnitude
        self._rows: list[list[float]] = []
        self._began_ns = self._last_ns = 0
        self._orientation = self._force = self._rate = True
        self.verdict: Optional[Verdict] = None

    def add(self, sample: ImuSample) -> Optional[Verdict]:
        """Take a sample; return the verdict once the duration is over, None before."""
        if self.verdict is not None or check_sample(sample) is not None:
            return self.verdict
        if not self._rows:
            self._began_ns = sample.stamp_ns
        elif sample.stamp_ns <= self._last_ns:
            return None
        self._last_ns = sample.stamp_ns
        self._orientation &= sample.has_orientation
        self._force &= sample.has_linear_acceleration
        self._rate &= sample.has_angular_velocity
        since = (sample.stamp_ns - self._began_ns) * 1e-9
        self._rows.append([since, *self.mounting.to_base(sample)])
        if since >= self.duration:
            self.verdict = self._judge(np.array(self._rows))
        return self.verdict

    def _judge(self, rows: FloatArray) -> Verdict:
        verdict = None
        if self._force:
            verdict = self._magnitude(rows[:, 4:7].mean(axis=0))
        if verdict is None and self._force:
            up = np.array([0.0, 0.0, 1.0])
            if self._orientation:
                up = rotations.matrix_from_quat(rows[:, 7:11])[:, 2].mean(axis=0)
            verdict = self._direction(rows[:, 4:7].mean(axis=0), up)
        if verdict is None and self._orientation and self._rate:
            verdict = self._turning(rows)
        return verdict or Verdict(Suspicion.NONE, 'the parts of the IMU agree')

    def _magnitude(self, force: FloatArray) -> Optional[Verdict]:
        size, g = float(np.linalg.norm(force)), self.gravity_magnitude
        if 0.85 * g < size < 1.15 * g:
            return None
        found = f'the mean specific force is {size:.2f} m/s^2 instead of {g:.2f}: '
        if 0.85 < size < 1.15:
            return Verdict(Suspicion.UNIT_G, found + 'the driver reports in units of g')
        if size < 0.15 * g:
            return Verdict(Suspicion.GRAVITY_REMOVED, found + 'the driver takes gravity out; '
                           'REP-145 wants it in')
        return Verdict(Suspicion.WRONG_MAGNITUDE, found + 'check scale and calibration')

    def _direction(self, force: FloatArray, up: FloatArray) -> Optional[Verdict]:
        cosine = float(force @ up / np.linalg.norm(force) / np.linalg.norm(up))
        angle = math.acos(max(-1.0, min(1.0, cosine)))
        if angle > math.pi - _DISAGREE:
            return Verdict(
                Suspicion.NOT_SPECIFIC_FORCE, 'the specific force points down (at rest it is +g '
                'up): probably the sensor speaks NED axes and its frame lacks the suffix _ned, or '
                'its driver reports gravity instead of specific force'
                + ('' if self._orientation else ', or it hangs upside down without a mounting'))
        if angle > _DISAGREE and self._orientation:
            return Verdict(
                Suspicion.MOUNTING, 'specific force and orientation disagree about up by '
                f'{math.degrees(angle):.0f} deg: probably the orientation is of another frame '
                'than the vectors, for example of the vehicle')
        if angle > math.radians(45.0):
            return Verdict(Suspicion.MOUNTING, f'up lies {math.degrees(angle):.0f} deg from the z '
                           'axis of the base: probably the mounting of the sensor is not stated')
        return None

    def _turning(self, rows: FloatArray) -> Optional[Verdict]:
        """Compare the gyro with the orientation's change over about a tenth of a second."""
        stride = max(1, round(0.1 / max(float(np.median(np.diff(rows[:, 0]))), 1e-6)))
        before, after = rows[:-stride:stride], rows[stride::stride]
        count = min(len(before), len(after))
        before, after = before[:count], after[:count]
        turned = rotations.rotation_vector_from_quat(rotations.quat_multiply(
            rotations.quat_conjugate(before[:, 7:11]), after[:, 7:11]))
        expected = turned / (after[:, :1] - before[:, :1])
        mean = np.cumsum(rows[:, 1:4], axis=0)
        gyro = (mean[stride::stride][:count] - mean[:-stride:stride][:count]) / stride
        size = float(np.sqrt((expected**2).mean()))
        if size < _LEAST_RATE:
            return None
        product = float((expected * gyro).sum())
        scale = product / float((expected**2).sum())
        likeness = product / math.sqrt(float((expected**2).sum() * (gyro**2).sum()) + 1e-30)
        if likeness > _LIKENESS and 40 < scale < 80:
            return Verdict(Suspicion.GYRO_DEGREES, f'the gyro is {scale:.0f} times faster than '
                           'the orientation turns: it reports degrees per second')
        if likeness < _LIKENESS or not 0.5 < scale < 2.0:
            return Verdict(Suspicion.GYRO_AXES, 'the gyro does not turn as the orientation does '
                           f'(correlation {likeness:.2f}, scale {scale:.2f}): probably axes or '
                           'signs of one of the two are wrong')
        return None

"""
What every estimator of base motion offers, so that one can replace another.

Samples go in with :meth:`~BaseMotionSource.update`; the base motion at any instant, also a
future one, comes out of :meth:`~BaseMotionSource.at`.  Time is integer nanoseconds.
"""

from __future__ import annotations

from typing import Callable, Optional, Protocol, runtime_checkable, Union

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.imu.sample import check_sample, ImuSample, Rejection, RejectionReason
from robot_dynamics.motion.base_motion import BaseMotion

# Levels, best first: what the estimate rests on.
FULL = 'full'                        # orientation, angular velocity, specific force
SPECIFIC_FORCE = 'specific_force'    # no orientation: angular velocity and specific force
GYRO = 'gyro'                        # orientation and angular velocity, no accelerometer
ORIENTATION = 'orientation'          # orientation only
NONE = 'none'                        # nothing valid yet: the motion is a level base at rest
LEVELS = (FULL, SPECIFIC_FORCE, GYRO, ORIENTATION, NONE)


class BaseEstimate:
    """
    Base motion at one instant.

    Parameters
    ----------
    motion : BaseMotion
        At the arm's base, in base axes.
    level : str
        One of :data:`LEVELS`: what the estimate rests on.
    covariance : ndarray, (12, 12), callable that returns one, or None
        Of ``motion.packed``, if the estimator knows it; a callable runs on first use.
    """

    __slots__ = ('motion', 'level', '_covariance')

    def __init__(self, motion: BaseMotion, level: str,
                 covariance: Union[None, FloatArray, Callable[[], FloatArray]] = None) -> None:
        self.motion, self.level, self._covariance = motion, level, covariance

    @property
    def covariance(self) -> Optional[FloatArray]:
        """Covariance of ``motion.packed``, (12, 12), or None where it is not known."""
        if callable(self._covariance):
            self._covariance = self._covariance()
        return self._covariance


def level_of(sample: ImuSample) -> str:
    """Say what a sample can give, as one of :data:`LEVELS`."""
    orientation, rate, force = (sample.has_orientation, sample.has_angular_velocity,
                                sample.has_linear_acceleration)
    if rate and force:
        return FULL if orientation else SPECIFIC_FORCE
    if orientation:
        return GYRO if rate else ORIENTATION
    return NONE


def unusable(sample: ImuSample, level: str, last_ns: Optional[int]) -> Optional[Rejection]:
    """Say why no estimator can use a sample of a level, the last stamp being ``last_ns``."""
    problem = check_sample(sample)
    if problem is None and level == NONE:
        return Rejection(
            RejectionReason.NO_ANGULAR_VELOCITY, 'the sample reports neither orientation nor '
            'angular velocity with specific force (their covariances start with -1)')
    if problem is None and sample.stamp_ns == last_ns:
        return Rejection(RejectionReason.DUPLICATE_STAMP,
                         'a sample with this stamp was used already')
    return problem


class BaseMotionSource(Protocol):
    """The protocol of estimators."""

    def update(self, sample: ImuSample) -> Optional[Rejection]:
        """Take one sample; say why if it was not used."""

    def at(self, stamp_ns: int) -> BaseEstimate:
        """Return the base motion at an instant, past the last sample or not."""

    def reset(self) -> None:
        """Forget all samples."""

    def maintain(self) -> object:
        """Do work that can wait; called about as often as samples come, where nobody waits."""


@runtime_checkable
class VibrationSource(Protocol):
    """An estimator that tells vibration from motion, and leaves it out of the motion."""

    @property
    def vibration(self) -> tuple[float, float]:
        """Largest RMS above the band, of the gyro's axes, rad/s, and of the forces, m/s^2."""

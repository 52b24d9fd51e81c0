"""
One message of an IMU as plain data, the checks it must pass, and why one is refused.

Conventions are those of REP-145: linear acceleration is specific force, +g up at rest; a
covariance of zeros means unknown, and -1 as its first element that the quantity is not reported.
"""

from __future__ import annotations

from dataclasses import dataclass
import enum
import functools
import math
from typing import Optional, Sequence

UNKNOWN_COVARIANCE = (0.0,) * 9
NOT_REPORTED = (-1.0,) + (0.0,) * 8


@dataclass(frozen=True, eq=False)
class ImuSample:
    """What one sensor_msgs/Imu carries."""

    stamp_ns: int  #: Instant of the measurement, integer nanoseconds
    angular_velocity: Sequence[float]  #: (3,), in the sensor's frame, rad/s
    #: (3,), specific force in the sensor's frame, m/s^2: +g up at rest
    linear_acceleration: Sequence[float]
    #: (4,), of the sensor's frame in a world with z up (or NED where the frame is); None if absent
    orientation_xyzw: Optional[Sequence[float]] = None
    frame_id: str = 'imu_link'  #: Name of the sensor's frame; a suffix ``_ned`` marks NED axes
    #: (9,), row-major, rad^2, (rad/s)^2, (m/s^2)^2; element 0 = -1 means not reported
    orientation_covariance: Sequence[float] = UNKNOWN_COVARIANCE
    angular_velocity_covariance: Sequence[float] = UNKNOWN_COVARIANCE
    linear_acceleration_covariance: Sequence[float] = UNKNOWN_COVARIANCE

    @property
    def has_orientation(self) -> bool:
        """Whether the sensor reports its orientation."""
        return self.orientation_xyzw is not None and self.orientation_covariance[0] >= 0

    @functools.cached_property
    def up(self) -> tuple[float, float, float]:
        """Up in the sensor's axes, of an orientation that is a unit quaternion."""
        x, y, z, w = self.orientation_xyzw or (0.0, 0.0, 0.0, 1.0)
        return 2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)

    @property
    def has_angular_velocity(self) -> bool:
        """Whether the sensor reports angular velocity."""
        return self.angular_velocity_covariance[0] >= 0

    @property
    def has_linear_acceleration(self) -> bool:
        """Whether the sensor reports specific force."""
        return self.linear_acceleration_covariance[0] >= 0


class RejectionReason(str, enum.Enum):
    """Why an estimator did not use a sample."""

    NOT_FINITE = 'not_finite'
    BAD_QUATERNION = 'bad_quaternion'
    NO_ANGULAR_VELOCITY = 'no_angular_velocity'
    DUPLICATE_STAMP = 'duplicate_stamp'
    OUT_OF_ORDER = 'out_of_order'
    TOO_STEEP = 'too_steep'


@dataclass(frozen=True)
class Rejection:
    """A sample that was not used."""

    reason: RejectionReason  #: For programs
    text: str  #: For people: names the field and what to do


def check_sample(sample: ImuSample) -> Optional[Rejection]:
    """
    Look for what no estimator can use: numbers that are not finite, a quaternion that is none.

    Fields that the sensor marks as not reported are not looked at.
    """
    if sample.has_angular_velocity and not _finite(sample.angular_velocity):
        return _not_finite('angular_velocity')
    if sample.has_linear_acceleration and not _finite(sample.linear_acceleration):
        return _not_finite('linear_acceleration')
    if sample.has_orientation:
        quat = sample.orientation_xyzw or ()
        if not _finite(quat):
            return _not_finite('orientation')
        x, y, z, w = quat
        norm = math.sqrt(x * x + y * y + z * z + w * w)
        if not 0.9 < norm < 1.1:
            return Rejection(
                RejectionReason.BAD_QUATERNION,
                f'orientation has norm {norm:.3g}, a unit quaternion has 1; a driver without '
                'orientation must set orientation_covariance[0] to -1')
    return None


def _finite(values: Sequence[float]) -> bool:
    return math.isfinite(sum(values))


def _not_finite(field: str) -> Rejection:
    return Rejection(RejectionReason.NOT_FINITE,
                     f'{field} holds NaN or infinity; the sample is ignored')

"""
Which samples of an IMU are plausible, at any time: the checks that every sample passes.

They are judged in base axes.  What they cannot tell from motion is what a base could do: an error
that begins smaller than the bounds and grows no faster than a base moves.
"""

from __future__ import annotations

import dataclasses

from robot_dynamics.core.checks import Check
from robot_dynamics.core.parameters import check_parameters, parameter
from robot_dynamics.imu.change_checks import ChangeCheck, TiltChangeCheck
from robot_dynamics.imu.force_checks import AccelerationCheck, VelocityCheck
from robot_dynamics.imu.rotation_check import RotationCheck
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.imu.stuck_check import StuckCheck

RATE_STEP = 0.1       # rad/s: noise and vibration of a gyro
FORCE_STEP = 3.0      # m/s^2: vibration
FORCE_SLOPE = 50.0    # m/s^3
FORCE_SHARE = 0.3


@dataclasses.dataclass(frozen=True)
class ImuChecksConfig:
    """What the base can do; the defaults are those of a ship in any sea."""

    largest_acceleration: float = parameter(
        8.0, 'largest acceleration of the base beside gravity: what force and orientation say '
        'beyond it is not used', 'm/s^2', 0.1, 1e4, live=False)
    largest_velocity: float = parameter(
        10.0, 'largest change of its velocity within some ten seconds, by the same signals',
        'm/s', 0.1, 1e4, live=False)
    largest_angular_acceleration: float = parameter(
        10.0, 'largest angular acceleration of the base', 'rad/s^2', 0.01, 1e5, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)


def plausibility_checks(gravity: float, config: ImuChecksConfig = ImuChecksConfig()
                        ) -> list[Check[ImuSample]]:
    """
    Return new checks of samples in base axes.

    Parameters
    ----------
    gravity : float
        Magnitude, m/s^2.
    config : ImuChecksConfig
    """
    return [
        StuckCheck(),
        ChangeCheck('angular_velocity', RATE_STEP, config.largest_angular_acceleration, 'rad/s'),
        TiltChangeCheck(),
        ChangeCheck('linear_acceleration', FORCE_STEP, FORCE_SLOPE, 'm/s^2', FORCE_SHARE),
        AccelerationCheck(gravity, config.largest_acceleration),
        RotationCheck(),
        VelocityCheck(gravity, config.largest_velocity)]

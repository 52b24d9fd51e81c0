"""
The gate for IMU samples: every sample is checked here once, and brought to base axes once.

Which checks there are is a list; each has the shape of :class:`~robot_dynamics.core.checks.Check`.
"""

from __future__ import annotations

from typing import Optional, Sequence, Union

from robot_dynamics.core.checks import Check, Finding, first_finding
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.imu.sample_checks import (
    LARGEST_ACCELERATION, LARGEST_RATE, NumbersCheck, RangeCheck)

ImuCheck = Check[ImuSample]
USUAL: tuple[ImuCheck, ...] = (
    NumbersCheck(), RangeCheck('angular_velocity', LARGEST_RATE, 'rad/s'),
    RangeCheck('linear_acceleration', LARGEST_ACCELERATION, 'm/s^2'))


class ImuGate:
    """
    Lets samples pass that all checks agree to.

    Parameters
    ----------
    mounting : ImuMounting, optional
        Of the sensor.  Samples leave in base axes, still measured at the sensor; without it they
        leave as they come, and what follows turns them.
    checks : sequence of Check
        Of samples as they come, beside the usual ones and before them.
    base_checks : sequence of Check
        Of those that have passed, in base axes.

    Attributes
    ----------
    mounting_behind : ImuMounting or None
        What is left of the mounting, for what uses the samples that leave.
    """

    def __init__(self, mounting: Optional[ImuMounting] = None, checks: Sequence[ImuCheck] = (),
                 base_checks: Sequence[ImuCheck] = ()) -> None:
        self._mounting = mounting
        self._checks = (*checks, *USUAL)
        self._base_checks = tuple(base_checks)
        self.mounting_behind = None if mounting is None else ImuMounting(
            p_BI=mounting.p_BI, ned=False)

    def pass_through(self, sample: ImuSample) -> Union[ImuSample, Finding]:
        """Return a sample that can be used, in base axes; or what is wrong with it."""
        finding = first_finding(self._checks, sample)
        if finding is not None:
            return finding
        if self._mounting is not None:
            sample = self._mounting.base_sample(sample)
        return first_finding(self._base_checks, sample) or sample

    def reset(self) -> None:
        """Forget earlier samples."""
        for check in (*self._checks, *self._base_checks):
            check.reset()

"""
The gate for IMU samples: every sample is checked here once, and brought to base axes once.

Which checks there are is a list; each has the shape of :class:`~robot_dynamics.core.checks.Check`.
"""

from __future__ import annotations

from typing import Optional, Sequence, Union

from robot_dynamics.core.checks import Check, Finding, first_finding
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.plausibility import plausibility_checks
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.imu.sample_checks import (
    LARGEST_ACCELERATION, LARGEST_RATE, NumbersCheck, OrientationCheck, RangeCheck)
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY

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
        Of those that have passed, in base axes, before what is plausible.
    plausibility : sequence of Check, optional
        In base axes; by default those of
        :func:`~robot_dynamics.imu.plausibility.plausibility_checks`.

    Attributes
    ----------
    mounting_behind : ImuMounting or None
        What is left of the mounting, for what uses the samples that leave.
    """

    def __init__(self, mounting: Optional[ImuMounting] = None, checks: Sequence[ImuCheck] = (),
                 base_checks: Sequence[ImuCheck] = (),
                 plausibility: Optional[Sequence[ImuCheck]] = None) -> None:
        self._mounting = mounting
        self._judged_in = mounting or ImuMounting()
        self._checks = (*checks, *USUAL)
        self._base_checks = (*base_checks, *(
            plausibility_checks(STANDARD_GRAVITY) if plausibility is None else plausibility))
        self.mounting_behind = None if mounting is None else ImuMounting(
            p_BI=mounting.p_BI, ned=False)

    def pass_through(self, sample: ImuSample) -> Union[ImuSample, Finding]:
        """Return a sample that can be used, in base axes; or what is wrong with it."""
        finding = first_finding(self._checks, sample)
        if finding is not None:
            return finding
        base_sample = self._judged_in.base_sample(sample)
        finding = first_finding(self._base_checks, base_sample)
        return finding or (sample if self._mounting is None else base_sample)

    def reset(self) -> None:
        """Forget earlier samples."""
        for check in (*self._checks, *self._base_checks):
            check.reset()


def usual_gate(gravity: float, orientation_required: bool) -> ImuGate:
    """Return one for samples in base axes, with gravity's magnitude in m/s^2."""
    return ImuGate(checks=[OrientationCheck()] if orientation_required else [],
                   plausibility=plausibility_checks(gravity))

"""A platform on two driven wheels of one axle: it goes where it looks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Optional, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.supports.axle import find_axle, overridden
from robot_dynamics.dynamics.supports.ground_shapes import find_supports
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.model.robot_model import RobotModel


@dataclass(frozen=True, eq=False)
class DifferentialDrive(RollingPlatform):
    """
    Two coaxial driven wheels; O lies below the middle of the axle.

    Source: paper 004, eqs. 3-19.
    """

    right: str  #: Joint
    left: str  #: Joint
    radius: float  #: Of both wheels, m
    track: float  #: Distance between the wheels' contacts, the paper's 2 L, m
    signs: Tuple[float, float]  #: 1 where a positive rate of (right, left) drives forward, else -1

    @classmethod
    def from_model(cls, model: RobotModel, left_wheel: Any, right_wheel: Any,
                   wheel_radius: Optional[float] = None, track: Optional[float] = None
                   ) -> DifferentialDrive:
        """
        Find the drive in a description.

        Parameters
        ----------
        model : RobotModel
            Platform with two driven wheels and any tree of joints on top; the base link is the
            platform.  Joints of casters must be held (``joints=`` of ``RobotModel.from_urdf``).
        left_wheel, right_wheel : str
            Joints.
        wheel_radius, track : float, optional
            In m; override the description's, for calibrated values.  More than a tenth away
            they contradict it.

        Raises
        ------
        UnknownNameError, InputError, ModelError, ConfigurationError
            If a wheel does not exist, the two are no drive, or numbers contradict each other.
        """
        axle = find_axle(model, left_wheel, right_wheel, wheel_radius)
        track = overridden('track', track, axle.width, 'the distance between the wheels')
        R_BO, p_BO = axle.axes, axle.middle
        return cls(R_BO, p_BO, find_supports(model, R_BO, p_BO, (axle.right, axle.left)),
                   axle.right.joint, axle.left.joint, axle.radius, track, axle.signs)

    @property
    def wheels(self) -> Tuple[str, ...]:
        """Right, left."""
        return self.right, self.left

    @cached_property
    def wheel_twists(self) -> FloatArray:
        """Eqs. 35, 36: half the wheels' way forward, and their difference over the track."""
        forward, turn = 0.5 * self.radius, self.radius / self.track
        right, left = self.signs
        return np.array([[forward * right, forward * left], [0.0, 0.0],
                         [turn * right, -turn * left]])

    @property
    def wheel_contacts(self) -> FloatArray:
        """On the axle, half the track to either side."""
        half = 0.5 * self.track
        return np.array([[0.0, -half], [0.0, half]])

    def shares(self, wrench: FloatArray) -> Tuple[Optional[FloatArray], Optional[FloatArray]]:
        """Right wheel, left wheel, and the support where it is one."""
        fx, _, fz, mx, my, mz = np.moveaxis(wrench, -1, 0)
        half = 0.5 * self.track
        longitudinal = np.stack([0.5 * (fx + mz / half), 0.5 * (fx - mz / half)], axis=-1)
        if len(self.supports) != 1 or self.supports[0, 0] == 0.0:
            return longitudinal, None
        ahead, aside = self.supports[0]
        caster = -my / ahead
        wheels, difference = fz - caster, (mx - aside * caster) / half
        return longitudinal, np.stack(
            [0.5 * (wheels - difference), 0.5 * (wheels + difference), caster], axis=-1)

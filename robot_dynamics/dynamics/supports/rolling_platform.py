"""A robot on a platform whose wheels roll on the ground, whatever their number and kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
import math
from typing import Optional, Tuple

import casadi as ca
import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations import rolling
from robot_dynamics.dynamics.equations.tree import constant, Expression
from robot_dynamics.dynamics.supports.virtual_joints import on_ground
from robot_dynamics.model.robot_model import RobotModel


@dataclass(frozen=True, eq=False)
class RollingPlatform(ABC):
    """
    Frame O of a platform, and how its wheels move it.

    O lies on the ground: x forward, y to the left, z up.  The pose is that of O on the ground: x,
    y [m] and heading [rad].
    """

    R_BO: FloatArray  #: (3, 3), axes of O in the base link's
    p_BO: FloatArray  #: (3,), origin of O in the base link's frame, m
    #: Where else than at its wheels the platform touches the ground, x and y in O, m: round shapes
    #: fixed to the platform that reach the ground, taken as frictionless
    supports: FloatArray

    @property
    @abstractmethod
    def wheels(self) -> Tuple[str, ...]:
        """Joints of the wheels, in the order in which they come first in q."""

    @cached_property
    @abstractmethod
    def wheel_twists(self) -> FloatArray:
        """
        Matrix K, (3, wheels): the platform's twist in O of the wheels' rates.

        Rows: forward [m], left [m], turning [rad] per rad of a wheel.
        """

    @property
    @abstractmethod
    def wheel_contacts(self) -> FloatArray:
        """Where the wheels touch the ground, (wheels, 2), x and y in O [m]."""

    @property
    def contacts(self) -> FloatArray:
        """Contacts of wheels and supports, (wheels + k, 2), x and y in O [m]."""
        return np.vstack([self.wheel_contacts, self.supports])

    def shares(self, wrench: FloatArray) -> Tuple[Optional[FloatArray], Optional[FloatArray]]:
        """
        Return forces forward at the wheels, and loads under wheels and supports, [N].

        Of the ground's wrench (6,) or (T, 6) about O, in its axes; None where statics do not tell.
        """
        return None, None

    # ------------------------------------------------------------------- as the dynamics ask

    @property
    def pose_size(self) -> int:
        """x, y, heading."""
        return 3

    def tree(self, model: RobotModel) -> RobotModel:
        """Return the robot on joints that slide along x and y and turn about z."""
        return on_ground(model, self.R_BO, self.p_BO)

    def unroll(self, q: Expression, v: Expression, vd: Expression, pose: Expression
               ) -> Tuple[Expression, Expression, Expression]:
        """Motion of all joints of the tree when the wheels roll."""
        motion = rolling.generalised_motion(constant(self.wheel_twists), pose[2], v, vd)
        return (ca.vertcat(pose, q), *motion)

    def project(self, tau: Expression, pose: Expression) -> Expression:
        """Return R^T tau: the forces that keep the wheels rolling do no work and drop out."""
        return rolling.projected(constant(self.wheel_twists), pose[2], tau)

    def own_axes(self, wrench: Expression, pose: Expression) -> Expression:
        """Move a wrench on the ground to O, in its axes."""
        return rolling.platform_axes(pose[2], pose, wrench)

    def pose_rate(self, v: FloatArray, pose: FloatArray) -> FloatArray:
        """Rates of x, y [m/s] and heading [rad/s], (3,), at rates v (nv,) and a pose (3,)."""
        u, left, n = (self.wheel_twists @ np.asarray(v, float)[:len(self.wheels)]).tolist()
        c, s = math.cos(pose[2]), math.sin(pose[2])
        return np.array([c * u - s * left, s * u + c * left, n])

    def null_space(self, heading: float, nv: int) -> FloatArray:
        """
        Return R of eq. 19, (3 + nv, nv): the rates of pose and joints are R qd.

        The paper's eq. 38 is the R of another point than the one its energies use; this is that
        of O.
        """
        c, s = math.cos(heading), math.sin(heading)
        top = np.zeros((3, nv))
        top[:, :len(self.wheels)] = np.array(
            [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ self.wheel_twists
        return np.vstack([top, np.eye(nv)])

"""A robot that is bolted to its base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.tree import Expression
from robot_dynamics.model.robot_model import RobotModel


@dataclass(frozen=True)
class FixedMount:
    """The base link is a part of what moves: no pose, no virtual joints, nothing to project."""

    @property
    def pose_size(self) -> int:
        """No pose."""
        return 0

    @property
    def wheels(self) -> Tuple[str, ...]:
        """No wheels."""
        return ()

    def tree(self, model: RobotModel) -> RobotModel:
        """Return the robot as it is."""
        return model

    def unroll(self, q: Expression, v: Expression, vd: Expression, pose: Expression
               ) -> Tuple[Expression, Expression, Expression]:
        """Return the motion as it is."""
        return q, v, vd

    def project(self, tau: Expression, pose: Expression) -> Expression:
        """Return the torques as they are."""
        return tau

    def own_axes(self, wrench: Expression, pose: Expression) -> Expression:
        """Return the wrench as it is, about the base's origin."""
        return wrench

    def pose_rate(self, v: FloatArray, pose: FloatArray) -> FloatArray:
        """Return nothing, (0,)."""
        return np.zeros(0)

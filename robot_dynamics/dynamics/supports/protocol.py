"""What the dynamics ask of the thing that a robot stands on."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable, Tuple

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.tree import Expression
from robot_dynamics.model.robot_model import RobotModel


@runtime_checkable
class Support(Protocol):
    """
    How a robot stands on its ground: a tree on virtual joints, and a projection.

    The equations know trees on a moving base and nothing else.  A support puts the robot on
    virtual joints that give it the freedom it has on the ground, says how these move when the
    robot's own joints do, and projects what the equations find for all joints on the robot's
    own.  With R for d(all rates)/d(own rates): qd = R v, and tau = R^T tau_all.

    A support is data; it knows no state.  Expressions are CasADi's; ``q``, ``v``, ``vd`` (nv,)
    and ``tau`` are in the order of ``InverseDynamics.model``: wheels first.
    """

    @property
    def pose_size(self) -> int:
        """Numbers of the pose on the ground, and virtual joints; 0 where nothing moves."""

    @property
    def wheels(self) -> Tuple[str, ...]:
        """Joints that come first in the order of coordinates."""

    def tree(self, model: RobotModel) -> RobotModel:
        """Return the robot on its virtual joints; its base is the ground."""

    def unroll(self, q: Expression, v: Expression, vd: Expression, pose: Expression
               ) -> Tuple[Expression, Expression, Expression]:
        """Position, velocity and acceleration of all joints of the tree, virtual ones first."""

    def project(self, tau: Expression, pose: Expression) -> Expression:
        """Return R^T tau: torques of the robot's joints from those of all joints."""

    def own_axes(self, wrench: Expression, pose: Expression) -> Expression:
        """Move a wrench (6,) on the ground from its origin to where the robot stands."""

    def pose_rate(self, v: FloatArray, pose: FloatArray) -> FloatArray:
        """Time derivative of the pose, (pose_size,), in numbers."""


def checked_support(support: Any) -> Support:
    """
    Return the support, or say what was given in place of one.

    Raises
    ------
    InputError
    """
    if not isinstance(support, Support):
        raise InputError('support', f'is a {type(support).__name__}, expected FixedMount(), or '
                                    'a platform such as DifferentialDrive.from_model(...)')
    return support

"""The kinematic tree that the equations walk, and the few matrices that every one needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple

import casadi as ca
import numpy as np

from robot_dynamics.model.robot_model import RobotModel

# Entries of a placement closer than this to 0, 1 or -1 are those: pi/2 in decimal digits
# leaves 6e-17 where an exact zero was meant, and each such entry costs instructions.
SNAP = 4e-16

Expression = Any  # casadi.SX; CasADi ships no types


@dataclass(frozen=True)
class TreeBody:
    """
    One moving body as the equations see it; all values in SI, frames as in ``Body``.

    ``mass``, ``first_moment`` (m c) and ``inertia`` (about the centre of mass) may be symbols:
    a payload is a tree whose bodies weigh nothing except for symbols at one of them.
    """

    parent: int
    prismatic: bool
    axis: np.ndarray
    R_PJ: np.ndarray
    p_PJ: np.ndarray
    mass: Expression
    com: Expression
    inertia: Expression
    coordinate: int
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Tree:
    """Moving bodies, parents before children, and the inertial of the base (body -1)."""

    bodies: Tuple[TreeBody, ...]
    nv: int
    base_mass: Expression
    base_com: Expression
    base_inertia: Expression

    def joint_rate(self, body: TreeBody, rates: Expression) -> Expression:
        """Joint velocity or acceleration of a body from the independent coordinates'."""
        return body.multiplier * rates[body.coordinate]

    def joint_position(self, body: TreeBody, q: Expression) -> Expression:
        """Joint position of a body from the independent coordinates."""
        return body.multiplier * q[body.coordinate] + body.offset


@dataclass(frozen=True)
class BaseVectors:
    """
    What the equations need of the base: four vectors in base axes, each SX (3, 1).

    Corrects paper 003 eq. 35, which prints angles in place of rates and leaves gravity out.
    """

    w: Expression
    wd: Expression
    a: Expression
    g: Expression

    @classmethod
    def unpack(cls, packed: Expression) -> BaseVectors:
        """Split the 12 numbers of ``BaseMotion.packed``."""
        return cls(packed[0:3], packed[3:6], packed[6:9], packed[9:12])

    @classmethod
    def only(cls, w: Optional[Expression] = None, wd: Optional[Expression] = None,
             a: Optional[Expression] = None, g: Optional[Expression] = None) -> BaseVectors:
        """Set the vectors that are given; the others are structurally zero."""
        def zero() -> Expression:
            return ca.SX(3, 1)
        return cls(*(zero() if v is None else v for v in (w, wd, a, g)))


def tree_of(model: RobotModel) -> Tree:
    """Copy a model's numbers into the form the equations use."""
    bodies = tuple(
        TreeBody(body.parent, body.joint.kind == 'prismatic', snap(body.joint.axis),
                 snap(body.R_PJ), np.asarray(body.p_PJ, float), float(body.inertial.mass),
                 constant(body.inertial.com), constant(body.inertial.inertia),
                 body.coordinate, float(body.multiplier), float(body.offset))
        for body in model.bodies)
    base = model.base_inertial
    return Tree(bodies, model.nv, float(base.mass), constant(base.com), constant(base.inertia))


def snap(values: np.ndarray) -> np.ndarray:
    """Replace entries within :data:`SNAP` of -1, 0 or 1 by those."""
    values = np.array(values, float)
    nearest = np.round(values)
    near = (np.abs(values - nearest) <= SNAP) & (np.abs(nearest) <= 1)
    return np.where(near, nearest, values)


def constant(values: Sequence[Any]) -> Expression:
    """Return a numeric array as an expression without its structural zeros."""
    return ca.sparsify(ca.SX(ca.DM(np.asarray(values, float))))


def skew(v: Expression) -> Expression:
    """Cross-product matrix: ``skew(v) @ u`` is v x u."""
    return ca.sparsify(ca.vertcat(
        ca.horzcat(0, -v[2], v[1]), ca.horzcat(v[2], 0, -v[0]), ca.horzcat(-v[1], v[0], 0)))


def axis_rotation(axis: np.ndarray, angle: Expression) -> Expression:
    """Rotation matrix about a unit axis (Rodrigues), exact zeros kept for coordinate axes."""
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    s, c = ca.sin(angle), ca.cos(angle)
    rows = []
    for i in range(3):
        row = []
        for j in range(3):
            projection = axis[i] * axis[j]
            # c (1 - a a^T) + a a^T + s K, entry by entry so that 0 and 1 stay exact
            row.append((float(i == j) - projection) * c + projection + K[i, j] * s)
        rows.append(ca.horzcat(*row))
    return ca.sparsify(ca.vertcat(*rows))


def joint_placement(body: TreeBody, value: Expression) -> Tuple[Expression, Expression]:
    """
    Pose of a body in its parent body for a joint value.

    Returns
    -------
    R_PB : SX (3, 3)
        Body axes in parent axes.
    p_PB : SX (3, 1)
        Body origin in parent axes [m].
    """
    R_PJ, p_PJ = constant(body.R_PJ), constant(body.p_PJ)
    if body.prismatic:
        return R_PJ, p_PJ + constant(body.R_PJ @ body.axis) * value
    return ca.sparsify(R_PJ @ axis_rotation(body.axis, value)), p_PJ

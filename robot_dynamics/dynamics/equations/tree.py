"""The kinematic tree that the equations walk, and the few matrices that every one needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Optional, Sequence, Tuple

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.model.robot_model import Inertial, RobotModel

# Entries of a placement closer than this to 0, 1 or -1 are those: pi/2 in decimal digits
# leaves 6e-17 where an exact zero was meant, and each such entry costs instructions.
SNAP = 4e-16

Expression = Any  # casadi.SX; CasADi ships no types


@dataclass(frozen=True)
class Moments:
    """
    Moments of a body's mass about its origin, in its axes: what 4 x 4 pseudo-inertias hold.

    ``mass`` [kg], ``first`` = m c, SX (3, 1) [kg m], ``second`` = the integral of r r^T dm,
    SX (3, 3) [kg m^2].  The inertia tensor about the origin is tr(second) 1 - second.
    """

    mass: Expression
    first: Expression
    second: Expression

    @classmethod
    def of(cls, mass: Expression, com: Expression, inertia: Expression) -> Moments:
        """Convert from mass, centre of mass and inertia about it."""
        second = 0.5 * ca.trace(inertia) * ca.SX.eye(3) - inertia + mass * com @ com.T
        return cls(mass, ca.sparsify(mass * com), ca.sparsify(second))

    @classmethod
    def zero(cls) -> Moments:
        """Return the moments of nothing."""
        return cls(ca.SX(1, 1), ca.SX(3, 1), ca.SX(3, 3))


@dataclass(frozen=True)
class TreeBody:
    """
    One moving body as the equations see it; all values in SI, frames as in ``Body``.

    ``moments`` may hold symbols: a payload is a tree whose bodies weigh nothing except for
    symbols at one of them.
    """

    parent: int
    prismatic: bool
    axis: np.ndarray
    R_PJ: np.ndarray
    p_PJ: np.ndarray
    moments: Moments
    coordinate: int
    multiplier: float
    offset: float

    @cached_property
    def z(self) -> Expression:
        """Axis of the joint, SX (3, 1)."""
        return constant(self.axis)

    @cached_property
    def mount(self) -> Tuple[Expression, Expression]:
        """Joint axes in parent axes, SX (3, 3), and the joint's place there, SX (3, 1) [m]."""
        return constant(self.R_PJ), constant(self.p_PJ)

    @cached_property
    def turn(self) -> Tuple[Expression, Expression, Expression]:
        """Shares of cosine, one and sine in the rotation about the axis, SX (3, 3) each."""
        x, y, z = self.axis
        along = np.outer(self.axis, self.axis)
        return (constant(np.eye(3) - along), constant(along),
                constant([[0, -z, y], [z, 0, -x], [-y, x, 0]]))


@dataclass(frozen=True)
class Tree:
    """Moving bodies, parents before children, and the mass of the base (body -1)."""

    bodies: Tuple[TreeBody, ...]
    nv: int
    base: Moments

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


def tree_of(model: RobotModel, pseudo_inertias: Optional[Sequence[np.ndarray]] = None) -> Tree:
    """
    Copy a model's numbers into the form the equations use.

    Parameters
    ----------
    pseudo_inertias : sequence of ndarray (4, 4), optional
        Moments to use in place of the bodies' own, with a base without mass; see
        ``regrouping``.
    """
    if pseudo_inertias is None:
        moments = [_model_moments(body.inertial) for body in model.bodies]
        base = _model_moments(model.base_inertial)
    else:
        moments = [Moments(ca.SX(J[3, 3]), constant(J[:3, 3]), constant(J[:3, :3]))
                   for J in pseudo_inertias]
        base = Moments.zero()
    return Tree(tuple(
        TreeBody(body.parent, body.joint.kind == 'prismatic', snap(body.joint.axis),
                 snap(body.R_PJ), np.asarray(body.p_PJ, float), moments[k], body.coordinate,
                 float(body.multiplier), float(body.offset))
        for k, body in enumerate(model.bodies)), model.nv, base)


def _model_moments(inertial: Inertial) -> Moments:
    return Moments.of(ca.SX(float(inertial.mass)), constant(inertial.com),
                      constant(inertial.inertia))


def symbolic_masses(tree: Tree) -> Tuple[Tree, Expression]:
    """
    Replace every body's moments by symbols.

    Returns
    -------
    Tree
        The robot with unknown masses; the base has none.
    SX (10 bodies, 1)
        Per body: m, m c (3), and the inertia tensor about the body's origin, xx xy xz yy yz
        zz: the parameters in which torque is linear.
    """
    parameters, bodies = [], []
    for k, body in enumerate(tree.bodies):
        p = ca.SX.sym(f'p{k}', 10)
        about_origin = ca.vertcat(ca.horzcat(p[4], p[5], p[6]), ca.horzcat(p[5], p[7], p[8]),
                                  ca.horzcat(p[6], p[8], p[9]))
        second = 0.5 * ca.trace(about_origin) * ca.SX.eye(3) - about_origin
        bodies.append(replace(body, moments=Moments(p[0], p[1:4], second)))
        parameters.append(p)
    return Tree(tuple(bodies), tree.nv, Moments.zero()), ca.vertcat(ca.SX(0, 1), *parameters)


def snap(values: np.ndarray) -> np.ndarray:
    """Replace entries within :data:`SNAP` of -1, 0 or 1 by those."""
    values = np.array(values, float)
    nearest = np.round(values)
    near = (np.abs(values - nearest) <= SNAP) & (np.abs(nearest) <= 1)
    return np.where(near, nearest, values)


def constant(values: ArrayLike) -> Expression:
    """Return a numeric array as an expression without its structural zeros."""
    return ca.sparsify(ca.SX(ca.DM(np.asarray(values, float))))


def skew(v: Expression) -> Expression:
    """Return the matrix S(v) with S(v) u = v x u."""
    return ca.sparsify(ca.vertcat(
        ca.horzcat(0, -v[2], v[1]), ca.horzcat(v[2], 0, -v[0]), ca.horzcat(-v[1], v[0], 0)))


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
    R_PJ, p_PJ = body.mount
    if body.prismatic:
        return R_PJ, p_PJ + constant(body.R_PJ @ body.axis) * value
    # Rodrigues, without structural zeros: exact zeros and ones stay exact
    of_cosine, of_one, of_sine = body.turn
    rotation = ca.sparsify(of_cosine * ca.cos(value) + of_one + of_sine * ca.sin(value))
    return ca.sparsify(R_PJ @ rotation), p_PJ

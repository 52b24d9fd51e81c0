"""Where the bodies are: poses along the chain, in base axes."""

from __future__ import annotations

from typing import List, Tuple

import casadi as ca

from robot_dynamics.dynamics.equations.tree import Expression, joint_placement, Tree


def body_pose(tree: Tree, q: Expression, body: int) -> Tuple[Expression, Expression]:
    """
    Pose of a body in the base.

    Parameters
    ----------
    q : SX (nv, 1)
        Joint positions [rad or m].
    body : int
        Index of the body; -1 is the base.

    Returns
    -------
    R : SX (3, 3)
        Body axes in base axes.
    p : SX (3, 1)
        Body origin in base axes [m].
    """
    R, p = ca.SX.eye(3), ca.SX(3, 1)
    while body >= 0:
        step = tree.bodies[body]
        R_PB, p_PB = joint_placement(step, tree.joint_position(step, q))
        R, p = R_PB @ R, R_PB @ p + p_PB
        body = step.parent
    return R, p


def body_rotation(tree: Tree, q: Expression, body: int) -> Expression:
    """Body axes in base axes, SX (3, 3)."""
    return body_pose(tree, q, body)[0]


def first_moment(tree: Tree, q: Expression) -> Expression:
    """First moment of the whole robot about the base origin, base axes, SX (3, 1) [kg m]."""
    total = tree.base.first
    poses: List[Tuple[Expression, Expression]] = []
    for body in tree.bodies:
        R, p = joint_placement(body, tree.joint_position(body, q))
        if body.parent >= 0:
            R_parent, p_parent = poses[body.parent]
            R, p = R_parent @ R, R_parent @ p + p_parent
        poses.append((R, p))
        total = total + body.moments.mass * p + R @ body.moments.first
    return total

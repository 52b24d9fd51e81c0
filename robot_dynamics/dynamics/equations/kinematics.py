"""Where the bodies are: poses along the chain, in base axes."""

from __future__ import annotations

from typing import Tuple

import casadi as ca

from robot_dynamics.dynamics.equations.tree import Expression, joint_placement, Tree


def body_pose(tree: Tree, q: Expression, body: int) -> Tuple[Expression, Expression]:
    """
    Pose of a body in the base.

    Parameters
    ----------
    tree : Tree
        The robot.
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

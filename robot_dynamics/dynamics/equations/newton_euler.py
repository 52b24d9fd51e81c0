"""
The recursive Newton-Euler formulation on a moving base.

Source: Sadraei & Moghaddam, On a Moving Base Robotic Manipulator Dynamics (paper 003 below),
eqs. 26-35, whose recursion is Craig's; extended to trees, prismatic and mimic joints, and to a
base with all six degrees of freedom.
"""

from __future__ import annotations

from typing import Dict, List, Optional, Tuple

import casadi as ca

from robot_dynamics.dynamics.equations.tree import (
    BaseVectors, Expression, joint_placement, Moments, Tree)

# body index (-1: base) -> force and moment on that body at its origin, in body axes
Wrenches = Dict[int, Tuple[Expression, Expression]]


def newton_euler(tree: Tree, q: Expression, qd: Expression, qdd: Expression, base: BaseVectors,
                 wrenches: Optional[Wrenches] = None) -> Tuple[Expression, Expression]:
    """
    Joint torques and the wrench on the deck for a motion of arm and base.

    Parameters
    ----------
    q, qd, qdd : SX (nv, 1)
        Joint positions, velocities and accelerations [rad or m, and per s, s^2].
    base : BaseVectors
        Motion of the base and gravity, in base axes.
    wrenches : dict, optional
        External force [N] and moment [N m] on bodies, at the body's origin, in its axes.

    Returns
    -------
    tau : SX (nv, 1)
        Joint torques or forces [N m or N].
    deck : SX (6, 1)
        Force and moment of the robot on the deck at the base origin, in base axes.

    Notes
    -----
    Departures from paper 003: eq. 35 prints roll and pitch where their rates belong and the
    base angular velocity as [roll', pitch', 0]; here the base's own angular velocity enters.
    Gravity is that of the tilted base: the recursion starts from a - g in base axes, where the
    paper's eq. 35 starts from zero.
    """
    bodies = tree.bodies
    wrenches = wrenches or {}

    # ---- outward: velocities and accelerations of each body, eqs. 26-28
    w: List[Expression] = []
    motion: List[Tuple[Expression, Expression]] = []  # (acceleration of the origin, Gamma)
    placement: List[Tuple[Expression, Expression]] = []
    angular: List[Expression] = []
    base_motion = (base.a - base.g, rotation_field(base.w, base.wd))
    for body in bodies:
        w_parent, wd_parent = ((base.w, base.wd) if body.parent < 0
                               else (w[body.parent], angular[body.parent]))
        a_parent, gamma_parent = base_motion if body.parent < 0 else motion[body.parent]
        rate = tree.joint_rate(body, qd)
        acceleration = tree.joint_rate(body, qdd)
        z = body.z
        R_PB, p_PB = joint_placement(body, tree.joint_position(body, q))
        w_turned = R_PB.T @ w_parent
        wd_i = R_PB.T @ wd_parent
        w_i = w_turned
        a_i = R_PB.T @ (a_parent + gamma_parent @ p_PB)                       # eq. 28
        if body.prismatic:
            a_i = a_i + 2 * ca.cross(w_turned, z * rate) + z * acceleration
        else:
            w_i = w_turned + z * rate                                         # eq. 26
            wd_i = wd_i + ca.cross(w_turned, z * rate) + z * acceleration     # eq. 27
        w.append(w_i)
        angular.append(wd_i)
        motion.append((a_i, rotation_field(w_i, wd_i)))
        placement.append((R_PB, p_PB))

    # ---- force and moment that each body's motion takes, about its origin, eqs. 29-31, 33
    force: List[Expression] = []
    moment: List[Expression] = []
    for i, body in enumerate(bodies):
        f, n = body_wrench(body.moments, *motion[i])
        if i in wrenches:
            f, n = f - wrenches[i][0], n - wrenches[i][1]
        force.append(f)
        moment.append(n)

    # ---- inward: what each joint transmits, eqs. 32-34
    tau: List[Expression] = [ca.SX(0)] * tree.nv
    f_base, n_base = body_wrench(tree.base, *base_motion)
    if -1 in wrenches:
        f_base, n_base = f_base - wrenches[-1][0], n_base - wrenches[-1][1]
    for i in reversed(range(len(bodies))):
        body = bodies[i]
        transmitted = force[i] if body.prismatic else moment[i]
        tau[body.coordinate] += body.multiplier * ca.dot(body.z, transmitted)
        R_PB, p_PB = placement[i]
        f = R_PB @ force[i]                                                   # eq. 32
        n = R_PB @ moment[i] + ca.cross(p_PB, f)                              # eq. 33
        if body.parent < 0:
            f_base, n_base = f_base + f, n_base + n
        else:
            force[body.parent] += f
            moment[body.parent] += n
    return ca.vertcat(*tau), ca.densify(-ca.vertcat(f_base, n_base))


def rotation_field(w: Expression, wd: Expression) -> Expression:
    """
    Matrix Gamma with Gamma p = wd x p + w x (w x p), the acceleration of a point at p.

    Written once per body, because the children's origins and the centre of mass share it.
    """
    xx, yy, zz = w[0]**2, w[1]**2, w[2]**2
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return ca.sparsify(ca.vertcat(
        ca.horzcat(-yy - zz, xy - wd[2], xz + wd[1]),
        ca.horzcat(xy + wd[2], -xx - zz, yz - wd[0]),
        ca.horzcat(xz - wd[1], yz + wd[0], -xx - yy)))


def body_wrench(moments: Moments, a: Expression, gamma: Expression
                ) -> Tuple[Expression, Expression]:
    """
    Force and moment about the body's origin that its motion takes, in body axes.

    With Gamma and the moments h = m c and Sigma about the origin, eqs. 29 and 30 are
    f = m a + Gamma h, and eq. 31 (Euler's equation, moved to the origin as in eq. 33) is
    n = h x a + axial(Gamma Sigma), because I wd + w x (I w) = axial(Gamma Sigma) for
    I = tr(Sigma) 1 - Sigma.
    """
    f = moments.mass * a + gamma @ moments.first
    G = gamma @ moments.second
    axial = ca.vertcat(G[2, 1] - G[1, 2], G[0, 2] - G[2, 0], G[1, 0] - G[0, 1])
    return f, axial + ca.cross(moments.first, a)

"""
The Lagrange-Euler formulation on a moving base, in the trace form of paper 003.

Source: Sadraei & Moghaddam (paper 003), eqs. 1-19, with the sums over joints factored as in
Hollerbach, A recursive Lagrangian formulation of manipulator dynamics (1980): the same terms,
at a cost linear in the number of joints.
"""

from __future__ import annotations

from typing import List

import casadi as ca

from robot_dynamics.dynamics.equations.tree import (
    BaseVectors, Expression, joint_placement, Moments, skew, Tree, TreeBody)


def lagrange_euler(tree: Tree, q: Expression, qd: Expression, qdd: Expression,
                   base: BaseVectors) -> Expression:
    """
    Joint torques for a motion of arm and base, SX (nv, 1).

    Arguments as in ``newton_euler``.

    Notes
    -----
    With W_i = A_b 0A_i the pose of body i in the world, eq. 13 is

        tau_i = sum over j >= i of Tr( d(W_j)/dq_i J_j (W_j'')^T ) - gravity.

    Factored, tau_i = Tr( W_p dA_i/dq_i D_i ) with D_i = J_i (W_i'')^T + sum over the children
    k of i of A_k D_k.  Of the base only A_b^T A_b' = S(w) and
    A_b^T A_b'' = [S(wd) + S(w)^2, a] enter, and gravity as -g beside a, so W is written in base
    axes and the pose of the base itself is never needed.

    Departures from paper 003: eq. 13 and 16 print + m g A U R for the gravity torque, eqs. 10
    and 11 make it minus; eq. 18 lacks the factor 2 that eq. 13 has; eqs. 9 and 12 carry stray
    dots; eqs. 14 and 15 sum over r inside a matrix entry.  J_j is the 4 x 4 pseudo-inertia.
    """
    # ---- outward: pose of each body in base axes and its two derivatives, eqs. 3, 4, 13
    W0 = ca.SX.eye(4)
    W0d = homogeneous(skew(base.w), ca.SX(3, 1), 0)
    W0dd = homogeneous(skew(base.wd) + skew(base.w) @ skew(base.w), base.a - base.g, 0)
    W: List[Expression] = []
    Wd: List[Expression] = []
    Wdd: List[Expression] = []
    A: List[Expression] = []
    dA: List[Expression] = []
    for body in tree.bodies:
        p = body.parent
        Wp, Wpd, Wpdd = (W0, W0d, W0dd) if p < 0 else (W[p], Wd[p], Wdd[p])
        rate, acceleration = tree.joint_rate(body, qd), tree.joint_rate(body, qdd)
        Q = joint_operator(body)
        A_i = homogeneous(*joint_placement(body, tree.joint_position(body, q)), 1)
        dA_i = ca.sparsify(A_i @ Q)          # eq. 5, with Q on the side of the body's own frame
        ddA_i = ca.sparsify(dA_i @ Q)
        Wdd.append(Wpdd @ A_i + 2 * Wpd @ dA_i * rate
                   + Wp @ (ddA_i * rate**2 + dA_i * acceleration))
        Wd.append(Wpd @ A_i + Wp @ dA_i * rate)
        W.append(Wp @ A_i)
        A.append(A_i)
        dA.append(dA_i)

    # ---- inward: D_i and the trace, eq. 13 factored
    D: List[Expression] = [
        pseudo_inertia(body.moments) @ Wdd[i].T for i, body in enumerate(tree.bodies)]
    tau: List[Expression] = [ca.SX(0)] * tree.nv
    for i in reversed(range(len(tree.bodies))):
        body = tree.bodies[i]
        p = body.parent
        tau[body.coordinate] += body.multiplier * trace_product(
            dA[i] if p < 0 else W[p] @ dA[i], D[i])
        if p >= 0:
            D[p] += A[i] @ D[i]
    return ca.vertcat(*tau)


def homogeneous(R: Expression, p: Expression, corner: float) -> Expression:
    """4 x 4 matrix of a rotation and a translation; ``corner`` is 1, or 0 for derivatives."""
    return ca.sparsify(ca.vertcat(
        ca.horzcat(R, p), ca.horzcat(ca.SX(1, 3), ca.SX(corner))))


def joint_operator(body: TreeBody) -> Expression:
    """Paper 003's Q in the body's own frame: dA/dq = A Q, for a rotation or a translation."""
    if body.prismatic:
        return homogeneous(ca.SX(3, 3), body.z, 0)
    return homogeneous(skew(body.z), ca.SX(3, 1), 0)


def pseudo_inertia(moments: Moments) -> Expression:
    """4 x 4 pseudo-inertia J of eq. 9: second moments about the body's origin, m c, m."""
    return ca.sparsify(ca.vertcat(
        ca.horzcat(moments.second, moments.first), ca.horzcat(moments.first.T, moments.mass)))


def trace_product(X: Expression, Y: Expression) -> Expression:
    """Tr(X Y) without forming the product."""
    return ca.sum1(ca.sum2(X.T * Y))

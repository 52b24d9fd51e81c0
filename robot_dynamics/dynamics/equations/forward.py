"""Forward dynamics: the accelerations that given torques cause."""

from __future__ import annotations

from typing import List

import casadi as ca

from robot_dynamics.dynamics.equations.tree import Expression


def solve_symmetric(M: Expression, b: Expression) -> Expression:
    """
    Solve M x = b for a symmetric positive definite M of expressions.

    M = L^T D L from the last row to the first: taken from the leaves to the root, branches of
    a tree cause no fill-in, so that structural zeros of the mass matrix stay zeros
    (Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.4).
    """
    n = M.size1()
    A: List[List[Expression]] = [[M[i, j] for j in range(i + 1)] for i in range(n)]
    for k in reversed(range(n)):
        for i in reversed(range(k)):
            if A[k][i].is_zero():
                continue
            factor = A[k][i] / A[k][k]
            for j in range(i + 1):
                if not A[k][j].is_zero():
                    A[i][j] = A[i][j] - factor * A[k][j]
            A[k][i] = factor
    x = [b[i] for i in range(n)]
    for k in reversed(range(n)):
        for i in range(k):
            if not A[k][i].is_zero():
                x[i] = x[i] - A[k][i] * x[k]
    for k in range(n):
        x[k] = x[k] / A[k][k]
        for i in range(k):
            if not A[k][i].is_zero():
                x[k] = x[k] - A[k][i] * x[i]
    return ca.vertcat(ca.SX(0, 1), *x)

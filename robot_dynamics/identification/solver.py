"""
The quadratic programme over bodies that can exist, solved by Clarabel.

Minimise |M theta - y|^2 such that the pseudo-inertia of every body is positive semidefinite and
what cannot be negative is not.  Clarabel (Goulart & Chen 2024) is called without a modelling
layer: cones of 4 x 4 matrices and of non-negative numbers.
"""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.identification.layout import Layout
from robot_dynamics.identification.pseudo_inertia import BASIS

_MARGIN = 1e-6  # least eigenvalue of a body, relative to the description's
_TRIANGLE = [(i, j) for j in range(4) for i in range(j + 1)]


def solve_consistent(M: FloatArray, y: FloatArray, layout: Layout, held: FloatArray,
                     free: NDArray[np.bool_]) -> FloatArray:
    """
    Return theta (size,) of the least |M theta - y|^2 that can exist.

    Parameters
    ----------
    M : (R, size) array
    y : (R,) array
    held : (size,) array
        Values of what is not free.
    free : (size,) bool
    """
    theta = held.copy()
    if not free.any():
        return theta
    import clarabel
    from scipy.sparse import csc_matrix
    A = M[:, free]
    # around the solution without constraints, so that weak directions are not lost in rounding
    best = least_squares(A, y - M[:, ~free] @ held[~free])
    theta[free] = best
    if layout.is_consistent(theta, 0.0):
        return theta
    H = A.T @ A
    scale = 1.0 / np.sqrt(np.maximum(np.diag(H), 1e-12))
    rows, right, cones = _cones(clarabel, layout, held, free)
    G = np.vstack(rows)[:, free]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solution = clarabel.DefaultSolver(
        csc_matrix(np.triu(H * np.outer(scale, scale))), np.zeros(len(best)),
        csc_matrix(G * scale), np.concatenate(right) - G @ best, cones, settings).solve()
    values = best + np.array(solution.x) * scale
    if str(solution.status) not in ('Solved', 'AlmostSolved') or not np.isfinite(values).all():
        raise RobotDynamicsError(f'identification: the solver ended with {solution.status}; the '
                                 'recording or the description holds numbers out of all range')
    theta[free] = values
    return theta


def least_squares(A: FloatArray, b: FloatArray) -> FloatArray:
    """Solve by QR: the prior leaves no column undetermined."""
    from scipy.linalg import solve_triangular
    scale = np.maximum(np.linalg.norm(A, axis=0), 1e-300)
    Q, R = np.linalg.qr(A / scale)
    return np.asarray(solve_triangular(R, Q.T @ b)) / scale


def _cones(clarabel: Any, layout: Layout, held: FloatArray, free: NDArray[np.bool_]
           ) -> Tuple[List[FloatArray], List[FloatArray], List[Any]]:
    """Return rows G, h and cones such that h - G theta lies in the cones; held ones included."""
    rows: List[FloatArray] = []
    right: List[FloatArray] = []
    cones: List[Any] = []
    for index in range(len(layout.bodies)):
        where = layout.body(index)
        if not free[where].any():
            continue
        S = np.diag(1.0 / np.sqrt(np.diag(layout.metric(index))))
        block = np.zeros((10, layout.size))
        for r, (i, j) in enumerate(_TRIANGLE):
            factor = 1.0 if i == j else np.sqrt(2.0)
            block[r, where] = -factor * (S @ BASIS @ S)[:, i, j]
        rows.append(block)
        right.append(-_MARGIN * np.array([float(i == j) for i, j in _TRIANGLE]))
        cones.append(clarabel.PSDTriangleConeT(4))
    positive = _signs(layout, free)
    if len(positive):
        rows.append(-positive)
        right.append(positive[:, ~free] @ held[~free])
        cones.append(clarabel.NonnegativeConeT(len(positive)))
    return rows, right, cones


def _signs(layout: Layout, free: NDArray[np.bool_]) -> FloatArray:
    """Return rows that give what must not be negative: rotors, and friction that drives."""
    eye = np.eye(layout.size)
    rows = [eye[k] for k in layout.positive() if free[k]]
    for term in ('asymmetry', 'stribeck'):
        if term in layout.terms and 'coulomb' in layout.terms:
            for k, c in zip(range(*layout.term(term).indices(layout.size)),
                            range(*layout.term('coulomb').indices(layout.size))):
                if free[k]:
                    rows.append(eye[c] + eye[k])
                    if term == 'asymmetry':
                        rows.append(eye[c] - eye[k])
    return np.array(rows).reshape(-1, layout.size)

"""
Two driven wheels that roll without slipping: the constraint, its null space, the projection.

Source: paper 004, eqs. 3-19.  The generalised coordinates are q = (x, y, theta, right wheel,
left wheel, arm ...) with the middle of the axle at x, y and the heading theta on the ground; the
reduced velocity is v = (right wheel, left wheel, arm ...), and qd = R v.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple

import casadi as ca

from robot_dynamics.dynamics.equations.tree import Expression


class Rolling(NamedTuple):
    """
    What rolling depends on.

    ``radius`` r and ``half_track`` L in m; ``right``, ``left``: 1 where a positive wheel rate
    drives forward, -1 where the description has the axis the other way round.
    """

    radius: float
    half_track: float
    right: float
    left: float


def constraint_matrix(rolling: Rolling, heading: Expression, nv: int) -> Expression:
    """
    Matrix A with A qd = 0, SX (3, 3 + nv): eq. 16.

    Rows: no motion along the axle; right and left wheel roll.  The paper prints r for the last
    entry of the third row, which must be -r.
    """
    r, L = rolling.radius, rolling.half_track
    c, s = ca.cos(heading), ca.sin(heading)
    A = ca.SX(3, 3 + nv)
    A[0, :2] = ca.horzcat(-s, c)
    A[1, :4] = ca.horzcat(c, s, L, -r * rolling.right)
    A[2, :3] = ca.horzcat(c, s, -L)
    A[2, 4] = -r * rolling.left
    return A


def null_space(rolling: Rolling, heading: Expression, nv: int) -> Expression:
    """
    Matrix R of eq. 19 with A R = 0, identity for wheels and arm: SX (3 + nv, nv).

    The paper's eq. 38 is the R of another point than the one its energies use; this is that of
    the middle of the axle.
    """
    forward, turn = _rates(rolling)
    c, s = ca.cos(heading), ca.sin(heading)
    return _over_identity(ca.vertcat(c * forward, s * forward, turn), nv)


def null_space_rate(rolling: Rolling, heading: Expression, v: Expression) -> Expression:
    """Time derivative of R along the motion, SX (3 + nv, nv)."""
    forward, turn = _rates(rolling)
    c, s = ca.cos(heading), ca.sin(heading)
    rate = (turn @ v[:2])[0]
    nv = v.numel()
    top = ca.vertcat(-s * rate * forward, c * rate * forward, ca.SX(1, 2))
    result = ca.SX(3 + nv, nv)
    result[:3, :2] = top
    return result


def generalised_motion(rolling: Rolling, heading: Expression, v: Expression, vd: Expression
                       ) -> Tuple[Expression, Expression]:
    """
    Velocity and acceleration of all coordinates: eqs. 5 and 6, each SX (3 + nv, 1).

    Written out, forward speed u and turning rate w give x' = c u, y' = s u and, for the
    acceleration, x'' = c u' - s w u, y'' = s u' + c w u.
    """
    forward, turn = _rates(rolling)
    c, s = ca.cos(heading), ca.sin(heading)
    u, w = (forward @ v[:2])[0], (turn @ v[:2])[0]
    ud, wd = (forward @ vd[:2])[0], (turn @ vd[:2])[0]
    qd = ca.vertcat(c * u, s * u, w, v)
    qdd = ca.vertcat(c * ud - s * (w * u), s * ud + c * (w * u), wd, vd)
    return qd, qdd


def projected(rolling: Rolling, heading: Expression, tau: Expression) -> Expression:
    """Torques of wheels and arm, R^T tau: eq. 10 with B1 = R^T B = 1, SX (nv, 1)."""
    forward, turn = _rates(rolling)
    c, s = ca.cos(heading), ca.sin(heading)
    along = c * tau[0] + s * tau[1]
    wheels = tau[3:5] + forward.T * along + turn.T * tau[2]
    return ca.vertcat(wheels, tau[5:])


def christoffel_matrix(M: Expression, q: Expression, qd: Expression) -> Expression:
    """
    Coriolis matrix C with C qd the Coriolis torque and M' - 2 C skew-symmetric.

    C = (M' + J - J^T) / 2 with J = d(M qd)/dq at constant qd: Christoffel symbols of the first
    kind, summed.
    """
    J = ca.jacobian(M @ qd, q)
    n = M.size1()
    rate = ca.reshape(ca.jtimes(ca.vec(M), q, qd), n, n)
    return 0.5 * (rate + J - J.T)


def _rates(rolling: Rolling) -> Tuple[Expression, Expression]:
    """Rows that give forward speed and turning rate from the wheels' rates: eqs. 35, 36."""
    r, L = rolling.radius, rolling.half_track
    forward = ca.SX(ca.DM([[0.5 * r * rolling.right, 0.5 * r * rolling.left]]))
    turn = ca.SX(ca.DM([[0.5 * r / L * rolling.right, -0.5 * r / L * rolling.left]]))
    return forward, turn


def _over_identity(top: Expression, nv: int) -> Expression:
    result = ca.SX(3 + nv, nv)
    result[:3, :2] = top
    result[3:, :] = ca.SX.eye(nv)
    return result

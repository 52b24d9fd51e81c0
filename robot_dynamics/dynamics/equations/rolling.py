"""
Wheels that roll: what their rates make of the platform, and the projection on them.

Source: paper 004, eqs. 3-19.  The generalised coordinates are q = (x, y, theta, wheels, arm ...)
with the platform's frame O at x, y and the heading theta on the ground; the reduced velocity is
v = (wheels, arm ...).  The wheels' rates give the platform's twist in its own axes,
(forward, left, turning) = K v_wheels, so that qd = R v with R = [rotation(theta) K; 1].  The
paper has the K of two wheels on one axle; any other K, with a row for motion to the left, goes
the same way.
"""

from __future__ import annotations

from typing import Tuple

import casadi as ca

from robot_dynamics.dynamics.equations.tree import Expression


def generalised_motion(K: Expression, heading: Expression, v: Expression, vd: Expression
                       ) -> Tuple[Expression, Expression]:
    """
    Velocity and acceleration of all coordinates: eqs. 5 and 6, each SX (3 + nv, 1).

    Written out, with the twist (u, l, n): x' = c u - s l, y' = s u + c l, and the same of
    (u' - n l, l' + n u) for the acceleration.

    Parameters
    ----------
    K : SX (3, wheels)
        Twist of the platform of the wheels' rates, structural zeros left out.
    heading : SX
        Of the platform on the ground [rad].
    v, vd : SX (nv, 1)
        Rates and accelerations, wheels first.
    """
    wheels = K.size2()
    u, left, n = ca.vertsplit(K @ v[:wheels])
    ud, leftd, nd = ca.vertsplit(K @ vd[:wheels])
    return (ca.vertcat(*_turned(heading, u, left), n, v),
            ca.vertcat(*_turned(heading, ud - n * left, leftd + n * u), nd, vd))


def projected(K: Expression, heading: Expression, tau: Expression) -> Expression:
    """Torques of wheels and arm, R^T tau: eq. 10 with B1 = R^T B = 1, SX (nv, 1)."""
    wheels = K.size2()
    along, left = _turned_back(heading, tau[0], tau[1])
    return ca.vertcat(tau[3:3 + wheels] + K.T @ ca.vertcat(along, left, tau[2]),
                      tau[3 + wheels:])


def platform_axes(heading: Expression, pose: Expression, wrench: Expression) -> Expression:
    """Move a wrench (6,) from the origin of the ground's frame to O, and into its axes."""
    force, moment = wrench[:3], wrench[3:]
    moment = moment - ca.cross(ca.vertcat(pose[0], pose[1], 0), force)
    return ca.vertcat(*_turned_back(heading, force[0], force[1]), force[2],
                      *_turned_back(heading, moment[0], moment[1]), moment[2])


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


def _turned(angle: Expression, x: Expression, y: Expression) -> Tuple[Expression, Expression]:
    c, s = ca.cos(angle), ca.sin(angle)
    return c * x - s * y, s * x + c * y


def _turned_back(angle: Expression, x: Expression, y: Expression
                 ) -> Tuple[Expression, Expression]:
    c, s = ca.cos(angle), ca.sin(angle)
    return c * x + s * y, c * y - s * x

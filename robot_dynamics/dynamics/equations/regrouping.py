"""
Move mass to the parent where a joint does not feel the difference.

Mass on the axis of a revolute joint is carried by the parent in exactly the same way, and so is
the second moment of a body on a prismatic joint: the joint torques depend on fewer inertial
parameters than the bodies have (Gautier & Khalil, Direct calculation of minimum set of
inertial parameters of serial robots, 1990).  Regrouped, a body on a revolute joint has no mass,
no first moment along the axis and no second moment along it, and a fifth to a quarter of the
instructions of a torque goes.

Torques are the same to rounding; the wrench on the deck is not, since what reaches the base is
dropped.
"""

from __future__ import annotations

from typing import List

import numpy as np

from robot_dynamics.model.robot_model import Inertial, RobotModel

ROUNDING = 1e-15


def regrouped(model: RobotModel) -> List[np.ndarray]:
    """Pseudo-inertia (4, 4) of each body after regrouping, about its origin, in its axes."""
    J = [pseudo_inertia(body.inertial) for body in model.bodies]
    for i in reversed(range(len(J))):
        body = model.bodies[i]
        moved = np.zeros((4, 4))
        if body.joint.kind == 'prismatic':
            moved[:3, :3] = J[i][:3, :3]
        else:
            z = np.asarray(body.joint.axis)
            moved[:3, :3] = z @ J[i][:3, :3] @ z * np.outer(z, z)
            moved[:3, 3] = moved[3, :3] = z @ J[i][:3, 3] * z
            moved[3, 3] = J[i][3, 3]
        J[i] = J[i] - moved
        J[i][np.abs(J[i]) <= ROUNDING * np.abs(moved)] = 0.0
        if body.parent >= 0:
            X = np.eye(4)
            X[:3, :3], X[:3, 3] = body.R_PJ, body.p_PJ
            J[body.parent] = J[body.parent] + X @ moved @ X.T
    return J


def pseudo_inertia(inertial: Inertial) -> np.ndarray:
    """4 x 4 pseudo-inertia of a body about its origin."""
    second = 0.5 * np.trace(inertial.inertia) * np.eye(3) - inertial.inertia
    second = second + inertial.mass * np.outer(inertial.com, inertial.com)
    first = inertial.mass * np.asarray(inertial.com)
    return np.block([[second, first[:, None]], [first[None], np.array([[inertial.mass]])]])

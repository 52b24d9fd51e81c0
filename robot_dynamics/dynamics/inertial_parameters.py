"""The inertial parameters in which torque is linear, for identification."""

from __future__ import annotations

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.formulation import massless_bodies
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.protocol import Support
from robot_dynamics.model.robot_model import RobotModel


def inertial_parameters(model: RobotModel, support: Support = FixedMount()) -> FloatArray:
    """
    Return the vector p of ``InverseDynamics.regressor`` for a model, (10 bodies,).

    Per body: m, m c (3), and the inertia about the body's origin, xx xy xz yy yz zz.  On wheels
    the platform comes first, in its frame O.
    """
    rows = []
    for body in support.tree(model).bodies[massless_bodies(support):]:
        m, c, inertia = body.inertial.mass, body.inertial.com, body.inertial.inertia
        about_origin = inertia + m * (c @ c * np.eye(3) - np.outer(c, c))
        rows.append([m, *(m * c), *about_origin[np.triu_indices(3)]])
    return np.array(rows).reshape(-1)

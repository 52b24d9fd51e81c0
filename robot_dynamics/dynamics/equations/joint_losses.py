"""What the joints themselves add to the rigid-body torque: friction and rotor inertia."""

from __future__ import annotations

import casadi as ca
import numpy as np

from robot_dynamics.dynamics.equations.tree import Expression

# Speed at which Coulomb friction has reached 71 % of its full value [rad/s or m/s].
FRICTION_SPEED = 0.01


def friction_torque(qd: Expression, viscous: np.ndarray, coulomb: np.ndarray,
                    speed: float = FRICTION_SPEED) -> Expression:
    """
    Viscous and Coulomb friction, smooth at zero speed, SX (nv, 1) [N m or N].

    tau = viscous qd + coulomb qd / sqrt(qd^2 + speed^2).  The algebraic step has no
    exponential, so it vectorises, and its slope at rest is coulomb / speed.
    """
    columns = [viscous[k] * qd[k] + (
        coulomb[k] * qd[k] / ca.sqrt(qd[k]**2 + speed**2) if coulomb[k] else 0)
        for k in range(len(viscous))]
    return ca.vertcat(ca.SX(0, 1), *columns)


def rotor_torque(qdd: Expression, reflected: np.ndarray) -> Expression:
    """
    Torque that accelerates the rotors, SX (nv, 1): reflected inertia times qdd.

    ``reflected`` is gear ratio squared times rotor inertia [kg m^2].  The gyroscopic part of
    spinning rotors on a turning link or base is smaller by the gear ratio and is left out.
    """
    return ca.vertcat(ca.SX(0, 1), *(reflected[k] * qdd[k] for k in range(len(reflected))))

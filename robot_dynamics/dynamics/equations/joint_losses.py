r"""
What the joints themselves add to the rigid-body torque: friction and rotor inertia.

The one friction law of the package, for kernels, simulation, fits and identification alike:

.. math:: \tau = F_v v + (F_c + F_s e^{-(v/v_s)^2}) s(v) + F_a |s(v)| + F_0, \quad
          s(v) = v / \sqrt{v^2 + s_0^2}

(Stribeck's curve in the form of Armstrong-Helouvry, Dupont & Canudas de Wit 1994, with a smooth
step at standstill.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Tuple

import casadi as ca
import numpy as np

from robot_dynamics.dynamics.equations.tree import Expression

# Speed at which Coulomb friction has reached 71 % of its full value [rad/s or m/s].
FRICTION_SPEED = 0.01

TERMS = ('viscous', 'coulomb', 'stribeck', 'asymmetry', 'offset')
"""Names of the coefficients."""


@dataclass(frozen=True)
class FrictionLaw:
    """Coefficients of the law, one a coordinate, (nv,); zeros where not asked for."""

    viscous: np.ndarray  #: N m s/rad (N s/m)
    coulomb: np.ndarray  #: N m (N), as stribeck, asymmetry and offset
    stribeck: np.ndarray
    asymmetry: np.ndarray
    offset: np.ndarray
    stribeck_speed: np.ndarray  #: rad/s (m/s)

    @classmethod
    def none(cls, joints: int) -> FrictionLaw:
        """Return the law of joints without friction."""
        zero = np.zeros(joints)
        return cls(zero, zero, zero, zero, zero, np.ones(joints))

    def scaled(self, factor: float) -> FrictionLaw:
        """Return the same with so many times the friction."""
        return replace(self, **{name: factor * getattr(self, name) for name in TERMS})

    def torque(self, v: np.ndarray) -> np.ndarray:
        """Return the torque at velocities (nv,) or (T, nv), N m (N)."""
        sign = smooth_sign(v)
        return np.asarray(sum(
            getattr(self, name) * friction_term(name, v, sign, self.stribeck_speed)
            for name in self.names))

    @cached_property
    def names(self) -> Tuple[str, ...]:
        """Names of the terms that some joint has; one at least."""
        return tuple(name for name in TERMS if getattr(self, name).any()) or TERMS[:1]

    def slope(self, v: np.ndarray) -> np.ndarray:
        """Return the derivative of the torque by velocity, N m s/rad (N s/m)."""
        r = np.sqrt(v * v + FRICTION_SPEED**2)
        step = FRICTION_SPEED**2 / r**3
        if self.names in (TERMS[:1], TERMS[:2]):
            return np.asarray(self.viscous + self.coulomb * step)
        decay = self.stribeck * np.exp(-(v / self.stribeck_speed)**2)
        return np.asarray(
            self.viscous + (self.coulomb + decay + self.asymmetry * np.sign(v)) * step
            - decay * v / r * 2.0 * v / self.stribeck_speed**2)


def smooth_sign(v: Any, functions: Any = np) -> Any:
    """Return the sign of a velocity, smooth at standstill; ``functions`` as below."""
    return v / functions.sqrt(v * v + FRICTION_SPEED**2)


def friction_term(name: str, v: Any, sign: Any, stribeck_speed: Any, functions: Any = np) -> Any:
    """
    Return what one unit of a coefficient adds at a velocity.

    Parameters
    ----------
    name : str
        One of :data:`TERMS`.
    v, sign, stribeck_speed : ndarray or SX
        Velocity, its smooth sign, and the speed at which the Stribeck term decays.
    functions : module
        ``numpy``, or ``casadi`` for expressions.
    """
    if name == 'viscous':
        return v
    if name == 'coulomb':
        return sign
    if name == 'stribeck':
        return sign * functions.exp(-(v / stribeck_speed)**2)
    return functions.fabs(sign) if name == 'asymmetry' else 0.0 * v + 1.0


def friction_torque(qd: Expression, law: FrictionLaw) -> Expression:
    """
    Torque of the friction law, SX (nv, 1) [N m or N].

    A term whose coefficient is zero leaves no instruction; without a Stribeck term none is an
    exponential, so the kernel vectorises.
    """
    columns = []
    for k in range(len(law.viscous)):
        sign, speed = smooth_sign(qd[k], ca), float(law.stribeck_speed[k])
        columns.append(sum((getattr(law, name)[k] * friction_term(name, qd[k], sign, speed, ca)
                            for name in TERMS if getattr(law, name)[k]), ca.SX(0)))
    return ca.vertcat(ca.SX(0, 1), *columns)


def rotor_torque(qdd: Expression, reflected: np.ndarray) -> Expression:
    """
    Torque that accelerates the rotors, SX (nv, 1): reflected inertia times qdd.

    ``reflected`` is gear ratio squared times rotor inertia [kg m^2].  The gyroscopic part of
    spinning rotors on a turning link or base is smaller by the gear ratio and is left out.
    """
    return ca.vertcat(ca.SX(0, 1), *(reflected[k] * qdd[k] for k in range(len(reflected))))

"""Friction of the simulated arm, taken implicitly because it is stiff near standstill."""

from __future__ import annotations

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import FRICTION_SPEED
from robot_dynamics.dynamics.inverse import InverseDynamics

_ITERATIONS = 60
_CONVERGED = 1e-11  # rad/s


class FrictionStep:
    """
    Slows the joints down by their friction over one step.

    Parameters
    ----------
    inverse : InverseDynamics
        For the mass matrix, and the friction of its model.
    factor : float
        Friction over that of the description.
    """

    def __init__(self, inverse: InverseDynamics, factor: float = 1.0) -> None:
        model = inverse.model
        self._inverse = inverse
        self._viscous = factor * np.array(model.damping)
        self._coulomb = factor * np.array(model.friction)
        self._speed_squared = FRICTION_SPEED**2
        self._diagonal = np.arange(model.nv)

    def apply(self, q: FloatArray, qd: FloatArray, step: float, scale: float) -> FloatArray:
        """
        Return the velocity after a step of friction alone.

        Solves M (v - qd) + h F(v) = 0, the implicit Euler step, by Newton's method, with F the
        friction law of the dynamics, F(v) = d v + c v / sqrt(v^2 + s^2).  A joint that an
        iteration would carry past standstill is put at rest first: from there, where the law is
        steepest, Newton's method cannot overshoot.

        Parameters
        ----------
        q, qd : (nv,) array, rad, rad/s
        step : float, s
        scale : float
            Factor of the mass matrix.
        """
        mass = scale * self._inverse.mass_matrix(q)
        viscous, coulomb = step * self._viscous, step * self._coulomb
        v = qd
        for _ in range(_ITERATIONS):
            square = v * v + self._speed_squared
            coulomb_slope = coulomb / np.sqrt(square)  # times v: the torque
            residual = mass.dot(v - qd) + (viscous + coulomb_slope) * v
            slope = mass.copy()
            slope[self._diagonal, self._diagonal] += (
                viscous + coulomb_slope * (self._speed_squared / square))
            new = v - np.linalg.solve(slope, residual)
            new[new * v < 0.0] = 0.0
            if np.abs(new - v).max() < _CONVERGED:
                return new
            v = new
        return v

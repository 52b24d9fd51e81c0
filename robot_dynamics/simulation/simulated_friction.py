"""Friction of the simulated arm, taken implicitly because it is stiff near standstill."""

from __future__ import annotations

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.joint_losses import friction_law
from scipy.linalg.lapack import dgesv

_ITERATIONS = 60
_CONVERGED = 1e-7  # rad/s: the error of Newton's next step would be 100 s/rad times the square


class FrictionStep:
    """Slows the joints down by ``factor`` times the friction of the model, over one step."""

    def __init__(self, inverse: InverseDynamics, factor: float = 1.0) -> None:
        self._inverse = inverse
        self._law = friction_law(inverse.model).scaled(factor)
        self._diagonal = np.arange(inverse.model.nv)

    def apply(self, q: FloatArray, qd: FloatArray, step: float, scale: float) -> FloatArray:
        """
        Return the velocity after a step of friction alone.

        Solves M (v - qd) + h F(v) = 0, the implicit Euler step, by Newton's method, with F the
        friction law of the dynamics.  A joint that an iteration would carry past standstill is
        put at rest first: from there, where the law is steepest, Newton's method cannot
        overshoot.

        Parameters
        ----------
        q, qd : (nv,) array, rad, rad/s
        step : float, s
        scale : float
            Factor of the mass matrix.
        """
        mass = scale * self._inverse.mass_matrix(q)
        v = qd
        for _ in range(_ITERATIONS):
            residual = mass.dot(v - qd) + step * self._law.torque(v)
            slope = mass.copy()
            slope[self._diagonal, self._diagonal] += step * self._law.slope(v)
            new = v - _solved(slope, residual)
            past = new * v < 0.0
            new[past] = 0.0
            if not past.any() and np.abs(new - v).max() < _CONVERGED:
                return new
            v = new
        return v


def _solved(matrix: FloatArray, right: FloatArray) -> FloatArray:
    """Solve a linear system of a few unknowns: numpy.linalg's checks cost more than that."""
    solution: FloatArray = dgesv(matrix, right)[2]
    return solution

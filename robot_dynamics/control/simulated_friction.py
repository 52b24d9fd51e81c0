"""Friction of the simulated arm, taken implicitly because it is stiff near standstill."""

from __future__ import annotations

from typing import Any

import numpy as np

from robot_dynamics.core.gate import FloatArray

_ITERATIONS = 50
_CONVERGED = 1e-12  # rad/s


class FrictionStep:
    """
    Slows the joints down by their friction over one step.

    Parameters
    ----------
    model : RobotModel
    inverse : InverseDynamics
        For the mass matrix and the friction law.
    """

    def __init__(self, model: Any, inverse: Any) -> None:
        self._inverse = inverse
        self._nv = model.nv

    def apply(self, q: FloatArray, qd: FloatArray, step: float, scale: float) -> FloatArray:
        """
        Return the velocity after a step of friction alone.

        Solves M (v - qd) + h F(v) = 0, the implicit Euler step.  With F(v) = k(v) v, where k
        falls as the speed rises, (M + h k(v)) v = M qd is iterated: each iteration lowers the
        convex potential whose gradient the equation is, so that it always converges.

        Parameters
        ----------
        q, qd : (nv,) array, rad, rad/s
        step : float, s
        scale : float
            Factor of the mass matrix.
        """
        mass = scale * self._inverse.mass_matrix(q)
        momentum = mass @ qd
        v = qd
        for _ in range(_ITERATIONS):
            ratio = self._ratio(v)
            new = np.linalg.solve(mass + step * np.diag(ratio), momentum)
            change = np.abs(new - v).max()
            v = new
            if change < _CONVERGED:
                break
        return v

    def _ratio(self, v: FloatArray) -> FloatArray:
        """Friction over velocity, (nv,), Nm s/rad; at rest the slope."""
        tiny = 1e-9
        speed = np.where(np.abs(v) < tiny, tiny, v)
        ratio: FloatArray = self._inverse.friction_torque(speed) / speed
        return ratio

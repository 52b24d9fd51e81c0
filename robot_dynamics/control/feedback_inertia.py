"""The inertia that the joint feedback takes each joint for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.protocols import RobotDynamics
from robot_dynamics.core.gate import FloatArray


class FeedbackInertia:
    """
    What links and rotor of a joint resist, but no less than its drive is made for.

    m_i = max(M_ii + rotor, effort limit / ratio).  At a wrist M_ii is so small that friction
    would swallow a feedback scaled by it, and an identified model knows it worst.  Where the
    effort limit is unknown, only M_ii and rotor count.

    Parameters
    ----------
    dynamics : RobotDynamics
    ratio : float
        In rad/s^2.
    """

    def __init__(self, dynamics: RobotDynamics, ratio: float) -> None:
        model = dynamics.model
        limit = model.effort_limit
        self._least = np.where(np.isfinite(limit) & (limit > 0.0), limit, 0.0) / ratio
        # what of the rotors the mass matrix does not hold
        self._rotor = np.maximum(model.rotor_inertia - dynamics.rotor_inertia, 0.0)
        self._mass_matrix = dynamics.mass_matrix

    def at(self, q: ArrayLike) -> FloatArray:
        """Return the inertia at positions (nv,) or (T, nv), of the same shape, kg m^2 or kg."""
        diagonal = self._mass_matrix(q).diagonal(axis1=-2, axis2=-1)
        return np.maximum(diagonal + self._rotor, self._least)

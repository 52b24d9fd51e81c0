"""The inertia that the joint feedback takes each joint for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.protocols import RobotDynamics
from robot_dynamics.core.gate import FloatArray


class FeedbackInertia:
    """
    What links and rotor of a joint resist, but no less than its drive is made for.

    m_i = max(M_ii, effort limit / ratio), with the rotors in M that the dynamics count.  At a
    wrist M_ii is so small that friction would swallow a feedback scaled by it, and an identified
    model knows it worst.  Where the effort limit is unknown, only M_ii counts.

    A drive that is simulated without rotor does not resist what a real one does: with delay such
    a feedback lets it swing.  There a large ratio leaves M_ii alone.

    Parameters
    ----------
    ratio : float, rad/s^2
    """

    def __init__(self, dynamics: RobotDynamics, ratio: float) -> None:
        limit = dynamics.model.effort_limit
        self._least = np.where(np.isfinite(limit) & (limit > 0.0), limit, 0.0) / ratio
        self._mass_matrix = dynamics.mass_matrix

    def at(self, q: ArrayLike) -> FloatArray:
        """Return the inertia at positions (nv,) or (T, nv), of the same shape, kg m^2 or kg."""
        diagonal = self._mass_matrix(q).diagonal(axis1=-2, axis2=-1)
        return np.maximum(diagonal, self._least)

"""
A frame with z up beside a base frame that lies otherwise, as on a wall or a ceiling.

Roll and pitch tell a tilt well only near the level.  What filters them works in the upright frame
U, which is fixed to the base B and shares its origin, and turns the result back.
"""

from __future__ import annotations

import math
from typing import Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion import rotations


def up_direction(quat_xyzw: Sequence[float]) -> tuple[float, float, float]:
    """Return the world's z axis in the axes of a base of this orientation (unit quaternion)."""
    x, y, z, w = quat_xyzw
    return 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


class Upright:
    """
    The upright frame of a base at rest.

    Parameters
    ----------
    up : sequence of 3 float
        Direction of up in base axes, of any length.

    Attributes
    ----------
    R_UB : ndarray, (3, 3)
        Turns vectors from base axes into upright ones, by the shortest way.
    """

    def __init__(self, up: Sequence[float]) -> None:
        direction = np.asarray(up, float) / math.hypot(*up)
        axis = np.cross(direction, (0.0, 0.0, 1.0))
        length = float(np.linalg.norm(axis))
        angle = math.atan2(length, float(direction[2]))
        # straight down: any horizontal axis serves
        axis = axis / length if length > 1e-9 else np.array([1.0, 0.0, 0.0])
        self.R_UB: FloatArray = rotations.exp(angle * axis)
        self._quat_BU = rotations.quat_conjugate(rotations.quat_from_matrix(self.R_UB))
        self._turn = np.kron(np.eye(4), self.R_UB.T)  # four vectors from U to B

    def turned(self, numbers: Sequence[float]) -> list[float]:
        """Turn angular velocity, specific force and orientation (10 numbers) from B to U."""
        vectors = np.reshape(numbers[0:6], (2, 3)) @ self.R_UB.T
        quat = rotations.quat_multiply(numbers[6:10], self._quat_BU)
        return [*vectors.ravel().tolist(), *quat.tolist()]

    def motion_back(self, packed: FloatArray) -> FloatArray:
        """Turn a packed base motion, (12,), from U to B."""
        return np.asarray((packed.reshape(4, 3) @ self.R_UB).reshape(12))

    def covariance_back(self, covariance: FloatArray) -> FloatArray:
        """Turn its covariance, (12, 12), from U to B."""
        return np.asarray(self._turn @ covariance @ self._turn.T)

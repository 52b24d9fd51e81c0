"""Sums that grow with the data and give its statistics at the end: constant memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray


class Moments:
    """Count, means, second moments and peaks of K quantities at each of J joints."""

    def __init__(self, joints: int, quantities: int) -> None:
        self.count = np.zeros(joints)
        self.sum = np.zeros((joints, quantities))
        self.products = np.zeros((joints, quantities, quantities))
        self.peak = np.zeros((joints, quantities))

    def add(self, values: FloatArray, use: NDArray[np.bool_]) -> None:
        """
        Add samples.

        Parameters
        ----------
        values : (N, J, K) array
            Finite where used.
        use : (N, J) bool
            Which samples count.
        """
        if not use.any():
            return
        clean = np.where(use[:, :, None], values, 0.0)
        self.count += use.sum(axis=0)
        self.sum += clean.sum(axis=0)
        by_joint = np.ascontiguousarray(clean.transpose(1, 0, 2))
        self.products += by_joint.transpose(0, 2, 1) @ by_joint
        self.peak = np.maximum(self.peak, np.abs(clean).max(axis=0))

    @property
    def mean(self) -> FloatArray:
        """Means, (J, K)."""
        return np.asarray(self.sum / self.count[:, None])

    @property
    def rms(self) -> FloatArray:
        """Root mean squares, (J, K)."""
        square = np.diagonal(self.products, axis1=1, axis2=2)
        return np.sqrt(square / self.count[:, None])

    @property
    def covariance(self) -> FloatArray:
        """Covariances (divided by the count), (J, K, K)."""
        mean = self.mean
        return np.asarray(self.products / self.count[:, None, None]
                          - mean[:, :, None] * mean[:, None, :])

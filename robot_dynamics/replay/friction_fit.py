r"""
Friction that explains a residual: :math:`r = F_v \dot q + F_c s(\dot q) + F_0`.

The law, and the smooth sign s in it, are those of the dynamics.

Ordinary least squares from sums.  Successive residuals are not independent, so the textbook
uncertainty would be far too small; here it is the cluster-robust (sandwich) one of Liang &
Zeger 1986, the clusters being stretches of at least a second of time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import smooth_sign

_CLUSTER_NS = 1_000_000_000
_MOST_CLUSTERS = 512


@dataclass(frozen=True)
class FrictionFit:
    """Coefficients with standard errors."""

    #: N m s/rad, N m, N m (N s/m, N, N for prismatic joints)
    viscous: float
    coulomb: float
    offset: float
    #: One standard error of each
    viscous_error: float
    coulomb_error: float
    offset_error: float
    residual_rms: float  #: What is left of the residual after the fit


class FrictionSums:
    """The sums from which friction is fitted, for J joints."""

    def __init__(self, joints: int) -> None:
        self._joints = joints
        self._normal: List[FloatArray] = []  # (J, 3, 3) a cluster
        self._right: List[FloatArray] = []  # (J, 3) a cluster
        self._square = np.zeros(joints)
        self._count = np.zeros(joints)
        self._merge = 1

    def add(self, stamp_ns: NDArray[np.int64], velocity: FloatArray, residual: FloatArray,
            use: NDArray[np.bool_]) -> None:
        """
        Add samples of one segment.

        Parameters
        ----------
        stamp_ns : (N,) int64
            Stamps.
        velocity, residual : (N, J) arrays
            rad/s and N m (or m/s and N).
        use : (N, J) bool
            Which samples count.
        """
        if not len(stamp_ns):
            return
        cluster = (stamp_ns - stamp_ns[0]) // (_CLUSTER_NS * self._merge)
        starts = np.flatnonzero(np.concatenate([[True], np.diff(cluster) > 0]))
        qd = np.where(use, velocity, 0.0)
        r = np.where(use, residual, 0.0)
        columns = (qd, smooth_sign(qd), use.astype(np.float64))
        normal = np.empty((len(starts), self._joints, 3, 3))
        right = np.empty((len(starts), self._joints, 3))
        for i in range(3):
            right[:, :, i] = np.add.reduceat(columns[i] * r, starts)
            for j in range(i + 1):
                normal[:, :, i, j] = normal[:, :, j, i] = np.add.reduceat(
                    columns[i] * columns[j], starts)
        self._normal += list(normal)
        self._right += list(right)
        self._square += np.sum(r * r, axis=0)
        self._count += use.sum(axis=0)
        while len(self._normal) > _MOST_CLUSTERS:
            self._merge *= 2
            self._normal = _pairs(self._normal)
            self._right = _pairs(self._right)

    def fit(self, joint: int) -> Optional[FrictionFit]:
        """Return the fit of one joint, or None where its motion does not tell friction."""
        count = self._count[joint]
        if count < 30 or len(self._normal) < 4:
            return None
        normals = np.stack([n[joint] for n in self._normal])
        rights = np.stack([r[joint] for r in self._right])
        normal, right = normals.sum(axis=0), rights.sum(axis=0)
        scale = np.sqrt(np.diagonal(normal))
        # a joint that rests, or turns one way at one speed, leaves the columns dependent
        if scale.min() <= 0 or normal[0, 0] / count < 1e-6 or \
                np.linalg.cond(normal / np.outer(scale, scale)) > 1e4:
            return None
        inverse = np.linalg.inv(normal)
        beta = inverse @ right
        scores = rights - normals @ beta
        clusters = len(scores)
        spread = scores.T @ scores * clusters / (clusters - 1)
        error = np.sqrt(np.diagonal(inverse @ spread @ inverse))
        left = max(float(self._square[joint] - beta @ right), 0.0) / count
        values = [float(value) for value in (*beta, *error, np.sqrt(left))]
        return FrictionFit(*values)


def _pairs(items: List[FloatArray]) -> List[FloatArray]:
    merged = [a + b for a, b in zip(items[::2], items[1::2])]
    return merged + ([items[-1]] if len(items) % 2 else [])

"""Samples of a recording on which causes of a mismatch are tried."""

from __future__ import annotations

from typing import List, Optional, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import smooth_sign
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.replay.alignment import Alignment
from robot_dynamics.replay.torques import ReplayTorques

FEWEST = 50
"""Samples with an effort of every compared joint below which nothing is tried."""

UNEXPLAINED = 0.04
"""Share of a joint's torque that is worth an explanation."""

LIGHT = 0.02
"""Share of the largest torque below which a joint does not count."""

HELPS = 0.6
"""What an explanation may leave of the mismatch."""

_ROWS = 1000


class Evidence:
    """
    Samples of a recording on which hypotheses are tried.

    Parameters
    ----------
    joints : sequence of int
        Those whose efforts can be compared.
    """

    def __init__(self, alignment: Alignment, torques: ReplayTorques, joints: List[int]) -> None:
        self.torques, self.joints = torques, joints
        self.model: RobotModel = torques.model
        self.base_known = alignment.base_known
        parts: List[List[FloatArray]] = []
        for block in alignment.blocks(16 * _ROWS):
            rows = np.flatnonzero(block.valid & np.isfinite(block.effort[:, joints]).all(axis=1))
            packed = np.broadcast_to(block.base.packed, (len(block.valid), 12))
            columns: List[FloatArray] = [
                block.position, block.velocity, block.acceleration, block.effort[:, joints],
                packed, 1e-9 * block.stamp_ns[:, None].astype(np.float64)]
            parts.append([values[rows] for values in columns])
        whole = [np.concatenate(pieces) for pieces in zip(*parts)]
        pick = np.unique(np.linspace(0, len(whole[0]) - 1, _ROWS).astype(int)) \
            if len(whole[0]) else np.empty(0, int)
        self.q, self.qd, self.qdd, self.effort, self.base, time = (w[pick] for w in whole)
        self.time = time[:, 0]
        if len(pick) < FEWEST:
            return
        self._friction = [np.linalg.qr(np.column_stack([qd, smooth_sign(qd)]))[0]
                          for qd in self.qd.T[joints]]
        self.computed = self.torque()
        self.before = self.left(self.computed)
        self.size = np.sqrt(np.mean(np.maximum(self.effort**2, self.computed**2), axis=0))
        self.scale = np.maximum(self.size, LIGHT * self.size.max())

    def torque(self, q: Optional[FloatArray] = None, qd: Optional[FloatArray] = None,
               qdd: Optional[FloatArray] = None, base: Optional[FloatArray] = None) -> FloatArray:
        """Torque of the compared joints (N, J) with something else in place of the recorded."""
        packed = self.base if base is None else base
        return self.torques.of(
            self.q if q is None else q, self.qd if qd is None else qd,
            self.qdd if qdd is None else qdd,
            BaseMotion.from_packed(np.ascontiguousarray(packed)) if self.base_known
            or base is not None else None, (1e9 * self.time).astype(np.int64))[:, self.joints]

    def gravity(self, direction: Optional[FloatArray] = None) -> FloatArray:
        """Torque (N, J) of gravity alone: that of the base, or (3,) in base axes, m/s^2."""
        base = np.zeros_like(self.base)
        base[:, 9:] = self.base[:, 9:] if direction is None else direction
        zero = np.zeros_like(self.q)
        return self.torque(qd=zero, qdd=zero, base=base)

    def left(self, torque: FloatArray, effort: Optional[FloatArray] = None) -> FloatArray:
        """RMS (J,) of effort (N, J) minus a torque and the friction that fits best."""
        residual = (self.effort if effort is None else effort) - torque
        return np.array([np.sqrt(np.mean((r - Q @ (Q.T @ r))**2))
                         for r, Q in zip(residual.T, self._friction)])

    def share(self, left: FloatArray) -> float:
        """
        Return which share of the present mismatch (J,) leaves.

        The geometric mean of two: over all joints each by its own size, and in N m as they are,
        so that neither the wrist nor the shoulder alone decides.
        """
        shares = [float(np.linalg.norm(left / size) / np.linalg.norm(self.before / size))
                  for size in (self.scale, 1.0)]
        return float(np.sqrt(shares[0] * shares[1]))

    def fits(self, left: FloatArray) -> bool:
        """Whether what is left (J,) is less than the efforts themselves."""
        measured = np.sqrt(np.mean(self.effort**2, axis=0))
        return bool(np.linalg.norm(left / self.scale) < HELPS * np.linalg.norm(
            measured / self.scale))

    def unexplained(self) -> bool:
        """Whether friction leaves of any joint's effort what is worth an explanation."""
        return bool(((self.before > UNEXPLAINED * self.size)
                     & (self.before > LIGHT * self.size.max())).any())

    def fit(self, columns: FloatArray, target: FloatArray) -> Tuple[FloatArray, FloatArray]:
        """Fit (N, J, K) columns to a target (N, J), joints by their size; values, fitted part."""
        A = (columns / self.scale[:, None]).reshape(-1, columns.shape[2])
        values, *_ = np.linalg.lstsq(A, (target / self.scale).ravel(), rcond=1e-6)
        return values, columns @ values

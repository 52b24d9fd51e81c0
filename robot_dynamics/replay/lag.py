r"""
By how much the measured effort comes later than the computed one.

Friction turns phases and would pass for a lag, so both are fitted together: for each shift
:math:`k` the best :math:`m(t+k) = s\,c(t) + F_v \dot q(t) + F_c \tanh(\dot q(t)/v_s) + o`, and
the lag is the shift whose fit leaves least.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import smooth_sign

SEARCH = 0.2
"""Largest lag looked for, s."""

_MOST_STEPS = 40


class LagSums:
    """
    The sums from which lags are found, for J joints.

    Parameters
    ----------
    joints : int
        J.
    period : float
        Distance of samples, s.
    """

    def __init__(self, joints: int, period: float) -> None:
        self.step = max(1, int(np.ceil(SEARCH / _MOST_STEPS / period)))
        self.steps = max(2, min(_MOST_STEPS, int(SEARCH / (period * self.step))))
        self.period = period
        lags = 2 * self.steps + 1
        self._gram = np.zeros((joints, 4, 4))
        self._cross = np.zeros((joints, lags, 4))
        self._sum, self._square = np.zeros((joints, lags)), np.zeros((joints, lags))

    def add(self, measured: FloatArray, computed: FloatArray, velocity: FloatArray,
            use: NDArray[np.bool_]) -> None:
        """
        Add one block of consecutive samples; only runs without a hole count.

        Parameters
        ----------
        measured, computed, velocity : (N, J) arrays
            Torques and joint velocities.
        use : (N, J) bool
            Which samples count.
        """
        reach = self.steps * self.step
        for joint in range(use.shape[1]):
            rows = np.flatnonzero(use[:, joint])
            if len(rows) <= 2 * reach:
                continue
            for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
                if len(run) > 2 * reach:
                    part = slice(run[0], run[-1] + 1)
                    self._add_run(joint, measured[part, joint], computed[part, joint],
                                  velocity[part, joint], reach)

    def _add_run(self, joint: int, measured: FloatArray, computed: FloatArray,
                 velocity: FloatArray, reach: int) -> None:
        inner = slice(reach, len(computed) - reach)
        qd = velocity[inner]
        basis = np.stack([computed[inner], qd, smooth_sign(qd), np.ones(len(qd))], axis=1)
        shifted = sliding_window_view(measured, len(qd))[::self.step]
        self._gram[joint] += basis.T @ basis
        self._cross[joint] += shifted @ basis
        total = np.concatenate([[0.0], np.cumsum(measured)])
        square = np.concatenate([[0.0], np.cumsum(measured**2)])
        begin = np.arange(0, 2 * reach + 1, self.step)
        self._sum[joint] += total[begin + len(qd)] - total[begin]
        self._square[joint] += square[begin + len(qd)] - square[begin]

    def best(self, joint: int) -> float:
        """
        Return the lag in s; positive: the measured effort is later.

        NaN where the data do not tell: the torque hardly varies, or every shift fits as well.
        """
        count = self._gram[joint, 3, 3]
        if not count:
            return float('nan')
        inverse = np.linalg.pinv(self._gram[joint], rcond=1e-10, hermitian=True)
        cross = self._cross[joint]
        left = self._square[joint] - np.einsum('ki,ij,kj->k', cross, inverse, cross)
        variance = self._square[joint] - self._sum[joint]**2 / count
        if variance.min() <= 1e-9 * self._square[joint].max():
            return float('nan')
        unexplained = np.maximum(left / variance, 1e-12)
        k = int(np.argmin(unexplained))
        ends = min(unexplained[0], unexplained[-1])
        if k in (0, len(unexplained) - 1) or ends < 1.5 * unexplained[k] or unexplained[k] > 0.5:
            return float('nan')
        before, least, after = unexplained[k - 1:k + 2]
        bend = before - 2 * least + after
        shift = 0.5 * (before - after) / bend if bend > 0 else 0.0
        return float((k - self.steps + shift) * self.step * self.period)

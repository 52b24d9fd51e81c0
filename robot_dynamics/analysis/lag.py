"""By how much the measured effort comes later than the computed one."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

SEARCH = 0.2
"""Largest lag looked for, s."""

_MOST_STEPS = 40


class LagSums:
    """
    Correlations of two series at a range of lags, summed over blocks.

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
        self._count = np.zeros(joints)
        self._c, self._cc = np.zeros(joints), np.zeros(joints)
        self._m, self._mm, self._mc = (np.zeros((joints, lags)) for _ in range(3))

    def add(self, measured: FloatArray, computed: FloatArray, use: NDArray[np.bool_]) -> None:
        """
        Add one block of consecutive samples; only runs without a hole count.

        Parameters
        ----------
        measured, computed : (N, J) arrays
            Torques.
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
                    self._add_run(joint, measured[part, joint], computed[part, joint], reach)

    def _add_run(self, joint: int, measured: FloatArray, computed: FloatArray,
                 reach: int) -> None:
        c = computed[reach:len(computed) - reach]
        shifted = sliding_window_view(measured, len(c))[::self.step]
        self._count[joint] += len(c)
        self._c[joint] += c.sum()
        self._cc[joint] += c @ c
        self._mc[joint] += shifted @ c
        total = np.concatenate([[0.0], np.cumsum(measured)])
        square = np.concatenate([[0.0], np.cumsum(measured**2)])
        begin = np.arange(0, 2 * reach + 1, self.step)
        self._m[joint] += total[begin + len(c)] - total[begin]
        self._mm[joint] += square[begin + len(c)] - square[begin]

    def best(self, joint: int) -> float:
        """
        Return the lag (s) of best correlation; positive: the measured effort is later.

        NaN where the torque hardly varies or the best lag lies at the end of the search.
        Viscous friction turns phases too and looks like a lead or a lag.
        """
        n = self._count[joint]
        if not n:
            return float('nan')
        variance = self._cc[joint] / n - (self._c[joint] / n)**2
        spread = self._mm[joint] / n - (self._m[joint] / n)**2
        cross = self._mc[joint] / n - self._m[joint] / n * self._c[joint] / n
        if variance <= 1e-12 * max(self._cc[joint] / n, 1e-12) or spread.min() <= 0:
            return float('nan')
        correlation = cross / np.sqrt(variance * spread)
        k = int(np.argmax(np.abs(correlation)))
        if k in (0, len(correlation) - 1):
            return float('nan')
        left, top, right = np.abs(correlation[k - 1:k + 2])
        bend = left - 2 * top + right
        shift = 0.5 * (left - right) / bend if bend < 0 else 0.0
        return float((k - self.steps + shift) * self.step * self.period)

"""
Linear regression of a motion's next seconds on its last ones, learned on the way.

Least squares of the value, rate and acceleration at some instants ahead on forty values and rates
ten times a second (and a constant), over the last minutes.  Where a signal is nearly free of noise
its past tells the future better so than by any model with a few parameters.
"""

from __future__ import annotations

import math

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.harmonic_filter.autoregression_kernels import (
    compiled, FIRST, REACH, SECOND)


TAPS = 40
SPACING = 0.1  # s between taps, as nearly as the samples allow
NODES = np.array([0, 1, 2, 3, 5, 7, 10, 14, 20, 28, 40])  # instants ahead, in spacings
DELAY = int(NODES[-1]) + REACH  # spacings until all that was predicted has come

_MEMORY = 300.0      # s
_RIDGE = 1e-13       # of each regressor's power
_FIRST_ROWS = 60     # before the first solution
_SOLVE_PERIOD = 30   # rows between two solutions of a channel
_SLACK = 20          # spacings that the slow work may come late
_DRIFT = 0.75        # samples by which the spacing may be off before all starts again
_NOISE_MEMORY = 600  # rows


class Autoregression:
    """
    Regression of several channels, each on its own past.

    Parameters
    ----------
    channels : int
        C.

    Attributes
    ----------
    times : ndarray, (K,)
        The instants that are predicted, from the newest sample, s.
    newest : int
        Number of the newest sample; -1 before the first one.
    """

    def __init__(self, channels: int) -> None:
        self.channels = channels
        self.kernels = compiled()
        self.reset()

    def reset(self, has_rates: bool = True) -> None:
        """Forget everything; without rates, the regression is on values alone."""
        self.has_rates = has_rates
        count, size, aims = self.channels, 2 * TAPS + 1, 3 * len(NODES)
        self.spacing, self.interval, self.times = 0, 0.0, NODES * SPACING
        self._A, self._B = np.zeros((count, size, size)), np.zeros((count, size, aims))
        self.weights = np.full((count, aims, size), np.nan)
        self._row, self._x = np.zeros((count, size)), np.full((count, size), np.nan)
        self._targets, self._roughness = np.zeros((count, aims)), np.zeros(count)
        self._rows, self._noise = 0, np.zeros(count)
        self.restart()

    def restart(self) -> None:
        """Forget the samples, but keep what was learned from them."""
        spacings = TAPS + DELAY + REACH + _SLACK
        self._ring = np.full((self.channels, 2, max(1, spacings * self.spacing)), np.nan)
        if not self.has_rates:
            self._ring[:, 1] = 0.0
        self.newest = self._learned = self._gathered = -1

    def take(self, y: FloatArray) -> None:
        """Take the sample of the next instant of an even grid, (C, 2); NaN where it lacks one."""
        if self.spacing:
            self.newest += 1
            place = self.newest % self._ring.shape[2]
            if self.has_rates:
                self._ring[:, :, place] = y
            else:
                self._ring[:, 0, place] = y[:, 0]

    def suits(self, interval: float) -> bool:
        """
        Count with an interval between samples from now on, s.

        Returns
        -------
        bool
            False if it is another one than before and all was forgotten.
        """
        same = abs(SPACING / interval - self.spacing) < _DRIFT
        if not same:
            self.reset(self.has_rates)
            self.spacing = max(1, round(SPACING / interval))
            self.restart()
        self.interval = interval
        self.times = NODES * (self.spacing * interval)
        return same

    @property
    def known(self) -> int:
        """Number of the newest sample whose whole future has come."""
        return self.newest - DELAY * self.spacing

    @property
    def oldest(self) -> int:
        """Number of the oldest sample whose past is still remembered."""
        return max(0, self.newest - self._ring.shape[2] + 1) + (TAPS - 1) * self.spacing

    def learn(self) -> bool:
        """Learn from what has come since; say whether there are new weights."""
        solved = False
        while self._learned + self.spacing <= self.known:
            self._learned = max(self._learned + self.spacing, self.oldest)
            if self._learned > self.known:
                break
            self.kernels.gather(self._ring, self._learned, self.spacing, self._row)
            self._aim(self._learned)
            keep = math.exp(-self.spacing * self.interval / _MEMORY)
            self.kernels.accumulate(self._A, self._B, self._row, self._targets, keep)
            self._rows += 1
            if not np.isnan(self._roughness).any():
                share = max(1.0 / self._rows, 1.0 / _NOISE_MEMORY)
                self._noise += share * (self._roughness - self._noise)
            solved |= self._solve_in_turn()
        return solved

    def _solve_in_turn(self) -> bool:
        c, due = divmod(self._rows % _SOLVE_PERIOD, _SOLVE_PERIOD // self.channels)
        if self._rows < _FIRST_ROWS or due != 0 or c >= self.channels:
            return False
        weights = np.zeros_like(self.weights[c])
        if not self.kernels.solve(self._A[c], self._B[c], _RIDGE, weights):
            return False
        self.weights[c] = weights
        return True

    def _aim(self, end: int) -> None:
        self.kernels.aim(self._ring, end, self.spacing, self.interval, NODES, FIRST, SECOND,
                         self._targets, self._roughness)

    def came(self, end: int) -> FloatArray:
        """Return what came after the sample ``end``, not beyond :attr:`known`, (C, K, 3)."""
        self._aim(end)
        return self._targets.reshape(self.channels, len(NODES), 3).copy()

    def noise(self) -> FloatArray:
        """Return the variances of the noise in what :meth:`came` returns, (C, 3)."""
        h = self.spacing * self.interval
        gain = np.array([1.0, (FIRST @ FIRST) / h**2, (SECOND @ SECOND) / h**4])
        return np.outer(self._noise, gain)

    def regressors(self) -> FloatArray:
        """Return the past of the newest sample, (C, P); NaN for a channel with gaps."""
        if self._gathered != self.newest:
            self.kernels.gather(self._ring, self.newest, self.spacing, self._x)
            self._gathered = self.newest
        return self._x

    def predict(self) -> FloatArray:
        """Predict value, rate and acceleration at :attr:`times`, (C, K, 3); NaN if it cannot."""
        found = np.einsum('cap,cp->ca', self.weights, self.regressors())
        return found.reshape(self.channels, len(NODES), 3)

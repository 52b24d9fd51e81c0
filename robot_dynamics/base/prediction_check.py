"""
Compare predictions with what came, so that stated errors are those of this ship, not of a model.

Twice a second the coefficients are put aside; when their horizons have passed, prediction and
measurement are compared.  The mean square of the difference, less the noise of the measurement,
over the variance that was stated gives a factor for each horizon.  Where noise hides the error,
the factor stays near one.
"""

from __future__ import annotations

from collections import deque
from typing import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

CHECKED = np.array([0.1, 0.5, 1.0, 2.0])  # s

_PERIOD = 0.5      # s between predictions put aside
_MEMORY = 120      # predictions
_DOUBT = 0.4       # standard deviation of the factor before anything was compared
# least factor by horizon: what happens now can be checked least; and the largest
_LEAST, _LARGEST = (0.7, 0.4, 0.25, 0.25), 9.0
_CORRELATED = 3.0  # neighbouring predictions err alike: so many count as one


class PredictionCheck:
    """
    Factors by which the stated variances of C channels have to be multiplied.

    Parameters
    ----------
    channels : int
        C.
    evaluate : callable
        Of coefficients, seconds ahead and an array (C, 3) to write to.
    """

    def __init__(self, channels: int, evaluate: Callable[[FloatArray, float, FloatArray], None]
                 ) -> None:
        self._evaluate = evaluate
        shape = (len(CHECKED), channels)
        self._out = np.zeros((channels, 3))
        self._found, self._stated, self._unsure = (np.zeros((*shape, 2)) for _ in range(3))
        self._count = np.zeros((*shape, 2))
        self.factor = np.ones(shape)
        self._kept: deque[list[object]] = deque()
        self._next = 0.0

    def wants(self, age: float) -> bool:
        """Say whether it is time to put a prediction aside."""
        return age >= self._next

    def waits_for(self, age: float) -> bool:
        """Say whether a horizon of what was put aside has passed."""
        return any(age - kept[0] >= CHECKED[kept[3]] - 1e-9  # type: ignore
                   for kept in self._kept)

    def keep(self, age: float, coefficients: FloatArray, stated: FloatArray) -> None:
        """
        Put a prediction aside.

        Parameters
        ----------
        age : float
            Now, s.
        coefficients : ndarray, (C, 2, N)
            Copied.
        stated : ndarray, (len(CHECKED), C, 2)
            Variances of value and rate that are claimed for the horizons.
        """
        self._next = age + _PERIOD
        self._kept.append([age, coefficients.copy(), stated, 0])

    def compare(self, age: float, y: FloatArray, noise: FloatArray, bias: FloatArray) -> None:
        """
        Compare what was put aside with a sample, where its time has come.

        Parameters
        ----------
        age : float
            Of the sample, s.
        y, noise : ndarray, (C, 2)
            Measured values and rates (NaN: none) and their noise variances.
        bias : ndarray, (C,)
            Of the rates.
        """
        for kept in self._kept:
            began, coefficients, stated, done = kept
            while done < len(CHECKED) and age - began >= CHECKED[done] - 1e-9:  # type: ignore
                self._evaluate(coefficients, age - began, self._out)  # type: ignore
                self._count_in(done, y, noise, bias, stated[done])  # type: ignore
                done += 1  # type: ignore[operator]
            kept[3] = done
        while self._kept and self._kept[0][3] == len(CHECKED):
            self._kept.popleft()

    def _count_in(self, h: int, y: FloatArray, noise: FloatArray, bias: FloatArray,
                  stated: FloatArray) -> None:
        error = y - self._out[:, :2]
        error[:, 1] -= bias
        usable = ~np.isnan(error) & (stated > 0)
        error[~usable] = 0.0
        self._count[h] = np.minimum(self._count[h] + usable, _MEMORY)
        share = np.where(usable, 1 / np.maximum(self._count[h], 1), 0.0)
        safe = np.where(usable, stated, 1.0)
        # relative to what was stated, so that calm and rough stretches count alike
        self._found[h] += share * ((error * error - noise) / safe - self._found[h])
        self._unsure[h] += share * ((noise / safe + 1.0)**2 * 2 - self._unsure[h])
        # weighted mean of values, rates and the belief that the statement is right
        weight = np.where(self._count[h] > 0, self._count[h] / _CORRELATED / np.maximum(
            self._unsure[h], 1e-12), 0.0)
        belief = 1.0 / _DOUBT**2
        self.factor[h] = np.clip(
            ((weight * self._found[h]).sum(axis=1) + belief) / (weight.sum(axis=1) + belief),
            _LEAST[h], _LARGEST)

    def at(self, c: int, ahead: float) -> float:
        """Return the factor of a channel's variances at a horizon, s."""
        return float(np.interp(ahead, CHECKED, self.factor[:, c]))

"""
Compare predictions with what came, so that stated errors are those of this ship, not of a model.

Once a second the coefficients are put aside; when their horizons have passed, prediction and
measurement are compared.  The mean square of the difference, less the noise of the measurement,
over the variance that was stated gives a factor for each horizon.  Where noise hides the error,
the factor stays near one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
import math
from typing import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

CHECKED = np.array([0.1, 0.5, 1.0, 2.0])  # s

_PERIOD = 1.0      # s between predictions put aside
_MEMORY = 100      # predictions
_DOUBT = 0.4       # standard deviation of the factor before anything was compared
# least factor by horizon: what happens now can be checked least; and the largest
_LEAST, _LARGEST = (0.7, 0.4, 0.25, 0.25), 9.0
_CORRELATED = 2.0  # neighbouring predictions err alike: so many count as one


@dataclass
class _Kept:
    """A prediction put aside at an age, with how many of its horizons were compared."""

    age: float
    coefficients: FloatArray
    stated: FloatArray
    done: int = 0


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
        self.factor = np.ones((*shape, 2))
        self._kept: deque[_Kept] = deque()
        self._next, self._due = 0.0, math.inf

    def wants(self, age: float) -> bool:
        """Say whether it is time to put a prediction aside."""
        return age >= self._next

    def waits_for(self, age: float) -> bool:
        """Say whether a horizon of what was put aside has passed."""
        return age >= self._due

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
        self._kept.append(_Kept(age, coefficients.copy(), stated))
        self._due = min(self._due, age + float(CHECKED[0]))

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
            while kept.done < len(CHECKED) and age - kept.age >= CHECKED[kept.done] - 1e-9:
                self._evaluate(kept.coefficients, age - kept.age, self._out)
                self._count_in(kept.done, y, noise, bias, kept.stated[kept.done])
                kept.done += 1
        while self._kept and self._kept[0].done == len(CHECKED):
            self._kept.popleft()
        self._due = min((kept.age + CHECKED[kept.done] for kept in self._kept),
                        default=math.inf) - 1e-9

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
        # weighted mean of what was found and the belief that the statement is right
        weight = np.where(self._count[h] > 0, self._count[h] / _CORRELATED / np.maximum(
            self._unsure[h], 1e-12), 0.0)
        belief = 1.0 / _DOUBT**2
        self.factor[h] = np.clip((weight * self._found[h] + belief) / (weight + belief),
                                 _LEAST[h], _LARGEST)

    def at(self, c: int, ahead: float) -> FloatArray:
        """
        Return the factors of a channel's standard deviations at a horizon in s.

        Returns
        -------
        ndarray, (3,)
            Of value, rate and acceleration, which goes with the rate.
        """
        value, rate = (float(np.interp(ahead, CHECKED, self.factor[:, c, kind]))
                       for kind in (0, 1))
        return np.sqrt([value, rate, rate])

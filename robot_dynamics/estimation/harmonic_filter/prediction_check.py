"""
Compare predictions with what came, so that stated errors are those of this ship, not of a model.

Twice a second the coefficients are put aside; when their horizons have passed, prediction and
measurement are compared.  The mean square of the difference, less the noise of the measurement,
over the variance that was stated gives a factor for each horizon.  The filter learns, so only
about the last quarter of its life counts.  Where noise hides the error, the factor stays between
one and that of the next horizon.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
import math
from typing import Callable

import numpy as np
from robot_dynamics.core.gate import FloatArray


CHECKED = np.array([0.1, 0.5, 1.0, 2.0])  # s

_PERIOD = 0.5      # s between predictions put aside
_FEWEST, _MEMORY = 20, 120  # predictions that count
_DOUBT = 0.7       # standard deviation of the factor before anything was compared
# least factor by horizon: what happens now can be checked least; and the largest
_LEAST, _LARGEST = (0.7, 0.4, 0.2, 0.1), 9.0
_SOONER = 0.25     # s; errors of the acceleration show in the rate this much later
_ALIKE = 0.65      # of what is found at a horizon is expected at the one before it
_CORRELATED = 4.0  # neighbouring predictions err alike: so many count as one


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
        # what was found and how sure it is, newest last; NaN where nothing could be compared
        self._past: list[deque[FloatArray]] = [deque() for _ in CHECKED]
        self._count = 0
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
        safe = np.where(stated > 0, stated, np.nan)
        # relative to what was stated, so that calm and rough stretches count alike
        past = self._past[h]
        past.append(np.array([(error * error - noise) / safe,
                              2 * (noise / safe + 1.0)**2 + 0.0 * error]))
        self._count += h == 0
        while len(past) > max(_FEWEST, min(self._count // 4, _MEMORY)):
            past.popleft()
        table = np.array(past)
        usable = ~np.isnan(table)
        count = usable.sum(axis=0)
        found, unsure = np.where(usable, table, 0.0).sum(axis=0) / np.maximum(count, 1)
        # weighted mean of what was found and the belief that the statement is right
        independent = np.maximum(count[0] / _CORRELATED, 1.0)
        found = found * (1.0 + 2.0 / independent)  # so few do not know their own mean square
        weight = np.where(count[0] > 0, independent / np.maximum(unsure, 1.0), 0.0)
        # what holds further ahead, where the error stands out of the noise, holds in part here
        further = self.factor[min(h + 1, len(CHECKED) - 1)]
        expected = 1.0 + _ALIKE * (further - 1.0) * (h + 1 < len(CHECKED))
        belief = 1.0 / _DOUBT**2
        self.factor[h] = np.clip((weight * found + belief * expected) / (weight + belief),
                                 _LEAST[h], _LARGEST)

    def at(self, c: int, ahead: float | FloatArray) -> FloatArray:
        """
        Return the factors of a channel's standard deviations at one or more horizons in s.

        Returns
        -------
        ndarray, (3,) or (H, 3)
            Of value, rate and acceleration; nobody measures the last one, but its error is soon
            one of the rate.
        """
        return np.sqrt(np.stack(
            [np.interp(when, CHECKED, self.factor[:, c, kind])
             for when, kind in ((ahead, 0), (ahead, 1), (ahead + _SOONER, 1))], axis=-1))

"""
What a stretch of samples tells about oscillators on a grid of frequencies, in closed form.

A sample j steps ago that measures the value sees row [cos(w j dt), -sin(w j dt)] of the
coefficients of now, one that measures the rate [v sin(w j dt), v cos(w j dt)].  The information
sum over j of decay^j row^T row is a geometric series for each pair of frequencies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class InformationGrid:
    """
    Information matrices of unit noise for one grid, one sampling interval and one decay.

    Parameters
    ----------
    frequency : ndarray, (N,)
        In rad/s.
    weight : ndarray, (N,)
        What a unit of b_k adds to a measured rate.
    interval : float
        Between samples, s.
    decay : float
        Weight of a sample against the next one, below 1.
    """

    def __init__(self, frequency: FloatArray, weight: FloatArray, interval: float, decay: float
                 ) -> None:
        self.frequency, self.weight = frequency, weight
        self.interval, self.decay = interval, decay
        angle = frequency * interval
        self._minus = 1.0 / (1.0 - decay * np.exp(-1j * np.subtract.outer(angle, angle)))
        self._plus = 1.0 / (1.0 - decay * np.exp(-1j * np.add.outer(angle, angle)))
        self._square = np.multiply.outer(weight, weight)
        # after this many samples the oldest weigh a ten-millionth
        self.long = int(np.ceil(-16.0 / np.log(decay)))
        self._steady = self._of_last(None)

    def of_last(self, samples: int) -> tuple[FloatArray, FloatArray]:
        """Return what the last samples tell by value and by rate, (2 N, 2 N) each."""
        return self._steady if samples >= self.long else self._of_last(max(samples, 0))

    def of_points(self, ago: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
        """Return what samples so many steps ago tell by value and by rate, (2 N, 2 N) each."""
        table = points(self.frequency, ago, self.interval)
        table *= np.sqrt(self.decay**ago)[:, None]
        value: FloatArray = table.T @ table
        return value, self._by_rate(value)

    def _by_rate(self, value: FloatArray) -> FloatArray:
        """Return what the rates tell where the values tell so much."""
        n, rate = len(self.frequency), np.empty_like(value)
        rate[:n, :n] = self._square * value[n:, n:]
        rate[n:, n:] = self._square * value[:n, :n]
        rate[:n, n:] = -self._square * value[n:, :n]
        rate[n:, :n] = -self._square * value[:n, n:]
        return rate

    def _of_last(self, samples: int | None) -> tuple[FloatArray, FloatArray]:
        minus, plus = self._minus, self._plus
        if samples is not None:
            # sum over j < n of q^j = (1 - q^n) / (1 - q), and q^n is a product of two phases
            phase = np.exp(-1j * samples * self.interval * self.frequency)
            left = self.decay**samples
            minus = minus * (1.0 - left * np.multiply.outer(phase, phase.conj()))
            plus = plus * (1.0 - left * np.multiply.outer(phase, phase))
        # products of cosines and sines by sums and differences of angles; Im series = -sum sin
        n = len(self.frequency)
        value = np.empty((2 * n, 2 * n))
        value[:n, :n] = 0.5 * (minus.real + plus.real)           # cos cos
        value[n:, n:] = 0.5 * (minus.real - plus.real)           # sin sin
        value[:n, n:] = -0.5 * (minus.imag - plus.imag)          # -cos sin
        value[n:, :n] = 0.5 * (minus.imag + plus.imag)           # -sin cos
        return value, self._by_rate(value)


def points(frequency: FloatArray, ago: NDArray[np.int64], interval: float) -> FloatArray:
    """Rows that give the values so many intervals ago, (n, 2 N)."""
    angle = np.multiply.outer(ago * interval, frequency)
    return np.concatenate([np.cos(angle), -np.sin(angle)], axis=1)


def rows(frequency: FloatArray, ahead: float) -> FloatArray:
    """Rows that give value, rate and acceleration at ``ahead`` s from now, (3, 2 N)."""
    w, cosine, sine = frequency, np.cos(frequency * ahead), np.sin(frequency * ahead)
    return np.array([np.concatenate([cosine, sine]),
                     np.concatenate([-w * sine, w * cosine]),
                     np.concatenate([-w * w * cosine, -w * w * sine])])

"""
What a stretch of samples tells about oscillators on a grid of frequencies, in closed form.

A sample j steps ago that measures the value sees row [cos(w j dt), -sin(w j dt)] of the
coefficients of now, one that measures the rate [v sin(w j dt), v cos(w j dt)].  The information
sum over j of decay^j row^T row is a geometric series for each pair of frequencies.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from robot_dynamics.core.gate import FloatArray

ComplexArray = NDArray[np.complex128]


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
        self._minus, self._plus = (
            np.asarray(1.0 / (1.0 - decay * np.exp(-1j * angles)), dtype=np.complex128)
            for angles in (np.subtract.outer(angle, angle), np.add.outer(angle, angle)))
        # after this many samples the oldest weigh a ten-millionth
        self.long = int(np.ceil(-16.0 / np.log(decay)))
        self._steady = self._of_last(None)

    def of_last(self, samples: float) -> tuple[FloatArray, FloatArray]:
        """Return what the last samples tell by value and by rate, (2 N, 2 N) each."""
        return self._steady if samples >= self.long else self._of_last(max(samples, 0.0))

    def _of_last(self, samples: float | None) -> tuple[FloatArray, FloatArray]:
        minus, plus = self._minus, self._plus
        if samples is not None:
            # sum over j < n of q^j = (1 - q^n) / (1 - q), and q^n is a product of two phases
            phase = np.exp(-1j * samples * self.interval * self.frequency)
            left = self.decay**samples
            minus = minus * (1.0 - left * np.multiply.outer(phase, phase.conj()))
            plus = plus * (1.0 - left * np.multiply.outer(phase, phase))
        return matrices(minus, plus, self.weight)


def matrices(minus: ComplexArray, plus: ComplexArray, weight: FloatArray
             ) -> tuple[FloatArray, FloatArray]:
    """
    Return what samples tell by value and by rate, (2 N, 2 N) each.

    Parameters
    ----------
    minus, plus : ndarray of complex, (N, N)
        Sums over the samples of weight times exp(-i (a -+ b)), where a and b are the angles that
        two oscillators have turned since.
    weight : ndarray, (N,)
        What a unit of b_k adds to a measured rate.
    """
    # products of cosines and sines by sums and differences of angles
    n = len(weight)
    value, rate = np.empty((2, 2 * n, 2 * n))
    value[:n, :n] = 0.5 * (minus.real + plus.real)           # cos cos
    value[n:, n:] = 0.5 * (minus.real - plus.real)           # sin sin
    value[:n, n:] = -0.5 * (minus.imag - plus.imag)          # -cos sin
    value[n:, :n] = 0.5 * (minus.imag + plus.imag)           # -sin cos
    square = np.multiply.outer(weight, weight)
    rate[:n, :n] = square * value[n:, n:]
    rate[n:, n:] = square * value[:n, :n]
    rate[:n, n:] = -square * value[n:, :n]
    rate[n:, :n] = -square * value[:n, n:]
    return value, rate


def rows(frequency: FloatArray, ahead: float) -> FloatArray:
    """Rows that give value, rate and acceleration at ``ahead`` s from now, (3, 2 N)."""
    w, cosine, sine = frequency, np.cos(frequency * ahead), np.sin(frequency * ahead)
    return np.array([np.concatenate([cosine, sine]),
                     np.concatenate([-w * sine, w * cosine]),
                     np.concatenate([-w * w * cosine, -w * w * sine])])

"""
Sums of sinusoids with exact derivatives: six degrees of freedom over shared frequencies.

A ship in a seaway moves as x_i(t) = sum over k of A_ik sin(w_k t + e_k) + B_ik cos(w_k t + e_k).
All six degrees of freedom share the K phases, so one instant costs K sines and cosines and one
product of an (18, 2 K) matrix: value, rate and acceleration of each.
"""

from __future__ import annotations

import numpy as np

from robot_dynamics.core.gate import FloatArray

DEGREES_OF_FREEDOM = ('surge', 'sway', 'heave', 'roll', 'pitch', 'yaw')
_CHUNK = 4096  # instants evaluated at once: bounds the memory of long series


class Harmonics:
    """
    Six sums of K sinusoids.

    Parameters
    ----------
    frequency : ndarray, (K,)
        Angular frequencies w_k, rad/s.
    phase : ndarray, (K,)
        Phases e_k, rad.
    sine, cosine : ndarray, (6, K)
        Coefficients A, B in m (surge, sway, heave) and rad (roll, pitch, yaw).
    """

    def __init__(self, frequency: FloatArray, phase: FloatArray, sine: FloatArray,
                 cosine: FloatArray) -> None:
        self.frequency, self.phase = frequency, phase
        self.sine, self.cosine = sine, cosine
        w = frequency
        # rows: 6 values, 6 rates, 6 accelerations; columns: K sines, K cosines
        self._matrix = np.block([
            [sine, cosine],
            [-cosine * w, sine * w],
            [-sine * w**2, -cosine * w**2]])
        self._transposed = np.ascontiguousarray(self._matrix.T)

    def evaluate(self, t: float) -> list[float]:
        """Return 6 values, 6 rates, 6 accelerations at one time in s, as 18 numbers."""
        angle = self.frequency * t
        angle += self.phase
        waves = np.concatenate((np.sin(angle), np.cos(angle)))
        numbers: list[float] = self._matrix.dot(waves).tolist()
        return numbers

    def evaluate_series(self, t: FloatArray) -> FloatArray:
        """Evaluate at many times, (T,) in s -> (T, 18)."""
        out = np.empty((len(t), 18))
        for start in range(0, len(t), _CHUNK):
            angle = np.outer(t[start:start + _CHUNK], self.frequency) + self.phase
            waves = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
            out[start:start + _CHUNK] = waves @ self._transposed
        return out

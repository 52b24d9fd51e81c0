"""
What one signal of the bank is known to be: its spectrum, its noise, and the solution they give.

With prior powers P of the oscillators and the information S of the samples, the coefficients are
x = (S + 1/P)^-1 z.  Everything is computed in units of the prior's standard deviations, where the
matrix is 1 + sqrt(P) S sqrt(P) and never ill-posed.
"""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.harmonic_filter.information import rows
from robot_dynamics.estimation.harmonic_filter.solve_kernel import compiled


HORIZONS = np.array([0.0, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0])  # s

_RELATIVE_FLOOR = 5e-4   # of the signal: what the model of slowly changing sinusoids leaves out
_LEARNING = 3.0          # s; before, the spectrum is the first guess scaled to the signal
_AVERAGE = 100.0         # s, memory of the spectrum
_FALL, _RISE = 2.0, 4.0  # most by which a power changes in one solution
_RANGE = 1e-9            # least power of an oscillator, of the largest
_FAINTEST = 1e-30        # least power of an oscillator, of the least noise of the value
_EXCESS = 50.0           # most variance that is expected, of the measured one; mostly it is 1
_STARTLED = 6.0          # innovation over noise, as variances, that says the powers are too small


class ChannelModel:
    """
    Spectrum, noise and last solution of one signal.

    Parameters
    ----------
    slope : float
        Exponent of the first guess of the spectrum.
    floor : tuple of 2 float
        Least standard deviation of the noise of value and rate.
    offset, bias : float
        Standard deviations of a constant part and of a constant error of the rate.
    frequency : ndarray, (N,)
        In rad/s; the first is 0.
    """

    def __init__(self, slope: float, floor: tuple[float, float], offset: float, bias: float,
                 frequency: FloatArray) -> None:
        self.floor = np.array(floor)**2
        self.doubt = np.zeros(2)  # least variances of noise for the time being
        self.frequency = frequency
        self._constant = np.array([max(offset, 1e-12)**2, max(bias, 1e-12)**2])
        w = frequency[1:]
        # falls like a sea beyond its peak, and towards long waves
        shape = w**-slope * np.exp(-1.25 * (0.5 / w)**4)
        self._shape = shape / shape.sum()
        # right-hand sides: horizons, rows of the newest value and rate, data
        size = len(frequency)
        newest = np.zeros((3, 2 * size))
        newest[0, :size], newest[1, size], newest[1, size + 1:] = 1.0, 1.0, w
        self._rows = np.concatenate([rows(frequency, ahead) for ahead in HORIZONS] + [newest])
        self._products, self._noisy = np.zeros_like(self._rows), np.zeros_like(self._rows)
        self._solve = compiled()
        self.forget()

    def forget(self) -> None:
        """Return to the first guess."""
        self.power = self._shape * 1e-6
        self._mean: Optional[FloatArray] = None
        self._posterior = np.zeros(len(self._shape))
        self._horizons = np.zeros((len(HORIZONS), 3, 3))
        self.noise = self.floor.copy()

    def noise_variance(self, noise: FloatArray, spread: FloatArray) -> FloatArray:
        """
        Return the variances of noise to count with, (2,).

        Parameters
        ----------
        noise, spread : ndarray, (2,)
            Variances of noise and of signal, of value and rate.
        """
        least = np.maximum(np.maximum(self.floor, self.doubt), _RELATIVE_FLOOR**2 * spread)
        self.noise = np.maximum(noise, least)
        return self.noise

    def learn(self, mean: FloatArray, span: float, age: float, spread: FloatArray,
              startled: FloatArray, reported: NDArray[np.bool_], known: NDArray[np.bool_]
              ) -> None:
        """
        Update the powers from the coefficients of the last ``span`` seconds.

        Parameters
        ----------
        mean : ndarray, (N,)
            Mean of (a^2 + b^2) / 2 since the last solution.
        span, age : float
            Length of that stretch and of all samples, s.
        spread, startled : ndarray, (2,)
            Variance of the signal, and of the innovation over that of the noise.
        reported, known : ndarray of bool, (2,)
            Which measurements there are, and of which the spread is known.
        """
        guess = self._scaled_guess(spread, reported)
        if age < _LEARNING:
            self.power = np.maximum(guess, self.power) if self._mean is not None else guess
            return
        mean = mean[1:]
        share = max(span / _AVERAGE, span / (age - _LEARNING + span))
        self._mean = mean if self._mean is None else self._mean + min(1.0, share) * (
            mean - self._mean)
        # what the data determine of each power: 0 nothing, 1 all
        determined = np.maximum(1.0 - self._posterior / self.power, 1e-6)
        power = self.power * np.clip(self._mean / determined / self.power, 1 / _FALL, _RISE)
        logarithm = np.log(np.concatenate([power[:1], power, power[-1:]]))
        power = np.exp(0.25 * logarithm[:-2] + 0.5 * logarithm[1:-1] + 0.25 * logarithm[2:])
        if (startled[reported] > _STARTLED).any():
            power = np.maximum(2 * power, guess)
        power *= min(1.0, self._most(power, spread, known))
        # in a flat calm powers halve on and on; they must not vanish
        self.power = np.maximum(power, max(_RANGE * power.max(), _FAINTEST * self.floor[0]))

    def _most(self, power: FloatArray, spread: FloatArray, known: NDArray[np.bool_]) -> float:
        """Return by what powers may grow until the signal would be much more than was measured."""
        w = self.frequency[1:]
        expected = np.array([power.sum(), (w * w * power).sum()])
        return float(np.min((_EXCESS * (spread + self.noise) / expected)[known], initial=1.0))

    def _scaled_guess(self, spread: FloatArray, reported: NDArray[np.bool_]) -> FloatArray:
        """Scale the first guess to the variance of the rate, or of the value where that is all."""
        w = self.frequency[1:]
        if reported[1]:
            scale = 2 * spread[1] / (self._shape * w * w).sum()
        else:
            scale = 2 * spread[0]
        least = (1e-3 * self.floor[0])
        return self._shape * max(scale, least, 1e-18)

    def solve(self, told: FloatArray, half: FloatArray, data: FloatArray
              ) -> tuple[Optional[FloatArray], FloatArray]:
        """
        Solve for the coefficients.

        Parameters
        ----------
        told, half : ndarray, (2 N, 2 N)
            Information of the samples, with their weights and with the squares of these; ``told``
            is overwritten.
        data : ndarray, (2 N,)
            Sum of rows times measurements over noise variances.

        Returns
        -------
        coefficients : ndarray, (2 N,), or None
            None where rounding spoiled it; those of before then go on.
        gains : ndarray, (2, 2 N)
            Of the newest value and rate, of unit noise variance.
        """
        size = len(self.frequency)
        root = self._deviations()
        self._rows[-1] = data
        if not self._solve(told, half, root, self._rows, self._products, self._noisy):
            return None, np.zeros((2, 2 * size))
        self._posterior = 0.5 * (np.diagonal(told)[1:size] + np.diagonal(told)[size + 1:])
        # error = prior part + noise part: J^-1 (1/P + S2) J^-1 with S2 of the squared weights
        prior = self._products / root
        for i in range(len(HORIZONS)):
            part = slice(3 * i, 3 * i + 3)
            self._horizons[i] = (np.einsum('ij,kj->ik', prior[part], prior[part])
                                 + np.einsum('ij,kj->ik', self._noisy[part],
                                             self._products[part]))
        return self._products[-1].copy(), self._products[-3:-1].copy()

    def gains(self, told: FloatArray) -> FloatArray:
        """
        Return the gains of the newest value and rate, of unit noise variance, (2, 2 N).

        ``told`` is the information of samples, (2 N, 2 N), and is overwritten.
        """
        products, noisy = np.zeros((2, 2, len(told)))
        self._solve(told, told.copy(), self._deviations(), self._rows[-3:-1], products, noisy)
        return products

    def _deviations(self) -> FloatArray:
        """Return the standard deviations of the coefficients as the spectrum has them, (2 N,)."""
        return np.sqrt(np.concatenate([self._constant[:1], self.power,
                                       self._constant[1:], self.power]))

    def covariance(self, ahead: float) -> FloatArray:
        """
        Return the covariance of value, rate and acceleration, (3, 3), ``ahead`` s from now.

        Beyond the last horizon that is known the errors go on growing in proportion.
        """
        s = min(max(ahead, 0.0), HORIZONS[-1])
        i = min(int(np.searchsorted(HORIZONS, s, side='right')) - 1, len(HORIZONS) - 2)
        share = (s - HORIZONS[i]) / (HORIZONS[i + 1] - HORIZONS[i])
        grown = max(1.0, ahead / HORIZONS[-1])**2
        return np.asarray(
            grown * ((1 - share) * self._horizons[i] + share * self._horizons[i + 1]))

    def variances(self, ahead: FloatArray) -> FloatArray:
        """Return the variances of value, rate and acceleration at horizons, (H,) -> (H, 3)."""
        return np.stack([np.interp(ahead, HORIZONS, self._horizons[:, i, i]) for i in range(3)], 1)

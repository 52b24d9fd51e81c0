"""Several signals, each predicted by the blend of linear predictors that has erred least."""

from __future__ import annotations

import copy
from typing import Any, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.adaptive.compiling import compiled, constants, pack
from robot_dynamics.estimation.adaptive.memory import fresh


class SignalPredictor:
    """
    Predicts signals on an even grid, and says how far it errs.

    Parameters
    ----------
    angles : sequence of bool
        Of each signal, whether it is the rate of an angle.
    dt : float
        Step of the grid, s.
    """

    def __init__(self, angles: Sequence[bool], dt: float) -> None:
        self._kernels = compiled()
        self._design, shared = constants(dt)
        (self._memory,), own = pack(fresh(self._design, angles))
        self._shared, self._own = shared, own
        self._signals, self._signal, self._stage = len(angles), 0, 0

    def __deepcopy__(self, memo: dict[int, Any]) -> SignalPredictor:
        """Copy what is remembered in one piece: the memory is a view of the packed arrays."""
        copied = copy.copy(self)
        (copied._memory,), own = pack(self._memory)
        copied._own = own
        return copied

    def advance(self, values: FloatArray, angles: FloatArray, sampled: bool) -> None:
        """
        Take the next point of the grid.

        Parameters
        ----------
        values, angles : ndarray, (C,)
            The signals, and the angle whose derivative a signal is (0 where it is of none).
        sampled : bool
            Whether they are a sample, not what lies between two.
        """
        self._kernels.advance(*self._shared, *self._own, values, angles, sampled)

    def work(self) -> None:
        """Do the next piece of the slow work: some ten microseconds."""
        self._stage = self._kernels.work(*self._shared, *self._own, self._signal, self._stage)
        if self._stage == 0:
            self._signal = (self._signal + 1) % self._signals

    def pause(self) -> None:
        """Tell that the next points are guessed: what is measured across them is hardly noise."""
        self._memory.raw[:, 2] = 0.0

    def set_least_noise(self, deviation: Sequence[float]) -> None:
        """Say what the noise is at least, of as many signals as are given."""
        self._memory.raw[:len(deviation), 4] = np.square(deviation)

    @property
    def noise(self) -> FloatArray:
        """Standard deviation of each signal's white noise, (C,)."""
        return np.sqrt(self._memory.noise[:, 0])

    @property
    def largest(self) -> FloatArray:
        """Largest value of each signal in the last half minute, (C,)."""
        return np.maximum(self._memory.peak[:, 0, 0], self._memory.peak[:, 1, 0])

    @property
    def steepest(self) -> FloatArray:
        """Largest derivative of each signal in the last half minute, (C,)."""
        return np.maximum(self._memory.peak[:, 0, 1], self._memory.peak[:, 1, 1])

    @property
    def vibration(self) -> FloatArray:
        """RMS of each signal above the band, beyond its noise, (C,)."""
        gain = self._design.scalars[4]
        noise = self._memory.noise
        return np.sqrt(np.maximum(noise[:, 1] - gain * noise[:, 0], 0.0))

    def at(self, ahead: float) -> tuple[FloatArray, FloatArray]:
        """
        Return angle, signal and derivative some time from the last point, and their variances.

        Parameters
        ----------
        ahead : float
            In s.

        Returns
        -------
        value, variance : ndarray, (C, 3)
        """
        value, variance = np.empty((self._signals, 3)), np.empty((self._signals, 3))
        self._kernels.answer(*self._shared, *self._own, ahead, value, variance)
        return value, variance

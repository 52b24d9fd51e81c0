"""Several signals, each predicted by the blend of linear predictors that has erred least."""

from __future__ import annotations

import copy
import functools
from typing import Any, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.adaptive import settings
from robot_dynamics.estimation.adaptive.compiling import Arrays, compiled, constants, pack
from robot_dynamics.estimation.adaptive.memory import fresh, Memory


@functools.lru_cache(maxsize=None)
def _blank(dt: float, angles: tuple[bool, ...]) -> tuple[Memory, Arrays]:
    """Return what a predictor begins with, also packed: to make it takes a millisecond."""
    (memory,), arrays = pack(fresh(constants(dt)[0], angles))
    return memory, arrays


class SignalPredictor:
    """
    Predicts signals on an even grid, and says how far it errs.

    Parameters
    ----------
    angles : tuple of bool
        Of each signal, whether it is the rate of an angle; such signals come first.
    dt : float
        Step of the grid, s.
    """

    def __init__(self, angles: tuple[bool, ...], dt: float) -> None:
        self.dt, self._angles = dt, angles
        self._kernels = compiled()
        self._design, self._shared = constants(dt)
        (self._memory,), self._own = pack(_blank(dt, angles)[0])
        self._signals, self._signal, self._stage = len(angles), 0, 0

    def restart(self) -> None:
        """Forget everything."""
        for mine, blank in zip(self._own, _blank(self.dt, self._angles)[1]):
            mine[:] = blank
        self._signal = self._stage = 0

    @property
    def young(self) -> bool:
        """Whether nothing was judged as yet."""
        return float(self._memory.count[0, 0]) * self.dt < settings.SEEN

    def __deepcopy__(self, memo: dict[int, Any]) -> SignalPredictor:
        """Copy what is remembered in one piece: the memory is a view of the packed arrays."""
        copied = copy.copy(self)
        (copied._memory,), own = pack(self._memory)
        copied._own = own
        return copied

    def advance(self, point: Sequence[float], sampled: bool) -> None:
        """Take a point of the grid, signals and angles, a sample or what lies between two."""
        self._kernels.advance(*self._shared, *self._own, np.array(point), sampled)

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

    def seen(self) -> tuple[list[float], list[float], list[float]]:
        """Return each signal's noise, and its largest value and slope of half a minute."""
        largest, steepest = self._memory.peak[:, :, :2].max(axis=1).T.tolist()
        return np.sqrt(self._memory.noise[:, 0]).tolist(), largest, steepest

    @property
    def vibration(self) -> FloatArray:
        """RMS of each signal above the band, beyond its noise, (C,)."""
        gain = self._design.scalars[4]
        noise = self._memory.noise
        return np.sqrt(np.maximum(noise[:, 1] - gain * noise[:, 0], 0.0))

    def at(self, ahead: float) -> tuple[FloatArray, FloatArray]:
        """Return angle, signal and derivative so many s from the last point; variances, (C, 3)."""
        value, variance = np.empty((self._signals, 3)), np.empty((self._signals, 3))
        self._kernels.answer(*self._shared, *self._own, ahead, value, variance)
        return value, variance

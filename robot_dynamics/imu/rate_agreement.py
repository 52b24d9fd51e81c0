"""Whether angular velocity is the derivative of orientation, axis by axis, in sign and in unit."""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.motion import rotations

FloatArray = NDArray[np.float64]

_SPAN = 0.2         # s over which both are compared: noise of the orientation fades
_GAP = 0.5          # s; a longer silence starts a new span
_MOVES = 0.03       # rad/s, RMS of the rotation of an axis that moves enough to be judged
_ENOUGH = 10        # spans
_OPPOSED = -0.8     # correlation of an axis with the wrong sign
_CORRELATED = 0.9   # of one whose scale can be told


class RateAgreement:
    """
    Compares the rotation between orientations with the mean of the rates in between.

    Attributes
    ----------
    complete : bool
        Whether every axis that turns has been seen to turn, so that nothing more will be found.
    """

    def __init__(self) -> None:
        self._rates: list[Sequence[float]] = []
        self._stamp_ns: Optional[int] = None
        self._quat: Sequence[float] = (0.0, 0.0, 0.0, 1.0)
        self._spans = 0
        # over the spans: rate * rotation, rate^2, rotation^2, per axis
        self._products: FloatArray = np.zeros((3, 3))

    def add(self, stamp_ns: int, rate: Sequence[float], quat: Sequence[float]) -> None:
        """
        Take one sample.

        Parameters
        ----------
        stamp_ns : int
        rate : sequence of 3 float
            In rad/s, base axes.
        quat : sequence of 4 float
            Of the base (x, y, z, w), unit.
        """
        span = 0.0 if self._stamp_ns is None else (stamp_ns - self._stamp_ns) * 1e-9
        if self._stamp_ns is None or not 0.0 <= span <= _GAP:
            self._stamp_ns, self._quat, self._rates = stamp_ns, quat, [rate]
            return
        self._rates.append(rate)
        if span < _SPAN:
            return
        turned = rotations.quat_multiply(rotations.quat_conjugate(self._quat), quat)
        turned = np.asarray(turned) * (1.0 if turned[3] >= 0 else -1.0)
        rotation = 2.0 * turned[:3] / span
        rates = np.asarray(self._rates)
        mean = (0.5 * (rates[0] + rates[-1]) + rates[1:-1].sum(axis=0)) / (len(rates) - 1)
        self._products += mean * rotation, mean * mean, rotation * rotation
        self._spans += 1
        self._stamp_ns, self._quat, self._rates = stamp_ns, quat, [rate]

    @property
    def complete(self) -> bool:
        """Whether roll and pitch have both turned enough to be judged."""
        return bool(self._judged()[:2].all())

    def reversed_axes(self) -> list[str]:
        """Return the names of the axes whose rate has the wrong sign."""
        opposed = self._judged() & (self._correlation() < _OPPOSED)
        return [name for name, wrong in zip('xyz', opposed) if wrong]

    def scale(self) -> Optional[float]:
        """Return how many times too large the rates are; None while that cannot be told."""
        usable = self._judged() & (self._correlation() > _CORRELATED)
        if not usable.any():
            return None
        return float(np.sqrt(self._products[1, usable].sum() / self._products[2, usable].sum()))

    def _judged(self) -> NDArray[np.bool_]:
        if self._spans < _ENOUGH:
            return np.zeros(3, dtype=bool)
        judged: NDArray[np.bool_] = self._products[2] > self._spans * _MOVES**2
        return judged

    def _correlation(self) -> FloatArray:
        norm = np.sqrt(self._products[1] * self._products[2])
        result: FloatArray = self._products[0] / np.maximum(norm, 1e-30)
        return result

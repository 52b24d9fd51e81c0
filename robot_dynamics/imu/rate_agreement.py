"""Whether angular velocity is the derivative of orientation, axis by axis, in sign and in unit."""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion import rotations


SPAN = 0.2          # s over which both are compared: noise of the orientation fades
_GAP = 0.5          # s; a longer silence starts a new span
_MOVES = 0.03       # rad/s, RMS of the rotation of an axis that moves enough to be judged
ENOUGH = 10         # spans
_OPPOSED = -0.8     # correlation of an axis with the wrong sign
_CORRELATED = 0.9   # of one whose scale can be told
_STILL = 1e-3       # rad/s, RMS of what does not move at all
_UNITS = (('deg/s', np.pi / 180, 30.0, 110.0), ('rpm', np.pi / 30, 8.6, 10.5),
          ('rev/s', 2 * np.pi, 0.143, 0.175), ('mrad/s', 1e-3, 900.0, 1100.0),
          ('mdeg/s', 1e-3 * np.pi / 180, 5e4, 6.5e4))


def rate_unit(scale: Optional[float]) -> Optional[tuple[str, float]]:
    """Return the unit of rates that are so many times too large, and its factor to rad/s."""
    return next(((name, float(factor)) for name, factor, low, high in _UNITS
                 if scale is not None and low < scale < high), None)


class RateAgreement:
    """
    Compares the rotation between orientations with the mean of the rates in between.

    Parameters
    ----------
    span : float
        Over which both are compared, s.
    memory : int, optional
        Spans within which what was is forgotten; None: never.
    enough : float
        Spans that a judgement needs: more where they are short, and noise counts.

    Attributes
    ----------
    rate, rotation : (3,) array, rad/s
        Of the last span.
    complete : bool
        Whether every axis that turns has been seen to turn, so that nothing more will be found.
    """

    def __init__(self, span: float = SPAN, memory: Optional[int] = None,
                 enough: float = ENOUGH) -> None:
        self._span, self._enough = span, enough
        self._kept = 1.0 if memory is None else 1.0 - 1.0 / memory
        self.rate: FloatArray = np.zeros(3)
        self.rotation: FloatArray = np.zeros(3)
        self._sum: FloatArray = np.zeros(3)
        self._rates: list[Sequence[float]] = []
        self._stamps: list[int] = []
        self._stamp_ns: Optional[int] = None
        self._quat: Sequence[float] = (0.0, 0.0, 0.0, 1.0)
        self._spans = 0.0
        # over the spans: rate * rotation, rate^2, rotation^2, per axis
        self._products: FloatArray = np.zeros((3, 3))

    def add(self, stamp_ns: int, rate: Sequence[float], quat: Sequence[float]) -> bool:
        """
        Take one sample; returns whether it ends a span.

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
            self._stamps = [stamp_ns]
            return False
        self._rates.append(rate)
        self._stamps.append(stamp_ns)
        if span < self._span:
            return False
        turned = rotations.quat_multiply(rotations.quat_conjugate(self._quat), quat)
        turned = np.asarray(turned) * (1.0 if turned[3] >= 0 else -1.0)
        rotation = 2.0 * turned[:3] / span
        rates, steps = np.asarray(self._rates), np.diff(self._stamps)  # samples may be lost
        mean = 0.5 * (steps @ (rates[1:] + rates[:-1])) / steps.sum()
        self.rate, self.rotation = mean, rotation
        self._products *= self._kept
        self._products += mean * rotation, mean * mean, rotation * rotation
        self._sum = self._kept * self._sum + mean
        self._spans = self._kept * self._spans + 1.0
        self._stamp_ns, self._quat, self._rates = stamp_ns, quat, [rate]
        self._stamps = [stamp_ns]
        return True

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

    def is_rate_dead(self) -> bool:
        """Tell whether the orientation turns and the rates are zero."""
        return bool(self._judged()[:2].any()
                    and self._products[1].sum() < self._spans * _STILL**2)

    def is_orientation_frozen(self) -> bool:
        """Tell whether the rates change, which a bias does not, and the orientation does not."""
        if self._spans < self._enough or self._products[2].sum() > self._spans * _STILL**2:
            return False
        varies = self._products[1] / self._spans - (self._sum / self._spans)**2
        return bool(varies.max() > _MOVES**2)

    def _judged(self) -> NDArray[np.bool_]:
        if self._spans < self._enough:
            return np.zeros(3, dtype=bool)
        judged: NDArray[np.bool_] = self._products[2] > self._spans * _MOVES**2
        return judged

    def _correlation(self) -> FloatArray:
        norm = np.sqrt(self._products[1] * self._products[2])
        result: FloatArray = self._products[0] / np.maximum(norm, 1e-30)
        return result

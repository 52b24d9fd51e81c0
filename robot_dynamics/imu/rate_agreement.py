"""Whether angular velocity is the derivative of orientation, axis by axis, in sign and in unit."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.kernel_cache import compiled_entries
from robot_dynamics.imu import plausibility_kernel as kernel


SPAN = 0.2          # s over which both are compared: noise of the orientation fades
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
    m, state : array
        What :mod:`.plausibility_kernel` knows of it.
    """

    def __init__(self, span: float = SPAN, memory: Optional[int] = None,
                 enough: float = ENOUGH) -> None:
        self._enough = enough
        self.m: FloatArray = np.zeros((kernel.ROWS, 4))
        self.state = np.zeros(1, kernel.STATE)
        self.state['span'] = span
        self.state['kept'] = 1.0 if memory is None else 1.0 - 1.0 / memory

    def add(self, stamp_ns: int, rate: Sequence[float], quat: Sequence[float]) -> bool:
        """
        Take one sample; returns whether it ends a span.

        Parameters
        ----------
        rate : sequence of 3 float
            In rad/s, base axes.
        quat : sequence of 4 float
            Of the base (x, y, z, w), unit.
        """
        return bool(compiled()[1](self.m, self.state, stamp_ns, *rate, *quat))

    @property
    def rate(self) -> FloatArray:
        """Mean rate of the last span, (3,), rad/s."""
        return self.m[kernel.RATE, :3]

    @property
    def rotation(self) -> FloatArray:
        """Rate of the orientation over the last span, (3,), rad/s."""
        return self.m[kernel.ROTATION, :3]

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
        varies = self._products[1] / self._spans - (self.m[kernel.SUM, :3] / self._spans)**2
        return bool(varies.max() > _MOVES**2)

    @property
    def _products(self) -> FloatArray:
        """Sums of rate * rotation, rate^2, rotation^2, per axis, (3, 3)."""
        return self.m[kernel.PRODUCTS:kernel.PRODUCTS + 3, :3]

    @property
    def _spans(self) -> float:
        return float(self.state['spans'][0])

    def _judged(self) -> NDArray[np.bool_]:
        if self._spans < self._enough:
            return np.zeros(3, dtype=bool)
        judged: NDArray[np.bool_] = self._products[2] > self._spans * _MOVES**2
        return judged

    def _correlation(self) -> FloatArray:
        norm = np.sqrt(self._products[1] * self._products[2])
        result: FloatArray = self._products[0] / np.maximum(norm, 1e-30)
        return result


@functools.lru_cache(maxsize=1)
def compiled() -> list[Callable[..., Any]]:
    """Compile the checks of samples, and the comparison alone, or take them from the cache."""
    from numba import typeof, types
    memory, state, signals = (typeof(array) for array in (  # type: ignore[no-untyped-call]
        np.zeros((kernel.ROWS, 4)), np.zeros(1, kernel.STATE), np.zeros(4, kernel.SIGNAL)))
    numbers = [types.float64] * 10
    # the comparison first: compiled for the checks, it would not be kept by itself
    comparison, checks = compiled_entries(kernel, inspect.getsource(kernel), frozenset(), {
        'add': [memory, state, types.int64, *numbers[:7]],
        'examine': [memory, signals, state, types.int64, types.int64, *numbers]})
    return [checks, comparison]

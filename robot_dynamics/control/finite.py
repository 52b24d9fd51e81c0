"""Quick checks of short vectors, which numpy's own functions make slow or loud."""

from __future__ import annotations

from math import isfinite

from robot_dynamics.core.gate import FloatArray


def all_finite(values: FloatArray) -> bool:
    """Whether no value of a short vector is NaN or infinite."""
    return all(map(isfinite, values.tolist()))


def all_below(values: FloatArray, bound: float) -> bool:
    """Whether all magnitudes of a short vector are below a bound; NaN is not."""
    return all(-bound < value < bound for value in values.tolist())

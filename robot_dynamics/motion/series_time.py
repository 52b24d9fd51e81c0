"""The one check that every series of this room makes of its time."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_vector, FloatArray


def increasing_time(name: str, value: ArrayLike) -> FloatArray:
    """Check times in s, (T,): finite and strictly increasing."""
    time = as_vector(name, value, None, 's')
    backward = np.flatnonzero(np.diff(time) <= 0)
    if backward.size:
        i = int(backward[0]) + 1
        raise InputError(
            name, f'does not increase at index {i} ({time[i - 1]:g} s, then {time[i]:g} s)')
    return time

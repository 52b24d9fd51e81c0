"""
The layout of :class:`BaseMotion`: four vectors side by side in one array, (12,) or (T, 12).

Columns are angular velocity, angular acceleration, linear acceleration, gravity.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, FloatArray

STANDARD_GRAVITY = 9.80665  # m/s^2
FIELDS = ('angular_velocity', 'angular_acceleration', 'linear_acceleration', 'gravity')
UNITS = ('rad/s', 'rad/s^2', 'm/s^2', 'm/s^2')
_LEVEL_GRAVITY = (0.0, 0.0, -STANDARD_GRAVITY)
_FLOAT = np.dtype(np.float64)


def pack_vectors(values: tuple[Any, ...]) -> Optional[FloatArray]:
    """Pack single float64 vectors quickly, or return None where a look is needed."""
    packed = np.zeros(12)
    start = 0
    for value in values:
        if value is not None:
            if type(value) is not np.ndarray or value.shape != (3,) or value.dtype != _FLOAT:
                return None
            packed[start:start + 3] = value
        elif start == 9:
            packed[9:] = _LEVEL_GRAVITY
        start += 3
    # one product tells whether all twelve are finite
    return packed if packed.dot(packed) < np.inf else None


def pack_checked(values: tuple[Any, ...]) -> FloatArray:
    """Pack anything, broadcasting single vectors over a series; errors name the argument."""
    checked = [None if value is None else checked_vectors(name, value, unit)
               for name, value, unit in zip(FIELDS, values, UNITS)]
    lengths = {name: len(value) for name, value in zip(FIELDS, checked)
               if value is not None and value.ndim == 2}
    if len(set(lengths.values())) > 1:
        listing = ', '.join(f'{name} has {count}' for name, count in lengths.items())
        raise InputError(next(iter(lengths)), f'series differ in length: {listing} samples')
    packed = np.zeros((*list(lengths.values())[:1], 12))
    packed[..., 9:] = _LEVEL_GRAVITY
    for i, value in enumerate(checked):
        if value is not None:
            packed[..., 3 * i:3 * i + 3] = value
    return packed


def checked_vectors(name: str, value: ArrayLike, unit: str, width: int = 3) -> FloatArray:
    """Check one vector or a series of them."""
    series = np.ndim(value) == 2
    return as_array(name, value, (None, width) if series else (width,), unit)


def checked_matrices(name: str, value: ArrayLike) -> FloatArray:
    """Check one 3 x 3 matrix or a series of them."""
    return as_array(name, value, (None, 3, 3) if np.ndim(value) == 3 else (3, 3))


def stack_rpy(suffix: str, unit: str, roll: ArrayLike, pitch: ArrayLike) -> FloatArray:
    """
    Stack roll, pitch and a yaw of zero, (3,) or (T, 3).

    Parameters
    ----------
    suffix, unit : str
        For errors: '_rate' and 'rad/s' where the arguments are roll_rate and pitch_rate.
    roll, pitch : array_like, () or (T,)
    """
    names = f'roll{suffix}', f'pitch{suffix}'
    checked = [as_array(name, value, () if np.ndim(value) == 0 else (None,), unit)
               for name, value in zip(names, (roll, pitch))]
    try:
        roll, pitch = np.broadcast_arrays(*checked)
    except ValueError as error:
        raise InputError(', '.join(names), 'differ in length') from error
    return np.stack([roll, pitch, np.zeros(roll.shape)], axis=-1)

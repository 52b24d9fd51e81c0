"""
The input gate: every array from outside passes here once, and kernels check nothing.

Each function returns a C-contiguous float64 array and raises :class:`InputError` with the
argument's name, the offending index and what was expected.
"""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import InputError

FloatArray = NDArray[np.float64]
_UNIT, _FLOAT = np.eye(3), np.dtype(np.float64)


def as_array(name: str, value: Any, shape: Sequence[Optional[int]], unit: str = '') -> FloatArray:
    """
    Check an array's shape and that all its values are finite.

    Parameters
    ----------
    name : str
        Name of the argument, for the error.
    value : array_like
        What the user gave.
    shape : sequence of int or None
        Expected length of each axis; None leaves it free.
    unit : str
        Unit of the values, for the error.

    Raises
    ------
    InputError
        If the value is not numeric, has another shape or holds NaN or infinity.
    """
    array = _as_floats(name, value)
    if array.shape != shape and (array.ndim != len(shape) or any(
            want is not None and got != want for got, want in zip(array.shape, shape))):
        expected = '(' + ', '.join('n' if n is None else str(n) for n in shape) + (
            ',)' if len(shape) == 1 else ')')
        raise InputError(
            name, f'expected shape {expected}{f" in {unit}" if unit else ""}, got {array.shape}')
    if not np.isfinite(array).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        at = f'value at index {index[0] if len(index) == 1 else index} ' if index else ''
        raise InputError(name, f'{at}is {array[index]}, expected a finite number')
    return array


def as_vector(name: str, value: Any, size: Optional[int], unit: str = '') -> FloatArray:
    """Check a vector of ``size`` finite numbers (any size if None)."""
    return as_array(name, value, (size,), unit)


def as_series(name: str, value: Any, width: Optional[int], unit: str = '') -> FloatArray:
    """Check a series of shape (T, width)."""
    return as_array(name, value, (None, width), unit)


def as_matrix3(name: str, value: Any, unit: str = '') -> FloatArray:
    """Check a 3 x 3 matrix."""
    return as_array(name, value, (3, 3), unit)


def as_rotation(name: str, value: Any, tolerance: float = 1e-6) -> FloatArray:
    """Check a 3 x 3 rotation matrix: orthonormal and right-handed within ``tolerance``."""
    matrix = as_matrix3(name, value)
    if np.abs(matrix @ matrix.T - _UNIT).max() > tolerance or np.linalg.det(matrix) < 0:
        raise InputError(name, 'is not a rotation matrix (orthonormal, determinant +1)')
    return matrix


def as_scalar(name: str, value: Any, minimum: float = -math.inf, maximum: float = math.inf,
              unit: str = '') -> float:
    """Check one finite number within the closed interval [minimum, maximum]."""
    number = float(as_array(name, value, (), unit))
    if not minimum <= number <= maximum:
        suffix = f' {unit}' if unit else ''
        raise InputError(
            name, f'is {number:g}{suffix}, expected a value from {minimum:g} to {maximum:g}')
    return number


def as_mapping(name: str, value: Any, content: str) -> Mapping[str, Any]:
    """Check a mapping, for example of ``content`` 'joint names to kg m^2'; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(name, f'is a {type(value).__name__}, expected a mapping of {content}')
    return value


def as_flag(name: str, value: Any, hint: str = '') -> bool:
    """Check a switch: numbers and words in its place are mistakes, not True."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(name, f'is {value!r:.60}, expected True or False{hint}')
    return bool(value)


def as_seed(value: Any) -> int:
    """Check the seed of a random sequence: a whole number, 0 or more."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
        raise InputError('seed', f'is {value!r}, expected a whole number, 0 or more')
    return int(value)


def _as_floats(name: str, value: Any) -> FloatArray:
    """Convert to a C-contiguous float64 array or say what stands in the way."""
    if type(value) is np.ndarray and value.dtype == _FLOAT and value.flags.c_contiguous:
        return value
    try:
        raw = np.asarray(value)
    except ValueError as error:
        raise InputError(name, 'rows have different lengths, expected an array of '
                               'numbers') from error
    if raw.dtype.kind not in 'fiu':
        what = 'complex' if raw.dtype.kind == 'c' else (
            'boolean' if raw.dtype.kind == 'b' else 'not numeric')
        raise InputError(name, f'is {what} ({value!r:.60}), expected real numbers')
    return np.require(raw, np.float64, 'C')

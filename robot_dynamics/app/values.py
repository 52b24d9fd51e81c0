"""Turn words of the command line into arrays."""

from __future__ import annotations

import argparse
import math
from types import MappingProxyType
from typing import List, Mapping, Optional, Sequence, Set, Tuple

import numpy as np

from robot_dynamics.core.errors import InputError, UnknownNameError
from robot_dynamics.core.gate import as_vector, FloatArray


def joint_values(option: str, words: Optional[Sequence[str]],
                 joint_names: Sequence[str],
                 elsewhere: Mapping[str, str] = MappingProxyType({})) -> FloatArray:
    """
    Read one value per joint.

    Parameters
    ----------
    option : str
        For the error, for example ``--q``.
    words : sequence of str or None
        Either all values in the order of ``joint_names``, or some of them as ``joint=value``
        with the others zero; separated by spaces or commas.  None means all zero.
    joint_names : sequence of str
        The order of the result.
    elsewhere : mapping of str to str
        Why other joints of the robot take no value.

    Returns
    -------
    ndarray, (nv,)
    """
    items = _split(words or [])
    result = np.zeros(len(joint_names))
    if not items:
        return result
    named = ['=' in item for item in items]
    if not any(named):
        return as_vector(option, [number(option, item) for item in items], len(joint_names))
    if not all(named):
        raise InputError(option, 'mixes bare values and joint=value; use one of the two')
    seen: Set[str] = set()
    for item in items:
        name, _, value = item.rpartition('=')
        if name in elsewhere:
            raise InputError(option, f'joint {name!r} {elsewhere[name]}')
        if name not in joint_names:
            raise UnknownNameError('joint', name, joint_names)
        if name in seen:
            raise InputError(option, f'gives {name} twice; give one value')
        seen.add(name)
        result[list(joint_names).index(name)] = number(option, value)
    return as_vector(option, result, len(joint_names))


def vector3(option: str, words: Optional[Sequence[str]]) -> FloatArray:
    """Read three values, separated by spaces or commas; None means zero."""
    if words is None:
        return np.zeros(3)
    return as_vector(option, [number(option, item) for item in _split(words)], 3)


def payload_values(words: Sequence[str]) -> Tuple[float, FloatArray]:
    """Read mass [kg] and centre of mass [m], (3,), of ``--payload``."""
    mass, *com = (number('--payload', word) for word in words)
    return mass, as_vector('--payload', com, 3)


def _split(words: Sequence[str]) -> List[str]:
    return [item for word in words for item in word.split(',') if item]


def finite(word: str) -> float:
    """Read a finite number, as a type of an argument."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f'{word!r} is not a finite number')
    return value


def number(option: str, word: str) -> float:
    """Read a number; ``option`` is named where it is none."""
    try:
        return float(word)
    except ValueError:
        raise InputError(option, f'{word!r} is not a number') from None

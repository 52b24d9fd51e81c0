"""
How the kernels are compiled: all at once, for the types that they will see, kept on disk.

A call with sixty arrays costs ten microseconds before anything is computed.  So arrays lie packed
in a few, and kernels unpack them into the named tuples that they work on.
"""

from __future__ import annotations

from collections import namedtuple
import functools
import inspect
import math
import re
from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.compiler import FAST
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.kernel_cache import compiled_entries
from robot_dynamics.estimation.adaptive import (
    attitude_filter, kernels, motion_signals, regression_kernels, settings)
from robot_dynamics.estimation.adaptive.design import Design, design
from robot_dynamics.estimation.adaptive.memory import fresh, Memory
from robot_dynamics.ship.rigid_deck import base_motion_at

# constants that the kernels ask for, named as in settings
_ASKED: list[str] = sorted({name for part in (kernels, regression_kernels)
                            for name in re.findall(r'\bs\.(\w+)', inspect.getsource(part))})
Tuning: Any = namedtuple('Tuning', _ASKED)  # type: ignore[misc]
_MOST_AXES = 7
Arrays = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


class Compiled(NamedTuple):
    """Kernels that are called from Python, the first three with packed constants and memory."""

    advance: Callable[..., None]
    work: Callable[..., int]
    answer: Callable[..., None]
    motion: Callable[..., FloatArray]
    covariance: Callable[..., FloatArray]
    observe: Callable[..., tuple[float, ...]]


def tuning() -> Any:
    """Return the constants of ``settings`` as kernels take them."""
    values: list[Any] = [getattr(settings, name.upper()) for name in _ASKED]
    return Tuning._make(np.array(value) if isinstance(value, tuple) else value
                        for value in values)


@functools.lru_cache(maxsize=None)
def constants(dt: float) -> tuple[Design, Arrays]:
    """Return what does not depend on samples, for a step of the grid, s, and the same packed."""
    (chosen, _), arrays = pack(design(dt), tuning())
    return chosen, arrays


def pack(*tuples: Any) -> tuple[list[Any], Arrays]:
    """Put all arrays of named tuples into one of floats and one of integers; return the views."""
    values = [np.asarray(value) for one in tuples for value in one]
    packed, layout = {}, np.ones((len(values), 1 + _MOST_AXES), dtype=np.int64)
    for kind in 'fi':
        mine = [k for k, value in enumerate(values) if value.dtype.kind == kind]
        layout[mine, 0] = np.cumsum([0] + [values[k].size for k in mine])[:-1]
        packed[kind] = np.concatenate([values[k].ravel() for k in mine])
    for k, value in enumerate(values):
        layout[k, 1:1 + value.ndim] = value.shape
    views = iter([packed[value.dtype.kind][begin:begin + value.size].reshape(value.shape)
                  for value, begin in zip(values, layout[:, 0])])
    return [type(one)._make(next(views) for _ in one) for one in tuples], (
        packed['f'], packed['i'], layout)


def _unpacking(name: str, *tuples: Any) -> str:
    """Write the function that makes named tuples of packed arrays again."""
    lines, k = [f'def unpack_{name}(floats, ints, layout):'], 0
    for one in tuples:
        parts = []
        for value in map(np.asarray, one):
            source, begin = 'floats' if value.dtype.kind == 'f' else 'ints', f'layout[{k}, 0]'
            shape = [f'layout[{k}, {axis}]' for axis in range(1, value.ndim + 1)]
            parts.append(f'{source}[{begin}:{begin} + {" * ".join(shape)}].reshape('
                         f'({", ".join(shape)},))' if shape else f'{source}[{begin}]')
            k += 1
        lines.append(f'    {type(one).__name__.lower()} = {type(one).__name__}('
                     + ', '.join(parts) + ')')
    names = ', '.join(type(one).__name__.lower() for one in tuples)
    return '\n'.join([*lines, f'    return {names}', ''])


@functools.lru_cache(maxsize=None)
def compiled() -> Compiled:
    """Compile the kernels (most of a minute, once a machine) or take them from the cache."""
    from numba import typeof
    chosen, arrays = constants(settings.STEP)
    memory = fresh(chosen, (True,))
    source = '\n'.join([
        *(inspect.getsource(part) for part in (
            motion_signals.signals, base_motion_at, attitude_filter, kernels, regression_kernels)),
        _unpacking('constants', chosen, tuning()), _unpacking('memory', memory)])
    table, point = np.zeros((1, 3)), (0.0, 0.0, 0.0)
    examples: dict[str, tuple[Any, ...]] = {
        'advance': (np.zeros(1), True), 'work': (0, 0), 'answer': (0.0, table, table)}
    for name in examples:
        rest = ', '.join(f'x{k}' for k in range(len(examples[name])))
        source += (f'def packed_{name}(c0, c1, c2, m0, m1, m2, {rest}):\n'
                   f'    d, s = unpack_constants(c0, c1, c2)\n'
                   f'    return {name}(d, unpack_memory(m0, m1, m2), {rest}, s)\n')
    calls = {f'packed_{name}': (*arrays, *pack(memory)[1], *example)
             for name, example in examples.items()}
    calls.update(base_motion=(table, point, 0.0), base_covariance=(table, table, point, 0.0),
                 observe=(table, *[0.0] * 9, False, 0.0))
    return Compiled(*compiled_entries(
        kernels, source, FAST, {name: [typeof(value) for value in call]
                                for name, call in calls.items()},
        {'Design': Design, 'Tuning': Tuning, 'Memory': Memory, 'sin': math.sin, 'cos': math.cos}))

"""
How the kernels are compiled: all at once, for the types that they will see, kept on disk.

A call with sixty arrays costs ten microseconds before anything is computed.  So arrays lie packed
in a few, and kernels unpack them into the named tuples that they work on.
"""

from __future__ import annotations

from collections import namedtuple
import functools
import inspect
from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.compiler import FAST
from robot_dynamics.core.kernel_cache import compiled_entries
from robot_dynamics.estimation.adaptive import kernels, regression_kernels, settings
from robot_dynamics.estimation.adaptive.design import Design, design
from robot_dynamics.estimation.adaptive.memory import fresh, Memory


Tuning = namedtuple('Tuning', (  # constants of the kernels, named as in settings
    'ridge metric many fading believed memory filled detail leaking band_after judged young grown '
    'apart shrink passing apart_by hopeless fewest doubt noise_memory exact peak_memory largest '
    'seen back quantile seam clear early better near levelled unknown shown lasting solved surprise'))
Arrays = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


class Compiled(NamedTuple):
    """Kernels that are called from Python, with packed constants and memory before all else."""

    advance: Callable[..., None]
    work: Callable[..., int]
    answer: Callable[..., None]


_compiled: list[Compiled] = []


def tuning() -> Tuning:
    """Return the constants of ``settings`` as kernels take them."""
    values: list[Any] = [getattr(settings, name.upper()) for name in Tuning._fields]
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


_MOST_AXES = 7


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


def compiled() -> Compiled:
    """Compile the kernels (most of a minute, once a machine) or take them from the cache."""
    if not _compiled:
        chosen, arrays = constants(settings.STEP)
        memory = fresh(chosen, (True,))
        lead = (*arrays, *pack(memory)[1])
        source = (inspect.getsource(kernels) + inspect.getsource(regression_kernels)
                  + _unpacking('constants', chosen, tuning()) + _unpacking('memory', memory))
        _compiled.append(Compiled(*_entries(source, {
            'advance': (*lead, np.zeros(1), np.zeros(1), True), 'work': (*lead, 0, 0),
            'answer': (*lead, 0.0, np.zeros((1, 3)), np.zeros((1, 3)))})))
    return _compiled[0]


def _entries(source: str, examples: dict[str, tuple[Any, ...]]) -> list[Callable[..., Any]]:
    from numba import typeof
    packed = ', '.join(f'{letter}{k}' for letter in 'cm' for k in range(3))
    for name, example in examples.items():
        rest = ', '.join(f'x{k}' for k in range(len(example) - 6))
        source += (f'def packed_{name}({packed}, {rest}):\n'
                   f'    d, s = unpack_constants(c0, c1, c2)\n'
                   f'    m = unpack_memory(m0, m1, m2)\n'
                   f'    return {name}(d, m, {rest}, s)\n')
    return compiled_entries(
        kernels, source, FAST, {
            f'packed_{name}': [typeof(value) for value in example]
            for name, example in examples.items()},
        {'Design': Design, 'Tuning': Tuning, 'Memory': Memory})

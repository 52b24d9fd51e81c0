"""How the kernels are compiled: all at once, for the types that they will see, kept on disk."""

from __future__ import annotations

import inspect
from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.compiler import FAST, options
from robot_dynamics.core.kernel_cache import KernelCache
from robot_dynamics.estimation.adaptive import kernels, regression_kernels, settings
from robot_dynamics.estimation.adaptive.design import design
from robot_dynamics.estimation.adaptive.memory import fresh


class Tuning(NamedTuple):
    """Constants of the kernels, named as in ``settings``."""

    ridge: float
    metric: int
    many: float
    fading: float
    believed: NDArray[np.float64]
    memory: float
    filled: float
    detail: float
    leaking: float
    band_after: int
    judged: float
    young: float
    grown: float
    apart: float
    shrink: float
    passing: float
    apart_by: float
    hopeless: float
    fewest: float
    doubt: NDArray[np.float64]
    noise_memory: float
    exact: float
    peak_memory: float
    largest: float
    seen: float
    back: float
    quantile: int


class Compiled(NamedTuple):
    """Kernels that are called from Python, and their constants."""

    advance: Callable[..., None]
    work: Callable[..., int]
    answer: Callable[..., None]
    tuning: Tuning


_compiled: list[Compiled] = []


def tuning() -> Tuning:
    """Return the constants of ``settings`` as kernels take them."""
    values: list[Any] = [getattr(settings, name.upper()) for name in Tuning._fields]
    return Tuning._make(np.array(value) if isinstance(value, tuple) else value
                        for value in values)


def compiled() -> Compiled:
    """Compile the kernels (some ten seconds, once a machine) or take them from the cache."""
    if not _compiled:
        constants, chosen = design(settings.STEP), tuning()
        memory = fresh(constants, (True,))
        entries = _entries({
            'advance': (constants, memory, np.zeros(1), np.zeros(1), True, chosen),
            'work': (constants, memory, 0, 0, chosen),
            'answer': (constants, memory, 0.0, np.zeros((1, 3)), np.zeros((1, 3)), chosen)})
        _compiled.append(Compiled(**entries, tuning=chosen))
    return _compiled[0]


def _entries(examples: dict[str, tuple[Any, ...]]) -> dict[str, Callable[..., Any]]:
    from numba import njit, typeof
    source = inspect.getsource(kernels) + inspect.getsource(regression_kernels)
    namespace: dict[str, Any] = {'__name__': kernels.__name__}
    exec(compile(source, kernels.__file__, 'exec'), namespace)  # our own text
    for name, function in list(namespace.items()):
        if inspect.isfunction(function):
            namespace[name] = njit(**options(FAST))(function)
    for name, example in examples.items():
        entry = namespace[name]
        entry._cache = KernelCache(source + name)
        entry.compile(tuple(typeof(value) for value in example))
        entry.disable_compile()
    return {name: namespace[name] for name in examples}

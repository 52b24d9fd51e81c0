"""Compile a generated module with numba."""

from __future__ import annotations

import ast
from functools import lru_cache
import logging
import time
from typing import Any, Callable, Dict, Mapping, Optional, Union

from robot_dynamics.core.compiler import EXACT, FAST, options
from robot_dynamics.core.kernel_cache import KernelCache, named_by
from robot_dynamics.dynamics.codegen.module_source import SHARED

LOGGER = logging.getLogger(__name__)


def compile_entry(source: str, inputs: int, outputs: int, dimensions: int,
                  what: str) -> Callable[..., float]:
    """
    Compile the ``entry`` of a generated module for float64 arrays.

    Parameters
    ----------
    source : str
        Text of the module.
    inputs, outputs : int
        How many of the entry's arguments are read and written.
    dimensions : int
        1 for a single sample, 2 for a batch.
    what : str
        What it computes, for the log line of a compilation that takes long.

    Returns
    -------
    callable
        Takes inputs of any stride, read-only or not, and C-contiguous outputs; raises
        TypeError for anything else, so that no second version is ever compiled.
    """
    from numba import types

    from robot_dynamics.dynamics.codegen.lowering import lowered
    read = types.Array(types.float64, dimensions, 'A', readonly=True)
    written = types.Array(types.float64, dimensions, 'C')
    signature = types.float64(*[read] * inputs, *[written] * outputs)
    start = time.perf_counter()
    entry = _entry(source)
    if not entry._cache.kept(signature, entry.targetctx):
        entry = _entry(source, lowered)
    entry.compile(signature)
    entry.disable_compile()
    if not sum(entry._cache_hits.values()):
        LOGGER.info('compiled %s in %.1f s', what, time.perf_counter() - start)
    kernel: Callable[..., float] = entry
    return kernel


@lru_cache(maxsize=None)
def _shared() -> Mapping[str, Any]:
    """Return the functions that all generated modules call."""
    namespace: Dict[str, Any] = {}
    _run(SHARED, SHARED, namespace)
    return {name: namespace[name] for name in ('sincos', 'take', 'give')}


def _entry(source: str, parse: Optional[Callable[..., ast.Module]] = None) -> Any:
    from robot_dynamics.dynamics.codegen.stack_array import stack_memory
    namespace: Dict[str, Any] = {**_shared(), 'stack_memory': stack_memory}
    _run(source if parse is None else parse(source, namespace), source, namespace)
    entry = namespace['entry']
    entry._cache = KernelCache(SHARED + source)
    return entry


def _run(module: Union[str, ast.Module], source: str, namespace: Dict[str, Any]) -> None:
    """Define what a module defines, with functions named by their source."""
    from numba import njit
    named = named_by(source)

    def compiler(**chosen: Any) -> Callable[..., Any]:
        return lambda function: njit(**chosen)(named(function))

    namespace.update({
        '__name__': __name__,  # a cached kernel is loaded back into this module
        'compiled_entry': compiler(**options(FAST)),
        'compiled_fast': compiler(**options(FAST, inner=True)),
        'inlined_exact': compiler(**options(EXACT, inline=True, inner=True))})
    exec(compile(module, '<generated>', 'exec'), namespace)  # our own text, from no outside source

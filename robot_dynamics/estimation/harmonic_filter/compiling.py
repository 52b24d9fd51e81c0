"""How this room's few kernels are compiled: once, and kept on disk where that is possible."""

from __future__ import annotations

from typing import Any, Callable

from robot_dynamics.core.compiler import FAST, options


def compile_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """
    Compile a function with numba, which is imported now and not before.

    Each kernel is one function of one file that calls no other, so that numba's own cache on disk,
    which watches that file, cannot go stale.  Where no directory can be written it does without.
    """
    import numba
    try:
        return numba.njit(cache=True, **options(FAST))(function)  # type: ignore[no-any-return]
    except RuntimeError:  # no place for a cache
        return numba.njit(**options(FAST))(function)  # type: ignore[no-any-return]

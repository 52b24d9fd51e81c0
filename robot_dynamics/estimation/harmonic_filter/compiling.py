"""How this room's few kernels are compiled: once, and kept on disk where that is possible."""

from __future__ import annotations

from typing import Any, Callable

from robot_dynamics.core.compiler import FAST, options
from robot_dynamics.core.kernel_cache import cached_kernel


def compile_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """
    Compile a function with numba, which is imported now and not before.

    Each kernel is one function of one file that calls no other.
    """
    return cached_kernel(function, **options(FAST))

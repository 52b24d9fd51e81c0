"""
The linear algebra of the bank, compiled: one thread, no library that would wake others.

Matrices of about a hundred rows are so small that a threaded BLAS loses more by waiting for its
threads than it wins, in particular on a busy robot computer.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import numpy as np

from robot_dynamics.estimation.harmonic_filter.compiling import compile_kernel


@functools.lru_cache(maxsize=1)
def compiled() -> Callable[..., Any]:
    """Compile ``solve`` (about two seconds, once a process)."""
    return compile_kernel(_solve)


def _solve(told, half, root, rows, products, noise):  # type: ignore[no-untyped-def]
    """
    Invert 1 + root told root and apply it.

    told, half (n, n): information with the weights of the window and with their squares; root
    (n,): prior standard deviations; rows (m, n): right-hand sides.  Written: products (m, n),
    rows J^-1 with J = told + 1 / root^2; noise (m, n), products half; told holds J^-1.  Returns
    whether J was positive definite.
    """
    n = len(root)
    for i in range(n):
        for j in range(n):
            told[i, j] *= root[i] * root[j]
        told[i, i] += 1.0
    # Cholesky factor, row by row
    for i in range(n):
        for j in range(i):
            s = told[i, j]
            for k in range(j):
                s -= told[i, k] * told[j, k]
            told[i, j] = s / told[j, j]
        s = told[i, i]
        for k in range(i):
            s -= told[i, k] * told[i, k]
        if not s > 0.0:
            return False
        told[i, i] = np.sqrt(s)
    # its inverse
    lower = np.zeros((n, n))
    for i in range(n):
        for k in range(i):
            f = told[i, k]
            for j in range(k + 1):
                lower[i, j] -= f * lower[k, j]
        f = 1.0 / told[i, i]
        for j in range(i):
            lower[i, j] *= f
        lower[i, i] = f
    # the inverse of the whole, back in the units of the signal
    for i in range(n):
        for j in range(n):
            told[i, j] = 0.0
    for k in range(n):
        for i in range(k + 1):
            f = lower[k, i]
            for j in range(k + 1):
                told[i, j] += f * lower[k, j]
    for i in range(n):
        for j in range(n):
            told[i, j] *= root[i] * root[j]
    for r in range(len(rows)):
        for j in range(n):
            products[r, j] = 0.0
            noise[r, j] = 0.0
        for k in range(n):
            f = rows[r, k]
            for j in range(n):
                products[r, j] += f * told[k, j]
        for k in range(n):
            f = products[r, k]
            for j in range(n):
                noise[r, j] += f * half[k, j]
    return True

"""
Every option given to the compiler, with its reason.

numba is imported when the first kernel is compiled, not when this module is.
"""

from __future__ import annotations

from typing import Any, Dict, FrozenSet

# Straight-line dynamics may be re-associated (it vectorises sums) and contracted to fused
# multiply-adds.  Never 'nnan' or 'ninf': a NaN in the input must come out as NaN.
FAST = frozenset({'contract', 'reassoc', 'arcp', 'nsz'})

# Sine and cosine: 'reassoc' would fold Cody-Waite's three subtractions into one and lose the
# reduction (4e-11 instead of 2e-16 at large angles).
EXACT = frozenset({'contract', 'arcp', 'nsz'})


def options(flags: FrozenSet[str], inline: bool = False, inner: bool = False) -> Dict[str, Any]:
    """
    Options for ``numba.njit``.

    What only compiled functions call, ``inner``, has no wrappers: a fifth less to compile.
    ``error_model='numpy'`` keeps divisions free of exceptions, ``nogil`` lets batches run in
    threads, and ``boundscheck`` is off because the entry checks lengths before anything runs.
    """
    chosen: Dict[str, Any] = {
        'fastmath': set(flags), 'error_model': 'numpy', 'nogil': True, 'boundscheck': False}
    if inline:
        chosen['forceinline'] = True
    if inner:
        chosen.update(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    return chosen

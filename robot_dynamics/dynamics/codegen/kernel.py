"""One traced expression and the ways to evaluate it."""

from __future__ import annotations

from functools import cached_property
import math
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.codegen.compiled import compile_entry
from robot_dynamics.dynamics.codegen.module_source import batch_source, scalar_source
from robot_dynamics.dynamics.codegen.straight_line import Block, traced_function

BACKENDS = ('numba', 'interpreted')


class Kernel:
    """
    A function of arrays, compiled when it is first called.

    Parameters
    ----------
    what : str
        What it computes, for log lines.
    inputs, outputs : sequence of Block
        Named arrays; outputs are expressions of the inputs' symbols.
    angles : mapping, optional
        Inputs whose first so many elements go into sine and cosine.
    backend : str
        'numba' compiles; 'interpreted' evaluates the CasADi function.

    Notes
    -----
    ``single`` and ``batch`` take the inputs, then the outputs to write, and return 0.0, or NaN
    where a length is wrong or an input is not finite.  Both backends of one expression agree
    to rounding.
    """

    def __init__(self, what: str, inputs: Sequence[Block], outputs: Sequence[Block],
                 angles: Optional[Mapping[str, int]] = None, backend: str = 'numba') -> None:
        self.what = what
        self.inputs: Tuple[Block, ...] = tuple(inputs)
        self.outputs: Tuple[Block, ...] = tuple(outputs)
        self.angles = dict(angles or {})
        self.backend = backend

    @cached_property
    def function(self) -> Any:
        """The traced CasADi function."""
        return traced_function(self.inputs, self.outputs)

    @property
    def source(self) -> str:
        """Generated source of one sample, for the curious and for benchmarks."""
        return scalar_source(self.function, self.inputs, self.outputs, self.angles)

    @cached_property
    def single(self) -> Callable[..., float]:
        """Entry for one sample: arrays of shape (size,)."""
        if self.backend == 'interpreted':
            return self.interpret_single
        return compile_entry(self.source, len(self.inputs), len(self.outputs), 1, self.what)

    @property
    def checking(self) -> Optional[Callable[..., float]]:
        """``single`` where it checks kinds and lengths itself: not where interpreted."""
        return None if self.backend == 'interpreted' else self.single

    @cached_property
    def batch(self) -> Callable[..., float]:
        """Entry for T samples: arrays of shape (T, size)."""
        if self.backend == 'interpreted':
            return self.interpret_batch
        source = batch_source(self.function, self.inputs, self.outputs, self.angles)
        return compile_entry(
            source, len(self.inputs), len(self.outputs), 2, f'{self.what}, batch')

    def interpret_single(self, *arrays: FloatArray) -> float:
        """Evaluate one sample without compiling; also the way for angles beyond all range."""
        columns = [np.asarray(array)[:, None] for array in arrays[:len(self.inputs)]]
        targets = [np.asarray(array)[None] for array in arrays[len(self.inputs):]]
        return self._interpret(columns, targets)

    def interpret_batch(self, *arrays: FloatArray) -> float:
        """Evaluate T samples without compiling."""
        targets = arrays[len(self.inputs):]
        samples = targets[0].shape[0]
        columns = [np.broadcast_to(array, (samples, array.shape[1])).T
                   for array in arrays[:len(self.inputs)]]
        return self._interpret(columns, targets) if samples else 0.0

    def _interpret(self, columns: Sequence[FloatArray], targets: Sequence[FloatArray]) -> float:
        for block, column in zip(self.inputs, columns):
            if column.shape[0] != block.size or not np.isfinite(column).all():
                return math.nan
        results = self.function.call([np.ascontiguousarray(column) for column in columns])
        for result, target in zip(results, targets):
            target[...] = np.asarray(result).T
        return 0.0

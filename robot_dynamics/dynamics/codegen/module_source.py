"""
The generated module of a kernel: a scalar entry and a batch entry around one straight line.

What is the same in all modules, :data:`SHARED`, is compiled once in a process.  The same line also
works on arrays of numpy, without a compiler.

Both compiled entries return a number that is zero when all went well and NaN when the caller must
look: a length is wrong, a value is not finite, or an angle is beyond the range of the inlined
sine.  The check is a sum of products with zero, which is NaN for NaN and infinity alike, and costs
a few nanoseconds where testing each array from Python costs microseconds.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Sequence

import casadi as ca
import numpy as np

from robot_dynamics.core.sincos import RANGE, SOURCE
from robot_dynamics.dynamics.codegen.straight_line import Block, straight_line

# Angles from which on one loop takes all sines, vectorised: it takes a fifth of the instructions
# of 32 joints away, and changes nothing up to twelve (`python -m benchmarks dynamics`, `robots`).
TOGETHER = 16
BATCH = 128  # samples of a block: its rows stay in the first-level cache

HEADER = ('from math import exp, floor, sqrt, tanh, nan, fabs\n\n'
          'from numba import carray\nimport numpy as np\n')

SHARED = f"""{HEADER}{SOURCE}

@compiled_fast
def take(samples, size, start, rows, row):
    for t in range({BATCH}):
        r = min(start + t, samples.shape[0] - 1)
        for k in range(size):
            rows[(row + k) * {BATCH} + t] = samples[r, k]


@compiled_fast
def give(samples, size, start, count, results, result):
    for t in range(count):
        for k in range(size):
            samples[start + t, k] = results[(result + k) * {BATCH} + t]
"""


def scalar_source(function: ca.Function, inputs: Sequence[Block], outputs: Sequence[Block],
                  angles: Mapping[str, int]) -> str:
    """
    Return the module whose ``entry(inputs..., outputs...)`` computes one sample.

    ``angles`` tells of which inputs the first so many elements go into sine and cosine; beyond
    the range of the inlined functions the entry returns NaN before it computes.
    """
    names = [block.name for block in inputs]
    targets = [f'out_{block.name}' for block in outputs]
    lines = []
    for block, name in zip((*inputs, *outputs), (*names, *targets)):
        lines += [f'if {name}.shape[0] != {block.size}:', '    return nan']
    lines.append('check = 0.0')
    for block in inputs:
        elements = ' + '.join(f'{block.name}[{k}]' for k in range(block.size))
        if elements:
            lines.append(f'check = check + 0.0 * ({elements})')
    for block in inputs:
        far = [f'(fabs({block.name}[{k}]) > {RANGE!r})' for k in range(angles.get(block.name, 0))]
        if far:
            lines += [f'if {" | ".join(far)}:', '    return nan']
    lines += ['if check != 0.0:', '    return nan']
    lines += straight_line(
        function, lambda i, k: f'{names[i]}[{k}]',
        lambda i, k, value: f'{targets[i]}[{k}] = {value}', together=TOGETHER)
    lines.append('return check')
    return (HEADER + '\n\n@compiled_entry\n'
            + f'def entry({", ".join((*names, *targets))}):\n' + _indented(lines, 1))


def batch_source(function: ca.Function, inputs: Sequence[Block], outputs: Sequence[Block],
                 angles: Mapping[str, int]) -> str:
    """
    Return the module whose ``entry(inputs..., outputs...)`` computes T samples, (T, size) each.

    Samples are taken in blocks and turned to structure-of-arrays order, so that the compiler
    vectorises over samples; names of the generated code end in an underscore where they could
    meet a block's.  The last block is filled up with copies of its last sample.
    """
    rows, offsets = [], 0
    for block in inputs:
        rows.append(offsets)
        offsets += block.size
    results, width = [], 0
    for block in outputs:
        results.append(width)
        width += block.size
    body = straight_line(
        function, lambda i, k: f'rows_[{(rows[i] + k) * BATCH} + t]',
        lambda i, k, value: f'results_[{(results[i] + k) * BATCH} + t] = {value}')
    names = [block.name for block in inputs]
    targets = [f'out_{block.name}' for block in outputs]
    entry = [f'samples = {targets[0]}.shape[0]']
    for block, name in zip(outputs, targets):
        entry += [f'if {name}.shape[0] != samples or {name}.shape[1] != {block.size}:',
                  '    return nan']
    for block in inputs:
        lengths = f'{block.name}.shape[0] != samples'
        if block.constant_rows:
            lengths = f'({lengths} and {block.name}.shape[0] != 1)'
        entry += [f'if {lengths} or {block.name}.shape[1] != {block.size}:', '    return nan']
    entry += [f'rows_ = np.empty({max(offsets, 1) * BATCH})',
              f'results_ = np.empty({max(width, 1) * BATCH})',
              'check = 0.0',
              f'for start in range(0, samples, {BATCH}):',
              f'    count = min({BATCH}, samples - start)']
    for row, block in zip(rows, inputs):
        given = f'take({block.name}, {block.size}, start, rows_, {row})'
        entry += _nested([f'if start == 0 or {block.name}.shape[0] != 1:', f'    {given}']
                         if block.constant_rows else [given], 1)
    entry += [f'    for k in range({offsets * BATCH}):', '        check += 0.0 * rows_[k]']
    for row, block in zip(rows, inputs):
        if block.name in angles:
            end = (row + angles[block.name]) * BATCH
            entry += ['    largest = 0.0',
                      f'    for k in range({row * BATCH}, {end}):',
                      '        largest = max(largest, fabs(rows_[k]))',
                      f'    if largest > {RANGE!r}:', '        return nan']
    entry += ['    if check != 0.0:', '        return nan', '    line(rows_, results_)']
    for result, block, name in zip(results, outputs, targets):
        entry.append(f'    give({name}, {block.size}, start, count, results_, {result})')
    entry.append('return check')
    return (HEADER + '\n\n@compiled_fast\ndef line(rows_, results_):\n'
            + f'    for t in range({BATCH}):\n' + _indented(body, 2)
            + f'\n\n@compiled_entry\ndef entry({", ".join((*names, *targets))}):\n'
            + _indented(entry, 1))


def column_function(function: ca.Function, inputs: Sequence[Block], outputs: Sequence[Block]
                    ) -> Callable[..., None]:
    """Return the function of ``inputs..., outputs...``, (size, T) each, that numpy evaluates."""
    names = [block.name for block in inputs]
    targets = [f'out_{block.name}' for block in outputs]
    lines = straight_line(function, lambda i, k: f'{names[i]}[{k}]',
                          lambda i, k, value: f'{targets[i]}[{k}] = {value}')
    source = f'def columns({", ".join((*names, *targets))}):\n' + _indented([*lines, 'return'], 1)
    namespace: Dict[str, Any] = {
        'exp': np.exp, 'fabs': np.abs, 'sqrt': np.sqrt, 'tanh': np.tanh,
        'sincos': lambda angle: (np.sin(angle), np.cos(angle))}
    exec(compile(source, function.name(), 'exec'), namespace)  # our own text
    result: Callable[..., None] = namespace['columns']
    return result


def _nested(lines: Sequence[str], level: int) -> List[str]:
    return ['    ' * level + line for line in lines]


def _indented(lines: Sequence[str], level: int) -> str:
    return '\n'.join(_nested(lines, level)) + '\n'

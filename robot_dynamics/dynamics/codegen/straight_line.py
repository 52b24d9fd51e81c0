"""Write a CasADi function as the lines of a straight Python program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, FrozenSet, List, Sequence, Tuple

import casadi as ca

BINARY = {ca.OP_ADD: '+', ca.OP_SUB: '-', ca.OP_MUL: '*', ca.OP_DIV: '/'}
UNARY = {
    ca.OP_NEG: '-{0}', ca.OP_SQ: '{0} * {0}', ca.OP_TWICE: '{0} + {0}', ca.OP_INV: '1.0 / {0}',
    ca.OP_SQRT: 'sqrt({0})', ca.OP_ASSIGN: '{0}', ca.OP_TANH: 'tanh({0})',
    ca.OP_EXP: 'exp({0})', ca.OP_FABS: 'fabs({0})'}
TURNS = (ca.OP_SIN, ca.OP_COS)


@dataclass(frozen=True)
class Block:
    """
    A named array of a kernel's inputs or outputs, and its expression.

    ``constant_rows`` says that a batch may give one row for all samples (the base).
    """

    name: str
    expression: Any  # casadi.SX column
    constant_rows: bool = False

    @property
    def size(self) -> int:
        """Number of scalars."""
        return int(self.expression.numel())


def traced_function(inputs: Sequence[Block], outputs: Sequence[Block]) -> ca.Function:
    """Build the CasADi function with shared subexpressions removed and dense outputs."""
    flat = ca.cse(ca.densify(ca.vertcat(*(ca.vec(block.expression) for block in outputs))))
    sizes = [0]
    for block in outputs:
        sizes.append(sizes[-1] + block.size)
    return ca.Function(
        'traced', [block.expression for block in inputs],
        [flat[a:b] for a, b in zip(sizes, sizes[1:])],
        [block.name for block in inputs], [f'out_{block.name}' for block in outputs],
        {'live_variables': False})


def straight_line(function: ca.Function, load: Callable[[int, int], str],
                  store: Callable[[int, int, str], str], together: int = 0) -> List[str]:
    """
    Return the program of a CasADi SX function, one assignment a line.

    Parameters
    ----------
    function : casadi.Function
        Traced function of scalar instructions.
    load : callable
        Gives the text that reads element ``k`` of input ``i``.
    store : callable
        Gives the line that writes a value to element ``k`` of output ``i``.
    together : int
        From so many angles on, their sines and cosines are computed first and in one loop,
        which the compiler vectorises; 0 computes each where it is needed.

    Notes
    -----
    Sine and cosine of the same value become one call of ``sincos``.  Constants are folded into
    the lines that use them.
    """
    program = _Program(function, load, store)
    first: List[int] = []
    if together:
        angles, before = _angles(function)
        if len(angles) >= together:
            first = before
            for k in first:
                program.write(k)
            program.sines_at_once(angles)
    for k in sorted(set(range(function.n_instructions())).difference(first)):
        program.write(k)
    return program.lines


class _Program:
    """The lines so far, and the text of each value in the function's work vector."""

    def __init__(self, function: ca.Function, load: Callable[[int, int], str],
                 store: Callable[[int, int, str], str]) -> None:
        self.lines: List[str] = []
        self._function, self._load, self._store = function, load, store
        self._value: Dict[int, str] = {}
        self._sincos: Dict[str, Tuple[str, str]] = {}

    def write(self, k: int) -> None:
        """Add instruction ``k``."""
        function, value, lines = self._function, self._value, self.lines
        op = function.instruction_id(k)
        ins, outs = function.instruction_input(k), function.instruction_output(k)
        if op == ca.OP_CONST:
            number = function.instruction_constant(k)
            value[outs[0]] = repr(number) if number >= 0 else f'({number!r})'
            return
        if op == ca.OP_OUTPUT:
            lines.append(self._store(outs[0], outs[1], value[ins[0]]))
            return
        name = f'v{k}'
        if op == ca.OP_INPUT:
            lines.append(f'{name} = {self._load(ins[0], ins[1])}')
        elif op in BINARY:
            lines.append(f'{name} = {value[ins[0]]} {BINARY[op]} {value[ins[1]]}')
        elif op in UNARY:
            lines.append(f'{name} = ' + UNARY[op].format(value[ins[0]]))
        elif op in TURNS:
            argument = value[ins[0]]
            if argument not in self._sincos:
                self._sincos[argument] = (f's{k}', f'c{k}')
                lines.append(f's{k}, c{k} = sincos({argument})')
            name = self._sincos[argument][TURNS.index(op)]
        else:
            raise ValueError(f'no source is written for CasADi operation {op}')
        value[outs[0]] = name

    def sines_at_once(self, angles: Sequence[int]) -> None:
        """Add a loop that computes sine and cosine of the values in some places."""
        count = len(angles)
        self.lines.append(f'turns = carray(stack_memory({3 * count}), (3, {count}))')
        for k, angle in enumerate(angles):
            self.lines.append(f'turns[0, {k}] = {self._value[angle]}')
            self._sincos[self._value[angle]] = (f's_{k}', f'c_{k}')
        self.lines += [f'for turn in range({count}):',
                       '    turns[1, turn], turns[2, turn] = sincos(turns[0, turn])']
        self.lines += [f's_{k}, c_{k} = turns[1, {k}], turns[2, {k}]' for k in range(count)]


def _angles(function: ca.Function) -> Tuple[List[int], List[int]]:
    """
    Find what goes into sine and cosine and depends on none itself.

    Returns
    -------
    list of int
        Places of these values in the work vector.
    list of int
        The instructions that they need, in order.
    """
    needed: Dict[int, FrozenSet[int]] = {}  # for each place the instructions behind its value
    turned: List[int] = []
    for k in range(function.n_instructions()):
        op, ins = function.instruction_id(k), function.instruction_input(k)
        if op in TURNS:
            turned += ins
        elif op == ca.OP_INPUT:
            needed[function.instruction_output(k)[0]] = frozenset([k])
        elif op != ca.OP_OUTPUT and all(place in needed for place in ins):
            needed[function.instruction_output(k)[0]] = frozenset([k]).union(
                *(needed[place] for place in ins))
    angles = list(dict.fromkeys(place for place in turned if place in needed))
    return angles, sorted(frozenset().union(*(needed[place] for place in angles)))

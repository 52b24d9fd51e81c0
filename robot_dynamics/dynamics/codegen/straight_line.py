"""Write a CasADi function as the lines of a straight Python program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Sequence, Tuple

import casadi as ca

BINARY = {ca.OP_ADD: '+', ca.OP_SUB: '-', ca.OP_MUL: '*', ca.OP_DIV: '/'}
UNARY = {
    ca.OP_NEG: '-{0}', ca.OP_SQ: '{0} * {0}', ca.OP_TWICE: '{0} + {0}', ca.OP_INV: '1.0 / {0}',
    ca.OP_SQRT: 'sqrt({0})', ca.OP_ASSIGN: '{0}', ca.OP_TANH: 'tanh({0})',
    ca.OP_EXP: 'exp({0})', ca.OP_FABS: 'fabs({0})'}


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
                  store: Callable[[int, int, str], str]) -> List[str]:
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

    Notes
    -----
    Sine and cosine of the same value become one call of ``sincos``.  Constants are folded into
    the lines that use them.
    """
    value: Dict[int, str] = {}
    sincos: Dict[str, Tuple[str, str]] = {}
    lines: List[str] = []
    for k in range(function.n_instructions()):
        op = function.instruction_id(k)
        ins, outs = function.instruction_input(k), function.instruction_output(k)
        if op == ca.OP_CONST:
            number = function.instruction_constant(k)
            value[outs[0]] = repr(number) if number >= 0 else f'({number!r})'
            continue
        if op == ca.OP_OUTPUT:
            lines.append(store(outs[0], outs[1], value[ins[0]]))
            continue
        name = f'v{k}'
        if op == ca.OP_INPUT:
            lines.append(f'{name} = {load(ins[0], ins[1])}')
        elif op in BINARY:
            lines.append(f'{name} = {value[ins[0]]} {BINARY[op]} {value[ins[1]]}')
        elif op in UNARY:
            lines.append(f'{name} = ' + UNARY[op].format(value[ins[0]]))
        elif op in (ca.OP_SIN, ca.OP_COS):
            argument = value[ins[0]]
            if argument not in sincos:
                sincos[argument] = (f's{k}', f'c{k}')
                lines.append(f's{k}, c{k} = sincos({argument})')
            name = sincos[argument][0 if op == ca.OP_SIN else 1]
        else:
            raise ValueError(f'no source is written for CasADi operation {op}')
        value[outs[0]] = name
    return lines

"""
Long runs of plain assignments, given to LLVM without numba's inference.

numba looks for the types of every operation among some thirty candidates, twice, which takes
several times as long as LLVM takes to compile it.  In a straight line all values are float64:
each run becomes the call of an intrinsic, which asks numba once for each kind of operation and
then writes the instructions that numba would have written.
"""

from __future__ import annotations

import ast
import inspect
import operator
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from numba import types
from numba.extending import intrinsic

FUNCTIONS = ('sincos', 'sqrt', 'tanh', 'exp', 'fabs')
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv, ast.USub: operator.neg}
SHORTEST = 100  # nodes of the syntax tree that are worth a call
_PLAIN = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript,
          ast.expr_context, *OPERATORS)


def lowered(source: str, namespace: Dict[str, Any]) -> ast.Module:
    """
    Return a module in which calls of intrinsics stand for long runs of assignments.

    Parameters
    ----------
    source : str
        Text of the module; values other than arrays and their indices are float64.
    namespace : dict
        That in which the module is going to run; the intrinsics are put into it.
    """
    module = ast.parse(source)
    for function in module.body:
        for parent in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
            if isinstance(parent, (ast.FunctionDef, ast.For)):
                parent.body = _with_calls(parent.body, function, namespace)
    return ast.fix_missing_locations(module)


def _with_calls(body: Sequence[ast.stmt], function: ast.AST, namespace: Dict[str, Any]
                ) -> List[ast.stmt]:
    result: List[ast.stmt] = []
    run: List[ast.Assign] = []
    for statement in (*body, None):
        if isinstance(statement, ast.Assign) and _plain(statement):
            run.append(statement)
            continue
        call = _call(run, function, namespace)
        result += run if call is None else [call]
        result += [] if statement is None else [statement]
        run = []
    return result


def _plain(statement: ast.Assign) -> bool:
    """Tell whether it assigns to a name or an element, or to two names from ``sincos``."""
    target, = statement.targets
    if isinstance(target, ast.Tuple):
        return isinstance(statement.value, ast.Call)
    parts = (*ast.walk(target), *ast.walk(statement.value))
    return all(isinstance(part, _PLAIN) for part in parts) and all(
        isinstance(part.func, ast.Name) and part.func.id in FUNCTIONS
        for part in parts if isinstance(part, ast.Call))


def _call(run: Sequence[ast.Assign], function: ast.AST, namespace: Dict[str, Any]
          ) -> Optional[ast.stmt]:
    """Return the call that does what a run does; None if it is short or has several results."""
    given: Dict[str, None] = {}
    assigned: Dict[str, None] = {}
    inside = {id(node) for statement in run for node in ast.walk(statement)}
    for statement in run:
        names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
        given.update((node.id, None) for node in names if isinstance(node.ctx, ast.Load)
                     and node.id not in assigned and node.id not in FUNCTIONS)
        assigned.update((node.id, None) for node in names if isinstance(node.ctx, ast.Store))
    if len(inside) < SHORTEST:
        return None
    results = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)
               and node.id in assigned and id(node) not in inside}
    if len(results) > 1:
        return None
    name, result = f'run_{len(namespace)}', next(iter(results), None)
    namespace[name] = _intrinsic(run, list(given), result, namespace)
    call = ast.Call(ast.Name(name, ast.Load()), [ast.Name(one, ast.Load()) for one in given], [])
    return ast.Expr(call) if result is None else ast.Assign(
        [ast.Name(result, ast.Store())], call)


def _intrinsic(run: Sequence[ast.Assign], given: Sequence[str], result: Optional[str],
               namespace: Mapping[str, Any]) -> Any:
    def define(typing_context: Any, *kinds: Any) -> Tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            writer = _Writer(typing_context, context, builder, namespace)
            writer.values.update(zip(given, zip(arguments, kinds)))
            for statement in run:
                writer.write(statement)
            return context.get_dummy_value() if result is None else writer.values[result][0]

        returned: Any = types.void if result is None else types.float64
        return returned(*kinds), generate

    define.__signature__ = inspect.Signature([  # type: ignore[attr-defined]
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name in ('typing_context', *given)])
    return intrinsic(define)


_Typed = Tuple[Any, Any]  # a value of LLVM, and its type for numba


class _Writer:
    """Writes the instructions of assignments; ``values`` are those of the names so far."""

    def __init__(self, typing_context: Any, context: Any, builder: Any,
                 namespace: Mapping[str, Any]) -> None:
        self.values: Dict[str, _Typed] = {}
        self._typing, self._context, self._builder = typing_context, context, builder
        self._namespace = namespace
        self._known: Dict[Any, Tuple[Any, Any]] = {}

    def write(self, statement: ast.Assign) -> None:
        target: Any = statement.targets[0]
        value, kind = self._value(statement.value)
        if isinstance(target, ast.Name):
            self.values[target.id] = value, kind
        elif isinstance(target, ast.Tuple):
            names: Any = target.elts
            for k, name in enumerate(names):
                self.values[name.id] = self._builder.extract_value(value, k), kind[k]
        else:
            self._apply(operator.setitem, self._value(target.value), self._value(target.slice),
                        (value, kind))

    def _value(self, node: Any) -> _Typed:
        if isinstance(node, ast.Name):
            return self.values[node.id]
        if isinstance(node, ast.Constant):
            kind = types.float64 if isinstance(node.value, float) else types.intp
            return self._context.get_constant(kind, node.value), kind
        if isinstance(node, ast.BinOp):
            return self._apply(OPERATORS[type(node.op)], self._value(node.left),
                               self._value(node.right))
        if isinstance(node, ast.UnaryOp):
            return self._apply(OPERATORS[type(node.op)], self._value(node.operand))
        if isinstance(node, ast.Subscript):
            return self._apply(operator.getitem, self._value(node.value),
                               self._value(node.slice))
        return self._apply(self._namespace[node.func.id],
                           *(self._value(argument) for argument in node.args))

    def _apply(self, function: Any, *arguments: _Typed) -> _Typed:
        kinds = tuple(kind for _, kind in arguments)
        if (function, kinds) not in self._known:
            called = self._typing.resolve_value_type(function)
            signature = called.get_call_type(self._typing, kinds, {})
            self._known[function, kinds] = (
                self._context.get_function(called, signature), signature)
        write, signature = self._known[function, kinds]
        values = [self._context.cast(self._builder, value, kind, wanted)
                  for (value, kind), wanted in zip(arguments, signature.args)]
        return write(self._builder, values), signature.return_type

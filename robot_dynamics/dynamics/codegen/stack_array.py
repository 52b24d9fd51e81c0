"""Arrays on the stack of a compiled function: no allocation, no state between calls."""

from __future__ import annotations

from typing import Any, Callable, Tuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic(prefer_literal=True)  # type: ignore[misc]
def stack_memory(_typing_context: Any, size: Any) -> Tuple[Any, Callable[..., Any]]:
    """
    Reserve ``size`` float64 on the stack of the calling function, and return their address.

    ``size`` is a literal number; ``numba.carray(stack_memory(8), (8,))`` makes an array of it.
    """
    if not isinstance(size, types.IntegerLiteral):
        return None  # type: ignore[return-value]
    numbers = ir.ArrayType(ir.DoubleType(), size.literal_value)

    def generate(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        memory = cgutils.alloca_once(  # type: ignore[no-untyped-call]
            builder, numbers, name='stack_memory')
        return builder.bitcast(memory, ir.DoubleType().as_pointer())

    address = types.CPointer(types.float64)  # type: ignore[no-untyped-call]
    return address(size), generate

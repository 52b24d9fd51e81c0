"""Bring a state to the form that kernels take: one sample, or T of them."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, FloatArray
from robot_dynamics.dynamics.codegen.kernel import Kernel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState

AnyBase = Union[None, BaseMotion, BaseState]

UNITS = {'q': 'rad or m', 'qd': 'rad/s or m/s', 'qdd': 'rad/s^2 or m/s^2', 'tau': 'N m or N'}


class Samples(NamedTuple):
    """Checked joint arrays, and base with pose; all with or all without the leading axis T."""

    arrays: Tuple[FloatArray, ...]
    base: FloatArray
    number: Optional[int]  # T; None for a single sample
    placed: bool = True  # whether the pose is known, or there is none

    def empty(self, *shape: int) -> FloatArray:
        """Room for a result of this shape per sample."""
        return np.empty(shape if self.number is None else (self.number, *shape))

    def zeros(self, *shape: int) -> FloatArray:
        """Room for a sum, per sample."""
        return np.zeros(shape if self.number is None else (self.number, *shape))

    def run(self, kernel: Kernel, inputs: Sequence[FloatArray],
            outputs: Sequence[FloatArray]) -> None:
        """Evaluate a kernel on checked input; angles out of the compiled range interpret."""
        single = self.number is None
        entry = kernel.single if single else kernel.batch
        if entry(*inputs, *outputs) == 0.0:
            return
        interpret = kernel.interpret_single if single else kernel.interpret_batch
        if interpret(*inputs, *outputs) != 0.0:
            raise InputError('base', 'holds a value that is not a finite number')


def gather(names: Sequence[str], values: Sequence[Any], nv: int, base: AnyBase,
           still: FloatArray) -> Samples:
    """
    Check joint arrays of shape (nv,) or (T, nv) and the base that goes with them.

    A vector beside a series, and one base beside a series, holds for all its samples.

    Parameters
    ----------
    names, values
        Of the joint arrays.
    base : BaseMotion, BaseState or None
    still : ndarray, (n + 12,)
        What None means: n is the size of the support's pose.

    Raises
    ------
    InputError
        Names the argument and what is wrong with it; also if the deck moves or tilts and there
        is no pose: where the robot stands then makes a difference.
    """
    arrays: List[FloatArray] = []
    packed = still if base is None else _packed(base, len(still) - 12)
    count: Optional[int] = packed.shape[0] if packed.ndim == 2 else None
    for name, value in zip(names, values):
        dimensions = _depth(value)
        unit = UNITS.get(name, '')
        array = as_array(name, value, (None, nv) if dimensions == 2 else (nv,), unit)
        if dimensions == 2:
            if count is not None and len(array) not in (count, 1) and count != 1:
                raise InputError(name, f'has {len(array)} samples where others have {count}')
            count = len(array) if count in (None, 1) else count
        arrays.append(array)
    placed = len(still) == 12 or getattr(base, 'pose', None) is not None
    if count is None:
        return Samples(tuple(arrays), packed, None, placed)
    arrays = [np.broadcast_to(array, (count, nv)) for array in arrays]
    if packed.ndim == 2 and len(packed) not in (1, count):
        raise InputError('base', f'has {len(packed)} samples where the joints have {count}')
    return Samples(tuple(arrays), np.atleast_2d(packed), count, placed)


def _packed(base: Any, pose_size: int) -> FloatArray:
    """Pose and motion as kernels take them, (pose_size + 12,) or (T, pose_size + 12)."""
    if not isinstance(base, (BaseMotion, BaseState)):
        raise InputError('base', f'is a {type(base).__name__}, expected a BaseMotion or a '
                                 'BaseState, or None')
    packed = base.packed
    if not np.isfinite(packed).all():
        raise InputError('base', 'holds a value that is not a finite number')
    width = packed.shape[-1] - 12
    if width == pose_size:
        return packed
    if width:
        raise InputError('pose', f'has {width} numbers, but the robot stands on a support with '
                                 f'{pose_size or "none"}')
    if packed[..., :8].any() or packed[..., 9:11].any():  # turns, or is pulled sideways
        raise InputError('pose', 'is missing, but the deck moves or tilts; give BaseState(motion, '
                                 'pose) with x, y [m] and heading [rad] of the platform in the '
                                 'deck frame')
    return np.concatenate([np.zeros((*packed.shape[:-1], pose_size)), packed], axis=-1)


def _depth(value: Any) -> int:
    try:
        return np.ndim(value)
    except ValueError:  # rows of different length, which the gate then names
        return 2


def check_out(out: Any, shape: Tuple[int, ...]) -> FloatArray:
    """Check an array that the caller wants results written into."""
    if (not isinstance(out, np.ndarray) or out.dtype != np.float64 or out.shape != shape
            or not out.flags.c_contiguous or not out.flags.writeable):
        raise InputError('out', f'must be a writable C-contiguous float64 array of shape {shape}')
    return out

"""The full series as named columns, the form of CSV and Parquet."""

from __future__ import annotations

from typing import Any, Dict, Sequence

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.replay.torques import TorqueBlock

_AXES = ('x', 'y', 'z')
_BASE = ('angular_velocity', 'angular_acceleration', 'linear_acceleration', 'gravity')


def columns(block: TorqueBlock, names: Sequence[str], joints: Sequence[int], start_ns: int
            ) -> Dict[str, NDArray[Any]]:
    """
    Lay a block out as columns.

    Parameters
    ----------
    block : TorqueBlock
        N samples.
    names : sequence of str
        The model's joints.
    joints : sequence of int
        Those to include.
    start_ns : int
        Stamp at which ``time`` is zero.

    Returns
    -------
    dict of (N,) arrays
        ``time`` (s), ``stamp_ns``, ``valid``; for each joint ``JOINT/position``, ``velocity``,
        ``acceleration`` (SI), ``measured``, ``computed``, ``residual``, ``fixed_base`` and
        ``cause/NAME`` (N m or N); ``base/...`` (base frame, SI) and ``deck/force``,
        ``deck/moment``.
    """
    samples = block.samples
    out: Dict[str, NDArray[Any]] = {
        'time': (samples.stamp_ns - start_ns) * 1e-9, 'stamp_ns': samples.stamp_ns,
        'valid': samples.valid}
    residual = samples.effort - block.computed
    quantities = {'position': samples.position, 'velocity': samples.velocity,
                  'acceleration': samples.acceleration, 'measured': samples.effort,
                  'computed': block.computed, 'residual': residual, 'fixed_base': block.fixed,
                  **{f'cause/{name}': value for name, value in block.causes.items()}}
    for joint in joints:
        for name, values in quantities.items():
            out[f'{names[joint]}/{name}'] = values[:, joint]
    packed = np.broadcast_to(samples.base.packed, (len(samples.valid), 12))
    for i, name in enumerate(_BASE):
        for k, axis in enumerate(_AXES):
            out[f'base/{name}/{axis}'] = packed[:, 3 * i + k]
    for i, name in enumerate(('force', 'moment')):
        for k, axis in enumerate(_AXES):
            out[f'deck/{name}/{axis}'] = block.wrench[:, 3 * i + k]
    return out

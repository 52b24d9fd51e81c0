"""Time both formulations in turns, so that a busy machine disturbs both alike."""

from __future__ import annotations

from dataclasses import dataclass
import time
from typing import Callable, Dict, Mapping

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.motion.base_motion import BaseMotion

ROUNDS = 15
CALLS = 2000  # a round, of a function that takes a microsecond or so


@dataclass(frozen=True)
class MethodTimes:
    """
    Time of one torque of each method, in s, the best of several rounds in turns.

    Attributes
    ----------
    kernel : dict of str to float
        The compiled function alone, by method.
    call : dict of str to float
        ``InverseDynamics.torque`` with its checks and a new result array.
    batch : dict of str to float
        A sample of a whole trajectory at once.
    samples : int
        Length of that trajectory.
    """

    kernel: Dict[str, float]
    call: Dict[str, float]
    batch: Dict[str, float]
    samples: int


def time_methods(dynamics: Mapping[str, InverseDynamics], q: FloatArray, qd: FloatArray,
                 qdd: FloatArray, base: BaseMotion, rounds: int = ROUNDS,
                 calls: int = CALLS) -> MethodTimes:
    """
    Time the torque of a trajectory, (T, nv) each, by several methods.

    Parameters
    ----------
    dynamics : mapping of str to InverseDynamics
        By method; they are compiled here, outside the time taken.
    q, qd, qdd : ndarray, (T, nv)
    base : BaseMotion
        A series of T.
    rounds, calls : int
        Rounds, of which the best counts, and calls a round.
    """
    samples = len(q)
    middle = samples // 2
    state = [np.ascontiguousarray(array[middle]) for array in (q, qd, qdd)]
    moment = base[middle]
    packed = np.concatenate([*state, moment.packed])
    out = np.empty(q.shape[1])
    kernels: Dict[str, Callable[[], object]] = {}
    public: Dict[str, Callable[[], object]] = {}
    batches: Dict[str, Callable[[], object]] = {}
    for name, one in dynamics.items():
        one.warm_up('torque', 'batch')
        kernel = one.kernel()
        kernels[name] = _bound(kernel, packed, out)
        public[name] = _bound(one.torque, *state, moment)
        batches[name] = _bound(one.torque, q, qd, qdd, base)
    few = max(1, calls // samples)
    return MethodTimes(
        _best(kernels, calls, rounds), _best(public, calls, rounds),
        {name: value / samples for name, value in _best(batches, few, rounds).items()}, samples)


def _bound(function: Callable[..., object], *arguments: object) -> Callable[[], object]:
    return lambda: function(*arguments)


def _best(alternatives: Mapping[str, Callable[[], object]], calls: int,
          rounds: int) -> Dict[str, float]:
    """Return seconds a call; the least disturbed round counts."""
    best = dict.fromkeys(alternatives, float('inf'))
    for function in alternatives.values():
        function()
    for _ in range(rounds):
        for name, function in alternatives.items():
            start = time.perf_counter()
            for _ in range(calls):
                function()
            best[name] = min(best[name], (time.perf_counter() - start) / calls)
    return best

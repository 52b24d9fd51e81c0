r"""
The equations that samples give: torque = Y theta, low-passed on both sides and thinned.

At each sample :math:`\tau = Y(q, \dot q, \ddot q, base)\, p + I_a \ddot q + F(\dot q)`.  The same
weighted means over time are taken of the torque and of every column, so that the equation still
holds exactly and only noise is lost (a filter in parallel: Gautier, Janot & Vandanjon 2013).  With
real stamps a mean is a filter like any other; nothing is resampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Iterator, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.equations.joint_losses import friction_term, smooth_sign
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.replay.alignment import Block

STRIBECK_SPEEDS = tuple(float(speed) for speed in 0.02 * 1.2**np.arange(19))
"""Speeds of the columns of the Stribeck term, rad/s or m/s; between them it is interpolated."""

_SATURATED = 0.995  # of the limit: a measured effort that may be cut
_FULL = 0.8  # share of a window's weight that must be there
_HANN_CUTOFF = 0.72  # -3 dB of a Hann window, times its length


@dataclass(frozen=True)
class Rows:
    """Consecutive thinned equations."""

    time: FloatArray  #: (K,), s since the recording's first stamp
    columns: FloatArray  #: (K, nv, C), in the order of :class:`Columns`


class Columns:
    """
    What the columns of the equations are, the same for every joint.

    Parameters
    ----------
    terms : sequence of str
        'rotor' and terms of the friction law; 'stribeck' is one column for each of
        :data:`STRIBECK_SPEEDS`.
    """

    def __init__(self, model: RobotModel, terms: Sequence[str]) -> None:
        self.inertial = 10 * len(model.bodies)
        self.terms: List[Tuple[str, float]] = []
        for term in terms:
            speeds = STRIBECK_SPEEDS if term == 'stribeck' else (0.0,)
            self.terms += [(term, speed) for speed in speeds]
        self.velocity = self.inertial + len(self.terms)
        self.gravity = self.velocity + 1
        self.torque = self.gravity + 1
        self.size = self.torque + 1

    def index(self, term: str, speed: float = 0.0) -> int:
        """Return the column of a joint's own term."""
        return self.inertial + self.terms.index((term, speed))

    def of_term(self, block: FloatArray, term: str, speed: float) -> FloatArray:
        """
        Return a joint's own term of equations (R, C), (R,).

        The Stribeck term at a speed between those of the columns is their cubic interpolation over
        the logarithm of the speed; at this spacing it errs by less than 1 % of the column.
        """
        if term != 'stribeck':
            return block[:, self.index(term)]
        nodes = np.log(STRIBECK_SPEEDS)
        at = float(np.log(speed))
        first = int(np.clip(np.searchsorted(nodes, at) - 2, 0, len(nodes) - 4))
        total = np.zeros(len(block))
        for i in range(first, first + 4):
            others = np.delete(nodes[first:first + 4], i - first)
            weight = float(np.prod((at - others) / (nodes[i] - others)))
            total += weight * block[:, self.index(term, STRIBECK_SPEEDS[i])]
        return total


class RegressorRows:
    """
    Makes equations of blocks.

    Parameters
    ----------
    cutoff : float
        Of the low pass, Hz.
    measured : (nv,) bool
        Joints whose effort counts.
    backend : str
        As in ``InverseDynamics``.
    """

    def __init__(self, model: RobotModel, columns: Columns, cutoff: float,
                 measured: NDArray[np.bool_], backend: str = 'numba') -> None:
        self.model = model
        self.columns = columns
        self.half_width = 0.5 * _HANN_CUTOFF / cutoff
        self.spacing = 1.0 / (4.0 * cutoff)
        self.measured = measured
        self.saturated = np.zeros(model.nv)
        self.samples = 0
        self.speed_squared = np.zeros(model.nv)
        self.largest_effort = np.zeros(model.nv)
        self.lowest = np.full(model.nv, np.inf)
        self.highest = np.full(model.nv, -np.inf)
        self._dynamics = InverseDynamics(model, backend=backend)
        self._limit = np.where(model.effort_limit > 0.0, model.effort_limit, np.inf)

    def of(self, blocks: Iterable[Block], origin_ns: int, period: float) -> Iterator[Rows]:
        """
        Yield the equations of one stretch of blocks.

        Parameters
        ----------
        origin_ns : int
            Where time is zero.
        period : float
            Distance of the samples, s.
        """
        window: Optional[_Windows] = None
        segment = None
        full = _FULL * max(self.half_width, period) / period
        for block in blocks:
            if window is None or block.segment != segment:
                if window is not None:
                    yield from window.finish()
                window = _Windows(max(self.half_width, 1.01 * period), self.spacing, full)
                segment = block.segment
            use = self._usable(block)
            if not use.any():
                continue
            time = np.asarray((block.stamp_ns[use] - origin_ns) * 1e-9, np.float64)
            yield from window.add(time, self._equations(block, use))
        if window is not None:
            yield from window.finish()

    def _usable(self, block: Block) -> NDArray[np.bool_]:
        effort = block.effort
        use: NDArray[np.bool_] = block.valid & np.isfinite(effort[:, self.measured]).all(axis=1)
        saturated = np.abs(effort) >= _SATURATED * self._limit
        saturated[:, ~self.measured] = False
        self.saturated += saturated[use].sum(axis=0)
        self.samples += int(use.sum())
        return use & ~saturated.any(axis=1)

    def _equations(self, block: Block, use: NDArray[np.bool_]) -> FloatArray:
        q, qd, qdd = (values[use] for values in (
            block.position, block.velocity, block.acceleration))
        base = block.base[use] if block.base.is_series else block.base
        still, columns = np.zeros_like(q), self.columns
        out = np.zeros((*q.shape, columns.size))
        out[:, :, :columns.inertial] = self._dynamics.regressor(q, qd, qdd, base)
        sign = smooth_sign(qd)
        for place, (term, speed) in enumerate(columns.terms, columns.inertial):
            out[:, :, place] = loss_column(term, speed, qd, qdd, sign)
        level = base.packed.copy()
        level[..., :6] = 0.0  # what weighs: gravity and the base's acceleration
        out[:, :, columns.velocity] = qd
        out[:, :, columns.gravity] = self._dynamics.torque(
            q, still, still, BaseMotion.from_packed(level))
        out[:, :, columns.torque] = np.where(self.measured, block.effort[use], 0.0)
        self.speed_squared += np.sum(qd * qd, axis=0)
        if len(q):
            self.largest_effort = np.maximum(
                self.largest_effort, np.abs(out[:, :, columns.torque]).max(axis=0))
            self.lowest = np.minimum(self.lowest, q.min(axis=0))
            self.highest = np.maximum(self.highest, q.max(axis=0))
        return out


def loss_column(term: str, speed: float, qd: FloatArray, qdd: FloatArray, sign: FloatArray
                ) -> FloatArray:
    """Return what one unit of a term adds to the torque of its joint."""
    return qdd if term == 'rotor' else np.asarray(
        friction_term(term, qd, sign, speed or 1.0))


class _Windows:
    """Weighted means on an even grid of instants, over samples that come in pieces."""

    def __init__(self, half_width: float, spacing: float, full: float) -> None:
        self.half_width, self.spacing, self.full = half_width, spacing, full
        self._first = 0  # number of the first instant that is open
        self._sums: Optional[FloatArray] = None
        self._weights = np.zeros(0)
        self._shape: Tuple[int, ...] = ()

    def add(self, time: FloatArray, values: FloatArray) -> Iterator[Rows]:
        """Add samples; yield the means that no later sample enters."""
        from scipy.sparse import csr_matrix
        if self._sums is None:
            self._first = int(np.ceil((time[0] - self.half_width) / self.spacing))
            self._shape = values.shape[1:]
            self._sums = np.zeros((0, int(np.prod(self._shape))))
        last = int(np.floor((time[-1] + self.half_width) / self.spacing))
        grow = last + 1 - self._first - len(self._weights)
        if grow > 0:
            self._sums = np.concatenate([self._sums, np.zeros((grow, self._sums.shape[1]))])
            self._weights = np.concatenate([self._weights, np.zeros(grow)])
        reach = int(np.ceil(2 * self.half_width / self.spacing)) + 1
        begin = np.ceil((time - self.half_width) / self.spacing).astype(np.int64)
        number = begin[:, None] + np.arange(reach)
        u = (number * self.spacing - time[:, None]) / self.half_width
        weight = np.where(np.abs(u) < 1.0, np.cos(0.5 * np.pi * u)**2, 0.0)
        row = np.clip(number - self._first, 0, len(self._weights) - 1)
        column = np.broadcast_to(np.arange(len(time))[:, None], row.shape)
        matrix = csr_matrix((weight.ravel(), (row.ravel(), column.ravel())),
                            (len(self._weights), len(time)))
        self._sums += matrix @ values.reshape(len(values), -1)
        self._weights += np.asarray(matrix.sum(axis=1)).ravel()
        done = int(np.floor((time[-1] - self.half_width) / self.spacing)) + 1 - self._first
        yield from self._take(max(min(done, len(self._weights)), 0))

    def finish(self) -> Iterator[Rows]:
        """Yield what is left."""
        yield from self._take(len(self._weights))

    def _take(self, count: int) -> Iterator[Rows]:
        if self._sums is None or not count:
            return
        weights, sums = self._weights[:count], self._sums[:count]
        keep = weights >= self.full
        if keep.any():
            time = (self._first + np.flatnonzero(keep)) * self.spacing
            means = sums[keep] / weights[keep, None]
            yield Rows(np.asarray(time, np.float64), means.reshape(-1, *self._shape))
        self._first += count
        self._weights, self._sums = self._weights[count:], self._sums[count:]

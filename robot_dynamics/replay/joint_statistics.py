"""Per-joint statistics of measured against computed torques, in one pass over the blocks."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.friction_fit import FrictionSums
from robot_dynamics.replay.lag import LagSums
from robot_dynamics.replay.min_max_series import MinMaxSeries
from robot_dynamics.replay.moments import Moments
from robot_dynamics.replay.result import BaseStatistics, JointStatistics
from robot_dynamics.replay.torques import tilt, TorqueBlock

_MEASURED, _COMPUTED, _RESIDUAL, _FIXED_RESIDUAL = range(4)


class Statistics:
    """
    Collects blocks; gives statistics and a reduction of the series at the end.

    Parameters
    ----------
    present : sequence of int
        Joints that the recording has.
    comparable : (nv,) bool
        Joints whose measured effort can be used.
    period : float
        Distance of samples, s.
    series : MinMaxSeries
        Where to keep what figures show.
    """

    def __init__(self, model: RobotModel, present: Sequence[int], comparable: NDArray[np.bool_],
                 period: float, series: MinMaxSeries) -> None:
        nv = model.nv
        self.model = model
        self.present = tuple(present)
        self.comparable = comparable
        self.series = series
        self.samples = self.valid = 0
        self.base_known = False
        self._effort = Moments(nv, 4)
        self._torque: Optional[Moments] = None
        self._causes: Tuple[str, ...] = ()
        self._lag = LagSums(nv, period)
        self._friction = FrictionSums(nv)
        self._limits = np.zeros((4, nv))
        self._base = Moments(1, 10)

    def add(self, block: TorqueBlock) -> None:
        """Add one block."""
        samples = block.samples
        valid = samples.valid
        self.samples += len(valid)
        self.valid += int(valid.sum())
        self.base_known |= samples.base_known
        measured, computed, fixed = samples.effort, block.computed, block.fixed
        use = valid[:, None] & np.isfinite(measured) & self.comparable
        residual = measured - computed
        self._effort.add(np.stack([measured, computed, residual, measured - fixed], axis=2), use)
        self._lag.add(measured, computed, samples.velocity, use)
        self._friction.add(samples.stamp_ns, samples.velocity, residual, use)
        if self._torque is None:
            self._causes = tuple(block.causes)
            self._torque = Moments(self.model.nv, 2 + len(self._causes))
        every = np.repeat(valid[:, None], self.model.nv, axis=1)
        self._torque.add(np.stack([computed, computed - fixed, *block.causes.values()], axis=2),
                         every)
        self._count_limits(block, use)
        self._add_base(block)

    def _count_limits(self, block: TorqueBlock, use: NDArray[np.bool_]) -> None:
        samples, model = block.samples, self.model
        valid = samples.valid[:, None]
        with np.errstate(invalid='ignore'):
            at_limit = use & (np.abs(samples.effort) >= 0.99 * model.effort_limit) \
                & (model.effort_limit > 0)
            fast = valid & (np.abs(samples.velocity) > model.velocity_limit) \
                & (model.velocity_limit > 0)
            outside = valid & self._beyond(samples.position)
            degrees = outside & ~self._beyond(np.radians(samples.position))
        self._limits += np.stack([at_limit.sum(0), fast.sum(0), outside.sum(0), degrees.sum(0)])

    def _beyond(self, position: FloatArray) -> NDArray[np.bool_]:
        return np.asarray((position < self.model.lower - 1e-3)
                          | (position > self.model.upper + 1e-3))

    @property
    def in_degrees(self) -> bool:
        """Whether the revolute joints are mostly beyond limits that in degrees they would keep."""
        turning = [joint for joint in self.present if self.model.joints[joint].kind == 'revolute']
        outside, degrees = self._limits[2:, turning].sum(axis=1)
        return bool(outside > 0.5 * len(turning) * self.valid and degrees > 0.99 * outside > 0)

    def _add_base(self, block: TorqueBlock) -> None:
        samples = block.samples
        count = len(samples.valid)
        roll, pitch = (np.broadcast_to(angle, count) for angle in tilt(samples.base))
        base = samples.base.packed.reshape(-1, 12)
        rate = np.broadcast_to(np.linalg.norm(base[:, :3], axis=1), count)
        acceleration = np.broadcast_to(np.linalg.norm(base[:, 6:9], axis=1), count)
        quantities = np.column_stack([roll, pitch, rate, acceleration, block.wrench])
        self._base.add(quantities[:, None, :], samples.valid[:, None])
        self.series.add(samples.stamp_ns, {
            'measured': samples.effort, 'computed': block.computed, 'fixed': block.fixed,
            'velocity': samples.velocity,
            'tilt': np.degrees(np.column_stack([roll, pitch])),
            'angular_velocity': np.broadcast_to(base[:, :3], (count, 3)),
            'acceleration': np.broadcast_to(base[:, 6:9], (count, 3)),
            'wrench': block.wrench,
            **{f'cause {name}': value for name, value in block.causes.items()}}, samples.valid)

    def joints(self) -> Tuple[JointStatistics, ...]:
        """Return the statistics of the joints present."""
        return tuple(self._joint(joint) for joint in self.present)

    def _joint(self, j: int) -> JointStatistics:
        nan = float('nan')
        info = self.model.joints[j]
        with np.errstate(invalid='ignore', divide='ignore'):
            effort = self._effort
            rms, peak, cov, mean = (effort.rms[j], effort.peak[j], effort.covariance[j],
                                    effort.mean[j])
            assert self._torque is not None
            torque_rms, torque_peak = self._torque.rms[j], self._torque.peak[j]
        count = int(effort.count[j])
        variance = cov[_MEASURED, _MEASURED] if count else nan
        # what varies less than rounding does not vary
        varies = count > 1 and variance > 1e-12 * max(rms[_MEASURED]**2, 1e-12) and not _still(
            rms, cov)
        c_varies = varies and cov[_COMPUTED, _COMPUTED] > 1e-12 * max(rms[_COMPUTED]**2, 1e-12) \
            and rms[_COMPUTED] > 1e-6 * rms[_MEASURED]
        scale = cov[_MEASURED, _COMPUTED] / cov[_COMPUTED, _COMPUTED] if c_varies else nan
        friction = self._friction.fit(j)
        return JointStatistics(
            name=info.name, unit='N' if info.kind == 'prismatic' else 'N m', samples=count,
            measured_rms=_of(rms, _MEASURED, count), measured_peak=_of(peak, _MEASURED, count),
            computed_rms=float(torque_rms[0]), computed_peak=float(torque_peak[0]),
            residual_rms=_of(rms, _RESIDUAL, count), residual_peak=_of(peak, _RESIDUAL, count),
            explained=float(1 - cov[_RESIDUAL, _RESIDUAL] / variance) if varies else nan,
            correlation=float(cov[_MEASURED, _COMPUTED] / np.sqrt(
                variance * cov[_COMPUTED, _COMPUTED])) if c_varies else nan,
            scale=float(scale), offset=float(mean[_MEASURED] - scale * mean[_COMPUTED]),
            lag=self._lag.best(j) if c_varies else nan,
            friction=friction,
            explained_with_friction=float(1 - friction.residual_rms**2 / variance)
            if varies and friction is not None else nan,
            fixed_residual_rms=_of(rms, _FIXED_RESIDUAL, count),
            fixed_explained=float(1 - cov[_FIXED_RESIDUAL, _FIXED_RESIDUAL] / variance)
            if varies else nan,
            base_rms=float(torque_rms[1]), base_peak=float(torque_peak[1]),
            cause_rms={name: float(torque_rms[2 + i]) for i, name in enumerate(self._causes)},
            saturated=self._limits[0, j] / count if count else nan,
            over_speed=self._limits[1, j] / max(self.valid, 1),
            outside_range=self._limits[2, j] / max(self.valid, 1))

    def base(self, gravity_known: bool) -> BaseStatistics:
        """Return what the base did."""
        with np.errstate(invalid='ignore', divide='ignore'):
            rms, peak = self._base.rms[0], self._base.peak[0]
        roll, pitch = np.degrees(rms[:2])
        return BaseStatistics(
            self.base_known, gravity_known, float(roll), float(pitch),
            float(np.degrees(peak[0])), float(np.degrees(peak[1])), float(rms[2]),
            float(rms[3]), tuple(map(float, rms[4:])), tuple(map(float, peak[4:])))

    @property
    def causes(self) -> Tuple[str, ...]:
        """Names of the causes."""
        return self._causes


def _still(rms: FloatArray, cov: FloatArray) -> bool:
    """
    Tell whether measured and computed torque hardly vary beside their size.

    A share of variance would then be a share of noise.
    """
    variance = np.diagonal(cov)
    return bool(variance[_COMPUTED] < (0.02 * rms[_COMPUTED])**2
                and variance[_MEASURED] < (0.1 * rms[_MEASURED])**2)


def _of(values: FloatArray, index: int, count: int) -> float:
    return float(values[index]) if count else float('nan')

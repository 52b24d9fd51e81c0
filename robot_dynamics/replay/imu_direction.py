"""Which way up an IMU is whose force points down: what the measured efforts say."""

from __future__ import annotations

from typing import Callable

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.findings import Findings, INFO, SEVERE, WARNING
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.replay.alignment import Alignment
from robot_dynamics.replay.imu_stream import ImuUse

Torque = Callable[[FloatArray, FloatArray, FloatArray, BaseMotion, NDArray[np.int64]], FloatArray]
"""Torque (N, nv) for position, velocity, acceleration (N, nv), base and stamps in ns (N,)."""

_ROWS = 4096


def settle_direction(alignment: Alignment, use: ImuUse, topic: str, findings: Findings,
                     torque: Torque, comparable: NDArray[np.bool_]) -> ImuUse:
    """
    Decide whether an IMU whose z axis points down is mounted so, reports gravity, or hangs.

    Parameters
    ----------
    use : ImuUse
        With ``points_down``.
    topic : str
        Of the IMU.
    torque : callable
        What the model says.
    comparable : (nv,) bool
        Joints whose measured effort can be used.
    """
    as_given, flipped, negated = (
        _unexplained(alignment.with_imu(other), torque, comparable)
        for other in (use, use.flipped(), use.negated()))
    seen = f'the mean specific force points down (z = {use.mean_force[2]:.1f} m/s^2)'
    if negated < 0.5 * min(as_given, flipped):
        findings.add(WARNING, 'imu-force-sign', topic,
                     f'{seen}, and the measured efforts agree with its opposite: it reports '
                     'gravity where REP-145 wants specific force, +g up at rest; it was inverted')
        return use.negated()
    if flipped < 0.5 * as_given:
        findings.add(WARNING, 'imu-upside-down', topic,
                     f'{seen}, and the measured efforts agree with an upright base: the IMU is '
                     'upside down or in NED axes; it was turned by half a turn about x (state '
                     'it with --imu-rpy 180 0 0)')
        return use.flipped()
    if as_given < 0.5 * flipped:
        findings.add(INFO, 'base-hangs', topic,
                     f'{seen}, and the measured efforts agree: the arm hangs upside down')
        return use
    if use.upright:
        findings.add(SEVERE, 'imu-force-sign', topic,
                     f'{seen}, while its orientation says that the base is upright: it reports '
                     'gravity where REP-145 wants specific force, +g up at rest, or all of it is '
                     'in NED axes, which the name of its frame must say (..._ned); the efforts do '
                     'not tell which.  Its force was inverted')
        return use.negated()
    findings.add(SEVERE, 'imu-upside-down', topic,
                 f'{seen}: the IMU is upside down or in NED axes, or the arm hangs; the efforts '
                 'do not tell which.  It was used as it is; if the base is upright give '
                 '--imu-rpy 180 0 0')
    return use


def _unexplained(alignment: Alignment, torque: Torque, comparable: NDArray[np.bool_]) -> float:
    """Mean square of what remains on a part of the recording; NaN without efforts."""
    total, count = 0.0, 0
    for block in alignment.blocks(_ROWS):
        rows = block.valid
        base = block.base[rows] if block.base.is_series else block.base
        residual = (block.effort[rows] - torque(
            block.position[rows], block.velocity[rows], block.acceleration[rows], base,
            block.stamp_ns[rows]))[:, comparable]
        total += float(np.nansum(residual**2))
        count += int(np.isfinite(residual).sum())
    return total / count if count else float('nan')

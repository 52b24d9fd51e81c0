"""Recordings with a known truth: an arm on a rolling deck, written as the test wants it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Optional

import numpy as np

from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.rotations import matrix_from_rpy

START_NS = 1_700_000_000_000_000_000
PA10 = resource_path('urdf/pa10.urdf')


@dataclass(frozen=True)
class Truth:
    """A motion with exact derivatives, its torques and what an ideal IMU at the base reads."""

    model: RobotModel
    stamp_ns: Any
    q: Any
    qd: Any
    qdd: Any
    base: BaseMotion
    rpy: Any
    effort: Any
    imu_stamp_ns: Any
    angular_velocity: Any
    specific_force: Any
    quat_xyzw: Any

    @property
    def names(self) -> tuple:
        """Joint names."""
        return self.model.joint_names

    def changed(self, **fields: Any) -> Truth:
        """Return a copy with other values."""
        return replace(self, **fields)


def deck(t: Any) -> tuple:
    """Roll, pitch and heave of a deck at times t (s) as a BaseMotion, and rpy."""
    a, wa, b, wb = 0.15, 2 * np.pi / 8, 0.08, 2 * np.pi / 5
    roll, pitch = a * np.sin(wa * t), b * np.sin(wb * t + 0.4)
    heave = 0.8 * np.sin(2 * np.pi / 7 * t)
    base = BaseMotion.from_roll_pitch(
        roll, pitch, a * wa * np.cos(wa * t), b * wb * np.cos(wb * t + 0.4),
        -wa**2 * roll, -wb**2 * pitch,
        linear_acceleration=np.stack([0 * t, 0.3 * heave, heave], axis=-1))
    return base, np.stack([roll, pitch, 0 * t], axis=-1)


def truth(duration: float = 12.0, rate: float = 100.0, imu_rate: float = 100.0,
          urdf: Any = PA10, still: bool = False) -> Truth:
    """Move every joint in sinusoids of its own on a deck that moves (or not)."""
    model = RobotModel.from_urdf(urdf)
    t = np.arange(int(duration * rate)) / rate
    order = np.arange(model.nv)
    w = 2 * np.pi * (0.15 + 0.05 * order)
    phase = 0.7 * order
    angle = t[:, None] * w + phase
    q = 0.5 * np.sin(angle)
    qd, qdd = 0.5 * w * np.cos(angle), -w**2 * q
    base, rpy = deck(t)
    imu_t = np.arange(int(duration * imu_rate)) / imu_rate
    imu_base, imu_rpy = deck(imu_t)
    if still:
        base = imu_base = BaseMotion()
        imu_rpy = 0 * imu_rpy
    effort = InverseDynamics(model, backend='interpreted').torque(q, qd, qdd, base)
    count = len(imu_t)
    return Truth(
        model, START_NS + np.rint(t * 1e9).astype(np.int64), q, qd, qdd, base, rpy, effort,
        START_NS + np.rint(imu_t * 1e9).astype(np.int64),
        np.broadcast_to(imu_base.angular_velocity, (count, 3)),
        np.broadcast_to(imu_base.specific_force, (count, 3)), quaternions(imu_rpy))


def quaternions(rpy: Any) -> Any:
    """Turn (T, 3) roll, pitch, yaw into quaternions xyzw of R_WB."""
    R = matrix_from_rpy(rpy)
    w = np.sqrt(np.maximum(1 + R[:, 0, 0] + R[:, 1, 1] + R[:, 2, 2], 1e-12)) / 2
    return np.stack([(R[:, 2, 1] - R[:, 1, 2]) / (4 * w), (R[:, 0, 2] - R[:, 2, 0]) / (4 * w),
                     (R[:, 1, 0] - R[:, 0, 1]) / (4 * w), w], axis=1)


def write(path: Path, motion: Truth, names: Optional[Any] = None, imu: bool = True,
          description: Optional[str] = None, extra: Optional[Callable[..., None]] = None,
          **writer: Any) -> Path:
    """Write a whole recording in the ordinary way."""
    with RecordingWriter(path, **writer) as bag:
        if description is not None:
            bag.robot_description(description, START_NS)
        bag.joint_states(motion.stamp_ns, motion.names if names is None else names, motion.q,
                         motion.qd, motion.effort)
        if imu:
            bag.imu(motion.imu_stamp_ns, motion.angular_velocity, motion.specific_force,
                    motion.quat_xyzw)
        if extra is not None:
            extra(bag)
    return path

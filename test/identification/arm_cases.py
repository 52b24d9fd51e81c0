"""Arms whose truth is known, moved by sinusoids on a deck: samples as the alignment gives them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Iterator

import numpy as np

from robot_dynamics.dynamics.equations.joint_losses import FRICTION_SPEED
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.identified import Identified, IdentifiedJoint
from robot_dynamics.model.robot_model import Inertial, RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.replay.alignment import Block

ARM = """<?xml version="1.0"?>
<!-- kept -->
<robot name="two" xmlns:x="urn:x">
  <link name="base"/>
  <link name="upper"><inertial>
      <origin xyz="0 0 0.2" rpy="0 0 0.5"/> <mass value='4.0'/>
      <inertia ixx="0.06" ixy="0" ixz="0" iyy="0.06" iyz="0" izz="0.01"/></inertial></link>
  <link name="lower">
    <inertial>
      <origin xyz="0 0.02 0.15"/>
      <mass value="2.0"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.004"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="2" effort="60"/><dynamics damping="0.5" friction="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4"/><axis xyz="1 0 0"/>
    <limit lower="-2" upper="2" velocity="2" effort="30"/>
  </joint>
  <joint name="flange" type="fixed">
    <parent link="lower"/><child link="tool"/><origin xyz="0 0 0.3" rpy="0 0.4 0"/>
  </joint>
</robot>
"""


def described() -> RobotModel:
    """Return the arm as its description has it."""
    return RobotModel.from_urdf(ARM)


def truth(offset: float = 0.0, stribeck: float = 0.0) -> Identified:
    """Return an arm that is heavier, has its mass elsewhere, more friction and rotors."""
    model = described()
    upper, lower = (body.inertial for body in model.bodies)
    return Identified('two', {
        'upper': Inertial(1.12 * upper.mass, upper.com + [0.01, -0.01, 0.01],
                          1.1 * upper.inertia),
        'lower': Inertial(1.06 * lower.mass, lower.com + [-0.01, 0.01, 0.0],
                          1.1 * lower.inertia)}, {
        'shoulder': IdentifiedJoint(0.3, 0.8, 1.5, 1.5 * stribeck, 0.08, 0.0, offset),
        'elbow': IdentifiedJoint(0.1, 0.4, 0.7, 0.7 * stribeck, 0.08, 0.0, -offset)})


@dataclass
class Moved:
    """Samples with a known truth, as the source that an identification takes."""

    name: str
    block: Block
    measured: Any
    period: float
    base_known: bool = True

    @property
    def span(self) -> tuple:
        """First and last stamp, ns."""
        return int(self.block.stamp_ns[0]), int(self.block.stamp_ns[-1])

    def blocks(self) -> Iterator[Block]:
        """Yield the samples in two pieces."""
        half = len(self.block.stamp_ns) // 2
        for part in (slice(0, half), slice(half, None)):
            yield piece(self.block, part)

    def changed(self, **values: Any) -> Moved:
        """Return the same with other samples."""
        return replace(self, block=replace(self.block, **values))


def piece(block: Block, part: slice) -> Block:
    """Return a part of a block."""
    base = block.base[part] if block.base.is_series else block.base
    return replace(block, base=base, **{name: getattr(block, name)[part] for name in (
        'stamp_ns', 'position', 'velocity', 'acceleration', 'effort', 'valid')})


def losses(values: IdentifiedJoint, qd: Any, qdd: Any) -> Any:
    """Torque of a joint's rotor and friction, written out."""
    sign = qd / np.sqrt(qd**2 + FRICTION_SPEED**2)
    return (values.rotor_inertia * qdd + values.viscous * qd + values.coulomb * sign
            + values.stribeck * sign * np.exp(-(qd / values.stribeck_speed)**2)
            + values.asymmetry * np.abs(sign) + values.offset)


def torque(arm: Identified, model: RobotModel, q: Any, qd: Any, qdd: Any, base: Any) -> Any:
    """Torque of a true arm."""
    rigid = arm.apply(model)
    tau = InverseDynamics(rigid, rotor_inertia=False, backend='interpreted').torque(
        q, qd, qdd, base)
    return tau + np.stack([losses(arm.joints[name], qd[:, j], qdd[:, j])
                           for j, name in enumerate(model.joint_names)], axis=1)


def motion(t: Any, joints: int, seed: int = 1, size: float = 0.9) -> tuple:
    """Three sinusoids a joint: position, velocity, acceleration."""
    rng = np.random.default_rng(seed)
    w = 2 * np.pi * rng.uniform(0.1, 0.5, (3, joints))
    phase = rng.uniform(0, 6, (3, joints))
    angle = t[:, None, None] * w + phase
    a = size / 3
    return ((a * np.sin(angle)).sum(1), (a * w * np.cos(angle)).sum(1),
            (-a * w**2 * np.sin(angle)).sum(1))


def deck(t: Any) -> BaseMotion:
    """Roll, pitch and heave."""
    a, wa, b, wb = 0.12, 2 * np.pi / 8, 0.06, 2 * np.pi / 5
    heave = np.sin(2 * np.pi / 7 * t)
    roll, pitch = a * np.sin(wa * t), b * np.sin(wb * t)
    return BaseMotion.from_roll_pitch(
        roll, pitch, a * wa * np.cos(wa * t), b * wb * np.cos(wb * t), -wa**2 * roll,
        -wb**2 * pitch, linear_acceleration=np.stack([0 * t, 0.3 * heave, 0.8 * heave], axis=-1))


def moved(arm: Identified, duration: float = 40.0, rate: float = 100.0, seed: int = 1,
          noise: float = 0.0, fixed: bool = False, size: float = 0.9) -> Moved:
    """Move an arm on a deck and measure it."""
    model = described()
    t = np.arange(int(duration * rate)) / rate
    q, qd, qdd = motion(t, model.nv, seed, size)
    base = BaseMotion(np.zeros((len(t), 3))) if fixed else deck(t)
    tau = torque(arm, model, q, qd, qdd, base)
    tau = tau + noise * tau.std(axis=0) * np.random.default_rng(seed).standard_normal(tau.shape)
    stamps = np.rint(t * 1e9).astype(np.int64)
    block = Block(stamps, q, qd, qdd, tau, base, not fixed, np.ones(len(t), dtype=bool), 0)
    return Moved('moved', block, np.ones(model.nv, dtype=bool), 1 / rate, not fixed)

"""
Eq. 17 of paper 002: corrected, and with each of its misprints for itself.

Thin homogeneous rods; theta2 = theta3 = 0 is horizontal, positive raises.  Torques are (T, 3)
N m.  The load F_34 is the force of link 3 on what it carries, in the DH axes of link 3: x along
the rod, z along the joint's axis, y = z x x upwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Collection, NamedTuple, Optional, Tuple

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.robot_model import RobotModel


class JointState(NamedTuple):
    """Joint positions, velocities, accelerations, (T, 3) each: rad, rad/s, rad/s^2."""

    q: FloatArray
    qd: FloatArray
    qdd: FloatArray


@dataclass(frozen=True)
class RodArm:
    """
    What eq. 17 needs.

    Attributes
    ----------
    L1, L2, L3 : float
        Lengths of column, upper arm and forearm, m.
    m1, m2, m3 : float
        Their masses, kg.
    g : float
        Gravity, m/s^2.
    """

    L1: float
    L2: float
    L3: float
    m1: float
    m2: float
    m3: float
    g: float

    @classmethod
    def from_model(cls, model: RobotModel, gravity: float) -> RodArm:
        """Read them from a model of this arm; a rod is twice as long as its centre is far."""
        if model.nv != 3:
            raise ModelError(model.name, f'has {model.nv} joints', 'the paper is about three')
        column, upper, fore = (body.inertial for body in model.bodies)
        return cls(2 * float(column.com[2]), 2 * float(upper.com[0]), 2 * float(fore.com[0]),
                   column.mass, upper.mass, fore.mass, gravity)


class Misprint(NamedTuple):
    """One place where eq. 17 is printed wrongly."""

    key: str
    place: str
    printed: str
    right: str


MISPRINTS: Tuple[Misprint, ...] = (
    Misprint('spin', '17a', "0.083 L1^2 m1 th1''", 'no such term: the rod spins about itself'),
    Misprint('double_angle', '17a', "... sin(2 th3) th1' th3'", "... sin(th3) th1' th3'"),
    Misprint('lost_rate', '17b', '1/6 L2^2 m2 sin(2 th2)', "1/6 L2^2 m2 sin(2 th2) th1'^2"),
    Misprint('sign', '17c', "- 1/4 L2 L3 m3 sin th3 th1'^2", "+ 1/4 L2 L3 m3 sin th3 th1'^2"),
    Misprint('gravity', '17b, c', 'L2 m3 g cos th3 + (L2 m2 + L3 m3) g/2; L3 m3 g/2',
             'g [(m2/2 + m3) L2 cos th2 + m3 L3/2 cos th23]; m3 g L3/2 cos th23'),
)
ALL = frozenset(misprint.key for misprint in MISPRINTS)


def eq_17(arm: RodArm, state: JointState, load: Optional[FloatArray] = None,
          misprints: Collection[str] = ()) -> FloatArray:
    """
    Return eq. 17, (T, 3) N m.

    Parameters
    ----------
    arm : RodArm
    state : JointState
    load : ndarray, (3,), optional
        F_34 in N: x, y, z.
    misprints : collection of str
        Keys of the misprints to keep; :data:`ALL` is the paper as printed, none is right.
    """
    L2, L3, m2, m3, g = arm.L2, arm.L3, arm.m2, arm.m3, arm.g
    th2, th3 = state.q[:, 1], state.q[:, 2]
    w1, w2, w3 = state.qd.T
    a1, a2, a3 = state.qdd.T
    th23, b = th2 + th3, L2 * L3 * m3

    M11 = (L2**2 * (m3 / 2 + m2 / 6) * (1 + np.cos(2 * th2))
           + L3**2 * m3 / 6 * (1 + np.cos(2 * th23))
           + b / 2 * (np.cos(th3) + np.cos(2 * th2 + th3)))
    if 'spin' in misprints:
        M11 = M11 + 0.083 * arm.L1**2 * arm.m1
    last = np.sin(2 * th3) if 'double_angle' in misprints else np.sin(th3)
    tau1 = M11 * a1 - w1 * w2 * (
        L3**2 * m3 / 3 * np.sin(2 * th23) + b * np.sin(2 * th2 + th3)
        + L2**2 * (m3 + m2 / 3) * np.sin(2 * th2)) - w1 * w3 * (
        b / 2 * np.sin(2 * th2 + th3) + L3**2 * m3 / 3 * np.sin(2 * th23) + b / 2 * last)

    rate = 1.0 if 'lost_rate' in misprints else w1**2
    tau2 = ((b * np.cos(th3) + L2**2 * (m3 + m2 / 3) + L3**2 * m3 / 3) * a2
            + (b / 2 * np.cos(th3) + L3**2 * m3 / 3) * a3
            + w1**2 * (L2**2 * m3 / 2 * np.sin(2 * th2) + b / 2 * np.sin(2 * th2 + th3)
                       + L3**2 * m3 / 6 * np.sin(2 * th23))
            + L2**2 * m2 / 6 * np.sin(2 * th2) * rate
            - b / 2 * np.sin(th3) * w3**2 - b * np.sin(th3) * w2 * w3)

    sign = -1.0 if 'sign' in misprints else 1.0
    tau3 = ((L3**2 * m3 / 3 + b / 2 * np.cos(th3)) * a2 + L3**2 * m3 / 3 * a3
            + w1**2 * (b / 4 * np.sin(2 * th2 + th3) + L3**2 * m3 / 6 * np.sin(2 * th23)
                       + sign * b / 4 * np.sin(th3))
            + b / 2 * np.sin(th3) * w2**2)

    if 'gravity' in misprints:
        G2 = g * (L2 * m3 * np.cos(th3) + (L2 * m2 + L3 * m3) / 2)
        G3 = g * L3 * m3 / 2 * np.ones_like(th3)
    else:
        G3 = g * L3 * m3 / 2 * np.cos(th23)
        G2 = g * (m2 / 2 + m3) * L2 * np.cos(th2) + G3
    return np.column_stack([tau1, tau2 + G2, tau3 + G3]) + _tip_load(arm, state, load)


def _tip_load(arm: RodArm, state: JointState, load: Optional[FloatArray]) -> FloatArray:
    """Return the terms of F_34, which are printed right."""
    if load is None:
        return np.zeros_like(state.q)
    x, y, z = load
    th2, th3 = state.q[:, 1], state.q[:, 2]
    return np.column_stack([
        -z * (arm.L3 * np.cos(th2 + th3) + arm.L2 * np.cos(th2)),
        arm.L2 * (y * np.cos(th3) + x * np.sin(th3)) + arm.L3 * y,
        np.full_like(th3, arm.L3 * y)])


def wrench_on_the_tip(load: FloatArray) -> FloatArray:
    """
    Return F_34 as force and moment on the tip, (6,), in the axes of the URDF's link.

    What the arm exerts acts back on it with the opposite sign; the URDF has x along the rod, y
    against the joint's axis, z up.
    """
    x, y, z = load
    return np.array([-x, z, -y, 0.0, 0.0, 0.0])

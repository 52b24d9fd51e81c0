"""
The equations of paper 001: corrected, and as its different places print them.

Absolute angles from the horizontal, point masses at the tips, D = th1 - th2.  All torques are
those of absolute angles, (T, 3) N m: tau0, tau1, tau2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, NamedTuple, Tuple

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.robot_model import RobotModel


class AbsoluteState(NamedTuple):
    """Angles from the horizontal with their derivatives, (T, 3) each: rad, rad/s, rad/s^2."""

    angle: FloatArray
    rate: FloatArray
    acceleration: FloatArray


@dataclass(frozen=True)
class PointMassArm:
    """
    What the paper's equations need.

    Attributes
    ----------
    I0 : float
        Inertia of the turret about the vertical, kg m^2.
    l1, l2 : float
        Lengths, m.
    m1, m2 : float
        Masses at the tips, kg.
    g : float
        Gravity, m/s^2.
    """

    I0: float
    l1: float
    l2: float
    m1: float
    m2: float
    g: float

    @classmethod
    def from_model(cls, model: RobotModel, gravity: float) -> PointMassArm:
        """Read them from a model of this arm."""
        if model.nv != 3:
            raise ModelError(model.name, f'has {model.nv} joints', 'the paper is about three')
        turret, first, second = (body.inertial for body in model.bodies)
        return cls(float(turret.inertia[2, 2]), float(first.com[0]), float(second.com[0]),
                   first.mass, second.mass, gravity)


def decoupled(arm: PointMassArm, state: AbsoluteState) -> FloatArray:
    """Return Table I with the sign of its th2'^2 term put right: the base does not turn."""
    th1, th2 = state.angle[:, 1], state.angle[:, 2]
    _, w1, w2 = state.rate.T
    a0, a1, a2 = state.acceleration.T
    m, b, D = arm.m1 + arm.m2, arm.m2 * arm.l1 * arm.l2, th1 - th2
    return np.column_stack([
        arm.I0 * a0,
        m * arm.l1**2 * a1 + b * a2 * np.cos(D) + b * w2**2 * np.sin(D)
        + m * arm.g * arm.l1 * np.cos(th1),
        arm.m2 * arm.l2**2 * a2 + b * a1 * np.cos(D) - b * w1**2 * np.sin(D)
        + arm.m2 * arm.g * arm.l2 * np.cos(th2)])


def coupled(arm: PointMassArm, state: AbsoluteState) -> FloatArray:
    """
    Return the right torques, the arm swinging with its turning base.

    With r = l1 c1 + l2 c2, k1 = m1 l1^2 c1 s1 + m2 r l1 s1, k2 = m2 r l2 s2:
    tau0 = (I0 + m1 l1^2 c1^2 + m2 r^2) th0'' - 2 th0' (k1 th1' + k2 th2'),
    and k1 th0'^2, k2 th0'^2 in addition to tau1, tau2.
    """
    th1, th2 = state.angle[:, 1], state.angle[:, 2]
    w0, w1, w2 = state.rate.T
    c1, s1 = np.cos(th1), np.sin(th1)
    r = arm.l1 * c1 + arm.l2 * np.cos(th2)
    k1 = arm.m1 * arm.l1**2 * c1 * s1 + arm.m2 * r * arm.l1 * s1
    k2 = arm.m2 * r * arm.l2 * np.sin(th2)
    swing = (arm.m1 * (arm.l1 * c1)**2 + arm.m2 * r**2) * state.acceleration[:, 0]
    coupling: FloatArray = np.column_stack([
        swing - 2 * w0 * (k1 * w1 + k2 * w2), k1 * w0**2, k2 * w0**2])
    return decoupled(arm, state) + coupling


def table_1(arm: PointMassArm, state: AbsoluteState) -> FloatArray:
    """Return Table I as printed: - m2 l1 l2 th2'^2 sin D in tau1."""
    th1, th2 = state.angle[:, 1], state.angle[:, 2]
    tau = decoupled(arm, state)
    tau[:, 1] -= 2 * arm.m2 * arm.l1 * arm.l2 * state.rate[:, 2]**2 * np.sin(th1 - th2)
    return tau


def eqs_22_23(arm: PointMassArm, state: AbsoluteState) -> FloatArray:
    """Return eqs. 21 to 23 as printed: th'' in place of th' before (th1' - th2')."""
    th1, th2 = state.angle[:, 1], state.angle[:, 2]
    _, w1, w2 = state.rate.T
    a0, a1, a2 = state.acceleration.T
    m, b, D = arm.m1 + arm.m2, arm.m2 * arm.l1 * arm.l2, th1 - th2
    return np.column_stack([
        arm.I0 * a0,
        m * arm.l1**2 * a1 + b * a2 * np.cos(D) - b * a2 * np.sin(D) * (w1 - w2)
        + m * arm.g * arm.l1 * np.cos(th1),
        arm.m2 * arm.l2**2 * a2 + b * a1 * np.cos(D) - b * a1 * np.sin(D) * (w1 - w2)
        + arm.m2 * arm.g * arm.l2 * np.cos(th2)])


def eqs_19_20(arm: PointMassArm, state: AbsoluteState) -> FloatArray:
    """Return eqs. 19 and 20 as printed: as eqs. 22 and 23, gravity reversed, one term more."""
    th1, th2 = state.angle[:, 1], state.angle[:, 2]
    tau = eqs_22_23(arm, state)
    b = arm.m2 * arm.l1 * arm.l2
    tau[:, 1] -= (b * state.acceleration[:, 2] * np.sin(th1 - th2)
                  + 2 * (arm.m1 + arm.m2) * arm.g * arm.l1 * np.cos(th1))
    tau[:, 2] -= 2 * arm.m2 * arm.g * arm.l2 * np.cos(th2)
    return tau


class PrintedEquations(NamedTuple):
    """Equations of one place, and in which terms they differ from the right ones."""

    place: str
    torque: Callable[[PointMassArm, AbsoluteState], FloatArray]
    differences: Tuple[Tuple[str, str], ...]


_STILL = ("tau0 = I0 th0''", "[I0 + m1 l1^2 c1^2 + m2 r^2] th0'' - 2 th0' (k1 th1' + k2 th2')")

PRINTED: Tuple[PrintedEquations, ...] = (
    PrintedEquations('Table I', table_1, (
        ("tau1: - m2 l1 l2 th2'^2 sin D", "+ m2 l1 l2 th2'^2 sin D"),
        _STILL, ('tau1, tau2: -', "+ k1 th0'^2, + k2 th0'^2"))),
    PrintedEquations('eqs. 22, 23', eqs_22_23, (
        ("tau1: - m2 l1 l2 th2'' sin D (th1' - th2')", "+ m2 l1 l2 th2'^2 sin D"),
        ("tau2: - m2 l1 l2 th1'' sin D (th1' - th2')", "- m2 l1 l2 th1'^2 sin D"))),
    PrintedEquations('eqs. 19, 20', eqs_19_20, (
        ('tau1: - (m1 + m2) g l1 cos th1', '+ (m1 + m2) g l1 cos th1'),
        ('tau2: - m2 g l2 cos th2', '+ m2 g l2 cos th2'),
        ("tau1: - m2 l1 l2 th2'' sin D", 'no such term'))),
)

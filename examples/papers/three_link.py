"""
Paper 001, recomputed: Obasi et al., "Dynamics of 3-Links Articulated Robotic Manipulator", 2020.

A turret (joint 0) and two links that swing in its vertical plane, each a point mass at the tip.
The paper's angles th1 and th2 are both measured from the horizontal, so its torques tau1 and
tau2 belong to absolute angles.  The motors of a serial arm turn one link against the other:
they carry T1 = tau1 + tau2 and T2 = tau2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List

import numpy as np

from papers.tables import (
    largest, ResultTable, root_mean_square, TimeHistory)
from papers.three_link_equations import (
    AbsoluteState, coupled, decoupled, PointMassArm, PRINTED)
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.simulation.motions import Sinusoid

# The paper has no example; this motion is ours.  A (cos wt - 1) around a raised arm.
START = (0.0, 1.0, -0.2)         # rad, absolute angles
AMPLITUDE = (-0.7, 0.5, -0.9)    # rad
PERIOD = (4.0, 3.0, 2.0)         # s
DURATION = 6.0                   # s
RATE = 100.0                     # samples per s

TORQUES = ('tau0', 'tau1', 'tau2')


@dataclass(frozen=True)
class ThreeLinkResult:
    """
    What came out; torques have one row a sample and the columns tau0, tau1, tau2 in N m.

    Attributes
    ----------
    arm : PointMassArm
        Lengths and masses, read from the URDF.
    time : ndarray, (T,)
        In s.
    state : AbsoluteState
        The motion.
    closed_form : ndarray, (T, 3)
        The corrected equations, with the coupling through the turning base.
    dynamics : ndarray, (T, 3)
        The same torques from the URDF by Newton-Euler, made absolute.
    motors : ndarray, (T, 3)
        What the motors carry, from the URDF.
    printed : dict of str to ndarray, (T, 3)
        By the place in the paper.
    """

    arm: PointMassArm
    time: FloatArray
    state: AbsoluteState
    closed_form: FloatArray
    dynamics: FloatArray
    motors: FloatArray
    printed: Dict[str, FloatArray]

    def tables(self) -> List[ResultTable]:
        """Return corrections, torques at some times, and the second opinion."""
        return [self._corrections(), self._torques(), self._opinions()]

    def findings(self) -> List[str]:
        """Return what to take home."""
        right, still = self.closed_form, decoupled(self.arm, self.state)
        table = self.printed['Table I']
        return [
            'The corrected closed form and the dynamics of the URDF differ by at most '
            f'{np.abs(self.dynamics - right).max():.1e} N m.',
            f'Table I misses tau1 by up to {largest(table - right)[1]:.2f} N m; the wrong sign of '
            f"its th2'^2 term alone makes {largest(table - still)[1]:.2f} N m.",
            f"tau0 = I0 th0'' misses up to {largest(still - right)[0]:.2f} of "
            f'{largest(right)[0]:.2f} N m: the arm swings with the base.',
            'The motors carry T1 = tau1 + tau2: up to '
            f'{largest(self.motors)[1]:.1f} N m, where tau1 is at most {largest(right)[1]:.1f} '
            'N m.']

    def series(self) -> List[TimeHistory]:
        """Return the motion and all torques."""
        header = ['time_s', *(f'{name}_rad' for name in ('theta0', 'theta1', 'theta2'))]
        columns = [self.time, self.state.angle]
        for name, torque in (('right', self.closed_form), ('motor', self.motors),
                             *self.printed.items()):
            stem = name.lower().replace(' ', '_').replace('.', '')
            header += [f'{stem}.{column}_nm' for column in TORQUES]
            columns.append(torque)
        return [TimeHistory('three_link_motion', header, np.column_stack(columns))]

    def _corrections(self) -> ResultTable:
        rows: List[List[Any]] = []
        for equation in PRINTED:
            error = self.printed[equation.place] - self.closed_form
            for k, (printed, right) in enumerate(equation.differences):
                sizes: List[Any] = largest(error) if k == 0 else ['', '', '']
                rows.append([equation.place if k == 0 else '', printed, right, *sizes])
            rows.append(['', '', 'the same, RMS', *root_mean_square(error)])
        rows.append(['', '', 'largest torque', *largest(self.closed_form)])
        return ResultTable(
            'three_link_corrections', 'what is printed, what is right, and the largest torque '
            'error in N m', ['place', 'printed', 'right', *TORQUES], rows, '.3f',
            'D = th1 - th2, r = l1 c1 + l2 c2, k1 = m1 l1^2 c1 s1 + m2 r l1 s1, k2 = m2 r l2 s2; '
            "eqs. 19 to 23 also lack the k terms and print tau0 = I0 th0''")

    def _torques(self) -> ResultTable:
        rows: List[List[Any]] = []
        for index in (np.array([0.12, 0.37, 0.64, 0.9]) * (len(self.time) - 1)).astype(int):
            rows.append([f'{self.time[index]:g}', 'right', *self.closed_form[index].tolist()])
            for place, torque in self.printed.items():
                rows.append(['', place, *torque[index].tolist()])
                rows.append(['', '  less right', *(
                    torque[index] - self.closed_form[index]).tolist()])
            rows.append(['', 'motors T0 T1 T2', *self.motors[index].tolist()])
        return ResultTable('three_link_torques', 'torques in N m at some times',
                           ['t [s]', '', *TORQUES], rows)

    def _opinions(self) -> ResultTable:
        rows: List[List[Any]] = [
            ['closed form, arm swings with the base', *largest(
                self.closed_form - self.dynamics)],
            ['closed form, base at rest', *largest(
                decoupled(self.arm, self.state) - self.dynamics)],
            *([place, *largest(torque - self.dynamics)]
              for place, torque in self.printed.items())]
        return ResultTable(
            'three_link_second_opinion', 'largest difference from Newton-Euler on the URDF, N m',
            ['equations', *TORQUES], rows, '.3g')


def compute(duration: float = DURATION, gravity: float = STANDARD_GRAVITY,
            backend: str = 'interpreted') -> ThreeLinkResult:
    """
    Recompute the paper along a motion.

    Parameters
    ----------
    duration : float
        In s.
    gravity : float
        Magnitude, m/s^2; the paper gives none.
    backend : str
        Of the dynamics.
    """
    duration = as_scalar('duration', duration, 0.0, 3600.0, 's')
    if duration * RATE < 1.0:
        raise InputError('duration', f'is {duration:g} s, shorter than one sample')
    model = RobotModel.from_urdf(resource_path('examples/papers/three_link_arm.urdf'))
    arm = PointMassArm.from_model(model, gravity)
    time = np.arange(int(duration * RATE + 1e-9) + 1) / RATE
    angle, rate, acceleration = Sinusoid(
        model.joint_names, AMPLITUDE, 2 * np.pi / np.array(PERIOD)).sample(time)
    state = AbsoluteState(angle + np.array(START), rate, acceleration)
    motors = motor_torque(model, state, gravity, backend)
    return ThreeLinkResult(
        arm, time, state, coupled(arm, state), absolute_torque(motors), motors,
        {equation.place: equation.torque(arm, state) for equation in PRINTED})


def motor_torque(model: RobotModel, state: AbsoluteState, gravity: float,
                 backend: str = 'interpreted') -> FloatArray:
    """Return what the motors carry, (T, 3), by Newton-Euler on the URDF."""
    q, qd, qdd = (relative(values) for values in state)
    return InverseDynamics(model, backend=backend).torque(q, qd, qdd, BaseMotion.still(gravity))


def relative(absolute: FloatArray) -> FloatArray:
    """Turn angles from the horizontal into joint values: joint2 = th2 - th1."""
    return np.column_stack([absolute[:, 0], absolute[:, 1], absolute[:, 2] - absolute[:, 1]])


def absolute_torque(motors: FloatArray) -> FloatArray:
    """Turn motor torques into those of absolute angles: tau1 = T1 - T2, by virtual work."""
    return np.column_stack([motors[:, 0], motors[:, 1] - motors[:, 2], motors[:, 2]])

"""
Paper 004, recomputed: coupled dynamics of a three-joint arm on a differential drive, 2019.

Table 2's robot on Table 3's motion: the torques of Fig. 7 as they are right, as the paper's
equations give them, and how much of each comes from the coupling.  The paper gives neither the
duration nor the profile of the motion, so Fig. 7 itself cannot be laid over ours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Dict, List, Tuple

import numpy as np

from papers.tables import (
    largest, ResultTable, root_mean_square, TimeHistory)
from robot_dynamics.control.reference import ReferenceSample
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.uncoupled import UncoupledParts
from robot_dynamics.model.elements import Inertial
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.simulation.motions import TABLE_3_DURATION, table_3_motion

DESCRIPTION = 'urdf/mobile_manipulator.urdf'
WHEELS = ('left_wheel_joint', 'right_wheel_joint')
RATE = 250.0           # samples per s
ARM_OFFSET = 0.27      # m, d of Table 2: from the axle to the arm's base
JOINTS = ('right wheel', 'left wheel', 'arm 1', 'arm 2', 'arm 3')

MISPRINTS = {
    'eqs. 71, 72': ('inertia about the vertical: Izz at every pitch',
                    'Ixx sin^2 + Izz cos^2 of the pitch'),
    'eqs. 76, 77': ('U = -m g z', 'U = +m g z'),
    'eq. 38': ("R of the arm's base O_b, with energies in x_m, y_m of the axle",
               'R of the axle, eq. 19'),
}


@dataclass(frozen=True)
class MobileManipulatorResult:
    """
    What came out; torques have one row a sample and the columns right wheel, left wheel, arm.

    Attributes
    ----------
    time : ndarray, (T,)
        In s.
    motion : ReferenceSample
        Table 3 with a quintic profile, rad.
    right : ndarray, (T, 5)
        Newton-Euler, projected: N m.
    second : ndarray, (T, 5)
        The same by Lagrange-Euler.
    printed : dict of str to ndarray, (T, 5)
        By the place in the paper: the torque with that misprint alone.
    all_printed : ndarray, (T, 5)
        With all of them.
    uncoupled : ndarray, (T, 5)
        Platform and arm computed separately.
    causes : dict of str to ndarray, (T, 5)
        The right torque by cause: gravity; own inertia M_ii qdd_i; inertia of wheels and of arm
        joints felt at the others; Coriolis.
    """

    time: FloatArray
    motion: ReferenceSample
    right: FloatArray
    second: FloatArray
    printed: Dict[str, FloatArray]
    all_printed: FloatArray
    uncoupled: FloatArray
    causes: Dict[str, FloatArray]

    def tables(self) -> List[ResultTable]:
        """Return Fig. 7 in numbers, the misprints, the coupling."""
        return [self._fig_7(), self._misprints(), self._coupling()]

    def findings(self) -> List[str]:
        """Return what to take home."""
        coupling = np.array(largest(self.uncoupled - self.right))
        peaks = np.array(largest(self.right))
        share = coupling / peaks
        worst = int(np.argmax(share))
        wrong = np.array(largest(self.all_printed - self.right))
        return [
            f'Newton-Euler and Lagrange-Euler differ by at most '
            f'{np.abs(self.right - self.second).max():.1e} N m.',
            f'With all that the paper prints, {JOINTS[int(np.argmax(wrong))]} misses by up to '
            f'{wrong.max():.2f} N m, where the right torque peaks at '
            f'{peaks[int(np.argmax(wrong))]:.2f} N m.',
            f'Platform and arm computed separately miss {JOINTS[worst]} by up to '
            f'{coupling[worst]:.2f} N m, {100 * share[worst]:.0f} % of its peak.',
            'Coupling by joint, largest error of the separate computation over largest torque: '
            + ', '.join(f'{name} {100 * value:.0f} %' for name, value in zip(JOINTS, share))
            + '.']

    def series(self) -> List[TimeHistory]:
        """Return the motion and Fig. 7 as columns."""
        def named(*prefixes: str) -> List[str]:
            return [f'{prefix}.{name.replace(" ", "_")}' for prefix in prefixes
                    for name in JOINTS]
        return [TimeHistory(
            'mobile_manipulator_figure_7',
            ['time_s', *named('position_rad', 'right_nm', 'printed_nm', 'uncoupled_nm')],
            np.column_stack([self.time, self.motion.position, self.right, self.all_printed,
                             self.uncoupled]))]

    def _fig_7(self) -> ResultTable:
        instants = np.linspace(0, len(self.time) - 1, 9).round().astype(int)
        rows: List[List[Any]] = [
            [float(self.time[k]), variant, *map(float, torque[k])]
            for k in instants
            for variant, torque in (('right', self.right), ('as printed', self.all_printed))]
        return ResultTable('mobile_manipulator_torques',
                           'Fig. 7 recomputed: torques along the motion in N m',
                           ['t [s]', 'variant', *JOINTS], rows, '.3f')

    def _misprints(self) -> ResultTable:
        rows: List[List[Any]] = [[place, *MISPRINTS[place], *largest(torque - self.right)]
                                 for place, torque in self.printed.items()]
        rows += [['all', 'all of these', 'none of these', *largest(
            self.all_printed - self.right)], ['', '', 'largest torque', *largest(self.right)]]
        return ResultTable(
            'mobile_manipulator_misprints', 'what is printed, what is right, and the largest '
            'torque error in N m', ['place', 'printed', 'right', *JOINTS], rows, '.3f',
            'Eq. 16 prints r for -r in its last row: A R is then not zero, and no torque follows.')

    def _coupling(self) -> ResultTable:
        rows: List[List[Any]] = [[name, *root_mean_square(value)]
                                 for name, value in self.causes.items()]
        total = np.array(root_mean_square(self.right))
        error = np.array(root_mean_square(self.uncoupled - self.right))
        rows += [['torque', *map(float, total)],
                 ['separate minus coupled', *map(float, error)],
                 ['the same, % of torque', *map(float, 100 * error / total)]]
        return ResultTable(
            'mobile_manipulator_coupling', 'where the torque comes from: root mean square in N m',
            ['cause', *JOINTS], rows, '.3f',
            'Separate: a platform without arm, an arm on a platform that stands.')


def compute(duration: float = TABLE_3_DURATION, gravity: float = STANDARD_GRAVITY,
            backend: str = 'interpreted') -> MobileManipulatorResult:
    """
    Recompute the paper.

    Parameters
    ----------
    duration : float
        Of the motion of Table 3, which the paper does not give [s].
    gravity : float
        Its magnitude [m/s^2].
    backend : str
        Of the dynamics.
    """
    reference = table_3_motion(as_scalar('duration', duration, 0.1, 1e3, 's'))
    time = np.linspace(0.0, duration, int(round(duration * RATE)) + 1)
    motion = reference.sample(time)
    level = BaseMotion.still(gravity)
    model = RobotModel.from_urdf(resource_path(DESCRIPTION))
    right = on_wheels(model, backend=backend)
    lagrange = on_wheels(model, 'lagrange_euler', backend)
    same_at_every_pitch = on_wheels(with_eqs_71_72(model), backend=backend)
    torque = right.torque(*motion, level)
    upside_down = BaseMotion(gravity=(0.0, 0.0, gravity))
    printed = {
        'eqs. 71, 72': same_at_every_pitch.torque(*motion, level),
        'eqs. 76, 77': right.torque(*motion, upside_down),
        'eq. 38': torque_with_eq_38(right, motion, level)}
    return MobileManipulatorResult(
        time, motion, torque, lagrange.torque(*motion, level), printed,
        torque_with_eq_38(same_at_every_pitch, motion, upside_down),
        UncoupledParts(right).torque(*motion, level), _causes(right, motion, level))


def on_wheels(model: RobotModel, method: str = 'newton_euler', backend: str = 'interpreted'
              ) -> InverseDynamics:
    """Return the dynamics of the paper's robot."""
    return InverseDynamics(model, method, backend=backend,
                           support=DifferentialDrive.from_model(model, *WHEELS))


def with_eqs_71_72(model: RobotModel) -> RobotModel:
    """
    Give the links of the arm the inertia that eqs. 71 and 72 imply.

    They take a link's inertia about the vertical as Izz at every pitch.  With Ixx = Izz both are
    the same, for link frames with x along the link and y on the pitch axis.
    """
    bodies = []
    for body in model.bodies:
        inertial = body.inertial
        if body.joint.name not in WHEELS:
            tensor = np.array(inertial.inertia)
            tensor[0, 0] = tensor[2, 2]
            inertial = Inertial(inertial.mass, inertial.com, tensor)
        bodies.append(replace(body, inertial=inertial))
    return replace(model, bodies=tuple(bodies))


def torque_with_eq_38(robot: InverseDynamics, motion: ReferenceSample, base: BaseMotion
                      ) -> FloatArray:
    """
    Project with eq. 38, the R of point O_b, energies that are written in x_m and y_m.

    The torques (T, 5) that follow, in N m.
    """
    q, v, vd = (np.atleast_2d(array) for array in motion)
    drive = robot.support
    assert isinstance(drive, DifferentialDrive)
    dynamics = InverseDynamics(drive.tree(robot.model), robot.method, backend=robot.backend)
    heading = drive.radius / drive.track * (q[:, 0] - q[:, 1])
    pose = np.column_stack([np.zeros_like(heading), np.zeros_like(heading), heading])
    R, R_rate = _eq_38(drive, heading, v)
    qd = np.einsum('tij,tj->ti', R, v)
    qdd = np.einsum('tij,tj->ti', R, vd) + np.einsum('tij,tj->ti', R_rate, v)
    tau = dynamics.torque(np.column_stack([pose, q]), qd, qdd, base)
    return np.asarray(np.einsum('tij,ti->tj', R, tau))


def _eq_38(drive: DifferentialDrive, heading: FloatArray, v: FloatArray
           ) -> Tuple[FloatArray, FloatArray]:
    """R of eq. 38 over an identity for the arm, and its rate: (T, 8, 5) each."""
    r, L, d = drive.radius, 0.5 * drive.track, ARM_OFFSET
    c, s = np.cos(heading), np.sin(heading)
    turning = r / (2 * L) * (v[:, 0] - v[:, 1])
    R, rate = np.zeros((2, len(heading), 8, 5))
    for wheel, sign in ((0, 1.0), (1, -1.0)):
        R[:, 0, wheel] = r / (2 * L) * (L * c - sign * d * s)
        R[:, 1, wheel] = r / (2 * L) * (L * s + sign * d * c)
        R[:, 2, wheel] = sign * r / (2 * L)
        rate[:, 0, wheel] = r / (2 * L) * (-L * s - sign * d * c) * turning
        rate[:, 1, wheel] = r / (2 * L) * (L * c - sign * d * s) * turning
    R[:, 3:] = np.eye(5)
    return R, rate


def _causes(robot: InverseDynamics, motion: ReferenceSample, base: BaseMotion
            ) -> Dict[str, FloatArray]:
    M = robot.mass_matrix(motion.position)
    terms = robot.terms(*motion, base)
    each = M * motion.acceleration[:, None, :]  # [t, i, j]: of joint j at joint i
    own = np.diagonal(each, axis1=1, axis2=2)
    of_wheels, of_arm = each[:, :, :2].sum(axis=2), each[:, :, 2:].sum(axis=2)
    of_wheels[:, :2] -= own[:, :2]
    of_arm[:, 2:] -= own[:, 2:]
    return {'gravity': terms.gravity, 'own inertia': own, 'inertia of (other) wheels': of_wheels,
            'inertia of (other) arm joints': of_arm, 'Coriolis': terms.coriolis}

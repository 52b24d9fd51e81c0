"""
Paper 002, recomputed: Leohchi & Merticaru, "Dynamic Model of an Anthropomorphic Robot", 2013.

Its eq. 17 with and without the misprints, the load at the tip, and its forward dynamics (eq. 19
by fourth-order Runge-Kutta, Figs. 3 and 4).  The paper gives no numbers: lengths and masses are
those of the URDF, the motion is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from papers.anthropomorphic_equations import (
    ALL, eq_17, JointState, MISPRINTS, RodArm, wrench_on_the_tip)
from papers.tables import (
    largest, ResultTable, root_mean_square, TimeHistory)
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.simulation.integration import simulate, Simulation
from robot_dynamics.simulation.motions import PointToPoint

START = (0.0, 1.2, -0.9)         # rad
GOAL = (1.5, 0.3, 0.6)           # rad
DURATION = 1.5                   # s
STEP = 2e-3                      # s
ASTRAY_DURATION = 0.5            # s; how long the printed torques are let loose
ASTRAY = (0.1, 1.0)              # rad off the plan
LOAD = (3.0, 5.0, -2.0)          # N, F_34 at the tip in DH axes of link 3

FREE_START = (0.0, 0.3, 0.5)     # rad; released with the column turning
FREE_RATE = (2.0, 0.0, 0.0)      # rad/s
FREE_STEPS = (2e-2, 1e-2, 5e-3, 2e-3)  # s
TIP = 'tool0'


@dataclass(frozen=True)
class AnthropomorphicResult:
    """
    What came out; torques and states have one row a sample and one column a joint.

    Attributes
    ----------
    arm : RodArm
        Lengths and masses, read from the URDF.
    joints : tuple of str
    time : ndarray, (T,)
        In s.
    planned : JointState
        The motion whose torques are compared.
    closed_form, dynamics : ndarray, (T, 3)
        Eq. 17 corrected; Newton-Euler on the URDF: N m.
    printed : ndarray, (T, 3)
        Eq. 17 as printed, N m.
    errors : dict of str to ndarray, (T, 3)
        By key of a misprint: what it alone changes, N m.
    load_torque : ndarray, (T, 3)
        What F_34 adds by eq. 17, N m.
    load_differences : dict of str to ndarray, (T, 3)
        The same from the URDF less eq. 17, by the axes in which the force was given.
    driven_right, driven_printed : Simulation
        The arm driven by the right torques, and by those of eq. 17 as printed; the latter only
        from the start, because it leaves the plan soon.
    drift : tuple of (float, float)
        Step in s and energy drift in J of the arm swinging freely.
    free_energy : float
        Kinetic energy that this arm has at its fastest, J.
    """

    arm: RodArm
    joints: Tuple[str, ...]
    time: FloatArray
    planned: JointState
    closed_form: FloatArray
    dynamics: FloatArray
    printed: FloatArray
    errors: Dict[str, FloatArray]
    load_torque: FloatArray
    load_differences: Dict[str, FloatArray]
    driven_right: Simulation
    driven_printed: Simulation
    drift: Tuple[Tuple[float, float], ...]
    free_energy: float

    def tables(self) -> List[ResultTable]:
        """Return corrections, torques, tip load, forward dynamics and energy drift."""
        return [self._corrections(), self._torques(), self._load(), self._forward(),
                self._energy()]

    def findings(self) -> List[str]:
        """Return what to take home."""
        after = self.astray_after(ASTRAY[-1])
        return [
            'Eq. 17 with its misprints corrected and the dynamics of the URDF differ by at most '
            f'{np.abs(self.closed_form - self.dynamics).max():.1e} N m.',
            f'As printed it misses up to {max(largest(self.printed - self.closed_form)):.2f} N m '
            f'where the largest torque is {max(largest(self.closed_form)):.2f} N m.',
            'Forward dynamics by fourth-order Runge-Kutta bring the arm back onto the planned '
            f'motion to {np.abs(self.driven_right.position - self.planned.q).max():.1e} rad.',
            'Driven by the printed torques the arm is '
            + (f'{ASTRAY[-1]:g} rad off its plan after {after:.2f} s.' if after is not None else
               f'{self._distance().max():.2f} rad off its plan '
               f'after {self.driven_printed.time[-1]:.2f} s.'),
            f'Swinging freely with up to {self.free_energy:.1f} J, the arm drifts by '
            f'{self.drift[-1][1]:.1e} J at a step of {1e3 * self.drift[-1][0]:g} ms.']

    def series(self) -> List[TimeHistory]:
        """Return torques and Figs. 3 and 4 as columns."""
        def named(*prefixes: str) -> List[str]:
            return [f'{prefix}.{joint}' for prefix in prefixes for joint in self.joints]
        return [
            TimeHistory('anthropomorphic_torques', ['time_s', *named(
                'right_nm', 'printed_nm', 'tip_load_nm')], np.column_stack([
                    self.time, self.closed_form, self.printed, self.load_torque])),
            TimeHistory('anthropomorphic_figures_3_4', ['time_s', *named(
                'planned_rad', 'planned_rad_s', 'simulated_rad', 'simulated_rad_s')],
                np.column_stack([self.time, self.planned.q, self.planned.qd,
                                 self.driven_right.position, self.driven_right.velocity])),
            TimeHistory('anthropomorphic_astray', ['time_s', *named('rad', 'rad_s')],
                        np.column_stack([self.driven_printed.time, self.driven_printed.position,
                                         self.driven_printed.velocity]))]

    def astray_after(self, limit: float) -> Optional[float]:
        """Return when the printed torques have led a joint so many rad off the plan, s."""
        beyond = self._distance().max(axis=1) > limit
        return float(self.driven_printed.time[np.argmax(beyond)]) if beyond.any() else None

    def _distance(self) -> FloatArray:
        """Return how far each joint is off the plan under the printed torques, (T', 3) rad."""
        run = self.driven_printed
        return np.abs(run.position - self.planned.q[:len(run.time)])

    def _corrections(self) -> ResultTable:
        rows: List[List[Any]] = [
            [misprint.place, misprint.printed, misprint.right, *largest(
                self.errors[misprint.key])] for misprint in MISPRINTS]
        error = self.printed - self.closed_form
        rows += [['17', 'all of these', 'none of these', *largest(error)],
                 ['', '', 'the same, RMS', *root_mean_square(error)],
                 ['', '', 'largest torque', *largest(self.closed_form)]]
        return ResultTable(
            'anthropomorphic_corrections', 'what eq. 17 prints, what is right, and the largest '
            'torque error in N m', ['eq.', 'printed', 'right', *self.joints], rows, '.3f',
            'th23 = th2 + th3; all other terms are right, those of the tip load among them')

    def _torques(self) -> ResultTable:
        rows: List[List[Any]] = []
        for index in (np.array([0.1, 0.3, 0.5, 0.7, 0.9]) * (len(self.time) - 1)).astype(int):
            right, printed = self.closed_form[index], self.printed[index]
            rows += [[f'{self.time[index]:g}', 'right', *right.tolist()],
                     ['', 'eq. 17 as printed', *printed.tolist()],
                     ['', '  less right', *(printed - right).tolist()]]
        rows.append(['', 'URDF less right', *largest(self.dynamics - self.closed_form)])
        return ResultTable('anthropomorphic_torques_at', 'torques in N m at some times; last row: '
                           'largest difference of the second opinion',
                           ['t [s]', '', *self.joints], rows)

    def _load(self) -> ResultTable:
        rows: List[List[Any]] = [['eq. 17, largest', *largest(self.load_torque)]]
        rows += [[f'URDF, force in {frame} axes, less eq. 17', *largest(difference)]
                 for frame, difference in self.load_differences.items()]
        return ResultTable(
            'anthropomorphic_tip_load', f'torque in N m of the tip load F_34 = {LOAD} N',
            ['', *self.joints], rows, '.3g')

    def _forward(self) -> ResultTable:
        run = self.driven_right
        rows: List[List[Any]] = [
            ['right', 'end, position [rad]', *run.position[-1].tolist()],
            ['', 'end, speed [rad/s]', *run.velocity[-1].tolist()],
            ['', 'largest distance from plan [rad]', *largest(run.position - self.planned.q)]]
        for limit in ASTRAY:
            after = self.astray_after(limit)
            if after is not None:
                index = int(np.argmax(self.driven_printed.time >= after))
                rows.append(['as printed', f'distance from plan at {after:g} s [rad]',
                             *self._distance()[index].tolist()])
        rows.append(['planned', 'end, position [rad]', *self.planned.q[-1].tolist()])
        return ResultTable(
            'anthropomorphic_forward', 'Figs. 3 and 4: the arm driven by either torque, '
            'Runge-Kutta of fourth order', ['torques', '', *self.joints], rows, '.4g')

    def _energy(self) -> ResultTable:
        rows = [[1e3 * step, drift, drift / self.free_energy] for step, drift in self.drift]
        return ResultTable(
            'anthropomorphic_energy', 'energy drift of the arm swinging freely',
            ['step [ms]', 'drift [J]', 'of largest kinetic energy'], rows, '.3g')


def compute(duration: float = DURATION, gravity: float = STANDARD_GRAVITY,
            backend: str = 'interpreted',
            progress: Optional[Callable[[str], Any]] = None) -> AnthropomorphicResult:
    """
    Recompute the paper.

    Parameters
    ----------
    duration : float
        Of the motion from start to goal, s.
    gravity : float
        Magnitude, m/s^2; the paper gives none.
    backend : str
        Of the dynamics, 'numba' or 'interpreted'.
    progress : callable, optional
        Told in words what is done next.
    """
    duration = as_scalar('duration', duration, 0.0, 600.0, 's')
    if duration < STEP:
        raise InputError('duration', f'is {duration:g} s, shorter than the step, {STEP:g} s')
    say = progress or (lambda text: None)
    model = RobotModel.from_urdf(resource_path('examples/papers/anthropomorphic_arm.urdf'))
    arm = RodArm.from_model(model, gravity)
    still = BaseMotion.still(gravity)
    plan = PointToPoint(model.joint_names, START, GOAL, duration)
    inverse = InverseDynamics(model, backend=backend)

    def driven(misprints: Any, length: float) -> Simulation:
        def law(t: float, q: FloatArray, qd: FloatArray) -> FloatArray:
            wanted = JointState(*(values[None] for values in plan.sample(t)))
            return eq_17(arm, wanted, misprints=misprints)[0]
        return simulate(model, START, np.zeros(3), law, still, length, step=STEP,
                        backend=backend)

    say('the arm driven by the right torques')
    right = driven((), duration)
    say('the arm driven by the printed torques')
    astray = driven(ALL, min(ASTRAY_DURATION, duration))
    planned = JointState(*plan.sample(right.time))
    closed_form = eq_17(arm, planned)
    say('energy of the arm swinging freely')
    free = [simulate(model, FREE_START, FREE_RATE, None, still, duration, step=step,
                     backend=backend) for step in FREE_STEPS]
    dynamics = inverse.torque(*planned, still)
    return AnthropomorphicResult(
        arm, model.joint_names, right.time, planned, closed_form, dynamics,
        eq_17(arm, planned, misprints=ALL),
        {misprint.key: eq_17(arm, planned, misprints=(misprint.key,)) - closed_form
         for misprint in MISPRINTS},
        eq_17(arm, planned, np.array(LOAD)) - closed_form,
        _load_differences(inverse, arm, planned, still, dynamics, closed_form), right, astray,
        tuple(zip(FREE_STEPS, (run.energy_drift for run in free))),
        float(free[-1].kinetic_energy.max()))


def _load_differences(inverse: InverseDynamics, arm: RodArm, planned: JointState,
                      still: BaseMotion, unloaded: FloatArray,
                      closed_form: FloatArray) -> Dict[str, FloatArray]:
    """Compare the tip load of eq. 17 with an external wrench in link and in base axes."""
    load = np.array(LOAD)
    share = eq_17(arm, planned, load) - closed_form
    wrench = wrench_on_the_tip(load)
    found = {}
    for frame, values in (('link', np.broadcast_to(wrench, (len(planned.q), 6))),
                          ('base', in_base_axes(wrench, planned.q))):
        torque = inverse.torque(*planned, still, {TIP: ExternalWrench(values, frame)})
        found[frame] = torque - unloaded - share
    return found


def in_base_axes(wrench: FloatArray, q: FloatArray) -> FloatArray:
    """Turn a wrench, (6,), from the forearm's axes into base axes, (T, 6), for angles (T, 3)."""
    c1, s1 = np.cos(q[:, 0]), np.sin(q[:, 0])
    c, s = np.cos(q[:, 1] + q[:, 2]), np.sin(q[:, 1] + q[:, 2])
    zero = np.zeros_like(c)
    R = np.stack([c1 * c, -s1, -c1 * s, s1 * c, c1, -s1 * s, s, zero, c], axis=1)
    R = R.reshape(-1, 3, 3)
    return np.hstack([R @ wrench[:3], R @ wrench[3:]])

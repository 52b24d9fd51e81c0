"""
Paper 003, recomputed: Sadraei & Moghaddam, a PA10-6CE on a moving ship.

Figs. 4 and 5 of the paper, its comparison of computing times, and what each of its misprints
would do to the torques.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from papers.pa10_variants import Scene, Variant, VARIANTS
from papers.tables import (
    largest, ResultTable, root_mean_square, TimeHistory)
from papers.timing import MethodTimes, time_methods
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.motions import PAPER_AMPLITUDE, PAPER_PERIOD, Sinusoid

METHODS = ('newton_euler', 'lagrange_euler')

# What the paper states.
GRAVITY = 9.8062                 # m/s^2, eq. 36
RATE = 100.0                     # Hz, Section 4
SECONDS = {'newton_euler': 27.5, 'lagrange_euler': 57.53}  # s in Maple, Section 4
PRINTED_A6 = 12.0                # rad, Table 4

DURATION = 10.0                  # s; the paper does not state the length of its run


@dataclass(frozen=True)
class Reading:
    """One way to read eq. 37 and Table 4, and what the joints would have to do."""

    name: str
    peak_torque: List[float]     # N m
    peak_velocity: List[float]   # rad/s
    lowest: List[float]          # rad
    highest: List[float]         # rad


@dataclass(frozen=True)
class Pa10Result:
    """
    What came out; arrays have one row a sample and one column a joint.

    Attributes
    ----------
    model : RobotModel
    time : ndarray, (T,)
        In s.
    roll_pitch : ndarray, (T, 2)
        Of the ship, rad.
    position : ndarray, (T, nv)
        Of the joints, rad.
    with_ship, without_ship : ndarray, (T, nv)
        Right torques, N m, by Newton-Euler.
    between_methods : ndarray, (T, nv)
        Lagrange-Euler less Newton-Euler on the ship, N m.
    errors : dict of str to ndarray, (T, nv)
        By key of a variant: its torque less the right one, N m.
    readings : list of Reading
    times : MethodTimes or None
    """

    model: RobotModel
    time: FloatArray
    roll_pitch: FloatArray
    position: FloatArray
    with_ship: FloatArray
    without_ship: FloatArray
    between_methods: FloatArray
    errors: Dict[str, FloatArray]
    readings: List[Reading]
    times: Optional[MethodTimes]

    @property
    def joints(self) -> Tuple[str, ...]:
        """Names of the joints."""
        return self.model.joint_names

    def tables(self) -> List[ResultTable]:
        """Return torques, errors, readings and times."""
        found = [self._torques(), self._errors(), self._readings()]
        return found + ([_times(self.times)] if self.times else [])

    def findings(self) -> List[str]:
        """Return what to take home."""
        ship = np.abs(self.with_ship - self.without_ship).max(axis=0)
        most = int(np.argmax(ship))
        dotted = largest(self.errors['eq35_dotted'])
        falls = all(a > b for a, b in zip(dotted, dotted[1:]))
        sentences = [
            f'Fig. 4: the ship changes the torque by up to {ship[most]:.1f} N m '
            f'({self.joints[most]}); that joint needs up to '
            f'{np.abs(self.with_ship[:, most]).max():.1f} N m.',
            'Fig. 5: the two methods differ by at most '
            f'{np.abs(self.between_methods).max():.1e} N m, which is rounding: they are the same '
            'physics.',
            "Where the paper's Fig. 5 shows more than that, one of its methods holds a mistake. "
            f'Eq. 35 with its dots restored would make one of {max(dotted):.2f} N m'
            + (', falling from base to tip as Section 4 describes.' if falls else '.'),
            'Eq. 35 to the letter, angles in place of rates, would make '
            f'{max(largest(self.errors["eq35_as_printed"])):.1f} N m.']
        if self.times:
            ours, theirs = _ratio(self.times.kernel), _ratio(SECONDS)
            sentences.append(
                f'Section 4: Lagrange-Euler takes {ours:.2f} times as long as Newton-Euler here '
                f'(compiled, one torque), {theirs:.2f} times in the paper.')
        return sentences

    def series(self) -> List[TimeHistory]:
        """Return Figs. 4 and 5 as columns."""
        def named(prefix: str) -> List[str]:
            return [f'{prefix}.{joint}' for joint in self.joints]
        return [
            TimeHistory('pa10_figure_4', [
                'time_s', 'roll_rad', 'pitch_rad', *named('position_rad'),
                *named('with_ship_nm'), *named('without_ship_nm')], np.column_stack([
                    self.time, self.roll_pitch, self.position, self.with_ship,
                    self.without_ship])),
            TimeHistory('pa10_figure_5', [
                'time_s', *named('lagrange_less_newton_nm'),
                *(name for key in self.errors for name in named(f'{key}_nm'))],
                np.column_stack([self.time, self.between_methods, *self.errors.values()]))]

    def _torques(self) -> ResultTable:
        rows: List[List[Any]] = []
        for index in sorted({int(round(share * (len(self.time) - 1)))
                             for share in (0.0, 0.1, 0.25, 0.5, 0.73, 1.0)}):
            for ship, torque in (('with', self.with_ship), ('without', self.without_ship)):
                rows.append([f'{self.time[index]:g}', ship, *torque[index].tolist()])
        rows.append(['peak', 'with', *largest(self.with_ship)])
        rows.append(['peak', 'without', *largest(self.without_ship)])
        return ResultTable('pa10_torques', 'Fig. 4: joint torques in N m',
                           ['t [s]', 'ship', *self.joints], rows)

    def _errors(self) -> ResultTable:
        rows: List[List[Any]] = []
        for variant in VARIANTS:
            error = self.errors[variant.key]
            rows.append([variant.printed, variant.right, 'largest', *largest(error)])
            rows.append(['', '', 'RMS', *root_mean_square(error)])
        rows.append(['Lagrange-Euler', 'Newton-Euler', 'largest', *largest(self.between_methods)])
        return ResultTable(
            'pa10_errors', 'what a misprint would change, one at a time: torque error in N m',
            ['as printed', 'right', 'of |error|', *self.joints], rows, '.3g',
            'a is roll, b is pitch; the last row is the difference of the two methods, all right')

    def _readings(self) -> ResultTable:
        rows: List[List[Any]] = []
        for reading in self.readings:
            rows.append([reading.name, 'peak torque [N m]', *reading.peak_torque])
            rows.append(['', 'peak speed [rad/s]', *reading.peak_velocity])
            rows.append(['', 'from [rad]', *reading.lowest])
            rows.append(['', 'to [rad]', *reading.highest])
        rows.append(['limits of the arm', 'speed [rad/s]', *self.model.velocity_limit.tolist()])
        rows.append(['', 'from [rad]', *self.model.lower.tolist()])
        rows.append(['', 'to [rad]', *self.model.upper.tolist()])
        return ResultTable('pa10_readings', 'four readings of eq. 37 and Table 4, on the ship',
                           ['reading', '', *self.joints], rows, '.3f')


def compute(duration: float = DURATION, rate: float = RATE, timing: bool = True,
            backend: str = 'numba',
            progress: Optional[Callable[[str], Any]] = None) -> Pa10Result:
    """
    Recompute the paper.

    Parameters
    ----------
    duration, rate : float
        Length in s and samples per s.
    timing : bool
        Also time both methods; needs the compiled backend.
    backend : str
        Of the dynamics, 'numba' or 'interpreted'.
    progress : callable, optional
        Told in words what is done next.
    """
    duration = as_scalar('duration', duration, 0.0, 3600.0, 's')
    rate = as_scalar('rate', rate, 1.0, 1e5, '1/s')
    if duration * rate < 1.0:
        raise InputError('duration', 'is shorter than one sample; make it or the rate larger')
    say = progress or (lambda text: None)
    model = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))
    dynamics = {method: InverseDynamics(model, method=method, backend=backend)
                for method in METHODS}
    time = np.arange(int(duration * rate + 1e-9) + 1) / rate
    say('torques by both methods')
    scene = _scene(model, dynamics['lagrange_euler'], time, PAPER_AMPLITUDE, True)
    state = scene.q, scene.qd, scene.qdd
    newton = dynamics['newton_euler'].torque(*state, scene.base)
    without = dynamics['newton_euler'].torque(*state, BaseMotion.still(GRAVITY))
    say('each misprint for itself')
    errors = {variant.key: _error(variant, scene) for variant in VARIANTS}
    readings = _all_readings(model, dynamics['lagrange_euler'], time)
    times = None
    if timing and backend == 'numba':
        say('timing both methods')
        times = time_methods(dynamics, *state, scene.base)
    return Pa10Result(model, time, scene.angles, scene.q, newton, without, scene.right - newton,
                      errors, readings, times)


def _scene(model: RobotModel, dynamics: InverseDynamics, time: FloatArray,
           amplitude: Sequence[float], bracket: bool) -> Scene:
    """Return arm and ship over time; eq. 37 read as A cos(wt) - (A if bracket else 1)."""
    motion = Sinusoid(model.joint_names, amplitude, 2 * np.pi / np.array(PAPER_PERIOD))
    q, qd, qdd = motion.sample(time)
    if not bracket:
        q = q + np.array(amplitude) - 1.0
    ship = ShipMotion.regular(gravity_magnitude=GRAVITY).degrees_of_freedom(time)
    return Scene(dynamics, q, qd, qdd, ship[:, 3:5], ship[:, 9:11], ship[:, 15:17], GRAVITY)


def _error(variant: Variant, scene: Scene) -> FloatArray:
    return variant.torque(scene) - scene.right


def _all_readings(model: RobotModel, dynamics: InverseDynamics,
                  time: FloatArray) -> List[Reading]:
    found = []
    for a6, word in ((PAPER_AMPLITUDE[5], 'meant'), (PRINTED_A6, 'printed')):
        for bracket, formula in ((True, 'A (cos wt - 1)'), (False, 'A cos wt - 1')):
            scene = _scene(model, dynamics, time, (*PAPER_AMPLITUDE[:5], a6), bracket)
            found.append(Reading(
                f'{formula}, A6 = {a6:g} ({word})', largest(scene.right), largest(scene.qd),
                scene.q.min(axis=0).tolist(), scene.q.max(axis=0).tolist()))
    return found


def _ratio(seconds: Dict[str, float]) -> float:
    return seconds['lagrange_euler'] / seconds['newton_euler']


def _times(times: MethodTimes) -> ResultTable:
    microseconds = [('one torque, compiled function [us]', times.kernel),
                    ('one torque, torque() [us]', times.call),
                    (f'one of {times.samples} at once [us]', times.batch)]
    rows: List[List[Any]] = [
        [what, *(1e6 * seconds[method] for method in METHODS), _ratio(seconds)]
        for what, seconds in microseconds]
    rows.append(["the paper's run, Maple 15 [s]", *(SECONDS[method] for method in METHODS),
                 _ratio(SECONDS)])
    return ResultTable(
        'pa10_times', 'Section 4: time of both methods', ['', *METHODS, 'ratio'], rows, '.3f',
        'best of several rounds in turns; the paper does not say how many samples its run has')

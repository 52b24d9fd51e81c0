"""The demo of the PA10 on a ship: what it is worth to know how the base moves."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, ClassVar, Dict, List, Mapping, Sequence

import numpy as np

from robot_dynamics.app.demo.configured import configured_imu, configured_ship
from robot_dynamics.app.demo.formatting import milli, shown
from robot_dynamics.app.demo.outcome import Target, Tracking, tracking
from robot_dynamics.app.demo.recording import record
from robot_dynamics.app.demo.runs import Mode, Run
from robot_dynamics.app.demo.summary import tracking_table
from robot_dynamics.app.graph import FRICTION_ERROR_PERCENT
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.control.reference import Reference
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.simulation.motions import demo_sinusoid
from robot_dynamics.simulation.tracking_statistics import TrackingError

OVERALL_TARGET = 15.0  # times smaller than with a fixed base
WORST_JOINT_TARGET = 5.0
STILL_DECK_TARGET = 1.15  # times the error on a still deck
SMALL_ENOUGH = 1e-3  # rad

DURATION = 10.0  # s of the reference, after the feedforward has ramped in

FEEDBACK_ONLY = Mode('feedback_only', 'feedback only', {'base_motion': 'none'})
FIXED_BASE = Mode('fixed_base', 'feedforward, fixed base', {'base_motion': 'fixed'})
MOVING_BASE = Mode('moving_base', 'feedforward, moving base', {'base_motion': 'moving'})
STILL_DECK = Mode('still_deck', 'the same on a still deck',
                  {'base_motion': 'moving', 'still_deck': True})


@dataclasses.dataclass(frozen=True, eq=False)
class Pa10Outcome:
    """What the demo shows."""

    tracking: Tracking
    #: Error on the moving deck minus error on the still deck, of both feedforwards.  On a still
    #: deck the two are the same, so that one run serves both.
    ship_alone: Mapping[str, TrackingError]

    @property
    def ratio_by_joint(self) -> FloatArray:
        """How many times smaller than with a fixed base the error is, (n,)."""
        return self.tracking.ratio_by_joint(FIXED_BASE, MOVING_BASE)

    @property
    def ratio(self) -> float:
        """The same over all joints."""
        return self.tracking.ratio(FIXED_BASE, MOVING_BASE)

    @property
    def ship_alone_ratio(self) -> float:
        """The same of the error that the ship alone induces."""
        return (self.ship_alone[FIXED_BASE.key].overall
                / self.ship_alone[MOVING_BASE.key].overall)

    @property
    def targets(self) -> Sequence[Target]:
        """The targets, met or not."""
        worst = float(self.ratio_by_joint.min())
        moving, still = (self.tracking.errors[mode.key].overall
                         for mode in (MOVING_BASE, STILL_DECK))
        return (
            Target(f'moving base at least {OVERALL_TARGET:g} times better than fixed base',
                   f'{shown(self.ratio)} times', self.ratio >= OVERALL_TARGET),
            Target(f'its worst joint at least {WORST_JOINT_TARGET:g} times',
                   f'{shown(worst)} times', worst >= WORST_JOINT_TARGET),
            Target(f'at most {STILL_DECK_TARGET:g} times the still deck, or '
                   f'{1e3 * SMALL_ENOUGH:g} mrad',
                   f'{moving / still:.3g} times, {1e3 * moving:.3g} mrad',
                   moving <= max(STILL_DECK_TARGET * still, SMALL_ENOUGH)))

    def lines(self) -> List[str]:
        """Return headline and table."""
        alone = [[f'ship alone*: {mode.label.split(", ")[1]}',
                  *milli(self.ship_alone[mode.key].rms),
                  *milli([self.ship_alone[mode.key].overall]), '']
                 for mode in (FIXED_BASE, MOVING_BASE)]
        return [
            _headline(self.tracking.scenario), '',
            tracking_table(self.tracking, Pa10Demo.modes, alone, [
                ['fixed / moving base', *map(shown, self.ratio_by_joint), shown(self.ratio), '']]),
            '', '* error on the moving deck minus error on the still deck: '
            f'{shown(self.ship_alone_ratio)} times smaller with the moving base',
            '  feedback: share of the torque that joint feedback had to supply',
            *_left_over(self.tracking.scenario), '']

    def figures(self) -> Dict[str, Any]:
        """Return what the summary holds beyond tracking."""
        by_joint = self.tracking.by_joint(self.ratio_by_joint)
        return {'ship_alone_rms_rad': self.tracking.rms(self.ship_alone),
                'ratios': {'fixed_over_moving': {**by_joint, 'overall': self.ratio},
                           'fixed_over_moving_ship_alone': self.ship_alone_ratio}}


@dataclasses.dataclass(frozen=True)
class Pa10Demo:
    """Four runs: without feedforward, fixed base, moving base, and that on a still deck."""

    scenario: ShipPa10

    modes: ClassVar[Sequence[Mode]] = (FEEDBACK_ONLY, FIXED_BASE, MOVING_BASE, STILL_DECK)
    figure: ClassVar[str] = 'moving_base.png'

    def warm_up(self, progress: Progress) -> None:
        """Compile what the nodes need."""
        pa10_dynamics(self.scenario).warm_up(
            'torque', 'terms', 'mass_matrix', progress=progress)

    def outcome(self, runs: Mapping[str, Run], progress: Progress) -> Pa10Outcome:
        """Reduce the runs, by the key of their mode, to what the demo shows."""
        result = tracking(runs, self.scenario, demo_sinusoid(),
                          pa10_dynamics(self.scenario, 'interpreted'), FEEDBACK_ONLY)
        still = result.errors[STILL_DECK.key]
        return Pa10Outcome(result, {mode.key: result.errors[mode.key].minus(still)
                                    for mode in (FIXED_BASE, MOVING_BASE)})

    def draw(self, outcome: Pa10Outcome, path: Path) -> None:
        """Draw ship motion, torque by cause and tracking error by mode."""
        from robot_dynamics.app.demo.pa10_figure import draw
        draw(outcome, torque_by_cause(self.scenario), path)

    def record(self, runs: Mapping[str, Run], path: Path) -> str:
        """Record the run with the moving base; its IMU is on the deck."""
        record_on_ship(path, runs[MOVING_BASE.key], demo_sinusoid(), self.scenario.duration)
        return ''


def record_on_ship(path: Path, run: Run, reference: Reference, duration: float) -> None:
    """Record a run, and a reference of so many seconds that it followed, with an IMU on deck."""
    ship, imu = configured_ship(ShipPa10), configured_imu(ShipPa10)
    time = np.arange(0.0, float(run.trace.time[-1]) - run.epoch, 1.0 / imu.rate)
    motion = ship.at(time)
    record(path, resource_path(ShipPa10.DESCRIPTION), run.trace, run.epoch, reference, duration,
           imu, time, [motion[i] for i in range(len(time))], list(ship.pose(time).rotation))


@dataclasses.dataclass(frozen=True, eq=False)
class TorqueByCause:
    """What the reference needs on this ship; time (T,) in s, torques (T, n) in Nm."""

    time: FloatArray
    #: Of the ship, rad, (T,)
    roll: FloatArray
    pitch: FloatArray
    own_motion: FloatArray  #: Inertia and Coriolis of the arm's own motion
    level_gravity: FloatArray  #: Gravity, if the deck were level
    ship: FloatArray  #: What the ship adds: tilted gravity, its acceleration, its rotation


def torque_by_cause(scenario: ShipPa10) -> TorqueByCause:
    """Return what the reference needs on the moving ship, by cause."""
    reference, dynamics = demo_sinusoid(), pa10_dynamics(scenario, 'interpreted')
    ship = configured_ship(ShipPa10)
    time = np.linspace(0.0, scenario.duration, 501)
    q, qd, qdd = reference.sample(time)
    terms = dynamics.terms(q, qd, qdd, ship.at(time))
    level = dynamics.terms(q, qd, qdd, BaseMotion.still(ship.gravity_magnitude)).gravity
    rpy = ship.pose(time).rpy
    return TorqueByCause(
        time, rpy[:, 0], rpy[:, 1], terms.inertia + terms.coriolis + terms.rotor, level,
        terms.gravity - level + terms.base_inertial + terms.base_coriolis)


def pa10_dynamics(scenario: ShipPa10, backend: str = 'numba') -> InverseDynamics:
    """Return the dynamics that the feedforward believes in; some samples need no compiler."""
    plain = RobotModel.from_urdf(str(resource_path(scenario.DESCRIPTION)))
    rotors = scenario.configuration('feedforward')['reflected_rotor_inertia']
    model = plain.with_rotor_inertia(dict(zip(plain.joint_names, rotors)))
    return InverseDynamics(
        model, scenario.method, rotor_inertia=scenario.friction, backend=backend)


def _left_over(scenario: Any) -> List[str]:
    """Return what these figures do not hold for, and what to do about it."""
    if scenario.friction or scenario.mass_error_percent:
        return ['  left: what is not known of the arm; --identify learns it from a minute of work']
    return ['  the model is exact here: --friction --mass-error 10 shows what is left where it is '
            'not, --identify how to learn it']


def _headline(scenario: Any) -> str:
    what = [scenario.method, 'in lockstep' if scenario.lockstep else 'in real time',
            f'{scenario.duration:g} s of the reference']
    if scenario.friction:
        what.append(f'rotors, friction {FRICTION_ERROR_PERCENT:g} % off')
    if scenario.mass_error_percent:
        what.append(f'masses {scenario.mass_error_percent:g} % off')
    return 'PA10 on a moving ship: ' + ', '.join(what)

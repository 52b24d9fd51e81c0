"""The demo of an arm that is not known: before, after a minute of work, and with the truth."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, ClassVar, Dict, List, Mapping, Sequence

import numpy as np

from robot_dynamics.app.demo.formatting import shown
from robot_dynamics.app.demo.outcome import Target, Tracking, tracking
from robot_dynamics.app.demo.pa10 import pa10_dynamics, record_on_ship
from robot_dynamics.app.demo.runs import Mode, Run
from robot_dynamics.app.demo.summary import tracking_table
from robot_dynamics.app.graph import FRICTION_ERROR_PERCENT
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.control.trajectory_file import write_trajectory
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.elements import Inertial
from robot_dynamics.model.identified import Identified, IdentifiedJoint
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.simulation.motions import demo_sinusoid, Work

WORK_DURATION = 60.0  # s
WORK_SPEED = 0.3  # of the joints' limits
TARGET = 3e-3  # rad
TARGET_RATIO = 5.0

WORK = 'work'
BEFORE_FIXED, BEFORE_MOVING = 'before_fixed', 'before_moving'
AFTER_FIXED, AFTER_MOVING, EXACT = 'after_fixed', 'after_moving', 'exact'


@dataclasses.dataclass(frozen=True, eq=False)
class LearningOutcome:
    """What the demo shows."""

    tracking: Tracking  #: Of all runs but the work
    modes: Sequence[Mode]  #: Those runs
    learned: Mapping[str, Any]  #: Summary of the identification

    @property
    def ratio(self) -> float:
        """How many times the moving base helps once the arm is known."""
        errors = self.tracking.errors
        return errors[AFTER_FIXED].overall / errors[AFTER_MOVING].overall

    @property
    def targets(self) -> Sequence[Target]:
        """The targets, met or not."""
        after = self.tracking.errors[AFTER_MOVING].overall
        return (Target(f'learned and with the moving base at most {1e3 * TARGET:g} mrad',
                       f'{1e3 * after:.3g} mrad', after <= TARGET),
                Target(f'and at least {TARGET_RATIO:g} times better than with a fixed base',
                       f'{shown(self.ratio)} times', self.ratio >= TARGET_RATIO))

    def lines(self) -> List[str]:
        """Return headline and table."""
        scenario: Any = self.tracking.scenario
        error = self.learned['torque_error']
        return [
            f'PA10 on a moving ship, masses {scenario.mass_error_percent:g} % off'
            + (f', rotors, friction {FRICTION_ERROR_PERCENT:g} % off' if scenario.friction else '')
            + f': learned from {self.learned["duration_s"]:.0f} s of work', '',
            tracking_table(self.tracking, self.modes), '',
            f'torque error on {self.learned["validation"]}: '
            f'{100 * error["described"]:.3g} % as described, '
            f'{100 * error["with_friction"]:.3g} % with fitted friction, '
            f'{100 * error["identified"]:.3g} % identified', '']

    def figures(self) -> Dict[str, Any]:
        """Return what the summary holds beyond tracking."""
        return {'identification': {key: self.learned[key] for key in (
            'torque_error', 'coverage', 'duration_s', 'identified')},
            'ratios': {'after_fixed_over_moving': self.ratio}}


@dataclasses.dataclass(frozen=True)
class LearningDemo:
    """A minute of work with the wrong model, then the demo's motion before and after learning."""

    scenario: ShipPa10
    directory: Path

    figure: ClassVar[str] = 'learned_arm.png'

    @property
    def modes(self) -> Sequence[Mode]:
        """Return the runs, the work first."""
        work, learned, truth = (str((self.directory / name).absolute()) for name in (
            'work.yaml', 'identified/identified.yaml', 'truth.yaml'))
        return (Mode(WORK, 'a minute of work', {'reference_file': work,
                                                'duration': WORK_DURATION}),
                Mode(BEFORE_FIXED, 'as described, fixed base', {'base_motion': 'fixed'}),
                Mode(BEFORE_MOVING, 'as described, moving base', {}),
                Mode(AFTER_FIXED, 'learned, fixed base', {'base_motion': 'fixed',
                                                          'identified': learned}),
                Mode(AFTER_MOVING, 'learned, moving base', {'identified': learned}),
                Mode(EXACT, 'the true arm, moving base', {'identified': truth}))

    def warm_up(self, progress: Progress) -> None:
        """Compile what the nodes need; write the work and the truth."""
        pa10_dynamics(self.scenario).warm_up(
            'torque', 'terms', 'mass_matrix', progress=progress)
        self.directory.mkdir(parents=True, exist_ok=True)
        write_trajectory(self._work().trajectory(), self.directory / 'work.yaml')
        self._compile(self._truth().write(self.directory / 'truth.yaml'), progress)

    def learn(self, run: Run, progress: Progress) -> None:
        """Record the work as a user would, and identify."""
        from robot_dynamics.identification.identify import identify
        from robot_dynamics.identification.outputs import write_outputs
        description = resource_path(ShipPa10.DESCRIPTION)
        bag = self.directory / 'work.mcap'
        bag.unlink(missing_ok=True)
        record_on_ship(bag, run, self._work(), WORK_DURATION)
        result = identify(bag, description, progress=progress)
        write_outputs(result, self.directory / 'identified', description.read_bytes())
        self._compile(self.directory / 'identified' / 'identified.yaml', progress)

    def outcome(self, runs: Mapping[str, Run], progress: Progress) -> LearningOutcome:
        """Reduce the runs, by the key of their mode, to what the demo shows."""
        import json
        summary = self.directory / 'identified' / 'summary.json'
        shown_runs = {key: run for key, run in runs.items() if key != WORK}
        return LearningOutcome(
            tracking(shown_runs, self.scenario, demo_sinusoid(),
                     pa10_dynamics(self.scenario, 'interpreted')), self.modes[1:],
            json.loads(summary.read_text(encoding='utf-8')))

    def draw(self, outcome: LearningOutcome, path: Path) -> None:
        """Draw the tracking error before, after, and with the truth."""
        from robot_dynamics.app.demo.learning_figure import draw
        draw(outcome, path)

    def record(self, runs: Mapping[str, Run], path: Path) -> str:
        """Nothing more is recorded than the work."""
        return ''

    def _compile(self, identified: Path, progress: Progress) -> None:
        """Compile what a node needs that believes a file, before it has to answer in time."""
        model = ModelChoice(identified=str(identified)).load(resource_path(ShipPa10.DESCRIPTION))
        InverseDynamics(model, self.scenario.method).warm_up(
            'torque', 'terms', 'mass_matrix', 'base_wrench', progress=progress)

    def _work(self) -> Work:
        model = self._model()
        low, high = np.maximum(0.8 * model.lower, -1.8), np.minimum(0.8 * model.upper, 1.8)
        return Work(model.joint_names, low, high, WORK_SPEED * model.velocity_limit,
                    WORK_DURATION)

    def _truth(self) -> Identified:
        """Return the simulated arm as a file of identified parameters would have it."""
        model, scenario = self._model(), self.scenario
        heavier = 1.0 + scenario.mass_error_percent / 100.0
        rough = (1.0 + FRICTION_ERROR_PERCENT / 100.0) * scenario.friction
        rotors = scenario.configuration('feedforward')['reflected_rotor_inertia']
        return Identified(model.name, {
            body.name: Inertial(heavier * body.inertial.mass, body.inertial.com,
                                heavier * body.inertial.inertia) for body in model.bodies}, {
            joint.name: IdentifiedJoint(heavier * rotor * scenario.friction,
                                        rough * joint.damping, rough * joint.friction)
            for joint, rotor in zip(model.joints, rotors)})

    def _model(self) -> RobotModel:
        return RobotModel.from_urdf(str(resource_path(ShipPa10.DESCRIPTION)))

"""The demo of the arm on wheels: what it is worth to compute platform and arm together."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, ClassVar, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from robot_dynamics.app.demo.configured import configured_imu, configured_ship
from robot_dynamics.app.demo.formatting import shown
from robot_dynamics.app.demo.outcome import Target, Tracking, tracking
from robot_dynamics.app.demo.recording import record
from robot_dynamics.app.demo.runs import Mode, Run
from robot_dynamics.app.demo.summary import tracking_table
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.scenarios import MobileScenario
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.forward import ForwardDynamics
from robot_dynamics.dynamics.ground_contact import ground_contact
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.supports.platform_motion import platform_motion
from robot_dynamics.dynamics.uncoupled import UncoupledParts
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.motions import table_3_motion

COUPLING_TARGET = 5.0  # times smaller than with platform and arm computed separately
SAMPLES = 401

FEEDBACK_ONLY = Mode('feedback_only', 'feedback only', {'feedforward': 'none'})
UNCOUPLED = Mode('uncoupled', 'feedforward, platform and arm separately',
                 {'feedforward': 'uncoupled'})
COUPLED = Mode('coupled', 'feedforward, coupled', {'feedforward': 'coupled'})


@dataclasses.dataclass(frozen=True, eq=False)
class MobileOutcome:
    """What the demo shows."""

    tracking: Tracking
    #: (T, 3), by the key of the mode: x, y [m] and heading [rad] of the platform on the ground
    paths: Mapping[str, FloatArray]
    desired_path: FloatArray  #: (N, 3)
    time: FloatArray  #: (N,), of what follows, s
    #: (N, n), torque that the reference needs, and what the separate computation makes of it, N m
    coupled: FloatArray
    uncoupled: FloatArray
    #: Least distance of the zero-moment point from the edge of the support, m
    tipping_margin: float
    friction_needed: float  #: Largest ratio of friction to load at the wheels

    @property
    def ratio_by_joint(self) -> FloatArray:
        """How many times smaller the coupled feedforward makes the error, (n,)."""
        return self.tracking.ratio_by_joint(UNCOUPLED, COUPLED)

    @property
    def ratio(self) -> float:
        """The same over all joints."""
        return self.tracking.ratio(UNCOUPLED, COUPLED)

    @property
    def coupling(self) -> FloatArray:
        """Largest torque that the separate computation misses, (n,), N m."""
        return np.asarray(np.abs(self.coupled - self.uncoupled).max(axis=0))

    @property
    def targets(self) -> Sequence[Target]:
        """The targets, met or not."""
        return (Target(f'coupled at least {COUPLING_TARGET:g} times better than separate',
                       f'{shown(self.ratio)} times', self.ratio >= COUPLING_TARGET),)

    def lines(self) -> List[str]:
        """Return headline and table."""
        scenario: Any = self.tracking.scenario
        return [
            'Mobile manipulator ' + ('on a moving deck' if scenario.deck else 'on level ground')
            + f': {scenario.method}, ' + ('in lockstep' if scenario.lockstep else 'in real time')
            + f', Table 3 as a quintic of {scenario.duration:g} s'
            + (f', masses {scenario.mass_error_percent:g} % off' if scenario.mass_error_percent
               else ''), '',
            tracking_table(self.tracking, MobileDemo.modes, [
                ['separate / coupled', *map(shown, self.ratio_by_joint), shown(self.ratio), ''],
                ['coupling torque [N m]', *(f'{value:.3f}' for value in self.coupling), '', '']]),
            '', f'tipping margin: {1e3 * self.tipping_margin:.1f} mm at least; friction needed at '
            f'the wheels: {self.friction_needed:.2f} of their load']

    def figures(self) -> Dict[str, Any]:
        """Return what the summary holds beyond tracking."""
        by_joint = self.tracking.by_joint
        return {
            'ratios': {'uncoupled_over_coupled': {
                **by_joint(self.ratio_by_joint), 'overall': self.ratio}},
            'largest_coupling_torque_nm': by_joint(self.coupling),
            'largest_torque_nm': by_joint(np.abs(self.coupled).max(axis=0)),
            'final_pose': {key: [float(value) for value in poses[-1]]
                           for key, poses in self.paths.items()},
            'tipping_margin_m': self.tipping_margin,
            'friction_needed': self.friction_needed}


@dataclasses.dataclass(frozen=True)
class MobileDemo:
    """Three runs: without feedforward, platform and arm computed separately, and together."""

    scenario: MobileScenario

    modes: ClassVar[Sequence[Mode]] = (FEEDBACK_ONLY, UNCOUPLED, COUPLED)
    figure: ClassVar[str] = 'mobile_manipulator.png'

    def warm_up(self, progress: Progress) -> None:
        """Compile what the nodes need."""
        robot = demo_robot(self.scenario)
        UncoupledParts(robot).warm_up(
            'torque', 'mass_matrix', 'terms', 'base_wrench', progress=progress)
        simulated = robot if self.scenario.method == 'newton_euler' else demo_robot(
            dataclasses.replace(self.scenario, method='newton_euler'))
        simulated.warm_up('torque', progress=progress)
        ForwardDynamics(simulated.model, support=simulated.support).warm_up(progress)

    def outcome(self, runs: Mapping[str, Run], progress: Progress) -> MobileOutcome:
        """Reduce the runs, by the key of their mode, to what the demo shows."""
        duration = self.scenario.duration
        reference = table_3_motion(duration)
        robot = demo_robot(self.scenario, 'interpreted')
        drive, time = demo_drive(self.scenario), np.linspace(0.0, duration, SAMPLES)
        motion = reference.sample(time)
        desired_path = driven_path(drive, motion.position)
        deck = deck_state(self.scenario, time, desired_path)
        contact = ground_contact(robot, *motion, deck)
        assert contact.normal is not None and contact.tipping_margin is not None
        assert contact.longitudinal is not None
        friction = np.hypot(contact.lateral, np.abs(contact.longitudinal).sum(axis=1))
        return MobileOutcome(
            tracking(runs, self.scenario, reference, robot, FEEDBACK_ONLY),
            {key: driven_path(drive, _moving(run, duration, reference.names))
             for key, run in runs.items()},
            desired_path, time, robot.torque(*motion, deck), _separate(robot, motion, deck),
            float(contact.tipping_margin.min()),
            float((friction / contact.normal[:, :2].sum(axis=1)).max()))

    def draw(self, outcome: MobileOutcome, path: Path) -> None:
        """Draw torques coupled and separate, the path on the ground, and the error by mode."""
        from robot_dynamics.app.demo.mobile_manipulator_figure import draw
        draw(outcome, path)

    def record(self, runs: Mapping[str, Run], path: Path) -> str:
        """Record the coupled run; its IMU is on the platform."""
        run, drive = runs[COUPLED.key], demo_drive(self.scenario)
        reference = table_3_motion(self.scenario.duration)
        ship = configured_deck(self.scenario)
        trace = run.trace.select(reference.names)
        rows = trace.time >= run.epoch
        time = trace.time[rows]
        assert trace.velocity is not None
        qd = trace.velocity[rows]
        qdd, poses = np.gradient(qd, time, axis=0), driven_path(drive, trace.position[rows])
        imu = configured_imu(MobileScenario)
        step = max(1, round(1.0 / (imu.rate * float(np.median(np.diff(time))))))
        motions, rotations = [], []
        for k in range(0, len(time), step):
            deck, R_WD = _deck(ship, float(time[k] - run.epoch))
            motions.append(platform_motion(drive, BaseState(deck, poses[k]), qd[k], qdd[k]))
            R_DO = matrix_from_rpy([0.0, 0.0, poses[k, 2]])
            rotations.append(R_WD @ R_DO @ drive.R_BO.T)
        record(path, resource_path(self.scenario.DESCRIPTION), trace, run.epoch,
               reference, self.scenario.duration, imu, time[::step] - run.epoch, motions,
               rotations)
        return f'--left-wheel {drive.left} --right-wheel {drive.right}'


def demo_robot(scenario: MobileScenario, backend: str = 'numba') -> InverseDynamics:
    """Return the dynamics that the feedforward believes in; some samples need no compiler."""
    return InverseDynamics(
        _model(scenario), scenario.method, backend=backend, support=demo_drive(scenario))


def demo_drive(scenario: MobileScenario) -> DifferentialDrive:
    """Return the drive of the configuration file."""
    wheels = scenario.configuration('feedforward')
    return DifferentialDrive.from_model(
        _model(scenario), wheels['mobile.left_wheel'], wheels['mobile.right_wheel'])


def _model(scenario: MobileScenario) -> RobotModel:
    return RobotModel.from_urdf(str(resource_path(scenario.DESCRIPTION)))


def deck_state(scenario: MobileScenario, time: FloatArray, poses: FloatArray
               ) -> Optional[BaseState]:
    """Return the deck at these times, and poses (T, 3) on it; None for level ground."""
    ship = configured_deck(scenario)
    return None if ship is None else BaseState(ship.at(time), poses)


def configured_deck(scenario: MobileScenario) -> Optional[ShipMotion]:
    """Return the ship of the configuration file that the nodes read; None for level ground."""
    return configured_ship(MobileScenario) if scenario.deck else None


def driven_path(drive: DifferentialDrive, position: FloatArray) -> FloatArray:
    """Pose (T, 3) of a platform that rolls from the origin as its wheels (T, n) turn."""
    wheels = position[:, :2] * drive.signs
    heading = drive.radius / drive.track * (wheels[:, 0] - wheels[:, 1])
    heading -= heading[0]
    way = 0.5 * drive.radius * np.diff(wheels.sum(axis=1))
    middle = 0.5 * (heading[1:] + heading[:-1])
    steps = np.column_stack([way * np.cos(middle), way * np.sin(middle)])
    return np.column_stack([np.vstack([np.zeros(2), np.cumsum(steps, axis=0)]), heading])


def _separate(robot: InverseDynamics, motion: Any, deck: Optional[BaseState]) -> FloatArray:
    parts = UncoupledParts(robot)
    if deck is None:
        return parts.torque(*motion)
    q, qd, qdd = motion
    return np.array([parts.torque(q[k], qd[k], qdd[k], deck[k]) for k in range(len(q))])


def _moving(run: Run, duration: float, names: Sequence[str]) -> FloatArray:
    """Positions (T, n) while the reference moves."""
    series = run.trace.select(names)
    time = series.time - run.epoch
    return series.position[(time >= 0.0) & (time <= duration)]


def _deck(ship: Optional[ShipMotion], time: float) -> Tuple[BaseMotion, FloatArray]:
    """Return motion and rotation of the deck, from its axes to the world's."""
    if ship is None:
        return BaseMotion(), np.eye(3)
    return ship.at(time), np.asarray(ship.pose(time).rotation)

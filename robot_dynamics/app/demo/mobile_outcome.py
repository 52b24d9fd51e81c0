"""From the traces of the mobile manipulator's runs to the figures that are told."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple

import numpy as np

from robot_dynamics.app.demo.mobile_runs import (
    COUPLED, FEEDBACK_ONLY, MobileOptions, MobileRun, UNCOUPLED)
from robot_dynamics.app.demo.outcome import Target
from robot_dynamics.app.demo.recorded import imu_of_configuration
from robot_dynamics.app.demo.runs import PERIOD
from robot_dynamics.app.demo.wording import shown
from robot_dynamics.app.mobile_graph import CONFIGURATION, DESCRIPTION
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.forward import ForwardDynamics
from robot_dynamics.dynamics.ground_contact import ground_contact
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.uncoupled import UncoupledParts
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.mobile_motions import table_3_motion
from robot_dynamics.simulation.tracking_statistics import tracking_error, TrackingError
import yaml

COUPLING_TARGET = 5.0  # times smaller than with platform and arm computed separately
SAMPLES = 401


@dataclasses.dataclass(frozen=True, eq=False)
class MobileOutcome:
    """
    What the demo shows; by the key of the mode where there is one for each.

    Attributes
    ----------
    options : MobileOptions
    joints : tuple of str
    errors : mapping of str to TrackingError
    paths : mapping of str to ndarray, (T, 3)
        x, y [m] and heading [rad] of the platform on the ground.
    desired_path : ndarray, (N, 3)
    time : ndarray, (N,)
        Of what follows, s.
    coupled, uncoupled : ndarray, (N, n)
        Torque that the reference needs, and what the separate computation makes of it, N m.
    tipping_margin : float
        Least distance of the zero-moment point from the edge of the support, m.
    friction_needed : float
        Largest ratio of friction to load at the wheels.
    feedback_share : mapping of str to float
        Root mean square of the feedback's torque over that of the whole torque.
    rate : mapping of str to float
        Joint states per second of the simulated time.
    missed_cycles : mapping of str to int
    wall_time : mapping of str to float
    """

    options: MobileOptions
    joints: Tuple[str, ...]
    errors: Mapping[str, TrackingError]
    paths: Mapping[str, FloatArray]
    desired_path: FloatArray
    time: FloatArray
    coupled: FloatArray
    uncoupled: FloatArray
    tipping_margin: float
    friction_needed: float
    feedback_share: Mapping[str, float]
    rate: Mapping[str, float]
    missed_cycles: Mapping[str, int]
    wall_time: Mapping[str, float]

    @property
    def ratio_by_joint(self) -> FloatArray:
        """How many times smaller the coupled feedforward makes the error, (n,)."""
        return self.errors[UNCOUPLED.key].rms / self.errors[COUPLED.key].rms

    @property
    def ratio(self) -> float:
        """The same over all joints."""
        return self.errors[UNCOUPLED.key].overall / self.errors[COUPLED.key].overall

    @property
    def targets(self) -> Sequence[Target]:
        """The targets, met or not."""
        return (Target(f'coupled at least {COUPLING_TARGET:g} times better than separate',
                       f'{shown(self.ratio)} times', self.ratio >= COUPLING_TARGET),)


def mobile_outcome(runs: Mapping[str, MobileRun], options: MobileOptions) -> MobileOutcome:
    """Reduce the runs, by the key of their mode, to what the demo shows."""
    reference, robot = table_3_motion(options.duration), demo_robot(options)
    drive, time = demo_drive(), np.linspace(0.0, options.duration, SAMPLES)
    motion = reference.sample(time)
    desired_path = driven_path(drive, motion.position)
    deck = deck_state(options, time, desired_path)
    contact = ground_contact(robot, *motion, deck)
    assert contact.normal is not None and contact.tipping_margin is not None
    assert contact.longitudinal is not None
    friction = np.hypot(contact.lateral, np.abs(contact.longitudinal).sum(axis=1))
    steps = {key: np.diff(run.trace.time) for key, run in runs.items()}
    return MobileOutcome(
        options, tuple(reference.names),
        {key: tracking_error(run.trace, reference, run.epoch, 0.0, options.duration)
         for key, run in runs.items()},
        {key: driven_path(drive, _moving(run, options, reference.names))
         for key, run in runs.items()},
        desired_path, time, robot.torque(*motion, deck), _separate(robot, motion, deck),
        float(contact.tipping_margin.min()),
        float((friction / contact.normal[:, :2].sum(axis=1)).max()),
        {key: 1.0 if key == FEEDBACK_ONLY.key else _feedback_share(run, reference, robot, options)
         for key, run in runs.items()},
        {key: float(1.0 / step.mean()) for key, step in steps.items()},
        {key: int(np.round(step / PERIOD - 1.0).sum()) for key, step in steps.items()},
        {key: run.wall_time for key, run in runs.items()})


def demo_drive() -> DifferentialDrive:
    """Return the drive of the configuration file."""
    wheels = _configuration()['/**']['ros__parameters']
    return DifferentialDrive.from_model(
        _demo_model(), wheels['mobile.left_wheel'], wheels['mobile.right_wheel'])


def demo_robot(options: MobileOptions) -> InverseDynamics:
    """Return the dynamics that the feedforward believes in."""
    return InverseDynamics(_demo_model(), options.method, support=demo_drive())


def _demo_model() -> RobotModel:
    return RobotModel.from_urdf(str(resource_path(DESCRIPTION)))


def warm_up(options: MobileOptions, progress: Callable[[str], Any]) -> None:
    """Compile all that the nodes of the demo will load."""
    robot = demo_robot(options)
    robot.warm_up('torque', 'mass_matrix', 'terms', 'base_wrench', progress=progress)
    UncoupledParts(robot).warm_up(progress)
    simulated = robot if options.method == 'newton_euler' else demo_robot(
        dataclasses.replace(options, method='newton_euler'))
    simulated.warm_up('torque', progress=progress)
    ForwardDynamics(simulated.model, support=simulated.support).warm_up(progress)


def deck_state(options: MobileOptions, time: FloatArray, poses: FloatArray
               ) -> Optional[BaseState]:
    """Return the deck at these times, and poses (T, 3) on it; None for level ground."""
    ship = configured_deck(options)
    return None if ship is None else BaseState(ship.at(time), poses)


def configured_deck(options: MobileOptions) -> Optional[ShipMotion]:
    """Return the ship of the configuration file that the nodes read; None for level ground."""
    if not options.deck:
        return None
    common = _configuration()['/**']['ros__parameters']
    return ShipMotion.from_parameters({
        name[len('ship.'):]: value for name, value in common.items()
        if name.startswith('ship.')})


def configured_imu() -> ImuConfig:
    """Return the IMU of the configuration file."""
    return imu_of_configuration(_configuration()['/**']['ros__parameters'])


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


def _moving(run: MobileRun, options: MobileOptions, names: Sequence[str]) -> FloatArray:
    """Positions (T, n) while the reference moves."""
    series = run.trace.select(names)
    time = series.time - run.epoch
    return series.position[(time >= 0.0) & (time <= options.duration)]


def _feedback_share(run: MobileRun, reference: Any, robot: InverseDynamics,
                    options: MobileOptions) -> float:
    """Return RMS of M_ii (w^2 e + 2 z w e') over RMS of the torque, in the window."""
    gains = _configuration()['/**/feedforward']['ros__parameters']
    frequency, damping = gains['natural_frequency'][0], gains['damping_ratio'][0]
    series = run.trace.select(reference.names)
    time = series.time - run.epoch
    inside = (time >= 0.0) & (time <= options.duration)
    desired = reference.sample(time[inside])
    inertia = np.diagonal(robot.mass_matrix(series.position[inside]), axis1=1, axis2=2)
    assert series.velocity is not None and series.effort is not None
    feedback = inertia * (
        frequency**2 * (desired.position - series.position[inside])
        + 2.0 * damping * frequency * (desired.velocity - series.velocity[inside]))
    return float(np.sqrt(np.mean(feedback**2) / np.mean(series.effort[inside]**2)))


def _configuration() -> Dict[str, Any]:
    return dict(yaml.safe_load(resource_path(CONFIGURATION).read_text(encoding='utf-8')))

"""From the traces of the runs to the figures that are told."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Mapping, Sequence, Tuple

import numpy as np

from robot_dynamics.app.demo.recorded import imu_of_configuration
from robot_dynamics.app.demo.runs import (
    DemoOptions, FEEDBACK_ONLY, FIXED_BASE, MODES, MOVING_BASE, PERIOD, Run, STILL_DECK)
from robot_dynamics.app.demo.wording import shown
from robot_dynamics.app.graph import CONFIGURATION, DESCRIPTION
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.motions import paper_sinusoid
from robot_dynamics.simulation.tracking_statistics import tracking_error, TrackingError
import yaml

OVERALL_TARGET = 15.0  # times smaller than with a fixed base
WORST_JOINT_TARGET = 5.0
STILL_DECK_TARGET = 1.15  # times the error on a still deck
SMALL_ENOUGH = 1e-3  # rad


@dataclasses.dataclass(frozen=True)
class Target:
    """One target: what, the measured value in words, and whether it is met."""

    text: str
    value: str
    met: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Outcome:
    """
    What the demo shows.

    Attributes
    ----------
    options : DemoOptions
    joints : tuple of str
    errors : mapping of str to TrackingError
        By the key of the mode.
    ship_alone : mapping of str to TrackingError
        Error on the moving deck minus error on the still deck, of both feedforwards.  On a still
        deck the two are the same, so that one run serves both.
    feedback_share : mapping of str to float
        Root mean square of the feedback's torque over that of the whole torque, by mode.
    rate : mapping of str to float
        Joint states per second of the simulated time, by mode.
    missed_cycles : mapping of str to int
    wall_time : mapping of str to float
    """

    options: DemoOptions
    joints: Tuple[str, ...]
    errors: Mapping[str, TrackingError]
    ship_alone: Mapping[str, TrackingError]
    feedback_share: Mapping[str, float]
    rate: Mapping[str, float]
    missed_cycles: Mapping[str, int]
    wall_time: Mapping[str, float]

    @property
    def ratio_by_joint(self) -> FloatArray:
        """How many times smaller than with a fixed base the error is, (n,)."""
        return self.errors[FIXED_BASE.key].rms / self.errors[MOVING_BASE.key].rms

    @property
    def ratio(self) -> float:
        """The same over all joints."""
        return self.errors[FIXED_BASE.key].overall / self.errors[MOVING_BASE.key].overall

    @property
    def ship_alone_ratio(self) -> float:
        """The same of the error that the ship alone induces."""
        return (self.ship_alone[FIXED_BASE.key].overall
                / self.ship_alone[MOVING_BASE.key].overall)

    @property
    def targets(self) -> Sequence[Target]:
        """The targets, met or not."""
        worst = float(self.ratio_by_joint.min())
        moving, still = (self.errors[mode.key].overall for mode in (MOVING_BASE, STILL_DECK))
        return (
            Target(f'moving base at least {OVERALL_TARGET:g} times better than fixed base',
                   f'{shown(self.ratio)} times', self.ratio >= OVERALL_TARGET),
            Target(f'its worst joint at least {WORST_JOINT_TARGET:g} times',
                   f'{shown(worst)} times', worst >= WORST_JOINT_TARGET),
            Target(f'at most {STILL_DECK_TARGET:g} times the still deck, or '
                   f'{1e3 * SMALL_ENOUGH:g} mrad',
                   f'{moving / still:.3g} times, {1e3 * moving:.3g} mrad',
                   moving <= max(STILL_DECK_TARGET * still, SMALL_ENOUGH)))


@dataclasses.dataclass(frozen=True, eq=False)
class TorqueByCause:
    """
    What the reference needs on this ship; time (T,) in s, torques (T, n) in Nm.

    Attributes
    ----------
    time : ndarray
    roll, pitch : ndarray
        Of the ship, rad, (T,).
    own_motion : ndarray
        Inertia and Coriolis of the arm's own motion.
    level_gravity : ndarray
        Gravity, if the deck were level.
    ship : ndarray
        What the ship adds: tilted gravity, its acceleration, its rotation.
    """

    time: FloatArray
    roll: FloatArray
    pitch: FloatArray
    own_motion: FloatArray
    level_gravity: FloatArray
    ship: FloatArray


def outcome(runs: Mapping[str, Run], options: DemoOptions) -> Outcome:
    """Reduce the runs, by the key of their mode, to what the demo shows."""
    reference = paper_sinusoid()
    dynamics = pa10_dynamics(options)
    errors = {key: tracking_error(run.trace, reference, run.epoch, 0.0, options.duration)
              for key, run in runs.items()}
    still = errors[STILL_DECK.key]
    steps = {key: np.diff(run.trace.time) for key, run in runs.items()}
    return Outcome(
        options, tuple(reference.names), errors,
        {mode.key: errors[mode.key].minus(still) for mode in (FIXED_BASE, MOVING_BASE)},
        {mode.key: 1.0 if mode is FEEDBACK_ONLY else _feedback_share(
            runs[mode.key], reference, dynamics, options) for mode in MODES},
        {key: float(1.0 / step.mean()) for key, step in steps.items()},
        {key: int(np.round(step / PERIOD - 1.0).sum()) for key, step in steps.items()},
        {key: run.wall_time for key, run in runs.items()})


def torque_by_cause(options: DemoOptions) -> TorqueByCause:
    """Return what the reference needs on the moving ship, by cause."""
    reference, dynamics, ship = paper_sinusoid(), pa10_dynamics(options), configured_ship()
    time = np.linspace(0.0, options.duration, 501)
    q, qd, qdd = reference.sample(time)
    terms = dynamics.terms(q, qd, qdd, ship.at(time))
    level = dynamics.terms(q, qd, qdd, BaseMotion.still(ship.gravity_magnitude)).gravity
    rpy = ship.pose(time).rpy
    return TorqueByCause(
        time, rpy[:, 0], rpy[:, 1], terms.inertia + terms.coriolis + terms.rotor, level,
        terms.gravity - level + terms.base_inertial + terms.base_coriolis)


def pa10_dynamics(options: DemoOptions) -> InverseDynamics:
    """Return the dynamics that the feedforward believes in."""
    model = RobotModel.from_urdf(str(resource_path(DESCRIPTION)))
    rotors = _configuration()['/**']['ros__parameters']['reflected_rotor_inertia']
    return InverseDynamics(
        model, options.method,
        rotor_inertia=dict(zip(model.joint_names, rotors)) if options.friction else False)


def configured_ship() -> ShipMotion:
    """Return the ship of the configuration file that the nodes read."""
    common = _configuration()['/**']['ros__parameters']
    return ShipMotion.from_parameters({
        name[len('ship.'):]: value for name, value in common.items()
        if name.startswith('ship.')})


def configured_imu() -> ImuConfig:
    """Return the IMU of the configuration file that the nodes read."""
    return imu_of_configuration(_configuration()['/**/ship_motion_publisher']['ros__parameters'])


def _feedback_share(run: Run, reference: Any, dynamics: InverseDynamics,
                    options: DemoOptions) -> float:
    """Return RMS of M_ii (w^2 e + 2 z w e') over RMS of the torque, in the window."""
    gains = _configuration()['/**/feedforward']['ros__parameters']
    frequency, damping = gains['natural_frequency'][0], gains['damping_ratio'][0]
    series = run.trace.select(reference.names)
    time = series.time - run.epoch
    inside = (time >= 0.0) & (time <= options.duration)
    desired = reference.sample(time[inside])
    inertia = np.diagonal(dynamics.mass_matrix(series.position[inside]), axis1=1, axis2=2)
    assert series.velocity is not None and series.effort is not None
    feedback = inertia * (
        frequency**2 * (desired.position - series.position[inside])
        + 2.0 * damping * frequency * (desired.velocity - series.velocity[inside]))
    return float(np.sqrt(np.mean(feedback**2) / np.mean(series.effort[inside]**2)))


def _configuration() -> Dict[str, Any]:
    text = resource_path(CONFIGURATION).read_text(encoding='utf-8')
    return dict(yaml.safe_load(text))

"""What the feedforward may know of the base, from everything to nothing, and runs that show it."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, List, Mapping, Optional, Tuple

import numpy as np

from robot_dynamics.app.demo.reduced_estimators import (
    BackwardDifference, ExactMotion, WithoutAccelerometer, WithoutAngularAcceleration,
    WithoutPrediction)
from robot_dynamics.app.demo.runs import Mode
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.control.command import Command
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.estimation.estimators import ADAPTIVE, make_estimator, SAVITZKY_GOLAY
from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.closed_loop import ClosedLoop, run_closed_loop

Make = Callable[[ShipMotion, Any, int], Optional[BaseMotionSource]]


def _adaptive(*_: Any) -> BaseMotionSource:
    return make_estimator(ADAPTIVE)


@dataclasses.dataclass(frozen=True, eq=False)
class Variant:
    """One way of knowing the base."""

    key: str  #: In summary.json
    label: str  #: In table and figure
    #: ``make(ship, point, epoch_ns)`` returns the estimator; None where the base is believed to be
    #: fixed
    make: Make
    changes: Optional[Mapping[str, Any]] = None  #: To the scenario where it is also run over DDS

    @property
    def mode(self) -> Mode:
        """How it is run over DDS."""
        return Mode(self.key, self.label, self.changes or {})


FIXED = Variant('fixed_base', 'nothing: the base is believed fixed', lambda *_: None,
                {'base_motion': 'fixed', 'estimator': ADAPTIVE})
EXACT = Variant('exact', 'exact base motion', ExactMotion)
OURS = Variant('ours', 'adaptive estimator with prediction', _adaptive,
               {'base_motion': 'moving', 'estimator': ADAPTIVE})
SIMPLE = Variant('savitzky_golay', 'simple derivative, Savitzky-Golay',
                 lambda *_: make_estimator(SAVITZKY_GOLAY),
                 {'base_motion': 'moving', 'estimator': SAVITZKY_GOLAY})
DIFFERENCE = Variant('backward_difference', 'simple derivative, backward difference',
                     lambda *_: BackwardDifference())
NO_PREDICTION = Variant('without_prediction', 'adaptive, without prediction',
                        lambda *_: WithoutPrediction(_adaptive()))
NO_ANGULAR = Variant('without_angular_acceleration', 'adaptive, without angular acceleration',
                     lambda *_: WithoutAngularAcceleration(_adaptive()))
NO_FORCE = Variant('without_accelerometer', 'adaptive, without the accelerometer',
                   lambda *_: WithoutAccelerometer(_adaptive()))
VARIANTS: Tuple[Variant, ...] = (
    EXACT, OURS, SIMPLE, DIFFERENCE, NO_PREDICTION, NO_ANGULAR, NO_FORCE, FIXED)


@dataclasses.dataclass(frozen=True, eq=False)
class VariantRun:
    """What came of one run in plain objects, over the window of the reference."""

    tracking: float  #: RMS over all joints, rad
    #: RMS over all joints of the feedforward minus that of the exact base motion, Nm
    torque: float
    #: RMS of the change of that difference from one command to the next, at the joint where it is
    #: largest, Nm
    step: float
    time: FloatArray  #: (T,), from the start of the reference, s
    error: FloatArray  #: (T,), tracking error, RMS over the joints, rad


def ship_of(scenario: ShipPa10) -> ShipMotion:
    """Return the ship that the nodes build of the same scenario."""
    return ShipMotion.irregular(scenario.sea_state) if scenario.sea_state else ShipMotion.regular()


def run_variant(variant: Variant, model: Any, scenario: ShipPa10) -> VariantRun:
    """
    Run the demo's loop without ROS, with one way of knowing the base.

    IMU, feedback, jitter and reference are those of the nodes.
    """
    ship, point = ship_of(scenario), (scenario.base_distance, 0.0, 0.0)
    begin, end = scenario.lead_in, scenario.lead_in + scenario.duration
    plain = ClosedLoop()
    loop = dataclasses.replace(
        plain, reference_start=begin, ship_epoch=begin, duration=end,
        robot=dataclasses.replace(plain.robot, base_point=point,
                                  mass_error_percent=scenario.mass_error_percent),
        feedforward=dataclasses.replace(
            plain.feedforward, method=scenario.method,
            base_motion='fixed' if variant is FIXED else 'moving'))
    commands: List[Command] = []
    result = run_closed_loop(model, ship, loop, watch=commands.append,
                             estimator=variant.make(ship, point, loop.epoch_ns))
    inside = (result.time >= begin) & (result.time < end)
    error = np.sqrt(((result.desired - result.position)[inside]**2).mean(axis=1))
    wrong = _wrong_torque(commands, model, ship, point, loop)
    return VariantRun(
        math.sqrt(float(np.mean(error**2))), math.sqrt(float(np.mean(wrong**2))),
        float(np.sqrt(np.mean(np.diff(wrong, axis=0)**2, axis=0)).max()),
        result.time[inside] - begin, error)


def _wrong_torque(commands: List[Command], model: Any, ship: ShipMotion, point: Any,
                  loop: ClosedLoop) -> FloatArray:
    """Return feedforward minus what the exact base motion needs, (T, n), Nm."""
    time = 1e-9 * (np.array([command.acts_at_ns for command in commands]) - loop.epoch_ns)
    inside = time >= 0.0
    given = np.array([command.effort - command.feedback for command in commands])[inside]
    q, qd, qdd = [np.array([getattr(command, f'desired_{name}') for command in commands])[inside]
                  for name in ('position', 'velocity', 'acceleration')]
    dynamics = InverseDynamics(model, loop.feedforward.method,
                               rotor_inertia=loop.feedforward.rotor_inertia)
    needed: FloatArray = dynamics.torque(q, qd, qdd, ship.at(time[inside], point))
    return given - needed

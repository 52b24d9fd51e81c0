"""From the traces of the runs to figures: tracking error, share of the feedback, missed cycles."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, ClassVar, Dict, Mapping, Optional, Protocol, Sequence, Tuple

import numpy as np

from robot_dynamics.app.demo.runs import Mode, period, Run
from robot_dynamics.app.graph import Simulation
from robot_dynamics.app.progress import Progress
from robot_dynamics.control.feedback_inertia import FeedbackInertia
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.reference import Reference
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.simulation.tracking_statistics import tracking_error, TrackingError


@dataclasses.dataclass(frozen=True)
class Target:
    """One target: what, the measured value in words, and whether it is met."""

    text: str
    value: str
    met: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Tracking:
    """How well the robot tracked, by the key of the mode where there is one for each."""

    scenario: Simulation
    joints: Tuple[str, ...]
    errors: Mapping[str, TrackingError]
    #: Root mean square of the feedback's torque over that of the whole torque
    feedback_share: Mapping[str, float]
    rate: Mapping[str, float]  #: Joint states per second of the simulated time
    missed_cycles: Mapping[str, int]
    wall_time: Mapping[str, float]

    def ratio_by_joint(self, worse: Mode, better: Mode) -> FloatArray:
        """How many times smaller the error of one mode is than that of another, (n,)."""
        return self.errors[worse.key].rms / self.errors[better.key].rms

    def ratio(self, worse: Mode, better: Mode) -> float:
        """Return the same over all joints."""
        return self.errors[worse.key].overall / self.errors[better.key].overall

    def by_joint(self, values: Any) -> Dict[str, float]:
        """Return one value per joint under its name."""
        return {name: float(value) for name, value in zip(self.joints, np.asarray(values))}

    def rms(self, errors: Mapping[str, TrackingError]) -> Dict[str, Dict[str, float]]:
        """Return the errors as root mean squares, each joint and over all, rad."""
        return {key: {**self.by_joint(error.rms), 'overall': error.overall}
                for key, error in errors.items()}


class Outcome(Protocol):
    """What a demo shows: as text, and as what summary.json holds; angles in rad, times in s."""

    @property
    def tracking(self) -> Tracking:
        """Return how well the robot tracked in the runs."""

    @property
    def targets(self) -> Sequence[Target]:
        """Return the targets, met or not."""

    def lines(self) -> Sequence[str]:
        """Return what is printed above the targets."""

    def figures(self) -> Mapping[str, Any]:
        """Return what summary.json holds beside tracking and targets."""


class Demo(Protocol):
    """A scenario, the runs that it is varied in, and what is made of them."""

    figure: ClassVar[str]  #: Name of the file that :meth:`draw` writes

    @property
    def modes(self) -> Sequence[Mode]:
        """Return the runs that are made."""

    @property
    def scenario(self) -> Any:
        """Return what is varied, a Simulation."""

    def warm_up(self, progress: Progress) -> None:
        """Compile what nodes and outcome need, so that the nodes find the kernels on disk."""

    def outcome(self, runs: Mapping[str, Run], progress: Progress) -> Any:
        """Reduce the runs, by the key of their mode, to what the demo shows."""

    def draw(self, outcome: Any, path: Path) -> None:
        """Draw the figure."""

    def record(self, runs: Mapping[str, Run], path: Path) -> str:
        """Write the run with the right model as a recording; return the options to analyse it."""


def tracking(runs: Mapping[str, Run], scenario: Simulation, reference: Reference,
             dynamics: InverseDynamics,
             feedback_only: Optional[Mode] = None) -> Tracking:
    """
    Reduce runs, by the key of their mode, to how well they tracked.

    Parameters
    ----------
    dynamics : InverseDynamics
        Of the robot in the order of the reference; its inertia scales the feedback.
    feedback_only : Mode, optional
        In which all of the torque is feedback.
    """
    steps = {key: np.diff(run.trace.time) for key, run in runs.items()}
    cycle = period(scenario)
    return Tracking(
        scenario, tuple(reference.names),
        {key: tracking_error(run.trace, reference, run.epoch, 0.0, scenario.duration)
         for key, run in runs.items()},
        {key: 1.0 if feedback_only is not None and key == feedback_only.key
         else _feedback_share(run, scenario, reference, dynamics)
         for key, run in runs.items()},
        {key: float(1.0 / step.mean()) for key, step in steps.items()},
        {key: int(np.round(step / cycle - 1.0).sum()) for key, step in steps.items()},
        {key: run.wall_time for key, run in runs.items()})


def _feedback_share(run: Run, scenario: Simulation, reference: Reference,
                    dynamics: InverseDynamics) -> float:
    """Return RMS of m_i (w^2 e + 2 z w e') over RMS of the torque, in the window."""
    gains = scenario.feedforward_parameters()
    frequency, damping = gains['natural_frequency'][0], gains['damping_ratio'][0]
    series = run.trace.select(reference.names)
    time = series.time - run.epoch
    inside = (time >= 0.0) & (time <= scenario.duration)
    desired = reference.sample(time[inside])
    ratio = gains.get('feedback_inertia_ratio', FeedforwardConfig().feedback_inertia_ratio)
    inertia = FeedbackInertia(dynamics, ratio).at(series.position[inside])
    assert series.velocity is not None and series.effort is not None
    feedback = inertia * (
        frequency**2 * (desired.position - series.position[inside])
        + 2.0 * damping * frequency * (desired.velocity - series.velocity[inside]))
    return float(np.sqrt(np.mean(feedback**2) / np.mean(series.effort[inside]**2)))

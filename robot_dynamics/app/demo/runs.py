"""The runs of a demo: a scenario of the graph, varied, each as processes to its end."""

from __future__ import annotations

import dataclasses
from pathlib import Path
import time
from typing import Any, Callable, Mapping

from robot_dynamics.app.demo.processes import ProcessGroup
from robot_dynamics.app.domain import reserved_domain
from robot_dynamics.app.graph import LOCKSTEP_EPOCH, Simulation
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.simulation.run_trace import read_trace, trace_rows

START_WITHIN = 15.0  # s that the nodes get to start before the epoch in real time
LONGEST = 300.0  # s of wall time for one run of the demo's length
USUAL = 10.0  # s


@dataclasses.dataclass(frozen=True, eq=False)
class Mode:
    """One of the runs of a demo."""

    key: str  #: In summary.json
    label: str  #: In table and figure
    changes: Mapping[str, Any]  #: To the fields of the scenario


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """What came of one run."""

    mode: Mode
    trace: JointSeries  #: Every state of the robot
    epoch: float  #: Start of ship and reference on the clock of the trace, s
    wall_time: float  #: How long the run took, s


def make_run(mode: Mode, scenario: Simulation, directory: Path,
             progress: Callable[[float], None]) -> Run:
    """
    Run one mode of a scenario to its end, as processes in a DDS domain of their own.

    Parameters
    ----------
    mode, scenario
        What is run.
    directory : Path
        For logs and the trace.
    progress : callable
        Told how much is done, 0 to 1.

    Raises
    ------
    ProcessFailure
        If a node dies.
    """
    begin = time.monotonic()
    directory.mkdir(parents=True, exist_ok=True)
    trace_file = directory / 'trace.bin'
    trace_file.unlink(missing_ok=True)
    before = scenario.lead_in if scenario.lockstep else START_WITHIN
    varied = dataclasses.replace(
        scenario, **mode.changes, trace_file=str(trace_file), epoch=(
            LOCKSTEP_EPOCH if scenario.lockstep else round(time.time() + before, 3)))
    joints = len(scenario.configuration('feedforward')['joints'])
    rows = (before + varied.duration) / period(scenario)
    with reserved_domain() as (_, environment):
        with ProcessGroup(varied.processes(), environment, directory) as group:
            group.wait_for('simulated_robot', LONGEST * max(1.0, varied.duration / USUAL),
                           lambda: progress(trace_rows(trace_file, joints) / rows))
    return Run(mode, read_trace(trace_file), varied.epoch, time.monotonic() - begin)


def period(scenario: Simulation) -> float:
    """Return the time between states of the simulated robot, s."""
    return float(scenario.configuration('simulated_robot')['period'])

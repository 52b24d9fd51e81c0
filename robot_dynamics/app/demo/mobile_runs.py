"""The runs of the mobile manipulator's demo, and how one of them is made."""

from __future__ import annotations

import dataclasses
from pathlib import Path
import time
from typing import Callable, Tuple

from robot_dynamics.app.demo.processes import ProcessGroup
from robot_dynamics.app.demo.runs import LONGEST, PERIOD
from robot_dynamics.app.domain import reserved_domain
from robot_dynamics.app.mobile_graph import MobileScenario
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.simulation.mobile_motions import MOBILE_JOINTS, TABLE_3_DURATION
from robot_dynamics.simulation.run_trace import read_trace, trace_rows

START_WITHIN = 15.0  # s that the nodes get to start before the epoch in real time


@dataclasses.dataclass(frozen=True)
class MobileMode:
    """
    One of the runs.

    Attributes
    ----------
    key : str
        In summary.json.
    label : str
        In table and figure.
    feedforward : str
        As in :class:`~robot_dynamics.app.mobile_graph.MobileScenario`.
    """

    key: str
    label: str
    feedforward: str


FEEDBACK_ONLY = MobileMode('feedback_only', 'feedback only', 'none')
UNCOUPLED = MobileMode('uncoupled', 'feedforward, platform and arm separately', 'uncoupled')
COUPLED = MobileMode('coupled', 'feedforward, coupled', 'coupled')
MOBILE_MODES: Tuple[MobileMode, ...] = (FEEDBACK_ONLY, UNCOUPLED, COUPLED)


@dataclasses.dataclass(frozen=True)
class MobileOptions:
    """
    What the user may choose.

    Attributes
    ----------
    method : str
        ``newton_euler`` or ``lagrange_euler``.
    deck : bool
        On the deck of a ship, instead of level ground.
    imu_on : str
        ``deck`` or ``platform``: what the IMU is bolted to.
    mass_error_percent : float
        By how much the simulated robot is heavier than the feedforward believes.
    real_time : bool
        At the pace of the clock instead of in lockstep.
    duration : float
        Of the reference, s.
    """

    method: str = 'newton_euler'
    deck: bool = False
    imu_on: str = 'deck'
    mass_error_percent: float = 0.0
    real_time: bool = False
    duration: float = TABLE_3_DURATION


@dataclasses.dataclass(frozen=True, eq=False)
class MobileRun:
    """
    What came of one run.

    Attributes
    ----------
    mode : MobileMode
    trace : JointSeries
        Every state of wheels and arm.
    epoch : float
        Start of ship and reference on the clock of the trace, s.
    wall_time : float
        How long the run took, s.
    """

    mode: MobileMode
    trace: JointSeries
    epoch: float
    wall_time: float


def make_mobile_run(mode: MobileMode, options: MobileOptions, directory: Path,
                    progress: Callable[[float], None]) -> MobileRun:
    """
    Run one mode to its end, as processes in a DDS domain of their own.

    Parameters
    ----------
    mode, options
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
    scenario = MobileScenario(
        method=options.method, feedforward=mode.feedforward, deck=options.deck,
        imu_on=options.imu_on,
        mass_error_percent=options.mass_error_percent, lockstep=not options.real_time,
        duration=options.duration, trace_file=str(trace_file),
        epoch=round(time.time() + START_WITHIN, 3) if options.real_time else 10.0)
    length = START_WITHIN if options.real_time else scenario.lead_in
    rows = (length + options.duration) / PERIOD
    with reserved_domain() as (_, environment):
        with ProcessGroup(scenario.processes(), environment, directory) as group:
            group.wait_for('simulated_robot', LONGEST, lambda: progress(
                trace_rows(trace_file, len(MOBILE_JOINTS)) / rows))
    return MobileRun(mode, read_trace(trace_file), scenario.epoch, time.monotonic() - begin)

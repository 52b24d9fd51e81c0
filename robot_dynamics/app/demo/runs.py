"""Which runs the demo makes, and how one of them is made."""

from __future__ import annotations

import dataclasses
from pathlib import Path
import time
from typing import Callable, Tuple

from robot_dynamics.app.demo.processes import ProcessGroup
from robot_dynamics.app.domain import reserved_domain
from robot_dynamics.app.graph import ShipPa10
from robot_dynamics.estimation.estimators import ADAPTIVE
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.simulation.run_trace import read_trace, trace_rows

DURATION = 10.0  # s of the reference, after the feedforward has ramped in
LEAD_IN = 2.0  # s before the reference, in lockstep
PERIOD = 0.002  # s, of the simulated controller
JOINTS = 6
START_WITHIN = 8.0  # s that the nodes get to start before the epoch in real time
LONGEST = 300.0  # s of wall time for one run


@dataclasses.dataclass(frozen=True)
class Mode:
    """
    One of the runs.

    Attributes
    ----------
    key : str
        In summary.json.
    label : str
        In table and figure.
    base_motion : str
        What the feedforward knows of the ship; ``none`` for feedback only.
    still_deck : bool
        Whether the ship lies still.
    estimator : str
        Of the base motion.
    """

    key: str
    label: str
    base_motion: str
    still_deck: bool = False
    estimator: str = ADAPTIVE


FEEDBACK_ONLY = Mode('feedback_only', 'feedback only', 'none')
FIXED_BASE = Mode('fixed_base', 'feedforward, fixed base', 'fixed')
MOVING_BASE = Mode('moving_base', 'feedforward, moving base', 'moving')
STILL_DECK = Mode('still_deck', 'the same on a still deck', 'moving', still_deck=True)
MODES: Tuple[Mode, ...] = (FEEDBACK_ONLY, FIXED_BASE, MOVING_BASE, STILL_DECK)


@dataclasses.dataclass(frozen=True)
class DemoOptions:
    """
    What the user may choose.

    Attributes
    ----------
    method : str
        ``newton_euler`` or ``lagrange_euler``.
    friction : bool
        The arm has rotors, and friction 30 % more than the feedforward believes.
    mass_error_percent : float
        By how much the simulated arm is heavier than the feedforward believes.
    real_time : bool
        At the pace of the clock instead of in lockstep.
    duration : float
        Of the reference, s.
    sea_state : int
        Of the irregular sea that the ship moves in; 0: in the sinusoids of the paper.
    base_distance : float
        The arm's base lies so far ahead of the ship's rotation centre, m.
    lead_in : float
        In lockstep: from the start of the simulation to that of the reference, s.
    """

    method: str = 'newton_euler'
    friction: bool = False
    mass_error_percent: float = 0.0
    real_time: bool = False
    duration: float = DURATION
    sea_state: int = 0
    base_distance: float = 0.0
    lead_in: float = LEAD_IN


@dataclasses.dataclass(frozen=True, eq=False)
class Run:
    """
    What came of one run.

    Attributes
    ----------
    mode : Mode
    trace : JointSeries
        Every state of the arm.
    epoch : float
        Start of ship and reference on the clock of the trace, s.
    wall_time : float
        How long the run took, s.
    """

    mode: Mode
    trace: JointSeries
    epoch: float
    wall_time: float


def make_run(mode: Mode, options: DemoOptions, directory: Path,
             progress: Callable[[float], None]) -> Run:
    """
    Run one scenario to its end, as processes in a DDS domain of their own.

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
    scenario = ShipPa10(
        method=options.method, base_motion=mode.base_motion, still_deck=mode.still_deck,
        friction=options.friction, mass_error_percent=options.mass_error_percent,
        sea_state=options.sea_state, base_distance=options.base_distance,
        estimator=mode.estimator, lead_in=options.lead_in,
        lockstep=not options.real_time, duration=options.duration, trace_file=str(trace_file),
        epoch=round(time.time() + START_WITHIN, 3) if options.real_time else 10.0)
    length = START_WITHIN if options.real_time else scenario.lead_in
    rows = (length + options.duration) / PERIOD
    with reserved_domain() as (_, environment):
        with ProcessGroup(scenario.processes(), environment, directory) as group:
            group.wait_for('simulated_robot', LONGEST,
                           lambda: progress(trace_rows(trace_file, JOINTS) / rows))
    return Run(mode, read_trace(trace_file), scenario.epoch, time.monotonic() - begin)

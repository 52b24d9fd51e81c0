"""The outcome of a demo as a table for the terminal, and as summary.json."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import List, Sequence

from robot_dynamics.app.demo.formatting import milli
from robot_dynamics.app.demo.outcome import Outcome, Tracking
from robot_dynamics.app.demo.runs import Mode
from robot_dynamics.core.table import table


def as_text(outcome: Outcome) -> str:
    """Return what the demo prints: its table, and the targets."""
    lines = [*outcome.lines(), *(
        f'{"met    " if target.met else "NOT MET"}  {target.text}: {target.value}'
        for target in outcome.targets)]
    if not outcome.tracking.scenario.lockstep:
        missed = sum(outcome.tracking.missed_cycles.values())
        lines.append(f'missed cycles: {missed}' + (
            ' (the machine did not keep up; lockstep, the default, does not miss any)'
            if missed else ''))
    return '\n'.join(lines)


def write_summary(outcome: Outcome, path: Path) -> None:
    """Write everything that was measured; angles in rad, times in s."""
    tracking = outcome.tracking
    path.write_text(json.dumps({
        'options': dataclasses.asdict(tracking.scenario),
        'joints': list(tracking.joints),
        'tracking_rms_rad': tracking.rms(tracking.errors),
        **outcome.figures(),
        'feedback_share_of_torque': dict(tracking.feedback_share),
        'rate_hz': dict(tracking.rate),
        'missed_cycles': dict(tracking.missed_cycles),
        'wall_time_s': dict(tracking.wall_time),
        'targets': [dataclasses.asdict(target) for target in outcome.targets],
    }, indent=2) + '\n', encoding='utf-8')


def tracking_table(tracking: Tracking, modes: Sequence[Mode],
                   *blocks: Sequence[Sequence[str]]) -> str:
    """Return a table of the tracking errors [mrad] by mode, and of more rows in blocks."""
    rows: List[Sequence[str]] = []
    for mode in modes:
        error = tracking.errors[mode.key]
        rows.append([mode.label, *milli(error.rms), *milli([error.overall]),
                     f'{100 * tracking.feedback_share[mode.key]:.3g} %'])
    for block in blocks:
        rows += [[''] * (len(tracking.joints) + 3), *block]
    return table(['tracking RMS [mrad]', *tracking.joints, 'overall', 'feedback'], rows, left=1)

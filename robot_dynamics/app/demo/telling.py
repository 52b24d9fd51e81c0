"""Tell the outcome: a table for the terminal, and summary.json."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

from robot_dynamics.app.demo.outcome import Outcome
from robot_dynamics.app.demo.runs import FIXED_BASE, MODES, MOVING_BASE
from robot_dynamics.app.demo.wording import shown
from robot_dynamics.app.graph import FRICTION_ERROR_PERCENT
from robot_dynamics.app.table import table


def as_text(outcome: Outcome) -> str:
    """Return the table with tracking errors, ratios and targets."""
    rows: List[List[str]] = []
    for mode in MODES:
        error = outcome.errors[mode.key]
        rows.append([mode.label, *_mrad(error.rms), *_mrad([error.overall]),
                     f'{100 * outcome.feedback_share[mode.key]:.3g} %'])
    rows.append([''] * (len(outcome.joints) + 3))
    for mode in (FIXED_BASE, MOVING_BASE):
        error = outcome.ship_alone[mode.key]
        rows.append([f'ship alone*: {mode.label.split(", ")[1]}', *_mrad(error.rms),
                     *_mrad([error.overall]), ''])
    rows.append([''] * (len(outcome.joints) + 3))
    rows.append(['fixed / moving base', *map(shown, outcome.ratio_by_joint),
                 shown(outcome.ratio), ''])
    lines = [
        _headline(outcome), '',
        table(['tracking RMS [mrad]', *outcome.joints, 'overall', 'feedback'], rows, left=1), '',
        '* error on the moving deck minus error on the still deck: '
        f'{shown(outcome.ship_alone_ratio)} times smaller with the moving base',
        '  feedback: share of the torque that joint feedback had to supply', '']
    lines += [f'{"met    " if target.met else "NOT MET"}  {target.text}: {target.value}'
              for target in outcome.targets]
    missed = sum(outcome.missed_cycles.values())
    if outcome.options.real_time:
        lines.append(f'missed cycles: {missed}' + (
            ' (the machine did not keep up; lockstep, the default, does not miss any)'
            if missed else ''))
    return '\n'.join(lines)


def write_summary(outcome: Outcome, path: Path) -> None:
    """Write everything that was measured; angles in rad, times in s."""
    joints = list(outcome.joints)

    def by_joint(values: Any) -> Dict[str, float]:
        return {name: float(value) for name, value in zip(joints, np.asarray(values))}

    path.write_text(json.dumps({
        'options': dataclasses.asdict(outcome.options),
        'joints': joints,
        'tracking_rms_rad': {
            key: {**by_joint(error.rms), 'overall': error.overall}
            for key, error in outcome.errors.items()},
        'ship_alone_rms_rad': {
            key: {**by_joint(error.rms), 'overall': error.overall}
            for key, error in outcome.ship_alone.items()},
        'ratios': {
            'fixed_over_moving': {**by_joint(outcome.ratio_by_joint), 'overall': outcome.ratio},
            'fixed_over_moving_ship_alone': outcome.ship_alone_ratio},
        'feedback_share_of_torque': dict(outcome.feedback_share),
        'rate_hz': dict(outcome.rate),
        'missed_cycles': dict(outcome.missed_cycles),
        'wall_time_s': dict(outcome.wall_time),
        'targets': [dataclasses.asdict(target) for target in outcome.targets],
    }, indent=2) + '\n', encoding='utf-8')


def _headline(outcome: Outcome) -> str:
    options = outcome.options
    what = [options.method, 'in real time' if options.real_time else 'in lockstep',
            f'{options.duration:g} s of the reference']
    if options.friction:
        what.append(f'rotors, friction {FRICTION_ERROR_PERCENT:g} % off')
    if options.mass_error_percent:
        what.append(f'masses {options.mass_error_percent:g} % off')
    return 'PA10 on a moving ship: ' + ', '.join(what)


def _mrad(values: Any) -> List[str]:
    return [f'{1e3 * value:.3g}' if value < 1 else f'{1e3 * value:.0f}' for value in values]

"""Tell the mobile manipulator's outcome: a table for the terminal, and summary.json."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

from robot_dynamics.app.demo.mobile_outcome import MobileOutcome
from robot_dynamics.app.demo.mobile_runs import MOBILE_MODES
from robot_dynamics.app.demo.wording import shown
from robot_dynamics.app.table import table


def as_text(outcome: MobileOutcome) -> str:
    """Return the table with tracking errors, ratios and targets."""
    rows: List[List[str]] = []
    for mode in MOBILE_MODES:
        error = outcome.errors[mode.key]
        rows.append([mode.label, *_mrad(error.rms), *_mrad([error.overall]),
                     f'{100 * outcome.feedback_share[mode.key]:.3g} %'])
    rows.append([''] * (len(outcome.joints) + 3))
    rows.append(['separate / coupled', *map(shown, outcome.ratio_by_joint),
                 shown(outcome.ratio), ''])
    coupling = np.abs(outcome.coupled - outcome.uncoupled).max(axis=0)
    rows.append(['coupling torque [N m]', *(f'{value:.3f}' for value in coupling), '', ''])
    options = outcome.options
    lines = [
        'Mobile manipulator ' + ('on a moving deck' if options.deck else 'on level ground')
        + f': {options.method}, ' + ('in real time' if options.real_time else 'in lockstep')
        + f', Table 3 as a quintic of {options.duration:g} s'
        + (f', masses {options.mass_error_percent:g} % off' if options.mass_error_percent
           else ''), '',
        table(['tracking RMS [mrad]', *outcome.joints, 'overall', 'feedback'], rows, left=1), '',
        f'tipping margin: {1e3 * outcome.tipping_margin:.1f} mm at least; friction needed at the '
        f'wheels: {outcome.friction_needed:.2f} of their load']
    lines += [f'{"met    " if target.met else "NOT MET"}  {target.text}: {target.value}'
              for target in outcome.targets]
    if options.real_time:
        lines.append(f'missed cycles: {sum(outcome.missed_cycles.values())}')
    return '\n'.join(lines)


def write_summary(outcome: MobileOutcome, path: Path) -> None:
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
        'ratios': {'uncoupled_over_coupled': {
            **by_joint(outcome.ratio_by_joint), 'overall': outcome.ratio}},
        'largest_coupling_torque_nm': by_joint(
            np.abs(outcome.coupled - outcome.uncoupled).max(axis=0)),
        'largest_torque_nm': by_joint(np.abs(outcome.coupled).max(axis=0)),
        'final_pose': {key: [float(value) for value in poses[-1]]
                       for key, poses in outcome.paths.items()},
        'tipping_margin_m': outcome.tipping_margin,
        'friction_needed': outcome.friction_needed,
        'feedback_share_of_torque': dict(outcome.feedback_share),
        'rate_hz': dict(outcome.rate),
        'missed_cycles': dict(outcome.missed_cycles),
        'wall_time_s': dict(outcome.wall_time),
        'targets': [dataclasses.asdict(target) for target in outcome.targets],
    }, indent=2) + '\n', encoding='utf-8')


def _mrad(values: Any) -> List[str]:
    return [f'{1e3 * value:.3g}' if value < 1 else f'{1e3 * value:.0f}' for value in values]

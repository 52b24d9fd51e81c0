"""One page and one JSON file about many recordings."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from robot_dynamics.replay import figures
from robot_dynamics.replay.export import replaced
from robot_dynamics.replay.fleet import BagOutcome
from robot_dynamics.replay.formatting import number, share
from robot_dynamics.replay.templates import render


def write_fleet_report(outcomes: Sequence[BagOutcome], directory: Path) -> Tuple[Path, Path]:
    """Write ``fleet.html`` and ``fleet.json``; return their paths."""
    report, data = directory / 'fleet.html', directory / 'fleet.json'
    with replaced(report) as scratch:
        scratch.write_text(fleet_html(outcomes, directory), encoding='utf-8')
    with replaced(data) as scratch:
        scratch.write_text(json.dumps([
            {'bag': outcome.bag, 'error': outcome.error or None, 'files': outcome.files,
             'summary': outcome.summary} for outcome in outcomes], indent=2) + '\n')
    return report, data


def fleet_html(outcomes: Sequence[BagOutcome], directory: Path) -> str:
    """Return the page about many recordings as HTML text."""
    summaries = [outcome.summary for outcome in outcomes if outcome.summary is not None]
    return render(
        'fleet.html', total=len(outcomes),
        failed=[(outcome.bag, outcome.error) for outcome in outcomes if outcome.summary is None],
        good=[_bag(outcome, outcome.summary, directory) for outcome in outcomes
              if outcome.summary is not None],
        hours=sum(summary['duration_s'] for summary in summaries) / 3600,
        samples=sum(summary['samples'] for summary in summaries),
        joints=_joint_rows(summaries), drawing=figures.fleet(summaries))


def compared(summary: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Return the joints of a summary whose effort tells how well the model explains it."""
    return [joint for joint in summary['joints'] if joint['explained'] is not None]


def _bag(outcome: BagOutcome, summary: Dict[str, Any], directory: Path) -> Dict[str, Any]:
    joints = compared(summary)
    worth = [joint['moving_base_worth'] for joint in joints
             if joint['moving_base_worth'] is not None]
    severities = [finding['severity'] for finding in summary['findings']]
    page = next((path for path in outcome.files if path.endswith('.html')), None)
    return {'name': Path(outcome.bag).name,
            'link': None if page is None else os.path.relpath(page, directory),
            'duration': summary['duration_s'], 'samples': summary['samples'],
            'worst': min(joints, key=lambda joint: float(joint['explained']), default=None),
            'worth': max(worth) if worth and summary['base']['known'] else None,
            'severe': severities.count('severe'), 'warnings': severities.count('warning')}


def _joint_rows(summaries: Sequence[Dict[str, Any]]) -> List[List[str]]:
    names = dict.fromkeys(joint['name'] for summary in summaries for joint in summary['joints'])
    rows = []
    for name in names:
        joints = [joint for summary in summaries for joint in compared(summary)
                  if joint['name'] == name]
        cells = [name, str(len(joints))]
        for key, factor in (('explained', 1.0), ('residual_rms', 1.0), ('scale', 1.0),
                            ('lag', 1e3)):
            values = [factor * joint[key] for joint in joints if joint[key] is not None]
            word = share if key == 'explained' else number
            low, middle, high = map(word, np.percentile(values, [5, 50, 95])) if values else '---'
            cells.append(f'{middle} ({low} to {high})' if values else '-')
        rows.append(cells)
    return rows

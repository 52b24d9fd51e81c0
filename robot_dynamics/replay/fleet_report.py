"""One page and one JSON file about many recordings."""

from __future__ import annotations

from html import escape
import json
import os
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from robot_dynamics.replay import figures
from robot_dynamics.replay.export import replaced
from robot_dynamics.replay.fleet import BagOutcome
from robot_dynamics.replay.formatting import number, share
from robot_dynamics.replay.report import bar, card, page, table


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
    good = [outcome.summary for outcome in outcomes if outcome.summary is not None]
    failed = [outcome for outcome in outcomes if outcome.summary is None]
    hours = sum(summary['duration_s'] for summary in good) / 3600
    text = (f'{len(good)} of {len(outcomes)} recordings analysed, {hours:.2f} h, '
            f'{sum(summary["samples"] for summary in good):,} joint states')
    parts = [f'<h1>{len(outcomes)} recordings</h1>', f'<p class="soft">{text}</p>']
    if failed:
        rows = [(escape(outcome.bag), escape(outcome.error)) for outcome in failed]
        parts += ['<h2>Not analysed</h2>', card(table(('recording', 'reason'), rows, left=2))]
    if good:
        parts += ['<h2>Recordings</h2>', card(_bag_table(outcomes, directory)),
                  '<h2>Joints over all recordings</h2>', card(_joint_table(good)),
                  card(f'<figure>{figures.svg(figures.fleet(good))}<figcaption>Each dot is one '
                       'recording, in the order given.</figcaption></figure>')]
    return page('Fleet report', parts)


def _bag_table(outcomes: Sequence[BagOutcome], directory: Path) -> str:
    rows: List[List[str]] = []
    for outcome in outcomes:
        summary = outcome.summary
        if summary is None:
            continue
        joints = [joint for joint in summary['joints'] if joint['explained'] is not None]
        worst = min(joints, key=lambda joint: float(joint['explained']), default=None)
        worth = [joint['moving_base_worth'] for joint in joints
                 if joint['moving_base_worth'] is not None]
        severities = [finding['severity'] for finding in summary['findings']]
        rows.append([
            _link(outcome, directory), f'{summary["duration_s"]:.1f}', f'{summary["samples"]:,}',
            '-' if worst is None else bar(worst['explained']) + share(worst['explained']),
            '-' if worst is None else escape(worst['name']),
            f'{max(worth):.1f} ×' if worth and summary['base']['known'] else '-',
            str(severities.count('severe') or '-'), str(severities.count('warning') or '-')])
    return table(('recording', 'duration [s]', 'joint states', 'least explained', 'at joint',
                  'moving base worth', 'severe', 'warnings'), rows)


def _link(outcome: BagOutcome, directory: Path) -> str:
    name = escape(Path(outcome.bag).name)
    pages = [path for path in outcome.files if path.endswith('.html')]
    if not pages:
        return name
    return f'<a href="{escape(os.path.relpath(pages[0], directory))}">{name}</a>'


def _joint_table(good: Sequence[Dict[str, Any]]) -> str:
    names = list(dict.fromkeys(joint['name'] for summary in good for joint in summary['joints']))
    rows = []
    for name in names:
        joints = [joint for summary in good for joint in summary['joints']
                  if joint['name'] == name and joint['explained'] is not None]
        cells = [escape(name), str(len(joints))]
        for key in ('explained', 'residual_rms', 'scale', 'lag'):
            values = [joint[key] for joint in joints if joint[key] is not None]
            if not values:
                cells.append('-')
                continue
            low, middle, high = np.percentile(values, [5, 50, 95])
            if key == 'explained':
                cells.append(f'{share(middle)} ({share(low)} to {share(high)})')
            else:
                factor = 1e3 if key == 'lag' else 1.0
                cells.append(f'{number(factor * middle)} ({number(factor * low)} to '
                             f'{number(factor * high)})')
        rows.append(cells)
    return table(('joint', 'recordings', 'explained: median (5 to 95 %)', 'residual RMS [N m]',
                  'scale', 'lag [ms]'), rows)

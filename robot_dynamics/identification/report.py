"""The report of an identification: one HTML file that needs no other file and no network."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, List, Optional, Tuple

import numpy as np

from robot_dynamics.identification.result import Identification, KNOWN, PARTLY
from robot_dynamics.identification.text import (
    BODY_HEADER, body_rows, headline, JOINT_HEADER, joint_rows, verdict)
from robot_dynamics.replay.export import replaced
from robot_dynamics.replay.figures import COMPUTED, FIXED, MEASURED, styled
from robot_dynamics.replay.formatting import number
from robot_dynamics.replay.templates import render

_SOURCES = {KNOWN: 'the motion', PARTLY: 'both', 'prior': 'the description'}


def write_report(result: Identification, path: Path) -> Path:
    """Write the report."""
    with replaced(path) as scratch:
        scratch.write_text(html_report(result), encoding='utf-8')
    return path


def html_report(result: Identification) -> str:
    """Return the report as HTML text."""
    return render(
        'report_of_identification.html', Path(__file__).parent, result=result,
        headline=headline(result), verdict=verdict(result), joint_header=JOINT_HEADER,
        joint_rows=joint_rows(result), body_header=BODY_HEADER, body_rows=body_rows(result),
        parameters=parameter_rows(result), advice=advice(result), drawing=_drawing(result))


def parameter_rows(result: Identification) -> List[Tuple[str, ...]]:
    """Return a row for every number."""
    return [(item.element, item.name, item.unit, _digits(item.described),
             _digits(item.identified), 'held' if math.isnan(item.error) else number(item.error),
             _SOURCES[item.knowledge]) for item in result.parameters]


def advice(result: Identification) -> List[str]:
    """Return what a next recording should hold."""
    found = []
    deviation, torque = result.trust
    for name, spread, size in zip(result.described.joint_names, deviation, torque):
        if size > 0 and 2 * spread > 0.2 * size:
            found.append(f'{name}: its torque is known to {100 * 2 * spread / size:.0f} % only; '
                         'move it further and faster, also together with the joints below it')
    if any(finding.code == 'joint-still' for finding in result.findings):
        found.append('the joints that never moved: move them')
    if found:
        found.append('robot-dynamics excite designs a motion for all of it')
    return found


def _digits(value: float) -> str:
    return f'{value:.4g}'


def _drawing(result: Identification) -> Optional[Any]:
    return agreement(result) if len(result.validation.time) else None


@styled
def agreement(result: Identification) -> Any:
    """Draw measured, described and identified torque of what was held back, one row a joint."""
    from matplotlib.figure import Figure
    validation = result.validation
    joints = np.flatnonzero(validation.joints)
    figure = Figure(figsize=(9.2, 1.45 * len(joints) + 0.55))
    axes = figure.subplots(len(joints), 2, squeeze=False, width_ratios=(3.2, 1.0))
    time = validation.time.copy()
    time[1:][np.diff(validation.time) > 1.0] = np.nan  # do not draw across gaps
    for (left, right), j in zip(axes, joints):
        found = validation.torque['identified'][:, j]
        spread = 2.0 * np.sqrt(validation.deviation[:, j]**2 + validation.noise[j]**2)
        left.plot(time, validation.torque['described'][:, j], color=FIXED, label='described')
        left.plot(time, validation.measured[:, j], color=MEASURED, label='measured')
        left.plot(time, found, color=COMPUTED, label='identified')
        left.fill_between(time, found - spread, found + spread, color=COMPUTED, alpha=0.2,
                          linewidth=0)
        left.set_title(result.described.joint_names[j], loc='left')
        right.plot(validation.velocity[:, j], validation.measured[:, j] - found, '.',
                   color=MEASURED, markersize=2.2, alpha=0.5)
        right.axhline(0, color='#bbbbbb', linewidth=0.7, zorder=0)
        left.set_ylabel('N' if result.described.joints[j].kind == 'prismatic' else 'N m')
    axes[0][1].set_title('left over velocity', loc='left')
    axes[-1][0].set_xlabel('time [s]')
    axes[-1][1].set_xlabel('joint velocity [rad/s, m/s]')
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.22 / figure.get_figheight()))
    figure.legend(handles, labels, loc='upper left', ncols=3, bbox_to_anchor=(0.01, 1.0))
    return figure

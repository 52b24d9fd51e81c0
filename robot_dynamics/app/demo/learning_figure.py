"""One figure of what learning the arm is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
import numpy as np

from robot_dynamics.app.demo.figure_style import GRID, INK, PLAIN, smooth, STYLE
from robot_dynamics.app.demo.formatting import shown

SMOOTHED = 0.1  # s
COLOURS: Dict[str, str] = {
    'before_fixed': '#d1651a', 'before_moving': '#c2a23a', 'after_fixed': '#7b5ea7',
    'after_moving': '#1f6fb2', 'exact': '#49a078'}


def draw(outcome: Any, path: Path) -> None:
    """Draw the tracking error over time, and over the whole run, of every model."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11.0, 4.2), layout=ConstrainedLayoutEngine(w_pad=0.06))
        figure.suptitle('A minute of work on the ship teaches the arm: then knowing the base pays '
                        f'{shown(outcome.ratio)} times', x=0.01, ha='left', fontsize=12,
                        fontweight='bold', color=INK)
        left, right = figure.subplots(1, 2, width_ratios=(1.7, 1.0))
        left.set_title('How far the joints are from where they should be')
        right.set_title('... and over the whole run')
        places = np.arange(len(outcome.modes))[::-1]
        for place, mode in zip(places, outcome.modes):
            error, colour = outcome.tracking.errors[mode.key], COLOURS[mode.key]
            width = max(1, round(SMOOTHED / (error.time[1] - error.time[0])))
            left.plot(error.time, 1e3 * smooth(error.norm, width), color=colour)
            value = 1e3 * error.overall
            right.axhline(place, color=GRID, linewidth=0.8, zorder=0)
            right.plot(value, place, 'o', color=colour, markersize=9)
            right.annotate(f'{value:.3g} mrad', (value, place), (9, 0), va='center',
                           textcoords='offset points', fontweight='bold', color=colour)
            right.text(0.01, place + 0.16, mode.label, va='bottom', fontsize=9, color=INK,
                       transform=right.get_yaxis_transform())
        values = [1e3 * outcome.tracking.errors[mode.key].overall for mode in outcome.modes]
        left.set_xlabel('time [s]')
        left.set_ylabel('RMS over the joints [mrad]')
        right.set_xlim(min(values) / 2.5, max(values) * 12.0)
        right.set_ylim(-0.4, len(outcome.modes) - 0.4)
        right.set_yticks([])
        right.set_xlabel('tracking error, RMS [mrad]')
        for axes, set_scale in ((left, left.set_yscale), (right, right.set_xscale)):
            set_scale('log')
            axes.minorticks_off()
        left.yaxis.set_major_formatter(PLAIN)
        right.xaxis.set_major_formatter(PLAIN)
        figure.savefig(path, dpi=130)

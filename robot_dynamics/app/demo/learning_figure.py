"""One figure of what learning the arm is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from robot_dynamics.app.demo.figure_style import draw_overall, INK, PLAIN, smooth, STYLE
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
        for mode in outcome.modes:
            error = outcome.tracking.errors[mode.key]
            width = max(1, round(SMOOTHED / (error.time[1] - error.time[0])))
            left.plot(error.time, 1e3 * smooth(error.norm, width), color=COLOURS[mode.key])
        left.set_xlabel('time [s]')
        left.set_ylabel('RMS over the joints [mrad]')
        left.set_yscale('log')
        left.minorticks_off()
        left.yaxis.set_major_formatter(PLAIN)
        draw_overall(right, [
            (mode.label, 1e3 * outcome.tracking.errors[mode.key].overall, COLOURS[mode.key])
            for mode in outcome.modes])
        figure.savefig(path, dpi=130)

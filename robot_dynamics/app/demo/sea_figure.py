"""One figure of what each piece of knowledge about the base is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
import numpy as np

from robot_dynamics.app.demo.figure_style import (
    GRID, INK, MUTED, PLAIN, smooth, STYLE)
from robot_dynamics.app.demo.sea import headline, SeaOutcome
from robot_dynamics.app.demo.sea_variants import (
    DIFFERENCE, EXACT, FIXED, NO_ANGULAR, NO_FORCE, NO_PREDICTION, OURS, ship_of, SIMPLE, VARIANTS)

SMOOTHED = 50  # samples
COLOURS: Dict[str, str] = {
    EXACT.key: '#49a078', OURS.key: '#1f6fb2', SIMPLE.key: '#7b5ea7', DIFFERENCE.key: '#b07aa1',
    NO_PREDICTION.key: '#5fa8d3', NO_ANGULAR.key: '#c2a23a', NO_FORCE.key: '#c0504d',
    FIXED.key: '#d1651a'}


def draw(outcome: SeaOutcome, path: Path) -> None:
    """Draw the ship's motion, the tracking error over time, and tracking and torque by variant."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(
            figsize=(12.0, 7.6), layout=ConstrainedLayoutEngine(h_pad=0.09, w_pad=0.06))
        figure.suptitle(headline(outcome.tracking.scenario), x=0.01, ha='left', fontsize=11.5,
                        fontweight='bold', color=INK)
        parts: Any = figure.subfigures(2, 1, height_ratios=(1.0, 1.15))
        above, below = parts
        ship, error = above.subplots(1, 2, width_ratios=(1.0, 1.7))
        _draw_ship(ship, outcome)
        _draw_error(error, outcome)
        left, right = below.subplots(1, 2, width_ratios=(1.6, 1.0))
        _draw_dots(left, outcome, 'Tracking error, RMS [mrad]', lambda run: 1e3 * run.tracking)
        _draw_dots(right, outcome, 'Torque error, RMS [Nm]', lambda run: run.torque)
        left.set_yticks(range(len(VARIANTS)))
        left.set_yticklabels([variant.label for variant in VARIANTS], color=INK)
        figure.savefig(path, dpi=130)


def _draw_ship(axes: Any, outcome: SeaOutcome) -> None:
    scenario: Any = outcome.tracking.scenario
    ship, time = ship_of(scenario), np.linspace(0.0, scenario.duration, 400)
    point = (scenario.base_distance, 0.0, 0.0)
    rpy = np.degrees(ship.pose(time).rpy)
    axes.set_title('How the base moves')
    axes.plot(time, rpy[:, 0], color=INK, label='roll [deg]')
    axes.plot(time, rpy[:, 1], color=MUTED, label='pitch [deg]')
    axes.plot(time, ship.at(time, point).linear_acceleration[:, 2], color=COLOURS[NO_FORCE.key],
              label='acceleration up [m/s²]')
    axes.set_xlabel('time [s]')
    axes.legend(frameon=False, fontsize=8.5)


def _draw_error(axes: Any, outcome: SeaOutcome) -> None:
    axes.set_title('How far the joints are from where they should be')
    for variant in (FIXED, NO_FORCE, NO_ANGULAR, SIMPLE, OURS, EXACT):
        run = outcome.plain[variant.key]
        axes.plot(run.time, 1e3 * np.maximum(smooth(run.error, SMOOTHED), 1e-9),
                  color=COLOURS[variant.key], linewidth=2.2 if variant is OURS else 1.3)
    axes.set_yscale('log')
    axes.yaxis.set_major_formatter(PLAIN)
    axes.minorticks_off()
    axes.set_ylabel('RMS over the joints [mrad]')
    axes.set_xlabel('time [s]')


def _draw_dots(axes: Any, outcome: SeaOutcome, title: str, value_of: Any) -> None:
    values = {variant.key: value_of(outcome.plain[variant.key]) for variant in VARIANTS}
    shown = [value for value in values.values() if value > 1e-6]
    axes.set_title(title)
    axes.set_xscale('log')
    axes.set_xlim(min(shown) / 2.0, max(shown) * 6.0)
    for place, variant in enumerate(VARIANTS):
        value, colour = values[variant.key], COLOURS[variant.key]
        axes.axhline(place, color=GRID, linewidth=0.8, zorder=0)
        visible = value > 1e-6
        at = value if visible else min(shown) / 2.0
        if visible:
            axes.plot(at, place, 'o', color=colour, markersize=9)
        axes.annotate(f'{value:.3g}' if visible else '0, by definition', (at, place), (9, 0),
                      textcoords='offset points', va='center', fontweight='bold', color=colour)
    axes.set_ylim(len(VARIANTS) - 0.5, -0.5)
    axes.set_yticks([])
    axes.xaxis.set_major_formatter(PLAIN)
    axes.minorticks_off()

"""One figure that shows why platform and arm have to be computed together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
import numpy as np

from robot_dynamics.app.demo.figure_style import (
    draw_words, GRID, INK, MUTED, PLAIN, STYLE)
from robot_dynamics.app.demo.formatting import shown
from robot_dynamics.app.demo.mobile_manipulator import (
    COUPLED, FEEDBACK_ONLY, MobileDemo, MobileOutcome, UNCOUPLED)

COLOURS = {FEEDBACK_ONLY.key: '#9a9a9a', UNCOUPLED.key: '#d1651a', COUPLED.key: '#1f6fb2'}
LABELS = ('right wheel', 'left wheel', 'arm 1', 'arm 2', 'arm 3')


def draw(outcome: MobileOutcome, path: Path) -> None:
    """Draw torques coupled and separate, the path on the ground, and the error by mode."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(
            figsize=(12.0, 9.4), layout=ConstrainedLayoutEngine(h_pad=0.06, w_pad=0.08))
        halves: Any = figure.add_gridspec(1, 2, width_ratios=(1.35, 1.0))
        torques = halves[0].subgridspec(len(LABELS), 1)
        rest = halves[1].subgridspec(3, 1, height_ratios=(0.75, 0.85, 1.2))
        first = None
        for joint, label in enumerate(LABELS):
            axes = figure.add_subplot(torques[joint], sharex=first)
            first = first or axes
            _draw_torque(axes, outcome, joint, label)
            if joint < len(LABELS) - 1:
                axes.tick_params(labelbottom=False)
        axes.set_xlabel('time [s]')
        axes.set_xlim(0.0, outcome.tracking.scenario.duration)
        _draw_words(figure.add_subplot(rest[0]), outcome)
        _draw_path(figure.add_subplot(rest[1]), outcome)
        _draw_error(figure.add_subplot(rest[2]), outcome)
        figure.savefig(path, dpi=150)


def _draw_torque(axes: Any, outcome: MobileOutcome, joint: int, label: str) -> None:
    together, apart = outcome.coupled[:, joint], outcome.uncoupled[:, joint]
    off = np.abs(together - apart).max()
    axes.set_title(f'{label}: ' + (f'computed separately it is up to {off:.2g} N m off'
                                   if off > 1e-6 else 'the platform makes no difference'))
    axes.fill_between(outcome.time, together, apart, color=COLOURS[UNCOUPLED.key], alpha=0.2,
                      linewidth=0)
    axes.plot(outcome.time, apart, '--', color=COLOURS[UNCOUPLED.key], label='separate')
    axes.plot(outcome.time, together, color=COLOURS[COUPLED.key], label='coupled')
    axes.axhline(0.0, color=MUTED, linewidth=0.8)
    axes.set_ylabel('N m')
    if joint == 0:
        axes.legend(loc='best', frameon=False, fontsize=8.5, ncols=2)


def _draw_path(axes: Any, outcome: MobileOutcome) -> None:
    axes.set_title('The path on the ground, seen from above')
    for mode in MobileDemo.modes:
        poses = outcome.paths[mode.key]
        axes.plot(poses[:, 0], 1e3 * poses[:, 1], color=COLOURS[mode.key])
    wanted = outcome.desired_path
    axes.plot(wanted[:, 0], 1e3 * wanted[:, 1], color=INK, linestyle=(0, (1, 2)), linewidth=1.4)
    axes.annotate('dotted: desired', (1.0, 0.02), xycoords='axes fraction', ha='right',
                  fontsize=8.5, color=INK)
    axes.set_xlabel('forward [m]')
    axes.set_ylabel('to the left [mm]')


def _draw_error(axes: Any, outcome: MobileOutcome) -> None:
    axes.set_title('How far they are from where they should be')
    axes.set_yscale('log')
    axes.xaxis.grid(False)
    places = np.arange(len(LABELS) + 1)
    for index, mode in enumerate(MobileDemo.modes):
        error = outcome.tracking.errors[mode.key]
        values = 1e3 * np.append(error.rms, error.overall)
        axes.plot(places + 0.16 * (index - 1), values, 'o', color=COLOURS[mode.key],
                  markersize=7, label=mode.label)
    axes.set_xticks(places, [*LABELS, 'overall'], fontsize=8.5)
    axes.axvline(len(LABELS) - 0.5, color=GRID)
    axes.set_ylabel('tracking error, RMS [mrad]')
    axes.yaxis.set_major_formatter(PLAIN)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low)**0.25)  # room for the legend
    axes.legend(loc='upper left', frameon=False, fontsize=8.5)


def _draw_words(axes: Any, outcome: MobileOutcome) -> None:
    scenario: Any = outcome.tracking.scenario
    where = 'on a deck that moves' if scenario.deck else 'on level ground'
    blocks = [
        (['An arm on a driving platform'], 15, 'bold', INK),
        ([f'The platform drives back by 1.2 m {where}',
          f'while the arm sweeps (Table 3, a quintic of {scenario.duration:g} s). The',
          'same joint feedback runs in every case.'], 9.5, 'normal', INK),
        (['Computing wheels and arm together',
          f'makes the error {shown(outcome.ratio)} times smaller'], 13, 'bold',
         COLOURS[COUPLED.key]),
        (['than computing each as if the other were not there.'], 9.5, 'normal', INK),
        (['ROS 2 nodes over DDS, ' + ('in lockstep' if scenario.lockstep else 'in real time')
          + f', 500 Hz; tipping margin {1e3 * outcome.tipping_margin:.0f} mm'
          + (f'; masses {scenario.mass_error_percent:g} % off' if scenario.mass_error_percent
             else '')], 8.5, 'normal', MUTED)]
    draw_words(axes, blocks, 0.0098, 0.05)

"""One figure that shows a stranger why the motion of the base has to be known."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Mapping

import matplotlib
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
import numpy as np

from robot_dynamics.app.demo.figure_style import (
    draw_overall, draw_words, INK, MUTED, PLAIN, smooth, STYLE)
from robot_dynamics.app.demo.formatting import shown
from robot_dynamics.app.demo.pa10 import (
    FEEDBACK_ONLY, FIXED_BASE, MOVING_BASE, Pa10Demo, Pa10Outcome, STILL_DECK, TorqueByCause)
from robot_dynamics.app.graph import FRICTION_ERROR_PERCENT
from robot_dynamics.core.gate import FloatArray

SMOOTHED = 0.1  # s
COLOURS = {FEEDBACK_ONLY.key: '#9a9a9a', FIXED_BASE.key: '#d1651a', MOVING_BASE.key: '#1f6fb2',
           STILL_DECK.key: '#49a078'}
NAMES = {FEEDBACK_ONLY.key: 'feedback only',
         FIXED_BASE.key: 'feedforward that believes the base is fixed',
         MOVING_BASE.key: 'feedforward that knows how the base moves',
         STILL_DECK.key: 'the same feedforward on a still deck'}


def draw(outcome: Pa10Outcome, causes: TorqueByCause, path: Path) -> None:
    """
    Draw ship motion, torque by cause and tracking error by mode.

    Parameters
    ----------
    path : Path
        PNG to write.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(
            figsize=(12.0, 8.6), layout=ConstrainedLayoutEngine(h_pad=0.09, w_pad=0.06))
        grid = figure.add_gridspec(3, 2, height_ratios=(0.7, 1.1, 1.2), width_ratios=(2.1, 1.0))
        ship = figure.add_subplot(grid[0, 0])
        torque = figure.add_subplot(grid[1, 0], sharex=ship)
        error = figure.add_subplot(grid[2, 0], sharex=ship)
        _draw_ship(ship, causes)
        _draw_torque(torque, causes, outcome)
        _draw_error(error, outcome)
        draw_overall(figure.add_subplot(grid[2, 1]), [
            (NAMES[mode.key], 1e3 * outcome.tracking.errors[mode.key].overall, COLOURS[mode.key])
            for mode in Pa10Demo.modes])
        _draw_words(figure.add_subplot(grid[0:2, 1]), outcome)
        error.set_xlabel('time [s]')
        error.set_xlim(0.0, outcome.tracking.scenario.duration)
        for axes in (ship, torque):
            axes.tick_params(labelbottom=False)
        figure.savefig(path, dpi=150)


def _draw_ship(axes: Any, causes: TorqueByCause) -> None:
    axes.set_title('The ship rolls and pitches')
    _labelled_lines(axes, causes.time, {
        'roll': (np.degrees(causes.roll), INK, '-'),
        'pitch': (np.degrees(causes.pitch), MUTED, (0, (4, 1.5)))}, 'lower right')
    axes.set_ylabel('angle [deg]')


def _draw_torque(axes: Any, causes: TorqueByCause, outcome: Pa10Outcome) -> None:
    joint = int(np.argmax(np.abs(causes.ship).max(axis=0)))
    peak = np.abs(causes.ship[:, joint]).max()
    axes.set_title(f'The ship alone asks up to {peak:.0f} Nm of {outcome.tracking.joints[joint]}')
    axes.fill_between(causes.time, causes.ship[:, joint], color=COLOURS[FIXED_BASE.key],
                      alpha=0.25, linewidth=0)
    _labelled_lines(axes, causes.time, {
        'because the ship moves': (causes.ship[:, joint], COLOURS[FIXED_BASE.key], '-'),
        'gravity on a level deck': (causes.level_gravity[:, joint], INK, '-'),
        "the arm's own motion": (causes.own_motion[:, joint], MUTED, (0, (4, 1.5)))},
        'upper right')
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.12 * (high - low))  # room for the legend
    axes.set_ylabel('torque [Nm]')


def _draw_error(axes: Any, outcome: Pa10Outcome) -> None:
    axes.set_title('How far the joints are from where they should be')
    for mode in Pa10Demo.modes:
        error = outcome.tracking.errors[mode.key]
        width = max(1, round(SMOOTHED / (error.time[1] - error.time[0])))
        axes.plot(error.time, 1e3 * smooth(error.norm, width), color=COLOURS[mode.key],
                  linestyle='-' if mode is not STILL_DECK else (0, (2, 1.2)),
                  linewidth=2.2 if mode is MOVING_BASE else 1.6)
    axes.set_yscale('log')
    axes.yaxis.set_major_formatter(PLAIN)
    axes.minorticks_off()
    axes.set_ylabel('RMS over the joints [mrad]')


def _draw_words(axes: Any, outcome: Pa10Outcome) -> None:
    scenario: Any = outcome.tracking.scenario
    setting = ['ROS 2 nodes over DDS, ' + ('in lockstep' if scenario.lockstep else 'in real time'),
               f'at 500 Hz; dynamics by {scenario.method.replace("_", "-").title()};',
               'IMU at 100 Hz with noise; torques 1 to 3 ms late']
    if scenario.friction:
        setting.append(f'and friction that is {FRICTION_ERROR_PERCENT:g} % off')
    if scenario.mass_error_percent:
        setting.append(f'and masses that are {scenario.mass_error_percent:g} % off')
    blocks = [
        (['A robot arm on a moving ship'], 15, 'bold', INK),
        (['A simulated PA10 follows a given motion on a deck', 'that rolls and pitches. The same '
          'joint feedback runs', 'in every case; what differs is what the feedforward',
          'knows of the ship.'], 9.5, 'normal', INK),
        (['Knowing how the base moves', f'makes the error {shown(outcome.ratio)} times smaller'],
         13, 'bold', COLOURS[MOVING_BASE.key]),
        (['than believing that it is fixed. Of the error that the', 'ship alone causes (moving '
          f'deck minus still deck), 1/{shown(outcome.ship_alone_ratio)}', 'is left.'], 9.5,
         'normal', INK),
        (setting, 8.5, 'normal', MUTED)]
    draw_words(axes, blocks, 0.0054, 0.045)


def _labelled_lines(axes: Any, time: FloatArray, lines: Mapping[str, Any],
                    place: str) -> None:
    for name, (values, colour, style) in lines.items():
        axes.plot(time, values, color=colour, linestyle=style, label=name)
    axes.axhline(0.0, color=MUTED, linewidth=0.8)
    axes.legend(loc=place, bbox_to_anchor=(1.0, 1.0), ncols=len(lines), frameon=False,
                fontsize=8.5, borderpad=0.2, handlelength=1.8, columnspacing=1.2)

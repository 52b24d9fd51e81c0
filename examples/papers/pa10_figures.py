"""Figures of paper 003: torques with and without the ship, and what misprints would change."""

from __future__ import annotations

from pathlib import Path
from typing import List

import numpy as np

from papers.error_chart import error_chart
from papers.pa10 import METHODS, Pa10Result, SECONDS
from papers.pa10_variants import VARIANTS
from papers.tables import largest
from robot_dynamics.app.figure_sheet import grid_shape, OTHER, PRINTED, QUIET, RIGHT, Sheet


def draw(result: Pa10Result, directory: Path) -> List[Path]:
    """Write the figures as PNG; return their paths."""
    directory.mkdir(parents=True, exist_ok=True)
    written = [_figure_4(result, directory), _figure_5(result, directory),
               _misprints(result, directory)]
    return written + ([_times(result, directory)] if result.times else [])


def _figure_4(result: Pa10Result, directory: Path) -> Path:
    rows, columns = grid_shape(len(result.joints))
    sheet = Sheet(
        rows, columns, 'What the ship does to the joint torques of a PA10-6CE (paper: Fig. 4)',
        'Torque that the motion of Table 4 asks for, on the ship of Table 3 (roll '
        f'{np.abs(result.roll_pitch[:, 0]).max():.1f} rad, pitch '
        f'{np.abs(result.roll_pitch[:, 1]).max():.1f} rad) and on a level base at rest.  '
        'Newton-Euler and Lagrange-Euler give the same curves.')
    for i, joint in enumerate(result.joints):
        axes = sheet.named_panel(i, joint)
        axes.plot(result.time, result.without_ship[:, i], '--', color=QUIET,
                  label='level base at rest')
        axes.plot(result.time, result.with_ship[:, i], color=RIGHT, label='on the ship')
        axes.set_xlim(result.time[0], result.time[-1])
        if i % columns == 0:
            axes.set_ylabel('torque [N m]')
        if i >= len(result.joints) - columns:
            axes.set_xlabel('time [s]')
    return sheet.save(directory / 'pa10_figure_4.png')


def _figure_5(result: Pa10Result, directory: Path) -> Path:
    sheet = Sheet(
        len(result.joints), 2,
        'How far apart the two methods are (paper: Fig. 5)',
        'Left: Lagrange-Euler less Newton-Euler, both with the right base motion: rounding, mind '
        'the unit.  Right: what the base motion of the printed eq. 35 would change in '
        'Newton-Euler, to the letter (angles in place of rates) and with the missing dots '
        'restored.', width=5.2, height=1.35)
    power = int(np.floor(np.log10(max(np.abs(result.between_methods).max(), 1e-300))))
    for i, joint in enumerate(result.joints):
        left, right = (sheet.named_panel(2 * i + side, joint) for side in (0, 1))
        for axes in (left, right):
            axes.set_xlim(result.time[0], result.time[-1])
        for color, label in ((RIGHT, 'Lagrange-Euler less Newton-Euler, computed right'),
                             (PRINTED, 'eq. 35 as printed'), (OTHER, 'eq. 35, dots restored')):
            left.plot([], [], color=color, label=label)
        left.plot(result.time, result.between_methods[:, i] / 10.0**power, color=RIGHT,
                  linewidth=0.6)
        right.plot(result.time, result.errors['eq35_as_printed'][:, i], color=PRINTED)
        right.plot(result.time, result.errors['eq35_dotted'][:, i], color=OTHER)
        left.set_ylabel(f'10$^{{{power}}}$ N m')
        right.set_ylabel('N m')
    for axes in sheet.axes[-1]:
        axes.set_xlabel('time [s]')
    return sheet.save(directory / 'pa10_figure_5.png')


def _misprints(result: Pa10Result, directory: Path) -> Path:
    errors = np.array([largest(result.errors[variant.key]) for variant in VARIANTS])
    sheet = Sheet(
        1, 1, 'What each misprint of the paper would change',
        'Largest torque error over the run if one thing were taken as printed and all else were '
        'right, and its share of the largest torque of that joint.  a is roll, b is pitch.',
        width=10.0, height=5.2, share_x=False, legend=False)
    error_chart(sheet.panel(0), [variant.printed for variant in VARIANTS], result.joints, errors,
                np.array(largest(result.with_ship)))
    return sheet.save(directory / 'pa10_misprints.png')


def _times(result: Pa10Result, directory: Path) -> Path:
    assert result.times is not None
    measured = (('one torque,\ncompiled function', result.times.kernel),
                ('one torque,\ntorque()', result.times.call),
                (f'one of {result.times.samples}\nat once', result.times.batch))
    sheet = Sheet(
        1, 2, 'Time of both methods (paper: Section 4)',
        'Left: this package, measured in turns in one process.  Right: the run of the paper in '
        'Maple 15; it does not say how many samples that was, so only the ratios compare.',
        width=4.8, height=3.0, share_x=False)
    words = {'newton_euler': 'Newton-Euler', 'lagrange_euler': 'Lagrange-Euler'}
    for axes, groups, scale, unit in (
            (sheet.panel(0), measured, 1e6, 'microseconds a torque'),
            (sheet.panel(1), (("the paper's run", SECONDS),), 1.0, 'seconds')):
        for k, method in enumerate(METHODS):
            axes.bar(np.arange(len(groups)) + 0.38 * (k - 0.5),
                     [scale * seconds[method] for _, seconds in groups], 0.36,
                     color=(RIGHT, PRINTED)[k], label=words[method])
        for at, (_, seconds) in enumerate(groups):
            ratio = seconds['lagrange_euler'] / seconds['newton_euler']
            top = scale * max(seconds.values())
            axes.text(at, top * 1.03, f'ratio {ratio:.2f}', ha='center', va='bottom')
        axes.set_xticks(range(len(groups)), [name for name, _ in groups])
        axes.set_ylabel(unit)
        axes.margins(y=0.15)
        axes.grid(False, axis='x')
    sheet.panel(1).set_xlim(-1.2, 1.2)
    return sheet.save(directory / 'pa10_times.png')

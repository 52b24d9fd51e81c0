"""Figures of paper 002: eq. 17 right and as printed, and its Figs. 3 and 4."""

from __future__ import annotations

from pathlib import Path
from typing import List

import numpy as np

from papers.anthropomorphic import AnthropomorphicResult, ASTRAY
from papers.anthropomorphic_equations import MISPRINTS
from papers.error_chart import error_chart
from papers.tables import largest
from robot_dynamics.app.figure_sheet import OTHER, PRINTED, RIGHT, Sheet

WORDS = ('theta1: column', 'theta2: upper arm', 'theta3: forearm')


def draw(result: AnthropomorphicResult, directory: Path) -> List[Path]:
    """Write the figures as PNG; return their paths."""
    directory.mkdir(parents=True, exist_ok=True)
    return [_torques(result, directory), _errors(result, directory),
            _motion(result, directory), _energy(result, directory)]


def _torques(result: AnthropomorphicResult, directory: Path) -> Path:
    sheet = Sheet(
        1, 3, 'Torques of the anthropomorphic arm: right, and as eq. 17 prints them',
        'Torques of one motion from rest to rest.  Dots: Newton-Euler on the URDF, a second '
        'opinion on the corrected eq. 17.', width=3.6, height=2.6)
    every = max(1, len(result.time) // 30)
    for i, name in enumerate(WORDS):
        axes = sheet.named_panel(i, name)
        axes.plot(result.time, result.printed[:, i], '--', color=PRINTED,
                  label='eq. 17 as printed')
        axes.plot(result.time, result.closed_form[:, i], color=RIGHT, label='eq. 17 corrected')
        axes.plot(result.time[::every], result.dynamics[::every, i], 'o', color='black',
                  markersize=2.5, label='URDF')
        axes.set_xlabel('time [s]')
    sheet.panel(0).set_ylabel('torque [N m]')
    return sheet.save(directory / 'anthropomorphic_torques.png')


def _errors(result: AnthropomorphicResult, directory: Path) -> Path:
    rows = [f'{misprint.place}: {misprint.printed[:44]}' for misprint in MISPRINTS]
    rows[-1] = '17b, c: gravity without the right angles'
    errors = [largest(result.errors[misprint.key]) for misprint in MISPRINTS]
    errors.append(largest(result.printed - result.closed_form))
    sheet = Sheet(
        1, 1, 'What each misprint of eq. 17 changes',
        'Largest torque error along the motion if one term were taken as printed and all else '
        'were right, and its share of the largest torque.', width=9.0, height=3.4,
        share_x=False, legend=False)
    error_chart(sheet.panel(0), [*rows, 'all together'], result.joints, np.array(errors),
                np.array(largest(result.closed_form)))
    return sheet.save(directory / 'anthropomorphic_misprints.png')


def _motion(result: AnthropomorphicResult, directory: Path) -> Path:
    after = result.astray_after(ASTRAY[-1])
    shown = (len(result.driven_printed.time) if after is None
             else int(np.argmax(result.driven_printed.time >= after)) + 1)
    sheet = Sheet(
        2, 3, 'Forward dynamics: where the torques take the arm (paper: Figs. 3 and 4)',
        'Eq. 19 by fourth-order Runge-Kutta, without any feedback.  The right torques bring the '
        'arm back onto the plan they were computed from.  The torques of eq. 17 as printed lead '
        'it astray; their curve ends at the cross'
        + (f', where a joint is {ASTRAY[-1]:g} rad off.' if after is not None else '.'),
        width=3.6, height=2.1)
    rows = (('angle [rad]', result.planned.q, result.driven_right.position,
             result.driven_printed.position),
            ('speed [rad/s]', result.planned.qd, result.driven_right.velocity,
             result.driven_printed.velocity))
    for row, (label, planned, right, printed) in enumerate(rows):
        for i, name in enumerate(WORDS):
            axes = sheet.named_panel(3 * row + i, name)
            axes.plot(result.time, right[:, i], color=RIGHT, label='driven by the right torques')
            axes.plot(result.time, planned[:, i], ':', color='black', linewidth=2.2,
                      label='planned')
            axes.plot(result.driven_printed.time[:shown], printed[:shown, i], color=PRINTED,
                      label='driven by eq. 17 as printed')
            axes.plot(result.driven_printed.time[shown - 1], printed[shown - 1, i], 'x',
                      color=PRINTED)
            if i == 0:
                axes.set_ylabel(label)
            if row == 1:
                axes.set_xlabel('time [s]')
    return sheet.save(directory / 'anthropomorphic_figures_3_4.png')


def _energy(result: AnthropomorphicResult, directory: Path) -> Path:
    steps, drifts = (np.array(column) for column in zip(*result.drift))
    sheet = Sheet(
        1, 1, 'Energy drift of fourth-order Runge-Kutta',
        'The arm swings freely; kinetic plus potential energy should stay.  The drift '
        'falls with the fourth power of the step.', width=6.0, height=3.0, share_x=False)
    axes = sheet.panel(0)
    axes.loglog(1e3 * steps, drifts, 'o-', color=RIGHT, label='simulated')
    axes.loglog(1e3 * steps, drifts[-1] * (steps / steps[-1])**4, '--', color=OTHER,
                label='fourth power of the step')
    axes.set_xticks(1e3 * steps, [f'{1e3 * step:g}' for step in steps])
    axes.minorticks_off()
    axes.set_xlabel('step [ms]')
    axes.set_ylabel('energy drift [J]')
    return sheet.save(directory / 'anthropomorphic_energy.png')

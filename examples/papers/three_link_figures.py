"""Figures of paper 001: its torques as printed and as they are right."""

from __future__ import annotations

from pathlib import Path
from typing import List

import numpy as np

from papers.error_chart import error_chart
from papers.tables import largest
from papers.three_link import ThreeLinkResult, TORQUES
from robot_dynamics.app.figure_sheet import OTHER, PALETTE, PRINTED, QUIET, RIGHT, Sheet

WORDS = {'tau0': 'tau0: turret', 'tau1': 'tau1: lower link', 'tau2': 'tau2: upper link'}


def draw(result: ThreeLinkResult, directory: Path) -> List[Path]:
    """Write the figures as PNG; return their paths."""
    directory.mkdir(parents=True, exist_ok=True)
    return [_torques(result, directory), _errors(result, directory)]


def _torques(result: ThreeLinkResult, directory: Path) -> Path:
    sheet = Sheet(
        4, 1, 'Torques of a three-link arm: right, and as the paper prints them',
        'The upper link turns in a vertical plane on the lower link, both on a turning base.  '
        'Dots: Newton-Euler on the URDF, a second opinion on the corrected closed form.  The '
        "paper's angles are absolute, so are tau0 to tau2; the motors of a serial arm carry "
        'what the lowest panel shows.', width=9.0, height=1.75)
    styles = (('Table I', PRINTED, '-'), ('eqs. 22, 23', OTHER, '--'),
              ('eqs. 19, 20', PALETTE[4], ':'))
    every = max(1, len(result.time) // 40)
    for i, name in enumerate(TORQUES):
        axes = sheet.named_panel(i, WORDS[name])
        for place, color, line in styles:
            axes.plot(result.time, result.printed[place][:, i], line, color=color, label=place)
        axes.plot(result.time, result.closed_form[:, i], color=RIGHT, linewidth=2.0,
                  label='right (closed form)')
        axes.plot(result.time[::every], result.dynamics[::every, i], 'o', color='black',
                  markersize=2.5, label='right (URDF)')
        axes.set_ylabel('N m')
    axes = sheet.named_panel(3, 'motors of the serial arm')
    for i, color in enumerate((QUIET, RIGHT, PALETTE[5])):
        axes.plot(result.time, result.motors[:, i], color=color,
                  label=('T0 = tau0', 'T1 = tau1 + tau2', 'T2 = tau2')[i])
    axes.legend(loc='lower right', bbox_to_anchor=(1.0, 0.98), ncols=3, fontsize=8,
                frameon=False)
    axes.set_ylabel('N m')
    axes.set_xlabel('time [s]')
    axes.set_xlim(result.time[0], result.time[-1])
    return sheet.save(directory / 'three_link_torques.png', 5)


def _errors(result: ThreeLinkResult, directory: Path) -> Path:
    errors = np.array([largest(torque - result.closed_form)
                       for torque in result.printed.values()])
    sheet = Sheet(
        1, 1, 'How far the printed equations are off',
        'Largest torque error along the motion, and its share of the largest torque.  All three '
        "places print tau0 = I0 th0'', which forgets that the arm swings with its base.",
        width=7.5, height=2.6, share_x=False, legend=False)
    error_chart(sheet.panel(0), list(result.printed), TORQUES, errors,
                np.array(largest(result.closed_form)))
    return sheet.save(directory / 'three_link_errors.png')

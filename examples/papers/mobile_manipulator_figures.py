"""Figures of paper 004: the torques of Fig. 7, right and as printed, and the coupling."""

from __future__ import annotations

from pathlib import Path
from typing import List

import numpy as np

from papers.error_chart import error_chart
from papers.mobile_manipulator import JOINTS, MobileManipulatorResult
from papers.tables import largest
from robot_dynamics.app.figure_sheet import OTHER, PALETTE, PRINTED, QUIET, RIGHT, Sheet


def draw(result: MobileManipulatorResult, directory: Path) -> List[Path]:
    """Write the figures as PNG; return their paths."""
    directory.mkdir(parents=True, exist_ok=True)
    return [_torques(result, directory), _causes(result, directory), _errors(result, directory)]


def _torques(result: MobileManipulatorResult, directory: Path) -> Path:
    sheet = Sheet(
        5, 1, 'Fig. 7 recomputed: torque of each joint on the motion of Table 3',
        'The platform drives back by 1.2 m while the arm sweeps; quintic profile of '
        f'{result.time[-1]:g} s.  As printed: eqs. 38, 71, 72, 76 and 77 taken literally.  '
        'Separate: a platform without arm, an arm on a platform that stands.', width=9.0,
        height=1.6)
    for i, name in enumerate(JOINTS):
        axes = sheet.named_panel(i, name)
        axes.plot(result.time, result.all_printed[:, i], color=PRINTED, label='as printed')
        axes.plot(result.time, result.uncoupled[:, i], '--', color=OTHER, label='separate')
        axes.plot(result.time, result.right[:, i], color=RIGHT, linewidth=2.0, label='right')
        axes.set_ylabel('N m')
    axes.set_xlabel('time [s]')
    axes.set_xlim(result.time[0], result.time[-1])
    return sheet.save(directory / 'mobile_manipulator_torques.png', 3)


def _causes(result: MobileManipulatorResult, directory: Path) -> Path:
    sheet = Sheet(
        5, 1, 'Where each torque comes from',
        'Own inertia is what a joint needs to accelerate itself; the inertia of other joints is '
        'what it feels because they accelerate.', width=9.0, height=1.6)
    colors = (QUIET, RIGHT, PRINTED, PALETTE[4], OTHER)
    for i, name in enumerate(JOINTS):
        axes = sheet.named_panel(i, name)
        for (cause, torque), color in zip(result.causes.items(), colors):
            axes.plot(result.time, torque[:, i], color=color, label=cause)
        axes.set_ylabel('N m')
    axes.set_xlabel('time [s]')
    axes.set_xlim(result.time[0], result.time[-1])
    return sheet.save(directory / 'mobile_manipulator_causes.png', 5)


def _errors(result: MobileManipulatorResult, directory: Path) -> Path:
    rows = {**result.printed, 'all printed': result.all_printed, 'separate': result.uncoupled}
    errors = np.array([largest(torque - result.right) for torque in rows.values()])
    sheet = Sheet(
        1, 1, 'How far off the printed equations and the separate computation are',
        'Largest torque error along the motion, and its share of the largest torque.', width=9.0,
        height=3.2, share_x=False, legend=False)
    error_chart(sheet.panel(0), list(rows), JOINTS, errors, np.array(largest(result.right)))
    return sheet.save(directory / 'mobile_manipulator_errors.png')

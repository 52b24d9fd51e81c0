"""Figs. 3 and 4 of paper 002 for any arm: angles and speeds over time.  Loads matplotlib."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from robot_dynamics.app.figure_sheet import OTHER, PRINTED, RIGHT, Sheet
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.simulation.integration import Simulation


def draw_simulation(model: RobotModel, run: Simulation, caption: str, path: Path) -> Path:
    """Write a PNG with one row a joint: position, speed, and the torque if it varies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = 3 if np.ptp(run.torque, axis=0).any() else 2
    sheet = Sheet(model.nv, columns, f'Simulated motion of {model.name}', caption,
                  width=10.8 / columns, height=1.6 if model.nv > 1 else 2.2, legend=False)
    for i, joint in enumerate(model.joints):
        slides = joint.kind == 'prismatic'
        for k, (values, color, label) in enumerate((
                (run.position, RIGHT, 'position [m]' if slides else 'angle [rad]'),
                (run.velocity, OTHER, 'speed [m/s]' if slides else 'speed [rad/s]'),
                (run.torque, PRINTED, 'force [N]' if slides else 'torque [N m]'))[:columns]):
            axes = sheet.named_panel(columns * i + k, joint.name)
            axes.plot(run.time, values[:, i], color=color)
            axes.set_ylabel(label)
            if i == model.nv - 1:
                axes.set_xlabel('time [s]')
    return sheet.save(path)

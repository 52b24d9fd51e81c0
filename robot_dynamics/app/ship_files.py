"""What ``robot-dynamics ship`` leaves behind: the motion as CSV, and one figure."""

from __future__ import annotations

import csv
import math
from typing import Any, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM, Harmonics
from robot_dynamics.ship.motion_statistics import power_spectrum
from robot_dynamics.ship.ship_motion import ShipMotion

Point = Tuple[float, ...]

FIGURE_FORMATS = ('.png', '.pdf', '.svg')

_SHOWN = 120.0  # s of motion in the figure
_PACKED = [f'{name}_{axis}' for name in (
    'angular_velocity', 'angular_acceleration', 'linear_acceleration', 'gravity')
    for axis in 'xyz']


def sample_times(duration: float, rate: float) -> FloatArray:
    """Return evenly spaced times from zero, (T,), s."""
    return np.arange(max(2, round(duration * rate)), dtype=np.float64) / rate


def write_csv(path: str, ship: ShipMotion, duration: float, rate: float, point: Point) -> None:
    """
    Write time, degrees of freedom (m, rad) and the base motion at ``point`` (deck axes, SI).

    The file can be replayed: :meth:`ShipMotion.recorded` reads its first seven columns.
    """
    t = sample_times(duration, rate)
    columns = np.column_stack([t, ship.degrees_of_freedom(t)[:, :6], ship.at(t, point).packed])
    with open(path, 'w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file)
        writer.writerow(['time', *DEGREES_OF_FREEDOM, *_PACKED])
        writer.writerows([f'{value:.9g}' for value in row] for row in columns.tolist())


def draw_figure(path: str, ship: ShipMotion, duration: float, rate: float) -> None:
    """
    Draw two minutes of motion, and the spectra of roll, pitch and heave against their target.

    The path's ending is one of ``FIGURE_FORMATS``.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    t = sample_times(duration, rate)
    x = ship.degrees_of_freedom(t)
    shown = t <= _SHOWN
    figure = Figure(figsize=(11, 8), layout='constrained')
    FigureCanvasAgg(figure)
    axes = figure.subplots(3, 2, width_ratios=[2, 1])
    for row, index in enumerate((3, 4, 2)):
        scale, unit = (1.0, 'm') if index < 3 else (180 / math.pi, 'deg')
        name = DEGREES_OF_FREEDOM[index]
        axes[row, 0].plot(t[shown], scale * x[shown, index], lw=1.2)
        axes[row, 0].set_ylabel(f'{name} [{unit}]')
        _draw_spectrum(axes[row, 1], ship, scale * x[:, index], 1 / rate, index, scale)
        axes[row, 1].set_ylabel(f'{name} [{unit}$^2$ s/rad]')
    axes[2, 0].set_xlabel('time [s]')
    axes[2, 1].set_xlabel('frequency [rad/s]')
    axes[0, 0].set_title('motion (FLU: positive pitch is bow down)')
    axes[0, 1].set_title('spectrum')
    axes[0, 1].legend()
    for axis in axes.ravel():
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=130)


def _draw_spectrum(axis: Any, ship: ShipMotion, values: FloatArray, spacing: float, index: int,
                   scale: float) -> None:
    w, density = power_spectrum(values, spacing)
    axis.plot(w, density, lw=1.2, label='of this run')
    source = ship.source
    if isinstance(source, Harmonics) and len(source.frequency) > 20:
        energy = scale**2 * (source.sine[index]**2 + source.cosine[index]**2) / 2
        centre, target = _target_density(np.abs(source.frequency), energy)
        axis.plot(centre, target, 'k--', lw=1.2, label='target')
    axis.set_xlim(0, 2.5)


def _target_density(frequency: FloatArray, energy: FloatArray) -> Tuple[FloatArray, FloatArray]:
    """Turn the energies of single waves into a density: energy over the room of each."""
    order = np.argsort(frequency)
    w, energy = frequency[order], energy[order]
    edges = np.concatenate([[w[0]], 0.5 * (w[1:] + w[:-1]), [w[-1]]])
    width = np.maximum(np.diff(edges), 1e-9)
    # neighbours share their room, which evens out the jitter of the waves
    kernel = np.array([1.0, 2.0, 3.0, 2.0, 1.0])
    return w, np.convolve(energy, kernel, 'same') / np.convolve(width, kernel, 'same')

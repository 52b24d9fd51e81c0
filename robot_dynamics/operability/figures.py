"""Operability as offshore engineers draw it: polar, over height and period, and over the deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.operability.result import OperabilityResult
from robot_dynamics.operability.search import BaseSearch, PostureSearch

_SHOWN = 15.0  # m: higher waves are drawn at the rim
_INK, _MUTED, _BLUE, _RED = '#222222', '#8a8a8a', '#1f6fb2', '#c0504d'


def draw_result(result: OperabilityResult, path: Path) -> None:
    """Draw the allowed wave height over heading (polar) and over period."""
    figure = _figure((12.0, 5.6))
    figure.suptitle(_title(result), x=0.01, ha='left', fontsize=11, fontweight='bold')
    grid = figure.add_gridspec(1, 2, width_ratios=(1.0, 1.25))
    _draw_polar(figure.add_subplot(grid[0], projection='polar'), result)
    _draw_periods(figure.add_subplot(grid[1]), result)
    figure.savefig(path, dpi=130)


def draw_base_search(search: BaseSearch, path: Path) -> None:
    """Draw the margin over the places on deck, at the best heading of the robot's base."""
    figure = _figure((8.0, 5.0))
    axes = figure.add_subplot()
    x, y, yaw, margin = search.best
    k = int(np.argmin(np.abs(search.yaw_deg - yaw)))
    mesh = axes.pcolormesh(search.x, search.y, search.margin[:, :, k].T, shading='nearest',
                           cmap='viridis')
    figure.colorbar(mesh, label='waves may be higher by this factor')
    axes.plot(x, y, 'o', color='white', markeredgecolor=_INK, markersize=9)
    axes.set_title(f'Where to stand: best at ({x:g}, {y:g}) m, base turned by {yaw:g} deg, factor '
                   f'{margin:.2f}', loc='left', fontsize=10)
    axes.set_xlabel('x from the rotation centre, forward [m]')
    axes.set_ylabel('y, to port [m]')
    figure.savefig(path, dpi=130)


def draw_posture_search(search: PostureSearch, lower: FloatArray, upper: FloatArray, path: Path
                        ) -> None:
    """
    Draw the postures as lines over the joints, the worst first and the best on top.

    Parameters
    ----------
    lower, upper : ndarray, (nv,)
        Position limits, in rad or m; the lines run between them.
    """
    import matplotlib
    figure = _figure((8.0, 5.0))
    axes = figure.add_subplot()
    share = (search.q - lower) / (upper - lower)
    top = max(float(search.margin.max()), 1e-9)
    for row, margin in zip(share[::-1], search.margin[::-1]):
        axes.plot(row, color=matplotlib.colormaps['viridis'](margin / top), lw=0.6, alpha=0.5)
    axes.plot(share[0], color=_RED, lw=2.5, marker='o',
              label=f'best: waves may be {search.margin[0]:.2f} times as high')
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0.0, top), 'viridis')
    figure.colorbar(scale, ax=axes, label='waves may be higher by this factor')
    axes.set_xticks(range(len(search.joints)), search.joints)
    axes.set_yticks([0.0, 0.5, 1.0], ['lower limit', 'middle', 'upper limit'])
    axes.set_title(f'How to stow: {len(search.margin)} postures', loc='left', fontsize=10)
    axes.legend(loc='upper right', fontsize=8)
    figure.savefig(path, dpi=130)


def _figure(size: tuple[float, float]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    figure = Figure(figsize=size, layout='constrained')
    FigureCanvasAgg(figure)
    return figure


def _title(result: OperabilityResult) -> str:
    x, y, z = result.base_xyz
    return (f'{result.robot} at ({x:g}, {y:g}, {z:g}) m: largest significant wave height that '
            f'keeps every limit with {100 * result.probability:g} % over {result.hours:g} h')


def _draw_polar(axes: Any, result: OperabilityResult) -> None:
    axes.set_theta_zero_location('S')  # waves from astern at the bottom: the bow is up
    headings = np.radians(result.headings_deg)
    shown = _some(result.curves.periods)
    for number, column in enumerate(shown):
        height = np.minimum(result.curves.height[:, column], _SHOWN)
        angles, radii = _mirrored(headings, height)
        axes.plot(angles, radii, color=_shade(number, len(shown)), lw=1.6,
                  label=f'Tp {result.curves.periods[column]:g} s')
    axes.set_title('allowed Hs [m] over heading (bow up; 180 deg: head sea)', fontsize=9)
    axes.legend(loc='lower left', bbox_to_anchor=(-0.15, -0.12), fontsize=8, frameon=False)
    axes.grid(alpha=0.4)


def _draw_periods(axes: Any, result: OperabilityResult) -> None:
    curves = result.curves
    shown = _some(np.asarray(result.headings_deg))
    for number, row in enumerate(shown):
        axes.plot(curves.periods, np.minimum(curves.height[row], _SHOWN),
                  color=_shade(number, len(shown)), lw=1.6,
                  label=f'{result.headings_deg[row]:g} deg')
    worst = np.minimum(curves.height.min(axis=0), _SHOWN)
    axes.plot(curves.periods, worst, color=_INK, lw=2.2, ls='--', label='worst heading')
    for heading_cells in result.cells:
        for cell in heading_cells:
            sea = cell.sea
            if sea.peak_period <= curves.periods.max():
                axes.plot(sea.peak_period, min(sea.significant_wave_height, _SHOWN), marker='.',
                          ms=5, color=_BLUE if cell.keeps else _RED, zorder=1)
    axes.set_ylim(0.0, min(_SHOWN, 1.15 * max(float(worst.max()), 1.0)
                           if worst.max() < _SHOWN else _SHOWN) * 1.02)
    axes.set_xlabel('peak period Tp [s]')
    axes.set_ylabel('significant wave height Hs [m]')
    axes.set_title('limit diagram (work below the line; dots: seas asked about)', fontsize=9)
    axes.legend(fontsize=8, frameon=False)
    axes.grid(alpha=0.3)


def _some(values: Any, count: int = 5) -> list[int]:
    return sorted({int(k) for k in np.linspace(0, len(values) - 1, min(count, len(values)))})


def _shade(number: int, count: int) -> Sequence[float]:
    import matplotlib
    share = number / max(count - 1, 1)
    shade: Sequence[float] = matplotlib.colormaps['viridis'](0.1 + 0.8 * share)
    return shade


def _mirrored(headings: Any, values: Any) -> tuple[Any, Any]:
    """Close the circle for headings that were asked for on one side only."""
    if headings.max() <= np.pi + 1e-9 and len(headings) > 1:
        return (np.concatenate([headings, 2 * np.pi - headings[::-1]]),
                np.concatenate([values, values[::-1]]))
    return headings, values

"""How the figures of the demos look."""

from __future__ import annotations

from typing import Any, Sequence, Tuple

from matplotlib.ticker import FuncFormatter
import numpy as np

from robot_dynamics.core.gate import FloatArray

INK, MUTED, GRID = '#222222', '#6b6b6b', '#e4e4e4'
PLAIN = FuncFormatter(lambda value, _: f'{value:g}')
STYLE: Any = {
    'font.size': 9.5, 'axes.edgecolor': MUTED, 'axes.labelcolor': INK, 'text.color': INK,
    'xtick.color': MUTED, 'ytick.color': MUTED, 'axes.spines.top': False,
    'axes.spines.right': False, 'axes.grid': True, 'grid.color': GRID, 'axes.axisbelow': True,
    'axes.titlelocation': 'left', 'axes.titlesize': 10.5, 'axes.titleweight': 'bold',
    'lines.linewidth': 1.8, 'figure.facecolor': 'white'}


def draw_words(axes: Any, blocks: Sequence[Tuple[Sequence[str], float, str, str]],
               line: float, gap: float) -> None:
    """
    Write blocks of text below each other.

    Parameters
    ----------
    blocks : sequence of (lines, font size, weight, colour)
    line : float
        Height of a line per unit of font size, of the axes.
    gap : float
        Between blocks, of the axes.
    """
    axes.axis('off')
    height = 1.0
    for lines, size, weight, colour in blocks:
        for text in lines:
            axes.text(0.0, height, text, fontsize=size, fontweight=weight, color=colour,
                      va='top', transform=axes.transAxes)
            height -= line * size
        height -= gap


def draw_overall(axes: Any, rows: Sequence[Tuple[str, float, str]]) -> None:
    """Draw a dot for each label, tracking error over the whole run [mrad] and colour."""
    values = [value for _, value, _ in rows]
    axes.set_title('... and over the whole run')
    axes.set_xscale('log')
    axes.set_xlim(min(values) / 2.5, max(values) * 12.0)
    for place, (label, value, colour) in enumerate(rows[::-1]):
        axes.axhline(place, color=GRID, linewidth=0.8, zorder=0)
        axes.plot(value, place, 'o', color=colour, markersize=10)
        axes.annotate(f'{value:.3g} mrad', (value, place), (9, 0), textcoords='offset points',
                      va='center', fontweight='bold', color=colour)
        axes.text(0.01, place + 0.16, label, va='bottom', fontsize=9, color=INK,
                  transform=axes.get_yaxis_transform())
    axes.set_ylim(-0.4, len(rows) - 0.4)
    axes.set_yticks([])
    axes.xaxis.set_major_formatter(PLAIN)
    axes.minorticks_off()
    axes.set_xlabel('tracking error, RMS [mrad]')


def smooth(values: FloatArray, count: int) -> FloatArray:
    """Return the root mean square over a sliding window, so that a log scale stays readable."""
    kernel = np.ones(count)
    norm = np.convolve(np.ones_like(values), kernel, 'same')
    return np.asarray(np.sqrt(np.convolve(values**2, kernel, 'same') / norm))

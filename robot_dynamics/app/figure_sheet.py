"""What figures with a grid of axes share: style, grid, legend and file.  Loads matplotlib."""

from __future__ import annotations

from pathlib import Path
import textwrap
from typing import Any, Tuple

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
# Okabe & Ito 2008: distinguishable also for colour-blind readers
RIGHT, PRINTED, OTHER, QUIET = '#0072b2', '#d55e00', '#009e73', '#8a8a8a'
PALETTE = (RIGHT, PRINTED, OTHER, '#e69f00', '#cc79a7', '#56b4e9', '#4d4d4d', '#b8860b', '#8a8a8a')

STYLE: Any = {
    'font.size': 9, 'axes.titlesize': 9.5, 'axes.titleweight': 'bold', 'axes.labelsize': 9,
    'axes.spines.top': False, 'axes.spines.right': False, 'axes.grid': True,
    'axes.axisbelow': True, 'grid.color': '#e6e6e6', 'grid.linewidth': 0.7,
    'axes.edgecolor': '#999999', 'xtick.color': '#444444', 'ytick.color': '#444444',
    'legend.frameon': False, 'lines.linewidth': 1.4}


class Sheet:
    """
    One figure with a grid of axes, a title that says what it shows, and one legend.

    Parameters
    ----------
    title : str
        The message in one line.
    caption : str
        What a stranger needs to read the figure; wrapped below the title.
    width, height : float
        Of one panel, inches.
    share_x : bool
        One time axis for a column.
    legend : bool
        Keep room for a legend below the caption.
    """

    def __init__(self, rows: int, columns: int, title: str, caption: str, width: float = 3.6,
                 height: float = 2.0, share_x: bool = True, legend: bool = True) -> None:
        self._title, self._legend = title, legend
        self._size = (width * columns, height * rows)
        self._caption = textwrap.wrap(caption, int(15.5 * self._size[0]))
        with rc_context(STYLE):
            self.figure = Figure(figsize=(self._size[0], self._size[1] + self._head()))
            FigureCanvasAgg(self.figure)
            self.axes = self.figure.subplots(
                rows, columns, squeeze=False, sharex='col' if share_x else False)

    def panel(self, index: int) -> Any:
        """Return the axes with this number, row by row."""
        return self.axes.flat[index]

    def named_panel(self, index: int, name: str) -> Any:
        """Return the axes with this number, with a heading and a line at zero."""
        axes = self.axes.flat[index]
        axes.set_title(name, loc='left', fontsize=STYLE['axes.titlesize'],
                       fontweight=STYLE['axes.titleweight'])
        axes.axhline(0.0, color='#bbbbbb', linewidth=0.8, zorder=1)
        return axes

    def _head(self) -> float:
        """Height of title, caption and legend, inches."""
        return (0.75 if self._legend else 0.4) + 0.17 * len(self._caption)

    def save(self, path: Path, legend_columns: int = 4) -> Path:
        """Lay out and write; the legend's entries are those of the first panel."""
        width, height = self.figure.get_size_inches()
        head = self._head()
        with rc_context(STYLE):
            self.figure.text(0.1 / width, 1 - 0.1 / height, self._title, va='top', ha='left',
                             fontsize=12, fontweight='bold')
            self.figure.text(0.1 / width, 1 - 0.36 / height, '\n'.join(self._caption), va='top',
                             ha='left', fontsize=9, color='#444444', linespacing=1.3)
            if self._legend:
                handles, labels = self.axes.flat[0].get_legend_handles_labels()
                self.figure.legend(handles, labels, loc='upper left', ncols=legend_columns,
                                   bbox_to_anchor=(0.02 / width, 1 - (head - 0.3) / height),
                                   columnspacing=1.6, handlelength=1.8)
            self.figure.tight_layout(rect=(0, 0, 1, 1 - (head + 0.02) / height), h_pad=1.0)
            self.figure.savefig(path, dpi=130)
        return path


def grid_shape(panels: int) -> Tuple[int, int]:
    """Return rows and columns for a number of panels, at most three a row."""
    columns = min(3, panels)
    return -(-panels // columns), columns

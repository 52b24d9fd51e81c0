"""The figure that all papers share: errors as numbers, shaded by their share."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray


def error_chart(axes: Any, rows: Sequence[str], columns: Sequence[str], errors: FloatArray,
                peaks: FloatArray, unit: str = 'N m') -> None:
    """
    Draw errors as a chart of numbers, shaded by their share of the largest torque.

    Parameters
    ----------
    axes : matplotlib axes
    rows, columns : sequence of str
    errors : ndarray, (len(rows), len(columns))
        Largest errors.
    peaks : ndarray, (len(columns),)
        Largest torques, what the shade is relative to.
    """
    share = errors / peaks
    axes.imshow(np.clip(share, 0.0, 1.0), cmap='Oranges', vmin=0.0, vmax=1.4, aspect='auto')
    for (row, column), value in np.ndenumerate(errors):
        part = share[row, column]
        text = f'{value:.2g} {unit}\n{100 * part:.2g} %' if part < 0.995 else (
            f'{value:.3g} {unit}\n{100 * part:.0f} %')
        axes.text(column, row, text if part > 1e-9 else 'none', ha='center', va='center',
                  fontsize=8.5, color='black' if part > 1e-9 else '#999999')
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xticks(range(len(columns)), [
        f'{name}\npeak {peak:.3g} {unit}' for name, peak in zip(columns, peaks)])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)

"""Plain text tables: first column left, numbers right, nothing that a grep would trip over."""

from __future__ import annotations

from typing import Sequence

from robot_dynamics.core.formatting import printable


def table(header: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """
    Lay out rows under a header.

    Parameters
    ----------
    rows : sequence of sequences
        Floats are shown with four decimals, or as 1.2346e+12 where they are huge; all else as it
        prints.
    left : int
        How many leading columns are aligned to the left.

    Returns
    -------
    str
        Lines without a final line break.
    """
    cells = [[_cell(value) for value in row] for row in (header, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = []
    for row in cells:
        shown = [text.ljust(width) if column < left else text.rjust(width)
                 for column, (text, width) in enumerate(zip(row, widths))]
        lines.append('  '.join(shown).rstrip())
    return '\n'.join(lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        text = f'{value:.4f}' if abs(value) < 1e9 else f'{value:.4e}'
        return text[1:] if float(text) == 0 and text.startswith('-') else text
    return printable(str(value))

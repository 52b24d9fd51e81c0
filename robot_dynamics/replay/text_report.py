"""The result as text for a terminal."""

from __future__ import annotations

import textwrap
from typing import List, Sequence

from robot_dynamics.bags.findings import SEVERE, WARNING
from robot_dynamics.core.formatting import printable
from robot_dynamics.replay.formatting import HEADER, headline, row, verdict
from robot_dynamics.replay.result import ReplayResult

_MARKS = {SEVERE: '!!', WARNING: '! '}


def text_report(result: ReplayResult, width: int = 99) -> str:
    """
    Return the summary of a result.

    Parameters
    ----------
    result : ReplayResult
        What to tell.
    width : int
        Line length for sentences, characters.
    """
    lines = [f'{result.bag}', headline(result), '']
    for finding in result.findings:
        mark = _MARKS.get(finding.severity, '  ')
        lines += textwrap.wrap(str(finding), width, initial_indent=f'{mark} ',
                               subsequent_indent='   ')
    if result.findings:
        lines.append('')
    lines += _table([HEADER, *(row(joint) for joint in result.joints)])
    lines += ['   RMS torques; viscous, Coulomb: friction that fits the residual, with standard '
              'error; with friction: explained then;', '   fixed base: residual if the base were '
              'level and still; from base: torque that its motion causes; lag: measured later', '']
    for sentence in verdict(result):
        lines += textwrap.wrap(sentence, width)
    lines += [f'Accelerations up to {result.bandwidth:.1f} Hz; Newton-Euler and Lagrange-Euler '
              f'differ by at most {result.method_difference:.1e}.']
    return '\n'.join(map(printable, lines))


def _table(rows: Sequence[Sequence[str]]) -> List[str]:
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(rows[0]))]
    return ['   ' + '  '.join(
        cell.ljust(width) if i < 2 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths))).rstrip() for cells in rows]

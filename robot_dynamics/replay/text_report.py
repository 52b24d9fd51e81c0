"""The result as text for a terminal."""

from __future__ import annotations

import textwrap

from robot_dynamics.core.formatting import printable
from robot_dynamics.core.table import table
from robot_dynamics.replay.formatting import HEADER, headline, row, told, verdict, WIDTH
from robot_dynamics.replay.result import ReplayResult


def text_report(result: ReplayResult) -> str:
    """Return the summary of a result."""
    lines = [f'{result.bag}', headline(result), '', *told(result.findings)]
    if result.findings:
        lines.append('')
    rows = table(HEADER, [row(joint) for joint in result.joints], 2)
    lines += textwrap.indent(rows, '   ').splitlines()
    lines += ['   RMS torques; viscous, Coulomb: friction that fits the residual, with standard '
              'error; with friction: explained then;', '   fixed base: residual if the base were '
              'level and still; from base: torque that its motion causes; lag: measured later', '']
    for sentence in verdict(result):
        lines += textwrap.wrap(sentence, WIDTH)
    lines += [f'Accelerations up to {result.bandwidth:.1f} Hz; Newton-Euler and Lagrange-Euler '
              f'differ by at most {result.method_difference:.1e}.']
    return '\n'.join(map(printable, lines))

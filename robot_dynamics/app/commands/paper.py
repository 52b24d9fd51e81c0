"""``robot-dynamics paper``: the papers' arms and figures, recomputed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Dict

from robot_dynamics.app.progress import Progress
from robot_dynamics.app.table import table
from robot_dynamics.app.values import finite
from robot_dynamics.papers.catalogue import (
    available_papers, figure_module, paper_module)
from robot_dynamics.papers.tables import ResultTable, write_csv

EXAMPLE = """\
examples:
  robot-dynamics paper three_link
  robot-dynamics paper pa10 --output paper_pa10     tables and curves as CSV, figures as PNG
"""

# Options of each paper beside --output; what is not listed has none.
DURATION, RATE, GRAVITY, TIMING, BACKEND = 'duration', 'rate', 'gravity', 'timing', 'backend'
OPTIONS = {
    'pa10': (DURATION, RATE, TIMING, BACKEND),
    'three_link': (DURATION, GRAVITY, BACKEND),
    'anthropomorphic': (DURATION, GRAVITY, BACKEND),
    'mobile_manipulator': (DURATION, GRAVITY, BACKEND),
}
TELLS_PROGRESS = ('pa10', 'anthropomorphic')


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command, and below it one command a paper."""
    parser = subparsers.add_parser(
        'paper', help='recompute the arms and figures of the papers',
        description='Recompute a paper: what it prints, what is right, and the difference.',
        epilog=EXAMPLE)
    papers = parser.add_subparsers(title='papers', metavar='PAPER', required=True, dest='paper',
                                   parser_class=type(parser))
    for name, title in available_papers().items():
        one = papers.add_parser(
            name, help=title, description=f'{title}.',
            epilog=f'example:\n  robot-dynamics paper {name} --output paper_{name}\n')
        one.add_argument('--output', type=Path, metavar='DIR',
                         help='write CSV and PNG files there')
        _add_options(one, OPTIONS.get(name, ()))
        one.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compute, print, and write if asked to; return the exit code."""
    name = args.paper
    if args.output is not None:
        args.output.mkdir(parents=True, exist_ok=True)
    with Progress(f'recomputing {name}') as progress:
        chosen: Dict[str, Any] = {option: getattr(args, option)
                                  for option in OPTIONS.get(name, ())
                                  if getattr(args, option) is not None}
        if name in TELLS_PROGRESS:
            chosen['progress'] = progress
        result = paper_module(name).compute(**chosen)
        written = []
        if args.output is not None:
            written = write_csv(result, args.output)
            progress('drawing')
            written += figure_module(name).draw(result, args.output)
    for entry in result.tables():
        print(_text(entry) + '\n')
    print('\n'.join(result.findings()))
    if written:
        print('\nwritten:\n' + '\n'.join(f'  {path}' for path in written))
    return 0


def _text(entry: ResultTable) -> str:
    """Lay out one table under its title, its leading columns of words to the left."""
    words = 0
    while words < len(entry.header) and all(isinstance(row[words], str) for row in entry.rows):
        words += 1
    lines = [entry.title, table(entry.header, entry.shown(), max(1, words))]
    return '\n'.join(lines + ([entry.note] if entry.note else []))


def _add_options(parser: argparse.ArgumentParser, names: Any) -> None:
    if DURATION in names:
        parser.add_argument('--duration', type=finite, metavar='T',
                            help='length of the motion in s')
    if RATE in names:
        parser.add_argument('--rate', type=finite, metavar='HZ', help='samples per s')
    if GRAVITY in names:
        parser.add_argument('--gravity', type=finite, metavar='G', help='its magnitude in m/s^2')
    if TIMING in names:
        parser.add_argument('--timing', action=argparse.BooleanOptionalAction, default=True,
                            help='time both methods side by side (default: yes)')
    if BACKEND in names:
        parser.add_argument('--backend', choices=('interpreted', 'numba'),
                            help='numba compiles first')

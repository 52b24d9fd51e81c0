"""``robot-dynamics paper``: what ``examples/papers`` recomputes, shown and saved."""

from __future__ import annotations

import argparse
import importlib
import inspect
from pathlib import Path
import sys
from types import ModuleType
from typing import Any, Dict

from robot_dynamics.app.progress import Progress
from robot_dynamics.app.values import finite
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.core.table import table

PAPERS = ('pa10', 'three_link', 'anthropomorphic', 'mobile_manipulator')

EXAMPLE = """\
papers:
  pa10                 Sadraei & Moghaddam 2015: a PA10-6CE on a moving ship
  three_link           Obasi et al. 2020: a three-link arm
  anthropomorphic      Leohchi & Merticaru 2013: an anthropomorphic arm
  mobile_manipulator   a three-joint arm on a differential drive, 2019
Each is a module in examples/papers of the checkout, share/robot_dynamics of an installation.

examples:
  robot-dynamics paper three_link
  robot-dynamics paper pa10 --output paper_pa10     # tables and curves as CSV, figures as PNG
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'paper', help='recompute the arms and figures of the papers',
        description='Recompute a paper: what it prints, what is right, and the difference.',
        epilog=EXAMPLE)
    parser.add_argument('paper', choices=PAPERS, metavar='PAPER', help=', '.join(PAPERS))
    parser.add_argument('--output', type=Path, metavar='DIR',
                        help='write CSV and PNG files there')
    parser.add_argument('--duration', type=finite, metavar='T',
                        help='length of the motion in s')
    parser.add_argument('--rate', type=finite, metavar='HZ', help='samples per s (pa10)')
    parser.add_argument('--gravity', type=finite, metavar='G',
                        help='its magnitude in m/s^2 (all but pa10, which states it)')
    parser.add_argument('--timing', action=argparse.BooleanOptionalAction,
                        help='time both methods side by side (pa10; default: yes)')
    parser.add_argument('--backend', choices=('interpreted', 'numba'),
                        help='numba compiles first')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compute, print, and write if asked to; return the exit code."""
    paper = paper_module(args.paper)
    options = inspect.signature(paper.compute).parameters
    chosen: Dict[str, Any] = {
        name: getattr(args, name) for name in ('duration', 'rate', 'gravity', 'timing', 'backend')
        if getattr(args, name) is not None}
    for name in chosen:
        if name not in options:
            raise InputError(f'--{name}', f'does not apply to the paper {args.paper}')
    written = []
    with Progress(f'recomputing {args.paper}') as progress:
        if 'progress' in options:
            chosen['progress'] = progress
        result = paper.compute(**chosen)
        if args.output is not None:
            written = paper_module('tables').write_csv(result, args.output)
            progress('drawing')
            written += paper_module(f'{args.paper}_figures').draw(result, args.output)
    for entry in result.tables():
        print(_text(entry) + '\n')
    print('\n'.join(result.findings()))
    if written:
        print('\nwritten:\n' + '\n'.join(f'  {path}' for path in written))
    return 0


def paper_module(name: str) -> ModuleType:
    """Import a module of ``examples/papers``, from the checkout or the installation."""
    examples = str(resource_path('examples'))
    if examples not in sys.path:
        sys.path.insert(0, examples)
    return importlib.import_module(f'papers.{name}')


def _text(entry: Any) -> str:
    """Lay out one table under its title, its leading columns of words to the left."""
    words = 0
    while words < len(entry.header) and all(isinstance(row[words], str) for row in entry.rows):
        words += 1
    lines = [entry.title, table(entry.header, entry.shown(), max(1, words))]
    return '\n'.join(lines + ([entry.note] if entry.note else []))

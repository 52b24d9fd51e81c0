"""Run the benchmarks: ``python -m benchmarks [NAME ...]``, all of them without a name."""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path
import sys

SUPPORT = ('__init__', '__main__', 'timing')


def names() -> list[str]:
    """Names of the benchmarks: the modules beside this one that have a ``main``."""
    found = sorted(path.stem for path in Path(__file__).parent.glob('*.py'))
    return [name for name in found if name not in SUPPORT and not name.startswith('_')]


def main() -> int:
    """Run what was asked for; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='NAME',
                        help='one of: ' + ', '.join(names()))
    arguments, options = parser.parse_known_args()
    chosen = arguments.names or names()
    if options and len(chosen) != 1:
        parser.error(f'{options[0]} belongs to one benchmark; name that one')
    unknown = sorted(set(chosen) - set(names()))
    if unknown:
        parser.error(f'no benchmark {unknown[0]!r}; choose from ' + ', '.join(names()))
    worst = 0
    for name in chosen:
        print(f'== {name}')
        run = importlib.import_module(f'benchmarks.{name}').main
        worst = max(worst, run(options) if options else run())
        print()
    return worst


if __name__ == '__main__':
    try:
        sys.exit(main())
    except BrokenPipeError:  # whoever read, as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)

"""
The command ``robot-dynamics``: find the subcommand, run it, turn its outcome into an exit code.

Exit codes: 0 done; 1 the answer is no (each command says when); 2 bad input, one line on stderr;
130 interrupted by Ctrl-C; 141 whoever read the output stopped reading.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from types import ModuleType
from typing import List, NoReturn, Optional, Sequence

from robot_dynamics import __version__
from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.extras import how_to_install

PROGRAM = 'robot-dynamics'

# Each is a module of robot_dynamics.app.commands; this is also their order in the help.
COMMANDS = (
    'demo',
    'torque',
    'check',
    'ship',
    'analyze',
    'identify',
    'excite',
    'simulate',
    'operability',
    'paper',
)

# 0 and 1 are what a command's run returns.
BAD_INPUT = 2
INTERRUPTED = 130
READER_GONE = 141


class CommandParser(argparse.ArgumentParser):
    """An ArgumentParser whose errors are one line, and that knows -1e-3 and -1,2 as numbers."""

    def __init__(self, **options: object) -> None:
        options.setdefault('formatter_class', argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)  # type: ignore[arg-type]
        self._negative_number_matcher = re.compile(r'-\.?\d')

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2."""
        self.exit(BAD_INPUT, f'{self.prog}: error: {message} (see {self.prog} --help)\n')


def main(argv: Optional[Sequence[str]] = None) -> int:
    """
    Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; None means those of the process.

    Returns
    -------
    int
        The exit code, as the module's description lists them.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        parser = build_parser(words)
        args = parser.parse_args(words)
        code = int(args.run(args))
        sys.stdout.flush()
    except SystemExit as ended:  # argparse: help, version or a wrong argument
        return ended.code if isinstance(ended.code, int) else BAD_INPUT
    except RobotDynamicsError as error:
        from robot_dynamics.app.models import OPTIONS
        return _complain(error.spelled(OPTIONS))
    except ModuleNotFoundError as error:
        hint = how_to_install(error.name)
        if hint is None:
            raise
        return _complain(f'{words[0]} {hint}')
    except BrokenPipeError:
        # Python flushes stdout once more at exit, and would complain then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    except OSError as error:  # a file that cannot be read or written
        if error.filename is None:
            raise
        return _complain(f'{error.filename}: {(error.strerror or str(error)).lower()}')
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Build the parser: with all commands, or only the one that ``words`` begins with."""
    parser = CommandParser(
        prog=PROGRAM, description='Dynamics of robot arms on moving bases.',
        epilog='example:\n'
               '  robot-dynamics torque pa10 --q 0 0.5 0 1.2 0 0 --roll-deg 10\n\n'
               'exit codes:\n'
               '  0 done    1 the answer is no    2 bad input    130 interrupted')
    parser.add_argument(
        '--version', action='version', version=f'{PROGRAM} {__version__}')
    subparsers = parser.add_subparsers(
        title='commands', metavar='COMMAND', required=True, parser_class=CommandParser)
    chosen = [word for word in words[:1] if word in COMMANDS]
    for module in _command_modules(chosen or COMMANDS):
        module.add_parser(subparsers)
    return parser


def _command_modules(names: Sequence[str]) -> List[ModuleType]:
    return [importlib.import_module(f'robot_dynamics.app.commands.{name}') for name in names]


def _complain(text: str) -> int:
    """Print one line on stderr; return the exit code for bad input."""
    print(f'{PROGRAM}: error: ' + ' '.join(text.split()), file=sys.stderr)
    return BAD_INPUT


if __name__ == '__main__':
    sys.exit(main())

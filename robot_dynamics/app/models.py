"""Which robot a command means: a file, a name that ships with the package, or stdin."""

from __future__ import annotations

import argparse
from pathlib import Path
import sys
from typing import List, Optional

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.model.robot_model import RobotModel


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the positional URDF and the choice of a part of it."""
    parser.add_argument(
        'urdf', metavar='URDF',
        help="robot description: a file, '-' for stdin, or a robot that ships with the package "
             f'({", ".join(shipped_robots()) or "none found"})')
    parser.add_argument('--base-link', metavar='LINK', help='root of the part to use')
    parser.add_argument('--tip-link', metavar='LINK', help='end of the part to use: a chain')


def load_model(args: argparse.Namespace, strict: bool = False) -> RobotModel:
    """Read the robot that the arguments of :func:`add_model_arguments` name."""
    return RobotModel.from_urdf(
        _text_or_path(args.urdf), base_link=args.base_link, tip_link=args.tip_link, strict=strict)


def shipped_robots() -> List[str]:
    """List the names of the robots that ship with the package."""
    directory = _shipped_directory()
    return sorted(path.stem for path in directory.glob('*.urdf')) if directory else []


def _text_or_path(urdf: str) -> str:
    if urdf == '-':
        return sys.stdin.read()
    if Path(urdf).exists() or Path(urdf).suffix or Path(urdf).name != urdf:
        return urdf
    if urdf not in shipped_robots():
        raise UnknownNameError('file or shipped robot', urdf, shipped_robots())
    return str(resource_path(f'urdf/{urdf}.urdf'))


def _shipped_directory() -> Optional[Path]:
    try:
        return resource_path('urdf')
    except ConfigurationError:
        return None

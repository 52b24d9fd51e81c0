"""Which robot a command means: a file, a name that ships with the package, or stdin."""

from __future__ import annotations

import argparse
from pathlib import Path
import sys
from typing import Any, Dict, List, Optional, Sequence, Tuple

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.named_values import named_words
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.source import Document

OPTIONS = {
    'base_link': '--base-link', 'tip_link': '--tip-link', 'joints': '--joints',
    'held_joints': '--held-joints', 'positions': '--held-joints', 'rotors': '--rotor-inertia',
    'rotor_inertia': '--rotor-inertia', 'xacro_arguments': '--xacro-arg',
    'package_paths': '--package-path', 'wheel_radius': '--wheel-radius'}
"""How the command line spells what errors name; see ``RobotDynamicsError.spelled``."""


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the positional URDF, the choice of a part of it, and what URDF cannot hold."""
    parser.add_argument(
        'urdf', metavar='URDF',
        help="robot description: a file, '-' for stdin, or a robot that ships with the package "
             f'({", ".join(shipped_robots()) or "none found"})')
    part = parser.add_argument_group('part of the robot (default: all)')
    part.add_argument('--base-link', metavar='LINK', help='root of the part to use')
    either = part.add_mutually_exclusive_group()
    either.add_argument('--tip-link', metavar='LINK', help='end of the part to use: a chain')
    either.add_argument('--joints', nargs='+', metavar='JOINT', default=[],
                        help='only these joints move')
    part.add_argument('--held-joints', nargs='+', metavar='JOINT[=VALUE]', default=[],
                      help='joints that are held rigid, and where (rad or m, default 0)')
    part.add_argument('--rotor-inertia', nargs='+', metavar='JOINT=INERTIA[@RATIO]', default=[],
                      help='reflected rotor inertia in kg m^2 (arm=0.75), or that of the rotor '
                           'and its gear ratio (arm=3e-4@50)')
    part.add_argument('--identified', metavar='FILE', default='',
                      help="what 'identify' learned of the arm: masses, rotors and friction take "
                           "the place of the description's")
    add_xacro_arguments(part)


def add_xacro_arguments(group: Any) -> None:
    """Declare what a .xacro file needs, in a parser or a group of it."""
    group.add_argument('--xacro-arg', action='append', metavar='NAME:=VALUE', default=[],
                       help='argument of a .xacro file; may be given several times')
    group.add_argument('--package-path', action='append', metavar='DIR', default=[],
                       help='where the packages of $(find ...) in a .xacro file are, beside ROS '
                            'and what is around the file; may be given several times')


def load_model(args: argparse.Namespace) -> RobotModel:
    """Read the robot that the arguments of :func:`add_model_arguments` name."""
    choice = ModelChoice(
        args.base_link or '', args.tip_link or '', _items(args.joints), _items(args.held_joints),
        _items(args.rotor_inertia), tuple(args.xacro_arg), tuple(args.package_path),
        args.identified)
    return choice.load(document_of(args.urdf, args))


def load_model_with_warnings(args: argparse.Namespace) -> RobotModel:
    """Do as :func:`load_model`; say on stderr what cannot be right about the robot."""
    model = load_model(args)
    for note in model.notes:
        if note.severity == 'warning':
            print(f'warning: {note}', file=sys.stderr)
    return model


def joints_without_value(model: RobotModel) -> Dict[str, str]:
    """Say of each joint that has no value of its own what determines it."""
    reasons = {}
    contents = model.contents
    if contents is not None:
        for name, value in contents.held.items():
            reasons[name] = f'is held at {value:g} and does not move'
    for body in model.bodies:
        rule = body.joint.mimic
        if rule is not None:
            name, driver = body.joint.name, rule.joint
            leader = contents.followed.get(name, driver) if contents is not None else driver
            through = f', and that joint {driver!r}' if leader != driver else ''
            reasons[name] = (
                f'follows joint {leader!r} (<mimic>){through}: {name} = {rule.multiplier:g} * '
                f'{driver} {rule.offset:+g}; give {driver}')
    return reasons


def _items(words: Sequence[str]) -> Tuple[str, ...]:
    return tuple(item for word in words for item in word.split(',') if item)


def shipped_robots() -> List[str]:
    """List the names of the robots that ship with the package."""
    directory = _shipped_directory()
    return sorted(path.stem for path in directory.glob('*.urdf')) if directory else []


def document_of(urdf: str, args: argparse.Namespace) -> Document:
    """
    Read the description that ``urdf`` names: a file, a pipe, ``-`` or a shipped robot.

    ``args`` holds what :func:`add_xacro_arguments` declares.
    """
    if urdf == '-':
        bytes_of = getattr(sys.stdin, 'buffer', sys.stdin)
        return Document.from_xml(bytes_of.read(), 'standard input')
    path = urdf
    if not (Path(urdf).exists() or Path(urdf).suffix or Path(urdf).name != urdf):
        if urdf not in shipped_robots():
            raise UnknownNameError('file or shipped robot', urdf, shipped_robots())
        path = str(resource_path(f'urdf/{urdf}.urdf'))
    arguments = named_words('`xacro_arguments`', args.xacro_arg, ':=') or None
    return Document.read(Path(path), arguments, args.package_path)


def _shipped_directory() -> Optional[Path]:
    try:
        return resource_path('urdf')
    except ConfigurationError:
        return None

"""``robot-dynamics torque``: joint torques for one state, by cause."""

from __future__ import annotations

import argparse
import json
import math
from typing import Any, Dict, TYPE_CHECKING

import numpy as np

from robot_dynamics.app.models import (
    add_model_arguments, joints_without_value, load_model_with_warnings)
from robot_dynamics.app.mounts import add_mount_arguments, mounted
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.values import finite, joint_values, payload_values, vector3
from robot_dynamics.app.wrenches import add_wrench_arguments, external_wrenches
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.table import table
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY

if TYPE_CHECKING:
    from robot_dynamics.dynamics.terms import Terms

EXAMPLE = """\
values:
  all joints in the model's order (--q 0 0.5 -0.2), or some by name and the others zero
  (--q elbow=0.5); rad and m with their time derivatives

examples: the arm of a ship that rolls 10 degrees and is being stopped; on a wall, pushed at the
tool; with friction, and a drive of 3e-4 kg m^2 behind a gear of 50
  robot-dynamics torque pa10 --q 0 0.5 0 1.2 0 0 --roll-deg 10 --roll-acceleration -0.2
  robot-dynamics torque pa10 --base-rpy-deg 0 90 0 --wrench tool0 20 0 0 0 0 0
  robot-dynamics torque pa10 --qd joint2=0.5 --qdd joint2=1 --friction \\
    --rotor-inertia joint2=3e-4@50
"""

# What a base can be given by: destination in from_roll_pitch, and what the help says.
BASE = (
    ('roll', 'roll angle', 'rad'),
    ('pitch', 'pitch angle, bow down positive (REP-103)', 'rad'),
    ('roll_rate', 'its time derivative', 'rad/s'),
    ('pitch_rate', 'its time derivative', 'rad/s'),
    ('roll_acceleration', 'its second time derivative', 'rad/s^2'),
    ('pitch_acceleration', 'its second time derivative', 'rad/s^2'),
)


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'torque', help='joint torques for one state, by cause',
        description='Print the joint torques that one state asks for, and what causes them.',
        epilog=EXAMPLE)
    add_model_arguments(parser)
    state = parser.add_argument_group('state of the arm (default: zero)')
    state.add_argument('--q', nargs='+', metavar='VALUE', help='joint positions')
    state.add_argument('--qd', nargs='+', metavar='VALUE', help='joint velocities')
    state.add_argument('--qdd', nargs='+', metavar='VALUE', help='joint accelerations')
    base = parser.add_argument_group('motion of the base (default: level and still)')
    for name, text, unit in BASE:
        option = '--' + name.replace('_', '-')
        either = base.add_mutually_exclusive_group()
        either.add_argument(option, type=finite, metavar='X', help=f'{text} in {unit}')
        either.add_argument(f'{option}-deg', type=finite, metavar='X', dest=f'{name}_deg',
                            help=f'the same in {unit.replace("rad", "deg")}')
    base.add_argument(
        '--linear-acceleration', nargs='+', metavar='A',
        help='x, y, z of the base origin in world axes (z up), without gravity, in m/s^2')
    base.add_argument('--gravity', type=finite, default=STANDARD_GRAVITY, metavar='G',
                      help='its magnitude in m/s^2 (default: %(default)s)')
    add_mount_arguments(base)
    load = parser.add_argument_group('loads')
    add_wrench_arguments(load)
    load.add_argument('--payload', nargs=5, metavar=('LINK', 'MASS', 'X', 'Y', 'Z'),
                      help='mass in kg and its centre in m, in the axes of the link')
    how = parser.add_argument_group('how')
    how.add_argument('--method', choices=('newton_euler', 'lagrange_euler'),
                     default='newton_euler', help='formulation (default: %(default)s)')
    how.add_argument('--friction', action='store_true',
                     help="include the friction of the description's <dynamics>")
    how.add_argument('--backend', choices=('interpreted', 'numba'), default='interpreted',
                     help='numba compiles first (default: %(default)s)')
    out = parser.add_argument_group('output')
    out.add_argument('--terms', action=argparse.BooleanOptionalAction, default=True,
                     help='split the torque by cause (default: yes)')
    out.add_argument('--base-wrench', action='store_true',
                     help='also the wrench of the arm on its base, in base axes')
    out.add_argument('--json', action='store_true', help='print JSON instead of a table')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compute and print; return the exit code."""
    model = load_model_with_warnings(args)
    elsewhere = joints_without_value(model)
    q, qd, qdd = (joint_values(f'--{name}', getattr(args, name), model.joint_names, elsewhere)
                  for name in ('q', 'qd', 'qdd'))
    base = mounted(_base_motion(args), args)
    wrenches = external_wrenches(args)
    from robot_dynamics.dynamics.inverse import InverseDynamics
    with Progress(model.name) as progress:
        dynamics = InverseDynamics(
            model, method=args.method, friction=args.friction or bool(args.identified),
            rotor_inertia=True, backend=args.backend)
        if args.payload is not None:
            dynamics.set_payload(args.payload[0], *payload_values(args.payload[1:]))
        if args.backend == 'numba':
            dynamics.warm_up(progress=progress)
        columns: Dict[str, FloatArray] = {}
        if args.terms:
            columns.update(_terms(
                dynamics.terms(q, qd, qdd, base), args.friction or bool(args.identified),
                bool(model.rotor_inertia.any())))
            if wrenches:
                columns['external'] = dynamics.external_torque(q, wrenches)
        columns['torque'] = dynamics.torque(q, qd, qdd, base, wrenches)
        wrench = dynamics.base_wrench(q, qd, qdd, base, wrenches) if args.base_wrench else None
    if not all(np.isfinite(values).all() for values in columns.values()):
        raise InputError('state', 'is so large that the torque overflows; give smaller values')
    if args.json:
        report: Dict[str, Any] = {
            'model': model.name, 'method': args.method, 'joints': list(model.joint_names),
            'q': q.tolist(), 'qd': qd.tolist(), 'qdd': qdd.tolist(),
            'torque': columns.pop('torque').tolist()}
        if args.terms:
            report['terms'] = {cause: values.tolist() for cause, values in columns.items()}
        if wrench is not None:
            report['base_wrench'] = {'force': wrench[:3].tolist(), 'moment': wrench[3:].tolist()}
        print(json.dumps(report, indent=2))
        return 0
    units = ['N' if joint.kind == 'prismatic' else 'Nm' for joint in model.joints]
    limits = [_share(value, limit) for value, limit in zip(columns['torque'], model.effort_limit)]
    header = ['joint', 'q', *(cause.replace('_', ' ') for cause in columns), 'unit', 'of limit']
    rows = [[name, float(q[i]), *(float(values[i]) for values in columns.values()),
             units[i], limits[i]] for i, name in enumerate(model.joint_names)]
    print(table(header, rows))
    if wrench is not None:
        print('\nwrench of the arm on its base, at the base origin, in base axes')
        print(table(['', 'x', 'y', 'z', 'unit'], [
            ['force', *map(float, wrench[:3]), 'N'], ['moment', *map(float, wrench[3:]), 'Nm']]))
    return 0


def _base_motion(args: argparse.Namespace) -> BaseMotion:
    values: Dict[str, float] = {}
    for name, _, _ in BASE:
        degrees = getattr(args, f'{name}_deg')
        radians = getattr(args, name)
        values[name] = math.radians(degrees) if degrees is not None else (radians or 0.0)
    acceleration = vector3('--linear-acceleration', args.linear_acceleration)
    return BaseMotion.from_roll_pitch(
        **values, linear_acceleration=acceleration, gravity_magnitude=args.gravity)


def _terms(terms: Terms, friction: bool, rotors: bool) -> Dict[str, FloatArray]:
    """Return the terms by name; those of the joints themselves only where there are any."""
    wanted = {'friction': friction, 'rotor': rotors}
    return {cause: values for cause, values in terms.as_dict().items()
            if wanted.get(cause, True)}


def _share(torque: float, limit: float) -> str:
    return f'{100 * abs(torque) / limit:.0f} %' if 0 < limit < math.inf else '-'

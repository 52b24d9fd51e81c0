"""``robot-dynamics check``: what a description contains, and what to doubt in it."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from typing import Any, Dict, List

from robot_dynamics.app.agreement import Agreement, compare_methods
from robot_dynamics.app.load_doubts import doubts_of_limits
from robot_dynamics.app.models import add_model_arguments, load_model
from robot_dynamics.app.progress import Progress
from robot_dynamics.core.table import table
from robot_dynamics.model.doubts import doubts
from robot_dynamics.model.robot_model import RobotModel

MOST_STATES = 100_000

EXAMPLE = """\
exit codes:
  0 usable    1 the two methods disagree, or --strict found something suspicious
  2 not a usable description

examples:
  robot-dynamics check pa10
  xacro my_robot.urdf.xacro | robot-dynamics check - --strict
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'check', help='what a robot description contains, and what to doubt in it',
        description='Read a robot description; print what was used and what was not, what is '
                    'suspicious, and whether both formulations agree on random states.',
        epilog=EXAMPLE)
    add_model_arguments(parser)
    parser.add_argument('--states', type=states, default=20, metavar='N',
                        help='random states to compare (default: %(default)s)')
    parser.add_argument('--strict', action='store_true',
                        help='exit with 1 if anything is suspicious')
    parser.add_argument('--json', action='store_true', help='print JSON instead of text')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check and print; return the exit code."""
    model = load_model(args)
    with Progress(f'comparing both formulations on {model.name}'):
        agreement = compare_methods(model, args.states)
    doubted = (*model.notes, *doubts(model), *doubts_of_limits(model))
    model = dataclasses.replace(model, notes=doubted)
    suspicious = [note for note in model.notes if note.severity == 'warning']
    if args.json:
        print(json.dumps(_as_data(model, agreement), indent=2))
    else:
        print(_as_text(model, agreement))
    return 1 if not agreement.holds or (args.strict and suspicious) else 0


def states(word: str) -> int:
    """Read how many states to compare."""
    if not word.isascii() or not word.isdigit() or not 1 <= int(word) <= MOST_STATES:
        raise argparse.ArgumentTypeError(f'{word!r} is not a number from 1 to {MOST_STATES}')
    return int(word)


def _as_text(model: RobotModel, agreement: Agreement) -> str:
    carried = sum(body.inertial.mass for body in model.bodies)
    rigid = len(model.link_names) - len(model.bodies) - 1
    lines = [
        f'{model.name}: {model.nv} joints, {len(model.bodies)} moving bodies, '
        f'{carried:.3f} kg moving, {model.base_inertial.mass:.3f} kg on the base',
        f'base link {model.base_link}' + (', free to move' if model.floating_base else '')
        + f'; {rigid} {"link" if rigid == 1 else "links"} merged into what carries them', '']
    lines.append(table(
        ['joint', 'type', 'of body', 'on', 'mass', 'lower', 'upper', 'velocity', 'effort'],
        [[row['joint'], row['type'], row['body'], row['parent'], f'{row["mass"]:.3f}',
          *(_limit(row[key]) for key in ('lower', 'upper', 'velocity', 'effort'))]
         for row in _rows(model)], left=4))
    lines += ['', *_rotor_lines(model)]
    for severity, title in (('info', 'used and not used'), ('warning', 'suspicious')):
        notes = [str(note) for note in model.notes if note.severity == severity]
        lines += ['', f'{title}:', *(f'  {note}' for note in notes or ['nothing'])]
    lines += ['', 'Newton-Euler and Lagrange-Euler ' + (
        'agree' if agreement.holds else 'DISAGREE')
        + f' on {agreement.states} random states of arm and base: largest difference '
        f'{agreement.difference:.1e}, largest torque {agreement.largest:.1f}']
    return '\n'.join(lines)


def _as_data(model: RobotModel, agreement: Agreement) -> Dict[str, Any]:
    return {
        'model': model.name,
        'base_link': model.base_link,
        'floating_base': model.floating_base,
        'base_mass': model.base_inertial.mass,
        'joint_names': list(model.joint_names),
        'damping': model.damping.tolist(),
        'friction': model.friction.tolist(),
        'rotor_inertia': model.rotor_inertia.tolist(),
        'bodies': [{key: None if isinstance(value, float) and math.isinf(value) else value
                    for key, value in row.items()} for row in _rows(model)],
        'notes': [dataclasses.asdict(note) for note in model.notes],
        'agreement': {**dataclasses.asdict(agreement), 'holds': agreement.holds},
    }


def _rows(model: RobotModel) -> List[Dict[str, Any]]:
    """Return one entry a moving body."""
    rows = []
    for body in model.bodies:
        joint = body.joint
        follows = f' = {body.multiplier:g} {joint.mimic.joint}' if joint.mimic else ''
        rows.append({
            'joint': joint.name + follows, 'type': joint.kind, 'body': body.name,
            'parent': model.base_link if body.parent < 0 else model.bodies[body.parent].name,
            'mass': body.inertial.mass, 'lower': joint.lower, 'upper': joint.upper,
            'velocity': joint.velocity, 'effort': joint.effort,
            'acceleration': joint.acceleration, 'deceleration': joint.deceleration,
            'jerk': joint.jerk})
    return rows


def _rotor_lines(model: RobotModel) -> List[str]:
    """Say what the joints themselves add, follower's shares included."""
    given = model.damping.any() or model.friction.any() or model.rotor_inertia.any()
    lines = []
    if given:
        lines.append(table(
            ['joint', 'damping', 'friction', 'rotor inertia'],
            [[name, *(f'{values[i]:.4g}' for values in (
                model.damping, model.friction, model.rotor_inertia))]
             for i, name in enumerate(model.joint_names)]))
    if not model.rotor_inertia.any():
        lines.append('no reflected rotor inertia: the description states none; give '
                     '--rotor-inertia')
    later = [joint for joint in model.joints
             if any(map(math.isfinite, (joint.acceleration, joint.deceleration, joint.jerk)))]
    if later:
        lines.append(table(
            ['limits', 'acceleration', 'deceleration', 'jerk'],
            [[joint.name, *map(_limit, (joint.acceleration, joint.deceleration, joint.jerk))]
             for joint in later]))
    return lines


def _limit(value: float) -> str:
    return '-' if math.isinf(value) else f'{value:.4g}'

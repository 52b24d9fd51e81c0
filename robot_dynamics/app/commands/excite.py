"""``robot-dynamics excite``: design a motion that teaches an arm, for ``identify``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Dict, List, Optional, TYPE_CHECKING

from robot_dynamics.app.models import add_model_arguments, load_model_with_warnings
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.values import finite, vector3
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.table import table

if TYPE_CHECKING:
    from robot_dynamics.identification.excitation import Excitation, MovingBase

EXAMPLE = """\
examples:
  a minute of motion within 80 % of the limits, at least 10 cm above the base's frame
    robot-dynamics excite arm.urdf --duration 60 --keep-above 0.1
  for an arm on a ship, ten metres ahead of its rotation centre, in sea state 5
    robot-dynamics excite arm.urdf --sea-state 5 --base-point 10 0 0
  play it, record it, learn from it
    ros2 run robot_dynamics reference_trajectory_node --ros-args \\
        -p motion:=file -p file:=excitation.yaml
    ros2 bag record /joint_states /imu/data
    robot-dynamics identify work.mcap --robot arm.urdf

The arm's own links are no obstacles here: look at the motion before you play it.

exit codes: 0 done, 2 bad input, or no motion keeps within the limits
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'excite', help='design a motion that teaches an arm, for identify',
        description='Design a periodic motion within the limits of an arm that makes its masses, '
                    'friction and rotors known; say what it will teach.', epilog=EXAMPLE)
    add_model_arguments(parser)
    motion = parser.add_argument_group('motion')
    motion.add_argument('--duration', type=finite, default=60.0, metavar='S',
                        help='length (default 60)')
    motion.add_argument('--period', type=finite, default=20.0, metavar='S',
                        help='after which it repeats (default 20)')
    motion.add_argument('--margin', type=finite, default=0.8, metavar='SHARE',
                        help='share of position, velocity and effort limits (default 0.8)')
    motion.add_argument('--acceleration', type=finite, default=5.0, metavar='LIMIT',
                        help='rad/s^2 or m/s^2 (default 5)')
    motion.add_argument('--start', nargs='+', type=finite, default=(), metavar='Q',
                        help='where it starts and ends, rad or m (default: the middle of the '
                             'ranges)')
    motion.add_argument('--keep-above', type=finite, metavar='Z',
                        help='height in the base frame that the arm stays above, m')
    motion.add_argument('--keep-out', nargs=6, type=finite, action='append', default=[],
                        metavar=('X', 'Y', 'Z', 'X', 'Y', 'Z'),
                        help='corners of a box in the base frame, m; repeatable')
    motion.add_argument('--sea-state', type=int, metavar='N',
                        help='on a ship in this sea state, 1 to 8: the efforts keep within the '
                             'limits whenever the motion begins (default: a base that is still)')
    motion.add_argument('--base-point', nargs='+', metavar='M',
                        help='where the arm stands on it, from the rotation centre: x forward, y '
                             'left, z up')
    motion.add_argument('--friction-model', default='coulomb', metavar='NAME',
                        help='as for identify (default coulomb)')
    motion.add_argument('--tries', type=int, default=400, metavar='N',
                        help='how many motions are judged (default 400)')
    motion.add_argument('--seed', type=int, default=1, metavar='N', help='of the search')
    results = parser.add_argument_group('results')
    results.add_argument('--output', default='excitation.yaml', metavar='FILE',
                         help='JointTrajectory as YAML; a CSV stands beside it')
    results.add_argument('--json', action='store_true', help='print as JSON instead of text')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Design the motion; return the exit code."""
    from robot_dynamics.control.trajectory_file import write_trajectory
    from robot_dynamics.identification.excitation import excite, ExciteOptions
    model = load_model_with_warnings(args)
    options = ExciteOptions(
        args.duration, args.period, args.margin, args.acceleration, tuple(args.start),
        args.keep_above, tuple(tuple(box) for box in args.keep_out), args.friction_model,
        args.tries, args.seed)
    with Progress(f'exciting {model.name}') as progress:
        found = excite(model, options, progress, base=_base(args))
    trajectory = found.motion.trajectory()
    path = Path(args.output)
    path.parent.mkdir(parents=True, exist_ok=True)
    files = [str(write_trajectory(trajectory, path, f'{model.name}: robot-dynamics excite')),
             str(write_trajectory(trajectory, path.with_suffix('.csv')))]
    if args.json:
        print(json.dumps({**_summary(found), 'files': files}, indent=2))
        return 0
    print(_text(found))
    print('Written: ' + ', '.join(files))
    return 0


def _base(args: argparse.Namespace) -> 'Optional[MovingBase]':
    """Return how the base moves, if it does."""
    if args.sea_state is None:
        if args.base_point:
            raise ConfigurationError('--base-point: goes with --sea-state')
        return None
    from robot_dynamics.ship.ship_motion import ShipMotion
    ship = ShipMotion.irregular(args.sea_state)
    point = tuple(vector3('--base-point', args.base_point).tolist())
    return lambda time: ship.at(time, point=point)


def _summary(found: 'Excitation') -> Dict[str, Any]:
    names, ratio = found.known
    return {'duration_s': found.motion.duration, 'period_s': found.motion.period,
            'joints': [{'name': name, 'uncertainty_before': float(found.before[j]),
                        'uncertainty_after': float(found.uncertainty[j]),
                        'largest_way': float(found.peak[0, j]),
                        'largest_velocity': float(found.peak[1, j]),
                        'largest_torque': float(found.peak[2, j])}
                       for j, name in enumerate(found.motion.names)],
            'error_after_over_before': dict(zip(names, ratio.tolist()))}


def _text(found: 'Excitation') -> str:
    from robot_dynamics.replay.formatting import number
    rows: List[List[object]] = [
        [name, f'{found.peak[0, j]:.2f}', f'{found.peak[1, j]:.2f}', f'{found.peak[2, j]:.1f}',
         number(found.before[j]), number(found.uncertainty[j])]
        for j, name in enumerate(found.motion.names)]
    names, ratio = found.known
    dark = [name for name, value in zip(names, ratio) if value > 0.8]
    lines = [table(('joint', 'way', 'speed', 'torque', 'known to, before', 'after'), rows), '',
             f'{found.motion.duration:g} s in periods of {found.motion.period:g} s, from rest to '
             'rest. Way from the start (rad, m), speed and torque (N m, N) are the largest. '
             'Known: two standard deviations of the torque all over the range (N m, N); before: '
             'from the description alone.']
    lines.append(f'{len(names) - len(dark)} of {len(names)} parameters become better known'
                 + ('; the others no motion on this base shows, or this one does not.'
                    if dark else '.'))
    lines.append('Self-collision was not looked at.')
    return '\n'.join(lines)

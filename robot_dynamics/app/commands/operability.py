"""``robot-dynamics operability``: up to which sea a robot on a ship can work."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Optional

import numpy as np

from robot_dynamics.app.models import add_model_arguments, load_model_with_warnings
from robot_dynamics.app.mounts import add_mount_arguments
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.values import finite, joint_values, number, payload_values, vector3
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.core.table import table
from robot_dynamics.model.named_values import named_numbers
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.ship.spectra import SPECTRA

EXAMPLE = """\
headings: where the waves travel to, counter-clockwise from the bow:
  0 following, 90 beam (from starboard), 180 head sea

loads come from linear theory; the sea that is nearest to a limit is then simulated through the
exact dynamics, and the difference is told.

examples: an arm with a load of 8 kg ten metres forward; which heights at which periods; the year;
the best place on a part of the deck, and the best posture to stow the arm in
  robot-dynamics operability pa10 --hull supply_vessel --posture 0 0.6 0 1.2 0 0 \\
    --payload tool0 8 0 0 0.1 --base-xyz 10 0 4
  robot-dynamics operability pa10 --hull supply_vessel --hs 1 2 4 --tp 6 9 12 --figure limits.png
  robot-dynamics operability pa10 --scatter scatter.csv --headings 0..330:30
  robot-dynamics operability pa10 --hull supply_vessel --search-base 0 30 7 -6 6 5
  robot-dynamics operability pa10 --hull supply_vessel --sea-states 6..8 --search-posture 500
  robot-dynamics operability mobile_manipulator --left-wheel left_wheel_joint \
    --right-wheel right_wheel_joint --friction-coefficient 0.4 --base-xyz 10 0 4
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'operability', help='up to which sea a robot on a ship can work',
        description='Find the seas in which a robot on a ship keeps its limits: efforts of its '
                    'joints, force, moment and bolts on the deck.',
        epilog=EXAMPLE)
    add_model_arguments(parser)
    robot = parser.add_argument_group('the robot')
    either = robot.add_mutually_exclusive_group()
    either.add_argument('--posture', nargs='+', action='append', metavar='VALUE',
                        help='joint positions, as --q of torque; may be given several times '
                             '(default: all zero)')
    either.add_argument('--trajectory', metavar='FILE',
                        help='CSV with the columns time and the joints: its worst instant counts')
    robot.add_argument('--payload', nargs=5, metavar=('LINK', 'MASS', 'X', 'Y', 'Z'),
                       help='mass in kg and its centre in m, in the axes of the link')
    add_mount_arguments(robot)
    robot.add_argument('--left-wheel', metavar='JOINT', help='of a robot that stands on wheels, '
                       'which must not tip; --base-xyz is then its place on deck')
    robot.add_argument('--right-wheel', metavar='JOINT')
    ship = parser.add_argument_group('the ship')
    ship.add_argument('--hull', metavar='TABLE', help="'supply_vessel' or a CSV of response "
                      'operators; default: a closed form of 65 m')
    ship.add_argument('--speed', type=finite, default=0.0, metavar='M/S')
    ship.add_argument('--headings', nargs='+', default=['0..180:15'], metavar='DEG',
                      help='some, or FIRST..LAST:STEP (default: 0..180:15)')
    sea = parser.add_argument_group('the sea (default: --sea-states 2..6)')
    which = sea.add_mutually_exclusive_group()
    which.add_argument('--sea-states', metavar='A..B', help='WMO sea states, 1 to 8')
    which.add_argument('--hs', nargs='+', type=finite, metavar='M',
                       help='significant wave heights, with --tp')
    which.add_argument('--scatter', metavar='FILE', help='CSV with hs, tp, occurrence (shares of '
                       'the time that sum to 1)')
    sea.add_argument('--tp', nargs='+', type=finite, metavar='S', help='peak periods')
    sea.add_argument('--spectrum', choices=SPECTRA[::2], default='bretschneider',
                     help='default: %(default)s')
    sea.add_argument('--gamma', type=finite, default=3.3, help='of jonswap')
    sea.add_argument('--spreading', type=finite, metavar='S',
                     help='exponent of cos^2s; default: long-crested')
    limit = parser.add_argument_group("limits (default: the description's effort limits)")
    limit.add_argument('--limit', nargs='+', default=[], metavar='JOINT=NM',
                       help='in place of that of the description')
    limit.add_argument('--deck-force', type=finite, metavar='N', help='of the robot on the deck')
    limit.add_argument('--deck-moment', type=finite, metavar='NM', help='at its base')
    limit.add_argument('--bolts', nargs=3, metavar=('COUNT', 'RADIUS', 'TENSION'),
                       help='on a circle [m] around the base, and what one may carry [N]')
    limit.add_argument('--friction-coefficient', type=finite, metavar='MU',
                       help='between wheels and deck: the robot must not slip')
    limit.add_argument('--hours', type=finite, default=3.0,
                       help='for which every limit is kept (default: %(default)s)')
    limit.add_argument('--probability', type=finite, default=0.99,
                       help='with which (default: %(default)s)')
    search = parser.add_argument_group('search instead of judging one place and posture')
    search.add_argument('--search-base', nargs=6, metavar=('X0', 'X1', 'NX', 'Y0', 'Y1', 'NY'),
                        help='places on deck, m from the rotation centre')
    search.add_argument('--search-yaw', nargs='+', type=finite, default=[0.0], metavar='DEG',
                        help="with --search-base: headings of the robot's base (default: 0)")
    search.add_argument('--search-posture', type=int, metavar='N', help='N postures at rest')
    out = parser.add_argument_group('output')
    out.add_argument('--check-seeds', type=int, default=5, metavar='N',
                     help='seas to simulate as a check; 0: none (default: %(default)s)')
    out.add_argument('--figure', metavar='FILE',
                     help='polar and limit diagram, the deck, or the postures')
    out.add_argument('--json', action='store_true', help='print JSON instead of a table')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Assess or search, print, draw; return the exit code: 1 where no sea keeps the limits."""
    seas = _seas(args)
    headings = np.radians(_headings(args.headings))
    model = load_model_with_warnings(args)
    from robot_dynamics.dynamics.inverse import InverseDynamics
    from robot_dynamics.operability.assessment import Mount, Question
    from robot_dynamics.operability.frequency_domain import Ship
    from robot_dynamics.operability.robot_loads import RobotLoads
    from robot_dynamics.operability.seas import check_coverage
    from robot_dynamics.ship.hull import ClosedFormHull
    from robot_dynamics.ship.irregular_parameters import hull_named
    hull = hull_named(args.hull) if args.hull else ClosedFormHull()
    question = Question(
        Ship(hull, as_scalar('--speed', args.speed, 0.0, 60.0, 'm/s'), args.spreading), headings,
        3600.0 * as_scalar('--hours', args.hours, 0.02, 1e4, 'h'), args.probability,
        args.spectrum, args.gamma)
    check_coverage(hull, question.spectra(sorted({sea.peak_period for sea in seas})))
    mount = Mount(matrix_from_rpy(np.deg2rad(vector3('--base-rpy-deg', args.base_rpy_deg))),
                  vector3('--base-xyz', args.base_xyz))
    support = _support(args, model)
    with Progress(model.name) as progress:
        dynamics = InverseDynamics(model, support=support)
        limits = _limits(args, dynamics)
        states = _states(args, dynamics.model)
        if args.payload is not None:
            dynamics.set_payload(args.payload[0], *payload_values(args.payload[1:]))
        dynamics.warm_up('batch', progress=progress)
        robot = (RobotLoads.on_wheels if support.pose_size else RobotLoads.of_arm)(dynamics)
        if args.search_base:
            return _search_base(args, robot, states, limits, mount, question, seas, progress)
        if args.search_posture is not None:
            return _search_posture(args, robot, limits, mount, question, seas, progress)
        from robot_dynamics.operability.study import assess
        result = assess(robot, states, limits, mount, question, seas,
                        check_seeds=max(0, args.check_seeds), progress=progress)
        if args.figure:
            from robot_dynamics.operability.figures import draw_result
            draw_result(result, Path(args.figure))
    if args.json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        _print(result)
    return 0 if any(cell.keeps for row in result.cells for cell in row) else 1


def _print(result: Any) -> None:
    from robot_dynamics.operability.summary import check_text, summary
    x, y, z = result.base_xyz
    what = (f'{result.states} samples of a trajectory' if result.trajectory
            else f'{result.states} postures' if result.states > 1 else 'one posture')
    print(f'{result.robot} at ({x:g}, {y:g}, {z:g}) m, {what}: every limit kept with '
          f'{100 * result.probability:g} % over {result.hours:g} h\n')
    for header, rows in summary(result):
        print(table(header, rows))
    share = result.operability()
    if share is not None:
        print(f'\nOver all headings the robot can work {100 * share:.1f} % of the year.')
    for check in result.checks:
        print('\n' + check_text(check))


def _search_base(args: argparse.Namespace, robot: Any, states: Any, limits: Any, mount: Any,
                 question: Any, seas: Any, progress: Progress) -> int:
    from robot_dynamics.operability.search import search_base
    x, y = (np.linspace(number('--search-base', a), number('--search-base', b), _count(n))
            for a, b, n in (args.search_base[:3], args.search_base[3:]))
    found = search_base(robot, states, limits, mount, question, seas, x, y,
                        np.array(args.search_yaw), progress)
    if args.figure:
        from robot_dynamics.operability.figures import draw_base_search
        draw_base_search(found, Path(args.figure))
    if args.json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        best_x, best_y, yaw, margin = found.best
        print(f'Best of {found.margin.size} places: x {best_x:g} m, y {best_y:g} m, base turned '
              f'by {yaw:g} deg; there the waves of the worst sea asked about may be '
              f'{margin:.2f} times as high (the worst place: {found.margin.min():.2f}).')
    return 0 if found.margin.max() >= 1.0 else 1


def _search_posture(args: argparse.Namespace, robot: Any, limits: Any, mount: Any, question: Any,
                    seas: Any, progress: Progress) -> int:
    from robot_dynamics.operability.search import position_range, search_posture
    found = search_posture(robot, limits, mount, question, seas, args.search_posture,
                           progress=progress)
    if args.figure:
        from robot_dynamics.operability.figures import draw_posture_search
        draw_posture_search(found, *position_range(robot.model), Path(args.figure))
    if args.json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        print(f'Best of {len(found.margin)} postures at rest; factor: by how much the waves of '
              'the worst sea asked about may be higher\n')
        print(table([*found.joints, 'factor'], [
            [*map(float, q), float(margin)] for q, margin in zip(found.q[:5], found.margin[:5])],
            left=0))
    return 0 if found.margin[0] >= 1.0 else 1


def _seas(args: argparse.Namespace) -> list[Any]:
    from robot_dynamics.operability.seas import read_scatter, sea_grid, sea_states
    if args.scatter:
        return read_scatter(args.scatter)
    if (args.hs is None) != (args.tp is None):
        raise ConfigurationError('--hs and --tp go together: significant heights and peak periods')
    if args.hs is not None:
        for option, values in (('--hs', args.hs), ('--tp', args.tp)):
            if min(values) <= 0.0:
                raise ConfigurationError(f'{option}: {min(values):g} is not positive')
        return sea_grid(args.hs, args.tp)
    first, _, last = (args.sea_states or '2..6').partition('..')
    try:
        return sea_states(int(first), int(last or first))
    except ValueError:
        raise ConfigurationError(f'--sea-states: {args.sea_states!r} is no range; write 2..6') \
            from None


def _headings(words: list[str]) -> FloatArray:
    """Read headings in deg: numbers, and ranges FIRST..LAST:STEP."""
    values: list[float] = []
    for word in words:
        span, _, step = word.partition(':')
        first, dots, last = span.partition('..')
        if not dots:
            values.append(number('--headings', word))
            continue
        a, b = number('--headings', first), number('--headings', last)
        width = number('--headings', step) if step else 15.0
        if width <= 0.0 or b < a:
            raise ConfigurationError(f'--headings: {word!r} is no range; write 0..180:15')
        values += (a + width * np.arange(int((b - a) / width + 1e-9) + 1)).tolist()
    return np.array(values)


def _support(args: argparse.Namespace, model: RobotModel) -> Any:
    from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
    from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
    if (args.left_wheel is None) != (args.right_wheel is None):
        raise ConfigurationError('--left-wheel and --right-wheel go together')
    if args.left_wheel is not None:
        return DifferentialDrive.from_model(model, args.left_wheel, args.right_wheel)
    if args.friction_coefficient is not None:
        raise ConfigurationError('--friction-coefficient needs --left-wheel and --right-wheel')
    return FixedMount()


def _limits(args: argparse.Namespace, dynamics: Any) -> list[Any]:
    from robot_dynamics.operability.limits import (
        bolt_limit, deck_limits, effort_limits, require_limits, wheel_limits)
    model = dynamics.model
    limits = effort_limits(model, named_numbers('--limit', args.limit))
    limits += deck_limits(model.nv, args.deck_force, args.deck_moment)
    if args.bolts:
        count, radius, tension = args.bolts
        limits.append(bolt_limit(model.nv, _count(count, '--bolts'), number('--bolts', radius),
                                 number('--bolts', tension)))
    if dynamics.support.pose_size:
        limits += wheel_limits(model.nv, dynamics.support, args.friction_coefficient)
    require_limits(limits)
    return limits


def _states(args: argparse.Namespace, model: RobotModel) -> Any:
    from robot_dynamics.operability.robot_loads import RobotStates
    if args.trajectory:
        return RobotStates.trajectory(model, args.trajectory)
    postures = args.posture or [None]
    return RobotStates.postures(model, np.array([
        joint_values('--posture', words, model.joint_names) for words in postures]))


def _count(word: str, option: str = '--search-base') -> int:
    value: Optional[int] = int(word) if word.isdigit() else None
    if not value:
        raise ConfigurationError(f'{option}: {word!r} is no number of places or bolts')
    return value

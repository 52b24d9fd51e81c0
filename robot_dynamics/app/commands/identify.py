"""``robot-dynamics identify``: learn masses, friction and rotors of an arm from recordings."""

from __future__ import annotations

import argparse
import json
from typing import Any, Optional, TYPE_CHECKING

from robot_dynamics.app.models import document_of, shipped_robots
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.recording_options import (
    add_bandwidths, add_robot, add_topics, reading_options)
from robot_dynamics.app.values import finite
from robot_dynamics.core.extras import require

if TYPE_CHECKING:
    from robot_dynamics.identification.options import IdentifyOptions
    from robot_dynamics.model.source import Document

EXAMPLE = """\
examples:
  learn an arm from a minute of its work; tried on the last 40 % of it
    robot-dynamics identify work.mcap --robot arm.urdf
  a load at the flange that the description does not have; tried on another recording
    robot-dynamics identify work.mcap --robot arm.urdf --payload tool0 --validate other.mcap
  a new tool on an arm that is known
    robot-dynamics identify work.mcap --robot identified.urdf --identified identified.yaml \\
        --payload tool0 --only payload

then
    ros2 run robot_dynamics feedforward_node --ros-args -p model.identified:=identified.yaml ...

exit codes: 0 done, 2 bad input, or a recording that does not teach the arm
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'identify', help='learn masses, friction and rotors of an arm from recordings',
        description='Identify inertia, rotors, friction and offsets of an arm, on a fixed or a '
                    'moving base, from recordings of any motion of it; say how far the result may '
                    'be trusted.', epilog=EXAMPLE)
    parser.add_argument('bags', nargs='+', metavar='BAG', help='a bag: file or directory')
    parser.add_argument(
        '--robot', metavar='URDF',
        help='robot description: a file, or one that ships with the package '
             f'({", ".join(shipped_robots()) or "none found"}); default: the one in the recording')
    parser.add_argument('--validate', nargs='+', action='extend', default=[], metavar='BAG',
                        help='recordings that the result is tried on (default: the last 40 %% of '
                             'each, which is then not learned from)')
    learn = parser.add_argument_group('what is learned')
    learn.add_argument('--payload', metavar='LINK',
                       help='link with a load that the description does not have')
    learn.add_argument('--payload-mass', type=finite, metavar='KG',
                       help='what that load weighs, where it is known: efforts in which it weighs '
                            'something else are refused')
    learn.add_argument('--friction-model', default='coulomb', metavar='NAME',
                       help='what is learned of friction: none, coulomb (with viscous and '
                            'offset; default), stribeck, asymmetric, or full')
    learn.add_argument('--keep', nargs='+', action='extend', default=[], metavar='WHAT',
                       help='as described: inertia, friction, rotors, payload, or links')
    learn.add_argument('--only', nargs='+', action='extend', default=[], metavar='WHAT',
                       help='all else as described')
    learn.add_argument('--prior', type=finite, default=0.3, metavar='SHARE',
                       help='how far bodies may be from their description, one standard '
                            'deviation (default 0.3)')
    _add_reading(parser)
    results = parser.add_argument_group('results')
    results.add_argument('--output', default='identified', metavar='DIR',
                         help='where files go (default identified)')
    results.add_argument('--no-report', action='store_true', help='leave out report.html')
    results.add_argument('--json', action='store_true',
                         help='print the summary as JSON instead of text')
    results.add_argument('--force', action='store_true',
                         help='go on where the recording does not teach the arm')
    parser.set_defaults(run=run)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    reading = parser.add_argument_group('reading (as for analyze)')
    add_topics(reading)
    add_robot(reading)
    add_bandwidths(reading, 20.0, 8.0)
    reading.add_argument('--cutoff', type=finite, metavar='HZ',
                         help='of torques and equations (default 8, at most a tenth of the rate '
                              'of the joint states)')


def run(args: argparse.Namespace) -> int:
    """Identify the arm; return the exit code."""
    from robot_dynamics.identification.identify import identify
    from robot_dynamics.identification.outputs import write_outputs
    from robot_dynamics.identification.text import text_report
    if not args.no_report:
        require('report.html', 'matplotlib', 'jinja2')  # or --no-report
    options = _options(args)
    document = _description(args, options)
    with Progress('identifying') as progress:
        result = identify(args.bags, document.text, options.with_replay(without_links=()),
                          args.validate, progress)
        files = write_outputs(result, args.output, document.data, not args.no_report)
    if args.json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        print(text_report(result))
        print('Written: ' + ', '.join(files))
    return 0


def _options(args: argparse.Namespace) -> 'IdentifyOptions':
    from robot_dynamics.identification.options import IdentifyOptions
    from robot_dynamics.replay.alignment import Settings
    from robot_dynamics.replay.replay import ReplayOptions
    replay = ReplayOptions(**reading_options(args), settings=Settings(
        args.bandwidth, args.imu_bandwidth, args.max_gap))
    return IdentifyOptions(
        replay, args.friction_model, args.payload, args.payload_mass, _items(args.keep),
        _items(args.only), cutoff=args.cutoff, prior=args.prior, force=args.force)


def _items(words: Any) -> Any:
    return tuple(item for word in words for item in word.split(',') if item)


def _description(args: argparse.Namespace, options: 'IdentifyOptions') -> 'Document':
    """Return the description as it stands in its file, less what was not mounted."""
    from robot_dynamics.identification.recorded_motion import robot_of
    from robot_dynamics.model.pruning import pruned
    from robot_dynamics.model.source import Document
    name: Optional[str] = args.robot
    if name is None:
        document = Document.from_xml(robot_of(args.bags[0], options.replay), args.bags[0])
    else:
        document = document_of(name, args)
    links = options.replay.without_links
    return Document.from_xml(pruned(document, links), document.source) if links else document

"""``robot-dynamics analyze``: what a recording says about the robot and the model."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
import sys
from typing import Any, Dict, List, Optional, Sequence, TYPE_CHECKING

from robot_dynamics.app.models import document_of, shipped_robots
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.recording_options import (
    add_bandwidths, add_robot, add_topics, reading_options)
from robot_dynamics.app.values import finite
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.model.named_values import named_numbers

if TYPE_CHECKING:
    from robot_dynamics.replay.fleet import BagOutcome
    from robot_dynamics.replay.replay import ReplayOptions

FORMATS = ('json', 'html', 'parquet', 'csv', 'mcap')

EXAMPLE = """\
examples:
  one recording, its report in replay_output/
    robot-dynamics analyze demo.mcap --robot pa10
  a Panda whose description has a hand that the robot had not
    robot-dynamics analyze run.db3 --robot panda.urdf --without-link panda_hand
  an arm on a platform that drives; the IMU is on the platform
    robot-dynamics analyze drive.mcap --left-wheel left_wheel_joint \\
      --right-wheel right_wheel_joint
  a log without ROS: columns t, q1 to q6, tau1 to tau6
    robot-dynamics analyze run.csv --robot pa10 \\
        --columns "t=time,q*=joint*/position,tau*=joint*/effort"
  all recordings of a campaign on four processes; fail where a residual exceeds 15 %
    robot-dynamics analyze bags/* --robot arm.urdf --jobs 4 --fail-above 15%

--fail-above takes N m (or N), or a percentage of the measured RMS; JOINT=LIMIT for one joint.

exit codes: 0 done, 1 a limit of --fail-above is exceeded, nothing could be compared, or one of
several recordings could not be analysed, 2 bad input
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'analyze', help='replay recordings: torques by cause, model against measured effort',
        description='Compute the torques of recorded motions, by cause, and compare them with '
                    'the recorded efforts. Reads rosbag2 (sqlite3, mcap, compressed) and ROS 1 '
                    'bags, and logs as CSV, Parquet or NPZ; needs no ROS.', epilog=EXAMPLE)
    parser.add_argument('bags', nargs='+', metavar='BAG',
                        help='a bag: file or directory; or a log: .csv, .parquet, .npz')
    parser.add_argument(
        '--robot', metavar='URDF',
        help="robot description: a file, '-' for stdin, or one that ships with the package "
             f'({", ".join(shipped_robots()) or "none found"}); default: the one in the recording')
    _add_topics(parser)
    _add_robot(parser)
    _add_signals(parser)
    _add_results(parser)


def _add_topics(parser: argparse.ArgumentParser) -> None:
    topics = parser.add_argument_group('topics (default: found by their type)')
    add_topics(topics)
    logs = parser.add_argument_group(
        'logs without ROS (columns: time or stamp_ns, JOINT/position, JOINT/velocity, '
        'JOINT/effort, imu/angular_velocity/x, ...)')
    logs.add_argument('--columns', metavar='COLUMN=NAME,...', default='',
                      help='names of columns that differ; * stands for the same text on both '
                           'sides: "q*=joint*/position"')
    logs.add_argument('--rate', type=finite, metavar='HZ',
                      help='rows a second of a log without time')


def _add_robot(parser: argparse.ArgumentParser) -> None:
    robot = parser.add_argument_group('robot and base')
    add_robot(robot)
    robot.add_argument('--left-wheel', metavar='JOINT',
                       help='of a robot that drives on two wheels')
    robot.add_argument('--right-wheel', metavar='JOINT', help='the other driven wheel')
    robot.add_argument('--wheel-radius', type=finite, metavar='M',
                       help='where no shape of the description tells it')
    robot.add_argument('--imu-on', choices=('platform', 'deck'), default='platform',
                       help='of a robot that drives (default platform); on deck, --imu-rpy and '
                            '--imu-position are seen from where the robot stood at first')
    robot.add_argument('--friction', action='store_true',
                       help='add the friction of the description to the computed torque')
    robot.add_argument('--rotor-inertia', metavar='JOINT=VALUE,...', default='',
                       help='rotor inertia reflected to the joints, kg m^2 (kg)')
    robot.add_argument('--leave-out', nargs='+', action='extend', default=[], metavar='TERM',
                       choices=('gravity', 'level_gravity', 'inertia', 'coriolis',
                                'base_inertial', 'base_coriolis'),
                       help='terms that the recorded effort does not contain, as of a controller '
                            'that compensates gravity (level_gravity: as on a level base) itself')


def _add_signals(parser: argparse.ArgumentParser) -> None:
    signals = parser.add_argument_group('signals')
    add_bandwidths(signals, 5.0, 4.0)
    signals.add_argument('--acceleration-from', metavar='TOPIC',
                         help='take joint accelerations from a recorded JointTrajectory')
    signals.add_argument('--derivative-of', choices=('auto', 'velocity', 'position'),
                         default='auto', help='what accelerations are differentiated from')


def _add_results(parser: argparse.ArgumentParser) -> None:
    results = parser.add_argument_group('results')
    results.add_argument('--output', default='replay_output', metavar='DIR',
                         help='where files go (default replay_output)')
    results.add_argument('--formats', default='json,html,parquet', metavar='LIST',
                         help=f'of {",".join(FORMATS)}; or none (default json,html,parquet)')
    results.add_argument('--json', action='store_true',
                         help='print the summary as JSON instead of text')
    results.add_argument('--fail-above', action='append', default=[], metavar='LIMIT',
                         help='exit with 1 if the RMS residual of a joint exceeds this')
    where = results.add_mutually_exclusive_group()
    where.add_argument('--jobs', type=_jobs, default=1, metavar='N',
                       help='recordings at a time (default 1)')
    where.add_argument('--scheduler', metavar='ADDRESS',
                       help='use an existing Dask cluster (extra "cluster")')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Analyse the recordings; return the exit code."""
    from robot_dynamics.replay.acceptance import parse_limits, violations
    from robot_dynamics.replay.outputs import Outputs
    limits = parse_limits(args.fail_above)
    formats = _formats(args.formats)
    Outputs(args.output, tuple(formats)).check()
    options, robot = _options(args), _robot(args)
    if len(args.bags) == 1 and args.scheduler is None:
        summaries = [_analyze_one(args, robot, options, formats)]
        failed = False
    else:
        outcomes = _analyze_many(args, robot, options, formats)
        summaries = [outcome.summary for outcome in outcomes if outcome.summary is not None]
        failed = len(summaries) < len(outcomes)
    broken = [text for summary in summaries for text in violations(summary, limits)]
    for text in broken:
        print(f'--fail-above: {text}', file=sys.stderr)
    return 1 if failed or broken else 0


def _analyze_one(args: argparse.Namespace, robot: Optional[str], options: 'ReplayOptions',
                 formats: Sequence[str]) -> Dict[str, Any]:
    from robot_dynamics.replay.outputs import Outputs, write_outputs
    from robot_dynamics.replay.replay import analyze_bag
    from robot_dynamics.replay.text_report import text_report
    with Progress(f'analysing {Path(args.bags[0]).name}') as progress:
        with analyze_bag(args.bags[0], robot, options, progress) as result:
            files = write_outputs(result, Outputs(args.output, tuple(formats)),
                                  lambda name, share: progress(f'writing {name}', share))
            summary = result.to_dict()
            text = text_report(result)
    if args.json:
        print(json.dumps(summary, indent=2))
    else:
        print(text)
        if files:
            print('Written: ' + ', '.join(files))
    return summary


def _analyze_many(args: argparse.Namespace, robot: Optional[str], options: 'ReplayOptions',
                  formats: Sequence[str]) -> List['BagOutcome']:
    from robot_dynamics.replay.executors import dask_cluster, ProcessPool
    from robot_dynamics.replay.fleet import analyze_fleet, BagJob, output_names
    from robot_dynamics.replay.fleet_report import write_fleet_report
    from robot_dynamics.replay.outputs import Outputs
    output = Path(args.output)
    if args.scheduler is not None:
        output = output.absolute()
    jobs = [BagJob(bag, robot, options, Outputs(str(output / name), tuple(formats)))
            for bag, name in zip(args.bags, output_names(args.bags))]
    executor = ProcessPool(min(args.jobs, len(jobs))) if args.scheduler is None \
        else dask_cluster(args.scheduler)
    with Progress(f'analysing {len(jobs)} recordings') as progress:
        def report(outcome: 'BagOutcome', done: int) -> None:
            progress(f'{done} done, last {Path(outcome.bag).name}', done / len(jobs))
        outcomes = analyze_fleet(jobs, executor, report)
    report_path, data_path = write_fleet_report(outcomes, output)
    if args.json:
        print(json.dumps([outcome.summary for outcome in outcomes], indent=2))
    else:
        _print_fleet(outcomes)
        print(f'Written: {report_path}, {data_path}')
    return outcomes


def _print_fleet(outcomes: Sequence['BagOutcome']) -> None:
    from robot_dynamics.core.table import table
    from robot_dynamics.replay.formatting import share
    rows = []
    for outcome in outcomes:
        summary = outcome.summary
        if summary is None:
            print(f'!! {outcome.bag}: {outcome.error}')
            continue
        joints = [joint for joint in summary['joints'] if joint['explained'] is not None]
        worst = min(joints, key=lambda joint: float(joint['explained']), default=None)
        rows.append([Path(outcome.bag).name, f'{summary["duration_s"]:.1f}', summary['samples'],
                     '-' if worst is None else share(worst['explained']),
                     '-' if worst is None else worst['name'],
                     sum(f['severity'] != 'info' for f in summary['findings'])])
    if rows:
        print(table(('recording', 'seconds', 'joint states', 'least explained', 'at',
                     'warnings'), rows))


def _formats(text: str) -> List[str]:
    names = [name.strip() for name in text.split(',') if name.strip()]
    if names == ['none']:
        return []
    for name in names:
        if name not in FORMATS:
            raise ConfigurationError(f'--formats: {name!r} does not exist; choose from '
                                     f'{", ".join(FORMATS)}, or none')
    return names


def _options(args: argparse.Namespace) -> 'ReplayOptions':
    from robot_dynamics.bags.log_file import parse_columns
    from robot_dynamics.replay.alignment import Settings
    from robot_dynamics.replay.driving import both_wheels
    from robot_dynamics.replay.replay import ReplayOptions
    if args.imu_on == 'deck' and not args.left_wheel:
        raise ConfigurationError('--imu-on deck: is of a robot that drives; give --left-wheel and '
                                 '--right-wheel')
    return ReplayOptions(
        **reading_options(args), reference_topic=args.acceleration_from,
        wheels=both_wheels(args.left_wheel, args.right_wheel, args.wheel_radius),
        imu_on=args.imu_on, columns=parse_columns(args.columns) or None, rate=args.rate,
        friction=args.friction,
        leave_out=tuple(args.leave_out),
        rotor_inertia=named_numbers('--rotor-inertia', args.rotor_inertia.split(',')),
        settings=Settings(args.bandwidth, args.imu_bandwidth, args.max_gap, args.derivative_of))


def _jobs(word: str) -> int:
    if not word.isascii() or not word.isdigit() or int(word) < 1:
        raise argparse.ArgumentTypeError(f'{word!r} is not a number of recordings, 1 or more')
    return int(word)


def _robot(args: argparse.Namespace) -> Optional[str]:
    """Return the text of the description, so that it travels to other machines."""
    return None if args.robot is None else document_of(args.robot, args).text

"""``robot-dynamics demo``: a simulated robot in closed loop, with and without the right model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Optional

from robot_dynamics.app.demo import sea_command
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.values import finite
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_scalar

EXAMPLE = """\
pa10: four runs over DDS, each with the same joint feedback: without feedforward, with one that
believes the base is fixed, with one that knows how it moves, and the last on a still deck.
mobile_manipulator: three runs: without feedforward, with platform and arm computed separately,
and with both computed together.

examples:
  robot-dynamics demo pa10
  robot-dynamics demo pa10 --mass-error 10 --friction     # what is left then
  robot-dynamics demo pa10 --real-time                    # at the pace of the clock
  robot-dynamics demo pa10 --sea-state 4 --base-distance 10   # what knowing the base is worth
  robot-dynamics demo mobile_manipulator                  # on level ground
  robot-dynamics demo mobile_manipulator --deck           # on a ship that rolls and pitches
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'demo', help='a simulated arm on a moving ship, closed loop over DDS',
        description='Start ship, arm, reference and feedforward as ROS 2 nodes; show how well '
                    'the arm tracks, and why moving-base dynamics matter.', epilog=EXAMPLE)
    parser.add_argument('scenario', choices=('pa10', 'mobile_manipulator'),
                        help='the PA10-6CE on a ship, or a three-joint arm on wheels')
    parser.add_argument('--deck', action='store_true',
                        help='of the mobile manipulator: on the deck of a ship that moves, not '
                             'on level ground')
    parser.add_argument('--imu-on', choices=('deck', 'platform'), default='deck',
                        help='of the mobile manipulator: what the IMU is bolted to '
                             '(default: %(default)s)')
    parser.add_argument('--method', choices=('newton_euler', 'lagrange_euler'),
                        default='newton_euler', help='formulation (default: %(default)s)')
    parser.add_argument('--friction', action='store_true',
                        help='the arm has rotors, and friction that is 30 %% more than the '
                             'feedforward believes')
    parser.add_argument('--mass-error', type=finite, default=0.0, metavar='PERCENT',
                        help='the simulated arm is that much heavier than the feedforward '
                             'believes (default: %(default)g)')
    parser.add_argument('--real-time', action='store_true',
                        help='run at the pace of the clock, and print the cycles missed, '
                             'instead of in lockstep')
    parser.add_argument('--sea-state', type=int, metavar='N',
                        help='of the PA10: in an irregular sea of this state, 1 to 8; shows what '
                             'each piece of knowledge about the base is worth')
    parser.add_argument('--base-distance', type=finite, metavar='METRES',
                        help='of the PA10: how far ahead of the rotation centre of the ship the '
                             'arm stands; shows the same')
    parser.add_argument('--output', type=Path, default=Path('demo_output'), metavar='DIR',
                        help='where summary.json and the figure go (default: %(default)s)')
    parser.add_argument('--record', type=Path, metavar='FILE',
                        help='also write the run with the right model (moving base, coupled) as a '
                             'recording (.mcap), for robot-dynamics analyze')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make the runs, print the table, write summary and figure."""
    as_scalar('--mass-error', args.mass_error, -90.0, 900.0, '%')
    if args.scenario == 'mobile_manipulator':
        return _run_mobile(args)
    if sea_command.is_asked_for(args):
        return sea_command.run_at_sea(args)
    if args.deck:
        raise ConfigurationError('--deck: the PA10 stands on a moving deck in any case')
    from robot_dynamics.app.demo.figure import draw
    from robot_dynamics.app.demo.outcome import (
        configured_imu, configured_ship, outcome, pa10_dynamics, torque_by_cause)
    from robot_dynamics.app.demo.recorded import record
    from robot_dynamics.app.demo.requirements import require_ros
    from robot_dynamics.app.demo.runs import DemoOptions, make_run, MODES, MOVING_BASE
    from robot_dynamics.app.demo.telling import as_text, write_summary
    require_ros()
    _check_record(args.record)
    options = DemoOptions(args.method, args.friction, args.mass_error, args.real_time)
    args.output.mkdir(parents=True, exist_ok=True)
    runs = {}
    with Progress('demo') as progress:
        pa10_dynamics(options).warm_up(
            'torque', 'batch', 'terms', 'mass_matrix', progress=progress)
        for index, mode in enumerate(MODES):
            runs[mode.key] = make_run(
                mode, options, args.output / 'logs' / mode.key,
                lambda done: progress(f'{index + 1} of {len(MODES)}, {mode.label}', done))
        progress('drawing')
        result = outcome(runs, options)
        write_summary(result, args.output / 'summary.json')
        draw(result, torque_by_cause(options), args.output / 'moving_base.png')
        if args.record is not None:
            progress('recording')
            record(runs[MOVING_BASE.key], configured_ship(), configured_imu(), options.duration,
                   args.record)
    print(as_text(result))
    print(f'figure: {args.output / "moving_base.png"}, figures: {args.output / "summary.json"}')
    if args.record is not None:
        print(f'recording: {args.record}; next: robot-dynamics analyze {args.record}')
    return 0


def _run_mobile(args: argparse.Namespace) -> int:
    """Do the same for the robot on wheels."""
    from robot_dynamics.app.demo.mobile_figure import draw
    from robot_dynamics.app.demo.mobile_outcome import (
        configured_deck, demo_drive, mobile_outcome, warm_up)
    from robot_dynamics.app.demo.mobile_recorded import record_mobile
    from robot_dynamics.app.demo.mobile_runs import (
        COUPLED, make_mobile_run, MOBILE_MODES, MobileOptions)
    from robot_dynamics.app.demo.mobile_telling import as_text, write_summary
    from robot_dynamics.app.demo.requirements import require_ros
    for option, given in (('--friction', args.friction), ('--sea-state', args.sea_state),
                          ('--base-distance', args.base_distance)):
        if given:
            raise ConfigurationError(f'{option}: belongs to the PA10; the mobile manipulator has '
                                     'no figures for it')
    require_ros()
    _check_record(args.record)
    options = MobileOptions(
        args.method, args.deck, args.imu_on, args.mass_error, args.real_time)
    args.output.mkdir(parents=True, exist_ok=True)
    runs = {}
    with Progress('demo') as progress:
        warm_up(options, progress)  # the nodes find the kernels on disk
        for index, mode in enumerate(MOBILE_MODES):
            runs[mode.key] = make_mobile_run(
                mode, options, args.output / 'logs' / mode.key,
                lambda done: progress(f'{index + 1} of {len(MOBILE_MODES)}, {mode.label}', done))
        progress('drawing')
        result = mobile_outcome(runs, options)
        write_summary(result, args.output / 'summary.json')
        draw(result, args.output / 'mobile_manipulator.png')
        if args.record is not None:
            progress('recording')
            record_mobile(runs[COUPLED.key], options, configured_deck(options), args.record)
    print(as_text(result))
    print(f'figure: {args.output / "mobile_manipulator.png"}, '
          f'figures: {args.output / "summary.json"}')
    if args.record is not None:
        drive = demo_drive()
        print(f'recording: {args.record}; next: robot-dynamics analyze {args.record} '
              f'--left-wheel {drive.left} --right-wheel {drive.right}')
    return 0


def _check_record(path: Optional[Path]) -> None:
    """Refuse a recording that could not be written, before the runs are made."""
    if path is not None and path.exists():
        raise ConfigurationError(f'--record {path}: exists already; choose another name')
    if path is not None and not path.parent.is_dir():
        raise ConfigurationError(f'--record {path}: there is no directory {path.parent}; make it '
                                 'first')

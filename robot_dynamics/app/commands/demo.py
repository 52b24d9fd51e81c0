"""``robot-dynamics demo``: a simulated robot in closed loop, with and without the right model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, TYPE_CHECKING

from robot_dynamics.app.demo.requirements import require_ros
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.scenarios import MobileScenario, ShipPa10
from robot_dynamics.app.values import finite
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.extras import require
from robot_dynamics.core.gate import as_scalar

if TYPE_CHECKING:
    from robot_dynamics.app.demo.outcome import Demo

EXAMPLE = """\
pa10: four runs over DDS, each with the same joint feedback: without feedforward, with one that
believes the base is fixed, with one that knows how it moves, and the last on a still deck.
mobile_manipulator: three runs: without feedforward, with platform and arm computed separately,
and with both computed together.

examples:
  robot-dynamics demo pa10
  robot-dynamics demo pa10 --mass-error 10 --friction     # what is left then
  robot-dynamics demo pa10 --mass-error 10 --friction --identify   # and how to get rid of it
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
    parser.add_argument('--identify', action='store_true',
                        help='of the PA10: record a minute of work on the ship, learn the arm '
                             'from it, and run again')
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
    demo = _demo(args)
    require_ros()
    _check_record(args.record)
    from robot_dynamics.app.demo.runs import make_run
    from robot_dynamics.app.demo.summary import as_text, write_summary
    args.output.mkdir(parents=True, exist_ok=True)
    figure, summary = args.output / demo.figure, args.output / 'summary.json'
    runs, analysis = {}, ''
    with Progress('demo') as progress:
        demo.warm_up(progress)
        for index, mode in enumerate(demo.modes):
            runs[mode.key] = make_run(
                mode, demo.scenario, args.output / 'logs' / mode.key,
                lambda done: progress(f'{index + 1} of {len(demo.modes)}, {mode.label}', done))
            if args.identify and not index:
                demo.learn(runs[mode.key], progress)  # type: ignore[attr-defined]
        outcome = demo.outcome(runs, progress)
        progress('drawing')
        write_summary(outcome, summary)
        demo.draw(outcome, figure)
        if args.record is not None:
            progress('recording')
            analysis = demo.record(runs, args.record)
    print(as_text(outcome))
    print(f'figure: {figure}, figures: {summary}')
    if args.record is not None:
        print(f'recording: {args.record}; next: robot-dynamics analyze '
              + ' '.join(filter(None, [str(args.record), analysis])))
    return 0


def _demo(args: argparse.Namespace) -> Demo:
    """Return the demo that the options ask for; refuse those that belong to another."""
    common: Dict[str, Any] = {'method': args.method, 'mass_error_percent': args.mass_error,
                              'lockstep': not args.real_time}
    if args.scenario == 'mobile_manipulator':
        _refuse(args, ('friction', 'sea_state', 'base_distance', 'identify'),
                'belongs to the PA10; the mobile manipulator has no figures for it')
        from robot_dynamics.app.demo.mobile_manipulator import MobileDemo
        from robot_dynamics.simulation.motions import TABLE_3_DURATION
        return MobileDemo(MobileScenario(
            deck=args.deck, imu_on=args.imu_on, duration=TABLE_3_DURATION, **common))
    _refuse(args, ('deck',), 'the PA10 stands on a moving deck in any case')
    from robot_dynamics.app.demo.pa10 import DURATION, Pa10Demo
    common.update(duration=DURATION, guard=False)
    if args.identify:
        _refuse(args, ('sea_state', 'base_distance', 'record'), 'not together with --identify')
        from robot_dynamics.app.demo.learning import LearningDemo
        require('--identify', 'clarabel')
        return LearningDemo(ShipPa10(friction=args.friction, **common), args.output)
    if args.sea_state is None and args.base_distance is None:
        return Pa10Demo(ShipPa10(friction=args.friction, **common))
    _refuse(args, ('friction', 'real_time', 'record'),
            'not together with --sea-state or --base-distance')
    if args.sea_state is not None and not 1 <= args.sea_state <= 8:
        raise ConfigurationError(f'--sea-state {args.sea_state}: expected 1 to 8')
    distance = as_scalar('--base-distance', args.base_distance or 0.0, -200.0, 200.0, 'm')
    from robot_dynamics.app.demo.sea import LEAD_IN, SeaDemo
    return SeaDemo(ShipPa10(sea_state=args.sea_state or 0, base_distance=distance,
                            lead_in=LEAD_IN, **common))


def _refuse(args: argparse.Namespace, names: Sequence[str], reason: str) -> None:
    """Refuse options that a demo does not have."""
    for name in names:
        if getattr(args, name):
            raise ConfigurationError(f'--{name.replace("_", "-")}: {reason}')


def _check_record(path: Optional[Path]) -> None:
    """Refuse a recording that could not be written, before the runs are made."""
    if path is not None and path.exists():
        raise ConfigurationError(f'--record {path}: exists already; choose another name')
    if path is not None and not path.parent.is_dir():
        raise ConfigurationError(f'--record {path}: there is no directory {path.parent}; make it '
                                 'first')

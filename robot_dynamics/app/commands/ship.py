"""``robot-dynamics ship``: how a ship moves in a sea, as numbers, a CSV file and a figure."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any, Dict, List, Tuple

from robot_dynamics.app.progress import Progress
from robot_dynamics.app.ship_files import draw_figure, FIGURE_FORMATS, write_csv
from robot_dynamics.app.values import finite, vector3
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_scalar
from robot_dynamics.core.table import table
from robot_dynamics.ship.motion_statistics import MotionStatistics, ship_statistics
from robot_dynamics.ship.recorded_motion import RecordedMotion
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.ship.spectra import SPECTRA

EXAMPLE = """\
directions: where the waves travel to, counter-clockwise from the bow:
  0 following, 90 beam (from starboard), 180 head sea

examples:
  robot-dynamics ship --sea-state 5
  robot-dynamics ship --hs 2 --zero-crossing-period 6 --spectrum jonswap --direction-deg 150
  robot-dynamics ship --sea-state 4 --hull supply_vessel --csv motion.csv --figure motion.png
  robot-dynamics ship --paper
  robot-dynamics ship --replay sea_trial.mcap --cutoff 1 --csv motion.csv
      # a file for ship.file of the nodes, with ship.mode recorded
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'ship', help='how a ship moves in a sea: statistics, CSV, figure',
        description='Simulate a ship; print significant values, RMS and periods of its six '
                    'degrees of freedom and of what a deck point feels.',
        epilog=EXAMPLE)
    source = parser.add_argument_group('which motion (default: sea state 5)')
    kind = source.add_mutually_exclusive_group()
    kind.add_argument('--sea-state', type=int, metavar='N', help='WMO sea state, 1 to 8')
    kind.add_argument('--hs', type=finite, metavar='M', help='significant wave height, m')
    kind.add_argument('--paper', action='store_true',
                      help='the sinusoids of the paper on the PA10')
    kind.add_argument('--replay', metavar='FILE',
                      help='a recorded motion: a table (CSV, Parquet, NPZ) with time and degrees '
                           'of freedom, or a bag with odometry or an IMU')
    source.add_argument('--topic', default='', metavar='NAME', help='of the bag; default: its '
                        'only odometry, else its only IMU')
    source.add_argument('--columns', metavar='COLUMN=NAME,...', default='',
                        help='of the table, where they are not called time, surge, sway, heave '
                             '(m), roll, pitch, yaw (rad), roll_deg or roll[deg]')
    source.add_argument('--cutoff', type=float, default=0.0, metavar='HZ',
                        help='of a filter over a recorded motion, which shifts nothing in time')
    source.add_argument('--peak-period', type=finite, metavar='S', help='modal period, s')
    source.add_argument('--zero-crossing-period', type=finite, metavar='S', help='or this, s')
    source.add_argument('--spectrum', choices=SPECTRA, default='bretschneider',
                        help='default: %(default)s')
    source.add_argument('--gamma', type=finite, default=3.3, help='of jonswap')
    source.add_argument('--direction-deg', type=finite, default=90.0, metavar='DEG',
                        help='of the waves, from the bow (default: %(default)s)')
    source.add_argument('--speed', type=finite, default=0.0, metavar='M/S', help='of the ship')
    source.add_argument('--spreading', type=finite, metavar='S',
                        help='exponent of cos^2s; default: long-crested')
    source.add_argument('--hull', metavar='TABLE', help="'supply_vessel' or a CSV of response "
                        'operators; default: a closed form of 65 m')
    source.add_argument('--seed', type=int, default=0, help='default: %(default)s')
    output = parser.add_argument_group('what to look at')
    output.add_argument('--duration', type=finite, metavar='S',
                        help='default: 1800; of a recorded motion its own')
    output.add_argument('--rate', type=finite, metavar='HZ',
                        help='samples per second (default: 10; of a recorded motion its own; of a '
                             'table without time, its rows per second)')
    output.add_argument('--point', nargs='+', metavar='M',
                        help='deck point from the rotation centre: x forward, y left, z up')
    output.add_argument('--csv', metavar='FILE', help='write the motion')
    output.add_argument('--figure', metavar='FILE', help='draw motion and spectra (png, pdf, svg)')
    output.add_argument('--json', action='store_true', help='print JSON instead of text')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Simulate, print, write; return the exit code."""
    given = {name: as_scalar(f'--{name}', value, low, high, unit) for name, value, low, high, unit
             in (('duration', args.duration, 1.0, 1e6, 's'), ('rate', args.rate, 0.5, 1e3, 'Hz'))
             if value is not None}
    point = tuple(vector3('--point', args.point).tolist())
    if args.figure and Path(args.figure).suffix.lower() not in FIGURE_FORMATS:
        raise ConfigurationError(f'--figure: {args.figure} has to end in '
                                 f'{", ".join(FIGURE_FORMATS)}')
    ship, notes = _ship(args)
    source = ship.source
    duration, rate = given.get('duration', 1800.0), given.get('rate', 10.0)
    if isinstance(source, RecordedMotion):
        duration = min(given.get('duration', source.duration), source.duration)
        rate = given.get('rate', min(1 / source.spacing, 1e3))
    if duration * rate > 2e7:
        raise ConfigurationError('--duration times --rate is more than 20 million samples')
    with Progress('simulating the ship'):
        statistics = ship_statistics(ship, duration, 1 / rate, point=point)
        if args.csv:
            write_csv(args.csv, ship, duration, rate, point)
        if args.figure:
            draw_figure(args.figure, ship, duration, rate)
    if args.json:
        print(json.dumps({'parameters': ship.to_parameters(), 'duration': duration,
                          'notes': list(notes),
                          'statistics': [_as_data(row) for row in statistics]}, indent=2))
    else:
        print('\n'.join([_as_text(ship, statistics, duration), *notes]))
        for path in (args.csv, args.figure):
            if path:
                print(f'wrote {Path(path)}')
    return 0


def _ship(args: argparse.Namespace) -> Tuple[ShipMotion, Tuple[str, ...]]:
    """Return the ship, and notes on a recorded one."""
    if args.replay:
        return _recorded(args)
    if args.paper:
        return ShipMotion.regular(), ()
    state = 5 if args.sea_state is None and args.hs is None else args.sea_state
    return ShipMotion.irregular(
        state, significant_wave_height=args.hs, peak_period=args.peak_period,
        zero_crossing_period=args.zero_crossing_period, spectrum=args.spectrum, gamma=args.gamma,
        wave_direction=math.radians(args.direction_deg), ship_speed=args.speed,
        spreading=args.spreading, hull=args.hull, seed=args.seed), ()


def _recorded(args: argparse.Namespace) -> Tuple[ShipMotion, Tuple[str, ...]]:
    from robot_dynamics.bags.log_file import parse_columns
    from robot_dynamics.bags.ship_recording import ship_of_recording
    cutoff = as_scalar('--cutoff', args.cutoff, 0.0, 1e3, 'Hz')
    recorded = ship_of_recording(args.replay, args.topic, cutoff, parse_columns(args.columns),
                                 args.rate)
    return recorded.ship, recorded.notes


def _as_text(ship: ShipMotion, statistics: List[MotionStatistics], duration: float) -> str:
    flat = ship.to_parameters()
    recorded = isinstance(ship.source, RecordedMotion)
    lines = [f'{"recorded" if recorded else flat.get("mode", "ship")} motion, {duration:g} s']
    if flat.get('mode') == 'irregular':
        lines.append(f'{flat["spectrum"]} sea, significant height '
                     f'{flat["significant_wave_height"]:.2f} m, direction '
                     f'{flat["wave_direction_deg"]:g} deg, ship at {flat["ship_speed"]:g} m/s')
    names = ['mean'] * recorded + ['rms', 'significant', 'maximum']
    rows = [[row.name, row.unit, *(_rounded(getattr(row, name)) for name in names),
             _rounded(row.zero_crossing_period, 2)] for row in statistics]
    header = ['', 'unit', *('RMS' if name == 'rms' else name for name in names), 'period s']
    return '\n'.join(lines + ['', table(header, rows, left=2)])


def _rounded(value: float, digits: int = 3) -> str:
    return '-' if math.isnan(value) else f'{value:.{digits}f}'


def _as_data(row: MotionStatistics) -> Dict[str, Any]:
    return {name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in vars(row).items()}

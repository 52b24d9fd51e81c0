"""``robot-dynamics simulate``: the motion that torques and the moving base cause."""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any, Dict, List, TYPE_CHECKING, Union

import numpy as np

from robot_dynamics.app.models import (
    add_model_arguments, joints_without_value, load_model_with_warnings)
from robot_dynamics.app.progress import Progress
from robot_dynamics.app.values import finite, joint_values
from robot_dynamics.app.wrenches import add_wrench_arguments, external_wrenches
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.table import table
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.ship.ship_motion import ShipMotion

if TYPE_CHECKING:
    from robot_dynamics.simulation.integration import Simulation

INTEGRATORS = ('RK4', 'RK45', 'DOP853', 'Radau', 'BDF', 'LSODA')
ROWS = 10

EXAMPLE = """\
values:
  all joints in the model's order (--q 0 0.5 -0.2), or some by name and the others zero
  (--q elbow=0.5)

examples: an arm that swings freely, one pushed at its tip, and one that only holds itself
on a ship
  robot-dynamics simulate pa10 --q 0 0.8 -0.3 0 0 0 --duration 2
  robot-dynamics simulate pa10 --hold --wrench tool0 0 5 0 0 0 0
  robot-dynamics simulate pa10 --q joint2=0.5 --hold --ship --friction --integrator Radau
"""


def add_parser(subparsers: 'argparse._SubParsersAction[Any]') -> None:
    """Declare the command and its arguments."""
    parser = subparsers.add_parser(
        'simulate', help='the motion that torques cause (forward dynamics)',
        description='Integrate the forward dynamics of an arm on a base that moves or rests.',
        epilog=EXAMPLE)
    add_model_arguments(parser)
    start = parser.add_argument_group('start (default: zero)')
    start.add_argument('--q', nargs='+', metavar='VALUE', help='joint positions, rad or m')
    start.add_argument('--qd', nargs='+', metavar='VALUE', help='joint velocities')
    drive = parser.add_argument_group('what drives the arm (default: nothing, it swings freely)')
    either = drive.add_mutually_exclusive_group()
    either.add_argument('--torque', nargs='+', metavar='VALUE',
                        help='constant joint torques in N m, or forces in N')
    either.add_argument('--hold', action='store_true',
                        help='constant torques that balance gravity at the start; a wrench then '
                             'pushes the arm')
    add_wrench_arguments(drive)
    drive.add_argument('--friction', action='store_true',
                       help="include the friction of the description's <dynamics>")
    base = parser.add_argument_group('base (default: level and still)')
    base.add_argument('--ship', action='store_true',
                      help='on the ship of Sadraei & Moghaddam, which rolls and pitches')
    base.add_argument('--roll', type=finite, default=0.0, metavar='X', help='constant, rad')
    base.add_argument('--pitch', type=finite, default=0.0, metavar='X',
                      help='constant, rad, bow down positive (REP-103)')
    base.add_argument('--gravity', type=finite, default=STANDARD_GRAVITY, metavar='G',
                      help='its magnitude in m/s^2 (default: %(default)s)')
    how = parser.add_argument_group('how')
    how.add_argument('--duration', type=finite, default=1.0, metavar='T',
                     help='in s (default: %(default)s)')
    how.add_argument('--step', type=finite, default=1e-3, metavar='H',
                     help='of the output, and of RK4, in s (default: %(default)s)')
    how.add_argument('--integrator', choices=INTEGRATORS, default='RK4',
                     help="RK4 is Runge-Kutta of fourth order, the others are scipy's "
                          '(default: %(default)s)')
    how.add_argument('--tolerance', type=finite, default=1e-9, metavar='TOL',
                     help="of scipy's integrators (default: %(default)s)")
    how.add_argument('--backend', choices=('interpreted', 'numba'), default='numba',
                     help='numba compiles first (default: %(default)s)')
    out = parser.add_argument_group('output')
    out.add_argument('--output', type=Path, metavar='DIR',
                     help='write motion.csv with every step, and motion.png')
    out.add_argument('--json', action='store_true', help='print JSON instead of a table')
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Simulate and print; return the exit code."""
    model = load_model_with_warnings(args)
    if not model.nv:
        raise InputError('URDF', f'{model.name} has no joint that moves')
    elsewhere = joints_without_value(model)
    q, qd = (joint_values(f'--{name}', getattr(args, name), model.joint_names, elsewhere)
             for name in ('q', 'qd'))
    base, friction = _base(args), args.friction or bool(args.identified)
    if args.output is not None:
        args.output.mkdir(parents=True, exist_ok=True)
    from robot_dynamics.simulation.integration import simulate
    with Progress(f'simulating {model.name}') as progress:
        wrenches = external_wrenches(args)
        torque = joint_values('--torque', args.torque, model.joint_names)
        if args.hold:
            from robot_dynamics.dynamics.inverse import InverseDynamics
            torque = InverseDynamics(model, backend='interpreted').torque(
                q, np.zeros(model.nv), np.zeros(model.nv),
                base if isinstance(base, BaseMotion) else BaseMotion.still(args.gravity))
        result = simulate(
            model, q, qd, torque, base, args.duration, step=args.step,
            integrator=args.integrator, friction=friction, external_wrenches=wrenches,
            rotor_inertia=True, tolerance=args.tolerance, backend=args.backend)
        written = []
        if args.output is not None:
            progress('drawing')
            written = _write(model, result, args)
    if args.json:
        print(json.dumps(_as_data(model, result), indent=2))
        return 0
    print(_as_text(model, result, not (args.ship or friction or wrenches)))
    if written:
        print('\nwritten:\n' + '\n'.join(f'  {path}' for path in written))
    return 0


def _base(args: argparse.Namespace) -> Union[BaseMotion, ShipMotion]:
    if not args.ship:
        return BaseMotion.from_roll_pitch(args.roll, args.pitch, gravity_magnitude=args.gravity)
    if args.roll or args.pitch:
        raise InputError('--ship', 'moves the base by itself; leave out --roll and --pitch')
    return ShipMotion.regular(gravity_magnitude=args.gravity)


def _as_text(model: RobotModel, result: Simulation, conserved: bool) -> str:
    """Return some rows of the motion, and what became of the energy."""
    rows: List[List[object]] = []
    for index in np.unique(np.linspace(0, len(result.time) - 1, ROWS + 1).round().astype(int)):
        rows.append([f'{result.time[index]:.4g}', *result.position[index].tolist(),
                     *result.velocity[index].tolist(), float(result.kinetic_energy[index]),
                     float(result.potential_energy[index])])
    header = ['t [s]', *model.joint_names, *(f"{name}'" for name in model.joint_names),
              'kinetic [J]', 'potential [J]']
    text = table(header, rows) + "\n\nposition in rad or m, speed (') per s\n"
    if conserved:
        return text + (f'energy drift {result.energy_drift:.2e} J: the largest change of kinetic '
                       'and potential energy less the work of the torques')
    return text + (f'energy changed by up to {result.energy_drift:.4g} J beyond the work of the '
                   'torques: base, friction or external forces did that')


def _as_data(model: RobotModel, result: Simulation) -> Dict[str, Any]:
    return {
        'model': model.name, 'joints': list(model.joint_names), 'time': result.time.tolist(),
        'position': result.position.tolist(), 'velocity': result.velocity.tolist(),
        'acceleration': result.acceleration.tolist(), 'torque': result.torque.tolist(),
        'kinetic_energy': result.kinetic_energy.tolist(),
        'potential_energy': result.potential_energy.tolist(),
        'energy_drift': result.energy_drift}


def _write(model: RobotModel, result: Simulation, args: argparse.Namespace) -> List[Path]:
    from robot_dynamics.app.simulation_figures import draw_simulation
    table_path = args.output / 'motion.csv'
    header = ['time_s', *(f'{what}.{name}' for what in (
        'position', 'velocity', 'acceleration', 'torque') for name in model.joint_names),
        'kinetic_j', 'potential_j']
    with table_path.open('w', newline='', encoding='utf-8') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(header)
        writer.writerows(np.column_stack([
            result.time, result.position, result.velocity, result.acceleration, result.torque,
            result.kinetic_energy, result.potential_energy]).tolist())
    driven = 'swings freely'
    if args.hold or args.torque:
        torques = ', '.join(f'{name} {value:.3g}' for name, value in zip(
            model.joint_names, result.torque[0].tolist()))
        driven = f'is driven by constant torques [N m or N] ({torques})'
    where = 'on the ship' if args.ship else 'on a base at rest'
    return [table_path, draw_simulation(
        model, result, f'The arm {driven} {where}; {args.integrator}, step {args.step:g} s.',
        args.output / 'motion.png')]

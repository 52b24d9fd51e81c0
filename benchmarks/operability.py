"""Loads in waves: linear and second-order theory against the exact dynamics, and what it costs."""

from __future__ import annotations

import math
import time

from benchmarks.timing import verdict
import numpy as np

from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path
from robot_dynamics.operability.assessment import Mount, Question
from robot_dynamics.operability.frequency_domain import Ship
from robot_dynamics.operability.limits import effort_limits
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.seas import sea_grid, sea_states
from robot_dynamics.operability.study import assess, check_cell
from robot_dynamics.ship.rao import RaoTable

POSTURES = np.array([[0.0, 0.6, 0.0, 1.2, 0.0, 0.0], [0.8, 1.2, 0.0, 0.3, 0.5, 0.0],
                     [0.0, 0.0, 0.3, 2.0, 0.0, 0.0]])
HEADINGS = (45.0, 90.0, 180.0)
SEEDS = 20
DEVIATION, MAXIMUM = 0.03, 0.07  # relative: what the domains may differ by


def main() -> int:
    """Print agreement and times; 1 if a target is missed."""
    model = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))
    dynamics = InverseDynamics(model)
    dynamics.warm_up('batch')
    robot = RobotLoads.of_arm(dynamics)
    mount = Mount(p_DB=np.array([10.0, 3.0, 5.0]))
    question = Question(Ship(RaoTable.supply_vessel()), np.radians(HEADINGS))
    met = [_agreement(robot, RobotStates.postures(model, POSTURES), mount, question),
           _cost(robot, model, mount)]
    return 0 if all(met) else 1


def _agreement(robot: RobotLoads, states: RobotStates, mount: Mount, question: Question) -> bool:
    loads = robot.linear(states, mount.R_DB, mount.p_DB)
    print(f'PA10 at (10, 3, 5) m on the supply vessel, {SEEDS} seas of 3 h a cell: largest '
          'difference of the loads, time domain against frequency domain')
    print('sea state  heading  posture  deviation  most probable maximum  largest tilt')
    worst = [0.0, 0.0]
    for sea in sea_states(2, 5):
        for heading in HEADINGS:
            for p in range(len(states.q)):
                check = check_cell(robot, states.one(p), p, loads.one(p), mount, question,
                                   math.radians(heading), sea, SEEDS)
                deviation, maximum = check.worst
                worst = [max(worst[0], deviation), max(worst[1], maximum)]
                print(f'{sea.state:9d}  {heading:7g}  {p + 1:7d}  {100 * deviation:7.2f} %  '
                      f'{100 * maximum:19.2f} %  {check.largest_tilt_deg:8.1f} deg', flush=True)
    lines = [verdict('deviation, percent', 100 * worst[0], 100 * DEVIATION, at_most=True),
             verdict('most probable maximum, percent', 100 * worst[1], 100 * MAXIMUM,
                     at_most=True)]
    for line, _ in lines:
        print(line)
    return all(met for _, met in lines)


def _cost(robot: RobotLoads, model: RobotModel, mount: Mount) -> bool:
    question = Question(Ship(RaoTable.supply_vessel()), np.radians(np.arange(0.0, 360.0, 15.0)))
    rng = np.random.default_rng(0)
    q = rng.uniform(0.5 * model.lower, 0.5 * model.upper, (100, model.nv))
    states = RobotStates.postures(model, q)
    begin = time.perf_counter()
    assess(robot, states, effort_limits(model), mount, question,
           sea_grid([1.0, 2.0, 4.0, 6.0], [7.0, 10.0]))
    assessed = time.perf_counter() - begin
    one = states.one(0)
    loads = robot.linear(one, mount.R_DB, mount.p_DB)
    begin = time.perf_counter()
    check_cell(robot, one, 0, loads, mount, question, 1.0, sea_states(5, 5)[0], 1)
    simulated = time.perf_counter() - begin
    lines = [verdict('24 headings, 8 seas, 100 postures, s', assessed, 10.0, at_most=True),
             verdict('3 h at 10 Hz in the time domain, s', simulated, 2.0, at_most=True)]
    for line, _ in lines:
        print(line)
    return all(met for _, met in lines)

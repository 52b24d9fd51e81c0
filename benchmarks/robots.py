"""
Compile and call times over robots of example-robot-data, Pinocchio beside them.

    python -m benchmarks robots

Compiled without the cache, moving base, Newton-Euler, one call.  The last line fits
compile time = c joints^p: p near 1 says that it grows linearly.
"""

from __future__ import annotations

import os
import time

from benchmarks.dynamics import Case, example_robot
from benchmarks.timing import side_by_side, verdict
import numpy as np

from robot_dynamics import InverseDynamics
from robot_dynamics.core.kernel_cache import VARIABLE

ROBOTS = (
    'double_pendulum_description/urdf/double_pendulum.urdf',
    'finger_edu_description/robots/finger_edu.urdf',
    'ur_description/urdf/ur5_robot.urdf',
    'xarm_description/urdf/xarm7.urdf',
    'panda_description/urdf/panda.urdf',
    'tiago_description/robots/tiago_no_hand.urdf',
    'baxter_description/urdf/baxter.urdf',
    'pr2_description/urdf/pr2.urdf',
    'talos_data/robots/talos_reduced.urdf',
    'icub_description/robots/icub.urdf',
    'g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf',
    'tiago_description/robots/tiago.urdf',
    'tiago_description/robots/tiago_dual.urdf')


def main() -> int:
    """Print a line a robot; 1 if compile time grows faster than joints^1.3."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = ''
    try:
        rows = [measure(name) for name in ROBOTS]
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
    large = [(joints, seconds) for joints, seconds in rows if joints >= 6]
    power = np.polyfit(*np.log(np.array(large).T), 1)[0]
    text, met = verdict('power p of compile time = c joints^p, from 6 joints', power, 1.3, True)
    print(text)
    return 0 if met else 1


def measure(name: str) -> tuple[int, float]:
    """Print one robot's figures; return its joints and compile time."""
    case = Case(example_robot(name))
    dynamics = InverseDynamics(case.model)
    start = time.perf_counter()
    dynamics.warm_up('torque')
    compiled = time.perf_counter() - start
    theirs = case.peer_state(*case.state)
    seconds = side_by_side({
        'ours': lambda: dynamics.torque(*case.state, case.base),
        'pinocchio': lambda: case.pin.rnea(case.peer, case.data, *theirs)}, 2000, 7)
    print(f'  {name.rsplit("/", 1)[1]:<34} {case.model.nv:4d} joints  compiled in '
          f'{compiled:5.1f} s  torque() {1e6 * seconds["ours"]:6.2f} us  pinocchio '
          f'{1e6 * seconds["pinocchio"]:6.2f} us  ratio '
          f'{seconds["pinocchio"] / seconds["ours"]:.1f}')
    return case.model.nv, compiled

"""
Speed of the mobile manipulator's reduced inverse dynamics against Pinocchio, in one run.

    python -m benchmarks mobile_manipulator

Pinocchio is ``pinocchio.rnea`` of the same description with a planar root, its inputs ready, and
the projection R^T tau in numpy: wheels that roll make R constant in the platform's own axes.
Ours includes the motion of the deck, which that does not have; on level ground both compute the
same torques, and the difference is printed.  Targets are those of the paper's robot; TIAGo, with
ten joints above its wheels, is shown beside it.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import Any, List, Tuple

from benchmarks.timing import side_by_side, verdict
import numpy as np

from robot_dynamics import (
    BaseMotion, BaseState, DifferentialDrive, InverseDynamics, RobotModel)
from robot_dynamics.core.resources import resource_path

METHODS = ('newton_euler', 'lagrange_euler')


class Peer:
    """Pinocchio's view of a robot on wheels."""

    def __init__(self, urdf: Path, robot: InverseDynamics) -> None:
        import pinocchio as pin
        self.pin, self.robot = pin, robot
        self.model = pin.buildModelFromUrdf(str(urdf), pin.JointModelPlanar())
        self.data = self.model.createData()
        drive, nv = robot.support, robot.model.nv
        self.R = np.zeros((self.model.nv, nv))
        wheels = 0.5 * drive.radius * np.array(drive.signs)
        turn = drive.radius / drive.track * np.array(drive.signs) * [1, -1]
        # the root is the base link: its origin moves across when it is ahead of the axle
        ahead = -drive.R_BO.T @ drive.p_BO
        self.R[0, :2], self.R[1, :2], self.R[2, :2] = (
            wheels - turn * ahead[1], turn * ahead[0], turn)
        for k, name in enumerate(robot.model.joint_names):
            self.R[self._joint(name).idx_v, k] = 1.0

    def _joint(self, name: str) -> Any:
        return self.model.joints[self.model.getJointId(name)]

    def inputs(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
               ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Order a state as Pinocchio has it."""
        position = self.pin.neutral(self.model)
        for k, name in enumerate(self.robot.model.joint_names):
            joint = self._joint(name)
            if joint.nq == 2:
                position[joint.idx_q:joint.idx_q + 2] = np.cos(q[k]), np.sin(q[k])
            else:
                position[joint.idx_q] = q[k]
        return position, self.R @ qd, self.R @ qdd

    def torque(self, row: Tuple[np.ndarray, ...]) -> np.ndarray:
        """Reduced torque of a state in Pinocchio's order."""
        return self.R.T @ self.pin.rnea(self.model, self.data, *row)


def one_call(label: str, urdf: Path, robots: List[InverseDynamics]) -> List[Tuple[str, bool]]:
    """Compare one torque, kernel and public interface."""
    rng = np.random.default_rng(1)
    nv = robots[0].model.nv
    state = [rng.uniform(-1, 1, nv) for _ in range(3)]
    peer = Peer(urdf, robots[0])
    peer.model.gravity.linear = np.array([0, 0, -9.80665])
    row = peer.inputs(*state)
    pose = rng.uniform(-1, 1, 3)
    deck = BaseMotion(*rng.normal(0, 1, (3, 3)), gravity=[0.5, -1.0, -9.7])
    base = BaseState(deck, pose)
    x, tau = np.concatenate([pose, *state, deck.packed]), np.empty(nv)
    runs = {'pinocchio': lambda: peer.torque(row)}
    for robot in robots:
        robot.warm_up('torque')
        kernel = robot.kernel()
        difference = np.abs(robot.torque(*state) - peer.torque(row)).max()
        print(f'  {label}, {robot.method}: differs from Pinocchio by {difference:.0e} N m')
        runs[f'{robot.method} kernel'] = lambda kernel=kernel: kernel(x, tau)
        runs[f'{robot.method} public'] = lambda robot=robot: robot.torque(*state, base)
    seconds = side_by_side(runs, calls=4000)
    print('  ' + ', '.join(f'{name} {1e6 * value:.2f} us' for name, value in seconds.items()))
    return [verdict(f'{label}, {robot.method}, kernel: times faster than rnea + projection',
                    seconds['pinocchio'] / seconds[f'{robot.method} kernel'], 2.5)
            for robot in robots]


def batch(label: str, urdf: Path, robot: InverseDynamics, samples: int = 100_000
          ) -> List[Tuple[str, bool]]:
    """Compare a batch, sines included, with Pinocchio called in a Python loop."""
    rng = np.random.default_rng(2)
    nv = robot.model.nv
    q, qd, qdd = (rng.uniform(-2, 2, (samples, nv)) for _ in range(3))
    base = BaseState(BaseMotion(*rng.normal(0, 1, (4, samples, 3))),
                     rng.uniform(-2, 2, (samples, 3)))
    peer = Peer(urdf, robot)
    few = 2000
    rows = [peer.inputs(q[k], qd[k], qdd[k]) for k in range(few)]

    def peer_loop() -> None:
        for row in rows:
            peer.torque(row)

    robot.warm_up('batch')
    kernel = robot._formulation.torque.batch
    out = np.empty((samples, nv))
    seconds = side_by_side({
        'kernel': lambda: kernel(q, qd, qdd, base.packed, out),
        'public': lambda: robot.torque(q, qd, qdd, base),
        'pinocchio': peer_loop}, calls=1, rounds=9)
    each = {'kernel': seconds['kernel'] / samples, 'public': seconds['public'] / samples,
            'pinocchio': seconds['pinocchio'] / few}
    print(f'  {label}, batch of {samples}: ' + ', '.join(
        f'{name} {1e6 * value:.3f} us a sample' for name, value in each.items()))
    return [verdict(f'{label}, batch, {robot.method}, {name}: times faster',
                    each['pinocchio'] / each[name], 15) for name in ('kernel', 'public')]


def tiago() -> Path:
    """Path of TIAGo's URDF in the PyPI package example-robot-data."""
    package = importlib.metadata.distribution('example-robot-data')
    return Path(str(package.locate_file(
        'cmeel.prefix/share/example-robot-data/robots/tiago_description/robots/'
        'tiago_no_hand.urdf')))


def main() -> int:
    """Run all comparisons; 0 if every target is met."""
    lines: List[Tuple[str, bool]] = []
    for label, urdf, left, right in (
            ('3-joint arm', resource_path('urdf/mobile_manipulator.urdf'), 'left_wheel_joint',
             'right_wheel_joint'),
            ('TIAGo', tiago(), 'wheel_left_joint', 'wheel_right_joint')):
        model = RobotModel.from_urdf(urdf)
        robots = [InverseDynamics(model, method, support=DifferentialDrive.from_model(
            model, left, right)) for method in METHODS]
        lines += one_call(label, urdf, robots)
        for robot in robots:
            measured = batch(label, urdf, robot)
            lines += measured if model.nv == 5 else []
    print()
    for text, _ in lines:
        print(text)
    return 0 if all(met for _, met in lines) else 1

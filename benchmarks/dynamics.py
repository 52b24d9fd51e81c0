"""
Speed of the dynamics against Pinocchio's Python bindings, in one run.

    python -m benchmarks dynamics

"kernel" is the compiled function alone, ``InverseDynamics.kernel()``; "public" is
``InverseDynamics.torque`` with its input gate and a new result array.  Pinocchio is
``pinocchio.rnea`` with a free-flyer root, called from Python in the same way.  Both compute
the same torques: the differences are printed.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
import subprocess
import sys
import time
from typing import Dict, List, Tuple

from benchmarks.timing import side_by_side, verdict
import numpy as np

from robot_dynamics import BaseMotion, InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path

METHODS = ('newton_euler', 'lagrange_euler')


class Case:
    """One robot, one random state, and Pinocchio's view of both."""

    def __init__(self, urdf: Path, seed: int = 1) -> None:
        import pinocchio as pin
        self.pin = pin
        self.model = RobotModel.from_urdf(urdf)
        self.peer = pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())
        self.data = self.peer.createData()
        rng = np.random.default_rng(seed)
        nv = self.model.nv
        self.state = [rng.uniform(-1, 1, nv) for _ in range(3)]
        self.base = BaseMotion(*rng.normal(0, 1, (3, 3)), gravity=[0.5, -1.0, -9.7])

    def peer_state(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
                   ) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Order a state as Pinocchio has it; coupled joints stay at zero."""
        pin, peer = self.pin, self.peer
        position, velocity = pin.neutral(peer), np.zeros(peer.nv)
        acceleration = np.zeros(peer.nv)
        base = self.base
        acceleration[:3] = base.linear_acceleration
        velocity[3:6], acceleration[3:6] = base.angular_velocity, base.angular_acceleration
        peer.gravity.linear = np.asarray(base.gravity)
        for k, name in enumerate(self.model.joint_names):
            joint = peer.joints[peer.getJointId(name)]
            if joint.nq == 2:
                position[joint.idx_q:joint.idx_q + 2] = np.cos(q[k]), np.sin(q[k])
            else:
                position[joint.idx_q] = q[k]
            velocity[joint.idx_v], acceleration[joint.idx_v] = qd[k], qdd[k]
        return position, velocity, acceleration

    def difference(self, tau: np.ndarray) -> float:
        """Largest difference of a torque from Pinocchio's, over the largest torque."""
        theirs = self.pin.rnea(self.peer, self.data, *self.peer_state(*self.state))
        ordered = np.array([theirs[self.peer.joints[self.peer.getJointId(name)].idx_v]
                            for name in self.model.joint_names])
        return float(np.abs(ordered - tau).max() / np.abs(ordered).max())


def one_call(case: Case, label: str, kernel_targets: Dict[str, float],
             public_target: float) -> List[Tuple[str, bool]]:
    """Compare one torque, kernel and public interface, for both methods."""
    pin, peer, data = case.pin, case.peer, case.data
    theirs = case.peer_state(*case.state)
    x = np.concatenate([*case.state, case.base.packed])
    tau = np.empty(case.model.nv)
    runs = {'pinocchio': lambda: pin.rnea(peer, data, *theirs)}
    for method in METHODS:
        dynamics = InverseDynamics(case.model, method=method)
        start = time.perf_counter()
        dynamics.warm_up('torque')
        kernel = dynamics.kernel()
        print(f'  {label}, {method}: ready in {time.perf_counter() - start:.2f} s, differs from '
              f'Pinocchio by {case.difference(dynamics.torque(*case.state, case.base)):.0e}')
        runs[f'{method} kernel'] = lambda kernel=kernel: kernel(x, tau)
        runs[f'{method} public'] = lambda dynamics=dynamics: dynamics.torque(
            *case.state, case.base)
    seconds = side_by_side(runs, calls=4000)
    print('  ' + ', '.join(f'{name} {1e6 * value:.2f} us' for name, value in seconds.items()))
    lines = [verdict(f'{label}, {method}, kernel: times faster than pinocchio.rnea',
                     seconds['pinocchio'] / seconds[f'{method} kernel'], target)
             for method, target in kernel_targets.items()]
    return lines + [verdict(
        f'{label}, {method}, public torque(): times faster than pinocchio.rnea',
        seconds['pinocchio'] / seconds[f'{method} public'], public_target) for method in METHODS]


def batch(case: Case, samples: int = 100_000) -> List[Tuple[str, bool]]:
    """Compare a batch, sines included, with Pinocchio called in a Python loop."""
    pin, peer, data = case.pin, case.peer, case.data
    rng = np.random.default_rng(2)
    q, qd, qdd = (rng.uniform(-2, 2, (samples, case.model.nv)) for _ in range(3))
    base = BaseMotion(*rng.normal(0, 1, (4, samples, 3)))
    lines = []
    few = 2000
    rows = [case.peer_state(q[k], qd[k], qdd[k]) for k in range(few)]

    def peer_loop() -> None:
        for row in rows:
            pin.rnea(peer, data, *row)

    for method in METHODS:
        dynamics = InverseDynamics(case.model, method=method)
        dynamics.warm_up('batch')
        kernel = dynamics._formulation.torque.batch
        out = np.empty((samples, case.model.nv))
        seconds = side_by_side({
            'kernel': lambda: kernel(q, qd, qdd, base.packed, out),
            'public': lambda: dynamics.torque(q, qd, qdd, base),
            'pinocchio': peer_loop}, calls=1, rounds=9)
        each = {'kernel': seconds['kernel'] / samples, 'public': seconds['public'] / samples,
                'pinocchio': seconds['pinocchio'] / few}
        print(f'  batch of {samples}, {method}: ' + ', '.join(
            f'{name} {1e6 * value:.3f} us a sample' for name, value in each.items()))
        lines += [verdict(f'batch, {method}, kernel: times faster than a Python loop',
                          each['pinocchio'] / each['kernel'], 15),
                  verdict(f'batch, {method}, public torque(): times faster',
                          each['pinocchio'] / each['public'], 8)]
    return lines


def example_robot(name: str) -> Path:
    """Path of a URDF in the PyPI package example-robot-data."""
    package = importlib.metadata.distribution('example-robot-data')
    return Path(str(package.locate_file(
        f'cmeel.prefix/share/example-robot-data/robots/{name}')))


def second_start() -> Tuple[str, bool]:
    """Time a new process from its imports to its first torque, with the cache filled before."""
    code = (
        'import casadi, numba, numpy, time\n'
        'from robot_dynamics import InverseDynamics, RobotModel\n'
        'import robot_dynamics.dynamics.inverse\n'
        'start = time.perf_counter()\n'
        'dynamics = InverseDynamics(RobotModel.from_urdf(__import__("sys").argv[1]))\n'
        'dynamics.warm_up()\n'
        'dynamics.torque(*numpy.zeros((3, 6)))\n'
        'print(time.perf_counter() - start)')
    command = [sys.executable, '-c', code, str(resource_path('urdf/pa10.urdf'))]
    seconds = [float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
               for _ in range(3)]
    return verdict('6 joints, second start with a warm cache [s]', min(seconds[1:]), 1.0, True)


def main() -> int:
    """Run all comparisons; 0 if every target is met."""
    pa10 = Case(resource_path('urdf/pa10.urdf'))
    lines = one_call(pa10, '6 joints', {'newton_euler': 2.5, 'lagrange_euler': 2.0}, 1.0)
    lines += batch(pa10)
    talos = Case(example_robot('talos_data/robots/talos_reduced.urdf'))
    lines += one_call(talos, '32 joints (Talos)', {'newton_euler': 5.0}, 1.0)
    lines.append(second_start())
    print()
    for text, _ in lines:
        print(text)
    return 0 if all(met for _, met in lines) else 1

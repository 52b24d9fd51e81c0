"""
How fast a recording is analysed, where the time goes, and the same with Pinocchio in a loop.

    python -m benchmarks replay
    python benchmarks/replay.py --samples 100000 --peer-samples 10000
    python benchmarks/replay.py --against ../before --samples 200000

It writes a recording of the PA10 on a moving deck, analyses it in a process of its own on one
core, up to summary and Parquet, and does a part of it again the way one writes it with rosbags
and Pinocchio by hand.  Both run one after the other on the same machine.

With ``--against`` it compares the command ``analyze`` of this checkout with that of another, in
turns: the figures are medians.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import time
from typing import Any, Dict, List, Sequence

import numpy as np

from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.resources import resource_path

ROBOT = resource_path('urdf/pa10.urdf')
NAMES = tuple(f'joint{i}' for i in range(1, 7))
RATE = 500.0
TARGET_RATE, TARGET_TORQUE = 1_000_000, 0.1


def write_recording(path: Path, samples: int, imu_rate: float = 100.0) -> None:
    """Write sinusoids of all joints on a rolling deck; efforts are noise (only speed counts)."""
    t = np.arange(samples) / RATE
    w = 2 * np.pi * (0.15 + 0.05 * np.arange(6))
    angle = t[:, None] * w
    rng = np.random.default_rng(0)
    stamps = np.rint(1.7e18 + t * 1e9).astype(np.int64)
    imu_t = np.arange(int(samples / RATE * imu_rate) + 1) / imu_rate
    roll, rate = 0.15 * np.sin(0.8 * imu_t), 0.12 * np.cos(0.8 * imu_t)
    zero = np.zeros_like(roll)
    with RecordingWriter(path) as bag:
        bag.joint_states(stamps, NAMES, 0.5 * np.sin(angle), 0.5 * w * np.cos(angle),
                         rng.normal(size=(samples, 6)))
        bag.imu(np.rint(1.7e18 + imu_t * 1e9).astype(np.int64),
                np.stack([rate, zero, zero], 1),
                9.81 * np.stack([zero, np.sin(roll), np.cos(roll)], 1),
                np.stack([np.sin(roll / 2), zero, zero, np.cos(roll / 2)], 1))


def analyse(path: Path, output: Path) -> Dict[str, Any]:
    """Analyse a recording up to summary and Parquet; return the seconds by stage."""
    from robot_dynamics.replay.export import write_parquet, write_summary
    from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
    begin, processor = time.perf_counter(), time.process_time()
    with analyze_bag(path, ROBOT, ReplayOptions(backend='numba')) as result:
        stages = dict(result.seconds)
        start = time.perf_counter()
        write_summary(result, output / 'summary.json')
        write_parquet(result, output / 'series.parquet')
        stages['parquet (torques again, compress, write)'] = time.perf_counter() - start
        total = time.perf_counter() - begin
        return {'samples': result.samples, 'total': total, 'stages': stages,
                'processor': time.process_time() - processor,
                'memory_mb': _peak_memory()}


def _peak_memory() -> float:
    """Return the peak resident memory of this process in MB; 0 where it is not known."""
    status = Path('/proc/self/status')  # getrusage would count the parent's memory too
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(float(line.split()[1]) / 1024 for line in lines if line.startswith('VmHWM'))


def analyse_with_pinocchio(path: Path, samples: int) -> Dict[str, Any]:
    """
    Do the same with rosbags and Pinocchio in a Python loop, for the first samples.

    Decode by rosbags, accelerations by a zero-phase Butterworth filter, base motion
    interpolated, torque with moving and fixed base, and the terms by cause by further calls.
    """
    import pinocchio
    from rosbags.rosbag2 import Reader
    from rosbags.typesys import get_typestore, Stores
    from scipy.signal import butter, filtfilt
    begin, processor = time.perf_counter(), time.process_time()
    store = get_typestore(Stores.LATEST)
    joints, base = [], []
    with Reader(path) as reader:
        for connection, _, raw in reader.messages():
            message: Any = store.deserialize_cdr(raw, connection.msgtype)
            stamp = message.header.stamp.sec + 1e-9 * message.header.stamp.nanosec
            if connection.topic == '/joint_states':
                joints.append((stamp, *message.position, *message.velocity, *message.effort))
                if len(joints) >= samples:
                    break
            else:
                w, a = message.angular_velocity, message.linear_acceleration
                base.append((stamp, w.x, w.y, w.z, a.x, a.y, a.z))
    table, imu = np.array(joints), np.array(base)
    decoded = time.perf_counter()
    time_s, q, qd, effort = table[:, 0], table[:, 1:7], table[:, 7:13], table[:, 13:]
    low = butter(2, 5 / (RATE / 2))
    qdd = filtfilt(*low, np.gradient(qd, time_s, axis=0), axis=0)
    rate = np.gradient(imu[:, 1:4], imu[:, 0], axis=0)
    motion = np.stack([np.interp(time_s, imu[:, 0], column)
                       for column in np.c_[imu[:, 1:], rate].T], axis=1)
    filtered = time.perf_counter()
    model = pinocchio.buildModelFromUrdf(str(ROBOT), pinocchio.JointModelFreeFlyer())
    data = model.createData()
    model.gravity.linear = np.zeros(3)  # the specific force takes its place
    still = np.array([0, 0, 9.80665])
    torque = np.empty((6, len(q), 6))
    zero = np.zeros(6)
    for i in range(len(q)):
        w, f, wd = motion[i, :3], motion[i, 3:6], motion[i, 6:]
        place = np.r_[0, 0, 0, 0, 0, 0, 1, q[i]]

        def rnea(w: Any, f: Any, wd: Any, qd: Any, qdd: Any, place: Any = place) -> Any:
            return pinocchio.rnea(model, data, place, np.r_[0, 0, 0, w, qd],
                                  np.r_[f, wd, qdd])[6:]
        torque[0, i] = rnea(w, f, wd, qd[i], qdd[i])  # moving base
        torque[1, i] = rnea(0 * w, still, 0 * w, qd[i], qdd[i])  # fixed base
        torque[2, i] = rnea(0 * w, still, 0 * w, zero, zero)  # gravity
        torque[3, i] = rnea(0 * w, 0 * f, 0 * w, qd[i], zero)  # Coriolis
        torque[4, i] = rnea(0 * w, 0 * f, 0 * w, zero, qdd[i])  # inertia
        torque[5, i] = rnea(w, f, wd, zero, zero)  # base at rest joints
    computed = time.perf_counter()
    residual = effort - torque[0]
    residual.std(axis=0)
    end = time.perf_counter()
    return {'samples': len(q), 'total': end - begin,
            'processor': time.process_time() - processor, 'stages': {
        'read and decode': decoded - begin, 'differentiate': filtered - decoded,
        'torque': computed - filtered, 'statistics': end - computed}}


def _child(task: str, path: Path, samples: int) -> Dict[str, Any]:
    """Run one measurement in a fresh process on one core."""
    environment = dict(os.environ, OMP_NUM_THREADS='1', OPENBLAS_NUM_THREADS='1',
                       ARROW_NUM_THREADS='1', NUMBA_NUM_THREADS='1')
    command = [sys.executable, __file__, '--task', task, '--path', str(path),
               '--samples', str(samples)]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return dict(json.loads(output.stdout.splitlines()[-1]))


# What a checkout does when it is compared: its command line, then what that took.
_COMMAND = """
import pathlib, sys, time
from robot_dynamics.app.cli import main
assert main(sys.argv[1:]) == 0
peak = [line for line in pathlib.Path('/proc/self/status').read_text().splitlines()
        if line.startswith('VmHWM')]
print(time.process_time(), float(peak[0].split()[1]) / 1024)
"""


def compare(recording: Path, other: Path, rounds: int) -> int:
    """Analyse in turns by this checkout and another; 1 if this one needs 5 % more."""
    places = {'this': Path(__file__).resolve().parents[1], 'other': other.resolve()}
    found: Dict[str, List[List[float]]] = {name: [] for name in places}
    core = min(os.sched_getaffinity(0))
    for number in range(rounds + 1):
        for name, place in places.items():
            done = subprocess.run(
                [sys.executable, '-c', _COMMAND, 'analyze', str(recording), '--robot', str(ROBOT),
                 '--formats', 'json,parquet', '--output', str(recording.parent / name)],
                env={**os.environ, 'PYTHONPATH': str(place)}, check=True, stdout=subprocess.PIPE,
                text=True, preexec_fn=lambda: os.sched_setaffinity(0, {core}))
            if number:  # the first fills the caches of compiled code
                found[name].append([float(word) for word in done.stdout.split()[-2:]])
    (seconds, memory), (other_seconds, other_memory) = (
        np.median(found[name], axis=0) for name in places)
    ratios = seconds / other_seconds, memory / other_memory
    print(f'analyze: {seconds:.2f} s of processor time, {memory:.0f} MB; other checkout: '
          f'{other_seconds:.2f} s, {other_memory:.0f} MB; ratios {ratios[0]:.3f} and '
          f'{ratios[1]:.3f} (medians of {rounds})')
    return 0 if max(ratios) <= 1.05 else 1


def _show(title: str, figures: Dict[str, Any]) -> None:
    rate = 60 * figures['samples'] / figures['total']
    print(f'{title}: {figures["samples"]:,} joint states in {figures["total"]:.1f} s '
          f'({figures["processor"]:.1f} s of processor time), {rate:,.0f} a minute')
    for stage, seconds in figures['stages'].items():
        print(f'  {stage:42s} {seconds:7.2f} s  {100 * seconds / figures["total"]:5.1f} %')
    if 'memory_mb' in figures:
        print(f'  peak memory {figures["memory_mb"]:.0f} MB')


def main(arguments: Sequence[str] = ()) -> int:
    """Measure and print; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description='speed of the replay analysis')
    parser.add_argument('--samples', type=int, default=1_000_000)
    parser.add_argument('--peer-samples', type=int, default=50_000)
    parser.add_argument('--against', type=Path, metavar='DIR', help='another checkout')
    parser.add_argument('--rounds', type=int, default=5, help='of --against (default 5)')
    parser.add_argument('--task', choices=('ours', 'peer'), help=argparse.SUPPRESS)
    parser.add_argument('--path', type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.task:
        if hasattr(os, 'sched_setaffinity'):
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        figures = analyse(args.path, args.path.parent) if args.task == 'ours' else \
            analyse_with_pinocchio(args.path, args.samples)
        print(json.dumps(figures))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'recording.mcap'
        write_recording(path, args.samples)
        print(f'recording: {path.stat().st_size / 1e6:.0f} MB, {RATE:.0f} Hz, 6 joints')
        if args.against is not None:
            return compare(path, args.against, args.rounds)
        ours = _child('ours', path, args.samples)
        peer = _child('peer', path, args.peer_samples)
    _show('robot_dynamics', ours)
    _show('rosbags and Pinocchio in a Python loop', peer)
    wall, processor = (peer[key] / peer['samples'] / (ours[key] / ours['samples'])
                       for key in ('total', 'processor'))
    print(f'ratio: {wall:.1f} times faster by the clock, {processor:.1f} times less processor '
          'time a joint state')
    rate = 60 * ours['samples'] / ours['total']
    share = ours['stages']['torque'] / ours['total']
    met = rate >= TARGET_RATE and share <= TARGET_TORQUE
    print(f'targets: {TARGET_RATE:,} joint states a minute, torque at most '
          f'{TARGET_TORQUE:.0%} of the time: {"met" if met else "MISSED"}')
    return 0 if met else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))

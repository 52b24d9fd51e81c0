"""
What feedforward and guard cost per cycle of a controller, and how many they miss, by its rate.

Joint states go to the feedforward, its commands through the guard, and the efforts come back, as
around a controller manager; a node that only echoes is measured beside them.  With the path of
another checkout in ``ROBOT_DYNAMICS_OTHER`` its nodes take turns with those of this one.
"""

from __future__ import annotations

from contextlib import ExitStack
import os
from pathlib import Path
import statistics
import sys
import tempfile
import time
from typing import Any, Dict, List, Tuple

from benchmarks.node_latency import cpu_time, JOINTS, process
from robot_dynamics.app.domain import reserved_domain

RATE = 500.0  # Hz, at which the cost is told
RATES = (100.0, 200.0, 300.0, RATE, 1000.0)  # Hz
BLOCK = 4.0  # s of one measurement
ROUNDS = 3
GUARD, FEEDFORWARD, ECHO = 'effort_guard_node', 'feedforward_node', 'echo'
CHECKOUT = Path(__file__).resolve().parent.parent
TARGET = 5.0  # times the echo, of both nodes together


def main() -> int:
    """Measure and print; 1 if the target is missed."""
    other = os.environ.get('ROBOT_DYNAMICS_OTHER')
    variants = {'this': CHECKOUT, **({'other': Path(other)} if other else {})}
    cost: Dict[Tuple[str, str], List[float]] = {}
    ways: Dict[Tuple[str, float], List[Tuple[float, float, float]]] = {}
    with reserved_domain() as (_, environment), tempfile.TemporaryDirectory() as directory:
        os.environ.update(environment)  # before rclpy starts a context
        import rclpy
        from benchmarks._latency_driver import Driver
        rclpy.init()
        driver = Driver(JOINTS)
        for _ in range(ROUNDS):
            _measure(driver, 'echo', ECHO, {ECHO: [
                sys.executable, str(Path(__file__).with_name('_echo_node.py')), '--ros-args',
                '-r', '__ns:=/echo']}, CHECKOUT, directory, cost, ways)
            for name, checkout in variants.items():
                file = ['--ros-args', '--params-file',
                        str(CHECKOUT / 'config/ros2_control_effort_forward.yaml')]
                _measure(driver, 'guarded', name, {
                    node: [sys.executable, '-m', f'robot_dynamics.nodes.{node}', *file, '-p',
                           f'robot_description:={CHECKOUT / "urdf/pa10.urdf"}']
                    for node in (GUARD, FEEDFORWARD)}, checkout, directory, cost, ways)
        rclpy.shutdown()
    print(f'{"":24s} {"CPU us per cycle":>17s} {"of a core":>10s}')
    for (name, node), values in cost.items():
        mean = statistics.mean(values)
        label = node if name == ECHO else f'{node} ({name})'
        print(f'{label:24s} {1e6 * mean:17.0f} {mean * RATE:10.1%}')
    print(f'{"":24s} {"Hz":>6s} {"p50 us":>8s} {"p99 us":>8s} {"missed":>8s}')
    for (name, rate), rows in ways.items():
        median, late, missed = (statistics.mean(column) for column in zip(*rows))
        print(f'{name:24s} {rate:6.0f} {1e6 * median:8.0f} {1e6 * late:8.0f} {missed:8.2%}')
    both = sum(statistics.mean(cost['this', node]) for node in (GUARD, FEEDFORWARD))
    ratio = both / statistics.mean(cost[ECHO, ECHO])
    print(f'guard and feedforward {ratio:.1f} times the echo (at most {TARGET:g}: '
          f'{"met" if ratio <= TARGET else "NOT MET"})')
    return 0 if ratio <= TARGET else 1


def _measure(driver: Any, way: str, name: str, nodes: Dict[str, List[str]], checkout: Path,
             directory: str, cost: Dict[Tuple[str, str], List[float]],
             ways: Dict[Tuple[str, float], List[Tuple[float, float, float]]]) -> None:
    """Start nodes, exchange messages with them for one block, and end them."""
    with ExitStack() as stack:
        started = {node: stack.enter_context(process(words, directory, checkout))
                   for node, words in nodes.items()}
        driver.wait_until_answered([way])
        for rate in RATES:
            before = {node: cpu_time(one.pid) for node, one in started.items()}
            ranked = sorted(_exchange(driver, way, 1.0 / rate))
            if rate == RATE:
                for node, one in started.items():
                    cost.setdefault((name, node), []).append(
                        (cpu_time(one.pid) - before[node]) / len(ranked))
            ways.setdefault((name, rate), []).append((
                statistics.median(ranked), ranked[int(0.99 * len(ranked))],
                sum(one >= 1.0 / rate for one in ranked) / len(ranked)))


def _exchange(driver: Any, way: str, period: float) -> List[float]:
    """Return how long answers took in one block, each at most a period, s."""
    begin = due = time.perf_counter()
    latencies: List[float] = []
    while due < begin + BLOCK:
        due += period
        time.sleep(max(0.0, due - time.perf_counter()))
        latencies.append(driver.exchange(way, period))
    return latencies


if __name__ == '__main__':
    sys.exit(main())

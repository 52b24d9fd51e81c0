"""
``feedforward_node`` at 1 kHz beside a node that only echoes, in one run over DDS.

A driver publishes a joint state every millisecond and an IMU sample every ten, and measures the
time until the command comes back; echo and feedforward take turns.
"""

from __future__ import annotations

from contextlib import ExitStack
import dataclasses
import os
from pathlib import Path
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Dict, List, Optional, Sequence

from robot_dynamics.app.demo.processes import command_line
from robot_dynamics.app.domain import reserved_domain
from robot_dynamics.app.graph import NodeProcess
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.core.resources import resource_path

RATE = 1000.0  # Hz
BLOCK = 4.0  # s that one node is measured at a time
ROUNDS = 3
LATENCY_TARGET = 1.3  # times the echo
CPU_TARGET = 15.0  # points of a core more than the echo
LOST_AFTER = 0.05  # s without an answer
JOINTS = [f'joint{i}' for i in range(1, 7)]


@dataclasses.dataclass
class Measured:
    """Latencies in s, lost answers, and processor time over wall time, of one node."""

    latencies: List[float] = dataclasses.field(default_factory=list)
    lost: int = 0
    cpu: List[float] = dataclasses.field(default_factory=list)

    def row(self, name: str) -> str:
        """Return one line of the table."""
        ranked = sorted(self.latencies)
        return (f'{name:34s} {1e6 * ranked[len(ranked) // 2]:8.0f} '
                f'{1e6 * ranked[int(0.99 * len(ranked))]:8.0f} '
                f'{100 * statistics.median(self.cpu):8.1f} {self.lost:6d}')

    @property
    def median(self) -> float:
        """Median latency, s."""
        return statistics.median(self.latencies)


def main() -> int:
    """Measure and print; 1 if a target is missed."""
    return compare(_feedforward(), JOINTS)


def compare(node: NodeProcess, joints: Sequence[str]) -> int:
    """Measure a feedforward node of that name for these joints; 1 if a target is missed."""
    with reserved_domain() as (_, environment), tempfile.TemporaryDirectory() as directory, \
            ExitStack() as stack:
        os.environ.update(environment)  # before rclpy starts a context
        echo = stack.enter_context(process([
            sys.executable, str(Path(__file__).with_name('_echo_node.py')),
            '--ros-args', '-r', '__ns:=/echo'], directory))
        feedforward = stack.enter_context(process(
            command_line(node, Path(directory)), directory))
        results = _measure({'echo': echo.pid, 'feedforward': feedforward.pid}, joints)
    print(f'{"":34s} {"p50 us":>8s} {"p99 us":>8s} {"CPU %":>8s} {"lost":>6s}')
    for name, measured in results.items():
        print(measured.row(name))
    ratio = results[FEEDFORWARD].median / results[ECHO].median
    more = 100 * (statistics.median(results[FEEDFORWARD].cpu)
                  - statistics.median(results[ECHO].cpu))
    met = ratio <= LATENCY_TARGET, more <= CPU_TARGET
    print(f'p50 {ratio:.2f} times the echo (at most {LATENCY_TARGET:g}: '
          f'{"met" if met[0] else "NOT MET"}), CPU {more:+.1f} points of a core '
          f'(at most {CPU_TARGET:+g}: {"met" if met[1] else "NOT MET"})')
    return 0 if all(met) else 1


ECHO, FEEDFORWARD = 'echo', 'feedforward'
REPORTING = 'feedforward, all topics subscribed'


def _feedforward() -> NodeProcess:
    return NodeProcess('feedforward_node', 'feedforward', {
        'robot_description': str(resource_path(ShipPa10.DESCRIPTION)), 'joints': JOINTS,
        'natural_frequency': [15.0], 'command_period': 1.0 / RATE})


def process(words: List[str], directory: str, checkout: Optional[Path] = None
            ) -> 'subprocess.Popen[bytes]':
    """Start a process that is ended with the block it is entered in; ``-m`` looks in its place."""
    with open(Path(directory) / f'{Path(words[1]).stem or "node"}.log', 'wb') as log:
        return _Ended(words, stdout=log, stderr=log, cwd=checkout)


class _Ended(subprocess.Popen):  # type: ignore[type-arg]
    """A process that is ended with the block it was entered in."""

    def __exit__(self, *_: Any) -> None:
        self.terminate()
        try:
            self.wait(10.0)
        except subprocess.TimeoutExpired:  # leaving the graph does not always succeed
            self.kill()
            self.wait()


def _measure(pids: Dict[str, int], joints: Sequence[str]) -> Dict[str, Measured]:
    """Let the nodes take turns; returns what was measured of each."""
    import rclpy
    from benchmarks._latency_driver import Driver
    rclpy.init()
    driver = Driver(joints)
    driver.wait_until_answered(('echo', 'feedforward'))
    results = {ECHO: Measured(), FEEDFORWARD: Measured(), REPORTING: Measured()}
    for _ in range(ROUNDS):
        for name, measured in results.items():
            node = name.split(',')[0]
            driver.subscribe_reports(name == REPORTING)
            _block(lambda: driver.exchange(node, LOST_AFTER), pids[node], measured)
    rclpy.shutdown()
    return results


def _block(exchange: Callable[[], float], pid: int, measured: Measured) -> None:
    """Exchange messages at the rate for one block."""
    for _ in range(200):
        exchange()  # settle
    wall, cpu, due = time.perf_counter(), cpu_time(pid), time.perf_counter()
    while due < wall + BLOCK:
        due += 1.0 / RATE
        time.sleep(max(0.0, due - time.perf_counter()))
        latency = exchange()
        if latency < LOST_AFTER:
            measured.latencies.append(latency)
        else:
            measured.lost += 1
    measured.cpu.append((cpu_time(pid) - cpu) / (time.perf_counter() - wall))


def cpu_time(pid: int) -> float:
    """Return the processor time of a process, s."""
    import psutil
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


if __name__ == '__main__':
    sys.exit(main())

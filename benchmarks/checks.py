"""
What checks, envelope and trips cost: the feedforward's processor time per cycle with and without.

One process, no DDS: joint states at 1 kHz, an IMU sample every ten, a command each.  Both take
turns in short blocks, and the fastest block of each counts, so that a busy machine hardly does.
The difference is held against the latency of the node.
"""

from __future__ import annotations

from contextlib import nullcontext
import sys
import time
from typing import Any, Dict
from unittest import mock

import numpy as np
from robot_dynamics import InverseDynamics, RobotModel, ShipMotion
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.resources import resource_path
from robot_dynamics.estimation.estimators import make_estimator
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.sensor_model import ImuModel

PERIOD_NS, IMU_EVERY = 1_000_000, 10
BLOCK, BLOCKS = 500, 40  # cycles
LATENCY = 400e-6  # s from joint state to command over DDS (``python -m benchmarks node_latency``)
TARGET = 0.05
CHECKED, UNCHECKED = 'with checks', 'without'


class Loop:
    """A feedforward and what it is fed, with checks or without."""

    def __init__(self, dynamics: InverseDynamics, checked: bool) -> None:
        config = FeedforwardConfig(natural_frequency=(15.0,))
        without: Any = mock.patch('robot_dynamics.control.inputs.position_checks', lambda *_: [])
        with nullcontext() if checked else without:
            core = FeedforwardCore(
                config, dynamics, make_estimator('adaptive', None, config.gravity, 0.0),
                gate=None if checked else ImuGate(plausibility=[]))
        if not checked:
            nothing: Dict[Any, Any] = {
                (core._law._expected, 'is_due'): lambda now_ns: False,
                (core._law.envelope, 'cut'): lambda effort: (),
                (core._cycle.trips, 'on_command'): lambda *_: False,
                (core._cycle.trips, 'on_sensor'): lambda *_: False}
            for (part, name), function in nothing.items():
                setattr(part, name, function)
        self._core = core
        self._names = dynamics.model.joint_names
        self._ship, self._sensor = ShipMotion.regular(), ImuModel()
        self._now, self._k = 10**9, 0

    def block(self) -> float:
        """Go on for one block; returns the processor time per cycle, s."""
        samples = [self._sensor.measure_ship(
            self._now + k * PERIOD_NS, self._ship, 1e-9 * (self._now + k * PERIOD_NS))
            for k in range(0, BLOCK, IMU_EVERY)]
        t = 1e-9 * (self._now + PERIOD_NS * np.arange(BLOCK))
        q = 0.3 + 0.1 * np.sin(t)[:, None] * np.ones(6)
        qd, effort = 0.1 * np.cos(t)[:, None] * np.ones(6), np.zeros(6)
        begin = time.process_time()
        for k in range(BLOCK):
            if k % IMU_EVERY == 0:
                sample = samples[k // IMU_EVERY]
                assert sample is not None
                self._core.on_base_sample(sample, self._now)
            self._core.on_joint_state(
                self._now, self._now, self._names, q[k], qd[k], effort)
            self._core.command(self._now)
            self._now += PERIOD_NS
        return (time.process_time() - begin) / BLOCK


def main() -> int:
    """Measure and print; 1 if the target is missed."""
    dynamics = InverseDynamics(RobotModel.from_urdf(resource_path('urdf/pa10.urdf')))
    loops = {CHECKED: Loop(dynamics, True), UNCHECKED: Loop(dynamics, False)}
    for loop in loops.values():
        for _ in range(8):  # past the ramp
            loop.block()
    best = dict.fromkeys(loops, float('inf'))
    for _ in range(BLOCKS):
        for name, loop in loops.items():
            best[name] = min(best[name], loop.block())
    for name, seconds in best.items():
        print(f'{name:16s} {1e6 * seconds:6.1f} us per cycle')
    more = best[CHECKED] - best[UNCHECKED]
    share = more / LATENCY
    print(f'{1e6 * more:.1f} us more, {share:.1%} of a latency of {1e6 * LATENCY:g} us (at most '
          f'{TARGET:.0%}: {"met" if share <= TARGET else "NOT MET"})')
    return 0 if share <= TARGET else 1


if __name__ == '__main__':
    sys.exit(main())

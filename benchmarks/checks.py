"""
What checks, envelope and trips cost: the feedforward's processor time per cycle with and without.

One process, no DDS: joint states at 1 kHz, an IMU sample every ten, a command each.  A feedforward
with them and one without take turns in blocks of some milliseconds, which of them is first as
well; the medians of differences and ratios within pairs count.  So what other programs do to
one they do to its neighbour, and what they do to few pairs does not count.  A processor that
others slow down slows both: the ratio stays.  The difference is held against the latency of the
node.
"""

from __future__ import annotations

import math
import sys
import time
from typing import Any, Dict

import numpy as np
from numpy.typing import NDArray
from robot_dynamics import InverseDynamics, RobotModel, ShipMotion
from robot_dynamics.control.feedforward import ACTIVE, FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.resources import resource_path
from robot_dynamics.estimation.estimators import make_estimator
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.sensor_model import ImuModel

PERIOD_NS, IMU_EVERY = 1_000_000, 10
BLOCK = 70  # cycles: multiples of both 10 and 7, what some checks do in turn
PAIRS, PAST_THE_RAMP = 400, 60  # blocks
LATENCY = 400e-6  # s from joint state to command over DDS (``python -m benchmarks node_latency``)
TARGET = 0.05
WAITS_NS = 4_000_000_000  # until the ramp is over


class Loop:
    """A feedforward and what it is fed, with checks or without."""

    def __init__(self, dynamics: InverseDynamics, checked: bool) -> None:
        config = FeedforwardConfig(natural_frequency=(15.0,))
        self._core = FeedforwardCore(
            config, dynamics, make_estimator('adaptive', None, config.gravity, 0.0),
            gate=None if checked else ImuGate(plausibility=[]))
        if not checked:
            _strip(self._core)
        self._names = dynamics.model.joint_names
        self._ship, self._sensor = ShipMotion.regular(), ImuModel()
        self._now, self._effort = 10**9, np.zeros(6)

    def block(self) -> float:
        """Go on for one block; returns the processor time per cycle, s."""
        samples = [self._sensor.measure_ship(
            self._now + k * PERIOD_NS, self._ship, 1e-9 * (self._now + k * PERIOD_NS))
            for k in range(0, BLOCK, IMU_EVERY)]
        t = 1e-9 * (self._now + PERIOD_NS * np.arange(BLOCK))
        q = 0.3 + 0.01 * np.sin(5.0 * t)[:, None] * np.ones(6)  # near enough not to trip
        qd = 0.05 * np.cos(5.0 * t)[:, None] * np.ones(6)
        core, now, effort = self._core, self._now, self._effort
        begin = time.thread_time_ns()
        for k in range(BLOCK):
            if k % IMU_EVERY == 0:
                sample = samples[k // IMU_EVERY]
                assert sample is not None
                core.on_base_sample(sample, now)
            core.on_joint_state(now, now, self._names, q[k], qd[k], effort)
            command = core.command(now)
            if command is not None:
                effort = command.effort
            now += PERIOD_NS
        spent = time.thread_time_ns() - begin
        self._now, self._effort = now, effort
        assert now < WAITS_NS or core.state == ACTIVE, core.trip
        return 1e-9 * spent / BLOCK


def _strip(core: FeedforwardCore) -> None:
    """Take checks, envelope and trips out of a feedforward."""
    inputs = core._inputs
    inputs.joints.checks = None
    nothing: Dict[Any, Any] = {
        (core._law._expected, 'is_due'): lambda now_ns: False,
        (core._law.envelope, 'cut'): lambda effort: (),
        (core._cycle.trips, 'on_command'): lambda *_: False,
        (core._cycle.trips, 'on_sensor'): lambda *_: False,
        (inputs.base._forecast, 'note'): lambda *_: None}
    for (part, name), function in nothing.items():
        setattr(part, name, function)


def _error(values: NDArray[np.float64]) -> float:
    """Return the standard error of a median, from the quartiles as those of normal noise."""
    low, high = np.percentile(values, (25, 75))
    return float(1.25 * (high - low) / 1.35 / math.sqrt(len(values)))


def main() -> int:
    """Measure and print; 1 if the target is missed."""
    dynamics = InverseDynamics(RobotModel.from_urdf(resource_path('urdf/pa10.urdf')))
    loops = Loop(dynamics, True), Loop(dynamics, False)
    for loop in loops:
        for _ in range(PAST_THE_RAMP):
            loop.block()
    spent = np.empty((PAIRS, 2))
    for k in range(PAIRS):
        for i in ((0, 1), (1, 0))[k % 2]:
            spent[k, i] = loops[i].block()
    more, ratio = spent[:, 0] - spent[:, 1], spent[:, 0] / spent[:, 1]
    for name, seconds in zip(('with checks', 'without'), np.median(spent, axis=0)):
        print(f'{name:16s} {1e6 * seconds:6.1f} us per cycle')
    print(f'{np.median(ratio):.3f} (+- {_error(ratio):.3f}) times as much')
    share = float(np.median(more)) / LATENCY
    print(f'{1e6 * np.median(more):.1f} us more, {share:.1%} (+- {_error(more) / LATENCY:.1%}) '
          f'of a latency of {1e6 * LATENCY:g} us (at most {TARGET:.0%}: '
          f'{"met" if share <= TARGET else "NOT MET"})')
    return 0 if share <= TARGET else 1


if __name__ == '__main__':
    sys.exit(main())

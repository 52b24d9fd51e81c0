"""What a feedforward compiles when it is active, as JSON: ``late_kernels.py ESTIMATOR URDF``."""

import json
import sys

import numba.core.event as numba_event
import numpy as np

from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.parameters import config_from_parameters
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED, UNKNOWN_COVARIANCE
from robot_dynamics.nodes.feedforward_build import build_core, set_payload
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.payload_parameters import PayloadConfig

SECOND = 1_000_000_000
LENGTH, RATE = 60, 100  # s, Hz
TIP = 'tip'


def sample(stamp_ns, orientation, accelerometer):
    """Return what an IMU measures on a base that rolls."""
    t = 1e-9 * stamp_ns
    roll, rate = 0.1 * np.sin(t), 0.1 * np.cos(t)
    return ImuSample(
        stamp_ns, (float(rate), 0.0, 0.0),
        (0.0, float(9.80665 * np.sin(roll)), float(9.80665 * np.cos(roll))),
        (float(np.sin(0.5 * roll)), 0.0, 0.0, float(np.cos(0.5 * roll))), 'imu_link',
        UNKNOWN_COVARIANCE if orientation else NOT_REPORTED, UNKNOWN_COVARIANCE,
        UNKNOWN_COVARIANCE if accelerometer else NOT_REPORTED)


def run(core, config):
    """Go through a minute in which everything happens that may happen to an active node."""
    begin = 10 * SECOND
    for k in range(LENGTH * RATE):
        now, second = begin + k * SECOND // RATE, k / RATE
        # sensors fall out for a time; so do whole messages
        if not 40.0 < second < 41.0:
            core.on_base_sample(sample(now, not 20.0 < second < 25.0,
                                       not 30.0 < second < 35.0), now)
        core.on_joint_state(now, now, core.names, [0.1, 0.2], [0.0, 0.0], [0.1, 0.1])
        core.on_wrench(TIP, now, now, '' if second < 30 else 'base_link',
                       (1.0, 0.0, 0.0, 0.0, 0.1, 0.0))
        if k == 3 * RATE:
            core.on_reference(JointTrajectory(
                core.names, np.array([1.0, 30.0]), np.array([[0.1, 0.2], [0.5, 0.4]]),
                start_ns=now), now)
        if k in (10 * RATE, 12 * RATE):
            set_payload(core, with_payload(config, 1.0 if k == 10 * RATE else 0.0))
        command = core.command(now)
        core.maintain()
        if command is not None and k % 50 == 0:
            assert command.terms and command.base_wrench.shape == (6,)
            core.gravity_effort(), core.status(now)
    assert core.state == 'active', core.state


def with_payload(config, mass):
    """Return a configuration with a load on the tip."""
    import dataclasses
    return dataclasses.replace(config, payload=PayloadConfig(TIP, mass, (0.0, 0.0, 0.05)))


def main():
    """Build, run, and print what was compiled in the run."""
    estimator, urdf = sys.argv[1:]
    config = config_from_parameters(FeedforwardNodeConfig, {
        'robot_description': urdf, 'estimator': estimator, 'payload.link': TIP,
        'wrench.topics': [f'{TIP}=wrench']})
    core = build_core(urdf, config_from_parameters(
        FeedforwardConfig, {'natural_frequency': [10.0]}), config, lambda text: None)
    with numba_event.install_recorder('numba:compile') as recorder:
        run(core, config)
    print(json.dumps(sorted({str(event.data['dispatcher']) for _, event in recorder.buffer})))


if __name__ == '__main__':
    main()

"""Whatever is said to the feedforward, it neither raises nor commands what it must not."""

import types

from control_rig import MS, POSTURE, Rig
from hypothesis import given, HealthCheck, settings, strategies
import numpy as np
import pytest

from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.imu.sample import ImuSample

NAMES = ['joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6']

number = strategies.one_of(
    strategies.floats(-2, 2), strategies.floats(),
    strategies.sampled_from([float('nan'), float('inf'), -float('inf'), 1e308, -1e308, 0.0]))
stamp = strategies.one_of(
    strategies.integers(-3 * MS, 3 * MS),                 # around now
    strategies.integers(-2_000 * MS, 2_000 * MS),
    strategies.integers(-2**62, 2**62))
values = strategies.one_of(
    strategies.lists(number, min_size=6, max_size=6), strategies.lists(number, max_size=8),
    strategies.just([]), strategies.none())
names = strategies.one_of(
    strategies.permutations(NAMES), strategies.just(NAMES),
    strategies.lists(strategies.sampled_from([*NAMES, 'other', '']), max_size=8))
vector = strategies.lists(number, min_size=3, max_size=3)
covariance = strategies.lists(number, min_size=9, max_size=9)
point = strategies.builds(
    lambda p, v, a, sec, nanosec: types.SimpleNamespace(
        positions=p, velocities=v, accelerations=a,
        time_from_start=types.SimpleNamespace(sec=sec, nanosec=nanosec)),
    strategies.lists(number, max_size=6), strategies.lists(number, max_size=6),
    strategies.lists(number, max_size=6), strategies.integers(-1, 3),
    strategies.integers(0, 10**9 - 1))
call = strategies.one_of(
    strategies.tuples(strategies.just('joint_state'), names, values, values, values, stamp),
    strategies.tuples(
        strategies.just('imu'), vector, vector,
        strategies.one_of(strategies.none(), strategies.lists(number, min_size=4, max_size=4)),
        covariance, stamp),
    strategies.tuples(strategies.just('reference'), names,
                      strategies.lists(point, max_size=4), stamp),
    strategies.tuples(strategies.just('clock'), stamp),
    strategies.tuples(strategies.just('good'), strategies.integers(1, 60)),
    strategies.tuples(strategies.sampled_from(['stop', 'start'])))


def obey(rig, what, *arguments):
    """Carry out one call."""
    core = rig.core
    if what == 'joint_state':
        message_names, position, velocity, effort, offset = arguments
        core.on_joint_state(
            rig.now + offset, rig.now, message_names, position, velocity, effort)
    elif what == 'imu':
        gyro, force, quat, spread, offset = arguments
        core.on_base_sample(ImuSample(
            rig.now + offset, gyro, force, quat, 'imu', spread, spread, spread), rig.now)
    elif what == 'reference':
        message_names, points, offset = arguments
        core.on_reference_of(lambda: JointTrajectory.from_points(
            message_names, points, rig.now + offset), rig.now)
    elif what == 'clock':
        # a stamp of ROS ends at 2**31 s
        rig.now = rig.epoch = max(1, min(rig.now + arguments[0], 2**61))
    elif what == 'good':
        for _ in range(arguments[0]):
            check(rig, rig.step())
    elif what == 'stop':
        core.stop(rig.now)
    else:
        core.start()


def check(rig, command):
    """Check that a command has all joints in order, and is finite and within the limits."""
    if command is not None:
        assert command.names == tuple(NAMES)
        assert command.effort.shape == (6,)
        assert np.isfinite(command.effort).all()
        assert (np.abs(command.effort) <= rig.model.effort_limit).all()


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies.lists(call, max_size=25), strategies.booleans())
def test_no_message_makes_it_raise_or_command_beyond_the_limits(
        pa10, pa10_dynamics, calls, active):
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,), posture=POSTURE)
    if active:
        rig.run(0.1)
    last = rig.commands[-1] if rig.commands else None
    for what, *arguments in calls:
        obey(rig, what, *arguments)
        command = rig.core.command(rig.now)
        check(rig, command)
        for event in rig.core.drain_events():
            assert event.text and '\n' not in event.text
        if what in ('joint_state', 'imu', 'reference') and command is not None and (
                last is not None and last.stamp_ns == command.stamp_ns):
            # no time has passed: nothing may have moved
            np.testing.assert_array_equal(command.effort, last.effort)
        last = command
    assert len(rig.core.status(rig.now)) > 5


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies.lists(call, min_size=1, max_size=25))
def test_logged_inputs_give_the_same_commands_bit_for_bit(pa10, pa10_dynamics, calls):
    efforts = []
    for _ in range(2):
        rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,), posture=POSTURE)
        rig.run(0.02)
        sent = []
        for what, *arguments in calls:
            obey(rig, what, *arguments)
            command = rig.core.command(rig.now)
            sent.append(b'' if command is None else command.effort.tobytes())
        efforts.append((sent, [c.effort.tobytes() for c in rig.commands]))
    assert efforts[0] == efforts[1]

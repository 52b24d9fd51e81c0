"""Trajectories with efforts for a controller that keeps its own feedback."""

import dataclasses

from control_rig import MS, POSTURE, Rig, START
import numpy as np
import pytest

from robot_dynamics.control.feedforward import ACTIVE, GRAVITY_ONLY
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.joint_checks import JointChecksConfig
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.rolling_trajectory import (
    check_rolling, RollingTrajectory, RollingTrajectoryConfig)
from robot_dynamics.control.watchdog import HOLDING, WatchdogConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.simulation.motions import demo_sinusoid, paper_sinusoid
from selections import some


def following(pa10, pa10_dynamics, start_from='measured'):
    """Return a rig that follows the paper's motion without feedback."""
    rig = Rig(pa10, pa10_dynamics, posture=np.zeros(6),
              ramp=RampConfig(start_from=start_from, ramp_in=0.5),
              limits=LimitsConfig(effort_rate=(1e9,)),
              joint_checks=JointChecksConfig(position_step=10.0))  # the arm is put somewhere else
    rig.core.on_reference(
        JointTrajectory.from_reference(paper_sinusoid(), 8.0, start_ns=START), START)
    return rig


@pytest.fixture
def rig(pa10, pa10_dynamics):
    """Return one whose efforts begin at zero."""
    return following(pa10, pa10_dynamics, 'zero')


@pytest.fixture(scope='module')
def in_motion(pa10, pa10_dynamics):
    """Return such a rig in full motion, with its trajectories; to be copied."""
    rig = following(pa10, pa10_dynamics, 'zero')
    rig.rolling = RollingTrajectory(rig.core)
    rig.issued = roll(rig, rig.rolling, 2.0)
    return rig


@pytest.fixture
def moving(in_motion):
    """Return such a rig in full motion, with its trajectories."""
    return in_motion.copied()


def roll(rig, rolling, seconds):
    """Go on for a time; returns the trajectories issued."""
    issued = []
    for _ in range(int(seconds / 0.002)):
        rig.feed()
        trajectory = rolling.due(rig.now)
        if trajectory is not None:
            issued.append(trajectory)
        rig.now += 2 * MS
    return issued


def test_a_trajectory_is_issued_every_period(in_motion):
    starts = np.diff([trajectory.start_ns for trajectory in in_motion.issued])
    assert (starts == 100 * MS).all()
    assert len(in_motion.issued) == 20


def test_points_are_the_reference_and_reach_the_horizon(rig):
    config = RollingTrajectoryConfig(horizon=0.5, spacing=0.05)
    trajectory = roll(rig, RollingTrajectory(rig.core, config), 2.0)[-1]
    np.testing.assert_allclose(trajectory.times[:11], np.arange(11) * 0.05)
    wanted = paper_sinusoid().sample((trajectory.start_ns - START) * 1e-9 + trajectory.times[:9])
    np.testing.assert_allclose(trajectory.positions[:9], wanted.position, atol=1e-8)
    np.testing.assert_allclose(trajectory.velocities[:9], wanted.velocity, atol=1e-6)
    np.testing.assert_allclose(trajectory.accelerations[:9], wanted.acceleration, atol=1e-4)
    assert trajectory.state == ACTIVE


def test_every_trajectory_leads_to_rest_in_the_stop_time(in_motion):
    rig, last = in_motion, in_motion.issued[-1]
    assert np.abs(last.velocities[:11]).max() > 0.1
    assert not last.velocities[-1].any() and not last.accelerations[-1].any()
    assert last.times[-1] == pytest.approx(0.2 + rig.config.stop_time, abs=1e-5)
    reached = last.velocities[10]
    np.testing.assert_allclose(last.positions[-1] - last.positions[10],
                               0.5 * rig.config.stop_time * reached, atol=1e-8)
    assert np.abs(last.velocities).max() <= 1.01 * np.abs(paper_sinusoid().sample(
        np.arange(0.0, 8.0, 0.01)).velocity).max()


def test_silence_in_motion_stops_the_arm_as_the_last_trajectory_said(moving):
    before = moving.issued[-1]
    moving.imu = False
    after = roll(moving, moving.rolling, 1.5)
    stopping = next(trajectory for trajectory in after if trajectory.state != ACTIVE)
    last = [trajectory for trajectory in [before, *after] if trajectory.state == ACTIVE][-1]
    passed = (stopping.start_ns - last.start_ns) * 1e-9
    np.testing.assert_allclose(
        stopping.positions[:5], last.positions[int(passed / 0.02):][:5], atol=1e-6)
    np.testing.assert_allclose(after[-1].positions[0], last.positions[-1], atol=1e-9)


def test_a_clock_that_jumps_back_does_not_repeat_the_motion(moving):
    desired = moving.core.command(moving.now).desired_position
    moving.now -= 1500 * MS
    moving.imu = moving.joint_states = False
    held = roll(moving, moving.rolling, 0.2)[-1]
    assert not held.velocities.any()
    np.testing.assert_allclose(held.positions, np.tile(desired, (16, 1)), atol=1e-9)


@pytest.mark.parametrize('end', ['zero', 'gravity'])
def test_the_last_trajectory_carries_the_final_effort(rig, end):
    rig.core.reconfigure(dataclasses.replace(
        rig.config, ramp=dataclasses.replace(rig.config.ramp, end_at=end, ramp_out=0.13)),
        rig.now)
    rolling = RollingTrajectory(rig.core)
    last = roll(rig, rolling, 2.0)[-1]
    rig.core.stop(rig.now)
    while not rig.core.finished:
        last = (roll(rig, rolling, 0.002) or [last])[-1]
    assert not last.velocities[-1].any()
    wanted = np.zeros(6) if end == 'zero' else rig.core.gravity_effort()
    np.testing.assert_allclose(last.efforts[-1], wanted, atol=0.2)
    assert np.abs(rig.core.gravity_effort()).max() > 5.0


def test_the_feedback_of_the_controller_is_not_commanded_twice():
    with pytest.raises(ConfigurationError, match='output trajectory'):
        check_rolling(FeedforwardConfig(natural_frequency=(0.0, 3.0)))
    check_rolling(FeedforwardConfig())


def test_efforts_are_the_feedforward_of_the_predicted_base_motion(in_motion, pa10_dynamics):
    trajectory = in_motion.issued[-1]
    lead = 0.5 * 0.002  # half a hold
    for k, t in enumerate(trajectory.times[:9]):
        stamp = trajectory.start_ns + int((t + lead) * 1e9)
        wanted = paper_sinusoid().sample((stamp - START) * 1e-9)
        exact = pa10_dynamics.torque(*wanted, in_motion.base(stamp))
        level = pa10_dynamics.torque(*wanted)
        error = np.abs(trajectory.efforts[k] - exact).max()
        if t <= 0.2:
            assert error < 0.1 * np.abs(level - exact).max()
        if t <= 0.1:
            assert error < 0.02 * np.abs(level - exact).max()


def test_the_first_efforts_ramp_in_from_zero(rig):
    first = roll(rig, RollingTrajectory(rig.core), 0.1)[0]
    assert np.abs(first.efforts[0]).max() < 0.02 * np.abs(first.efforts[-1]).max() + 0.1


def test_nothing_is_issued_before_the_inputs_are_valid(rig):
    rig.imu = False
    assert roll(rig, RollingTrajectory(rig.core), 1.0) == []


def test_silence_holds_the_arm_with_the_effort_of_gravity(moving):
    moving.imu = False
    trajectory = roll(moving, moving.rolling, 1.5)[-1]
    assert trajectory.state == GRAVITY_ONLY
    assert not trajectory.velocities.any()
    assert (trajectory.efforts == trajectory.efforts[0]).all()
    assert (trajectory.positions == trajectory.positions[0]).all()


def test_efforts_stay_within_the_limits(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, posture=POSTURE, limits=LimitsConfig(effort=(3.0,)))
    trajectory = roll(rig, RollingTrajectory(rig.core), 1.5)[-1]
    assert np.abs(trajectory.efforts).max() <= 3.0


@pytest.mark.parametrize('streamed', [False, True])
def test_recovery_leads_over_from_where_the_arm_is_held_to_the_moving_reference(rig, streamed):
    def slow(now):
        seconds = (now - START) * 1e-9
        return np.full(6, 0.05 * seconds), np.full(6, 0.05)

    def go_on(seconds):
        issued = []
        for _ in range(int(seconds / 0.02)):
            if streamed:
                then = rig.now + 20 * MS
                rig.core.on_reference(JointTrajectory(
                    rig.names, [0.02], *(value[np.newaxis] for value in slow(then)),
                    start_ns=rig.now), rig.now)
            issued += roll(rig, rolling, 0.02)
        return issued

    rolling = RollingTrajectory(rig.core)
    if not streamed:
        ends = [slow(START), slow(START + 8000 * MS)]
        rig.core.on_reference(JointTrajectory(
            rig.names, [0.0, 8.0], np.array([p for p, _ in ends]), np.array([v for _, v in ends]),
            start_ns=START), START)
    go_on(2.0)
    rig.imu = False
    held = go_on(2.5)[-1]
    gap = np.abs(slow(rig.now)[0] - held.positions[-1]).max()
    assert 0.1 < gap < 0.2 and held.state == GRAVITY_ONLY
    rig.posture = held.positions[-1]
    rig.imu = True
    issued = go_on(3.0)
    # the way of a quintic, and how far the reference goes until the arm follows; a jump: 6 rad/s
    fastest = 0.1 + 1.9 * (gap + 0.02) / rig.config.ramp.ramp_in
    before = held
    for trajectory in issued:
        passed = (trajectory.start_ns - before.start_ns) * 1e-9
        start = [np.interp(passed, before.times, column) for column in before.positions.T]
        step = np.abs(trajectory.positions[0] - start).max()
        assert step < 0.02 * fastest
        assert np.abs(trajectory.velocities).max() < fastest
        before = trajectory
    last = issued[-1]
    wanted = slow(last.start_ns)[0]
    np.testing.assert_allclose(last.positions[0], wanted, atol=1e-3)


def largest_jump(before, issued):
    """Return the largest step of a desired position from one trajectory to the next, rad."""
    steps = []
    for trajectory in issued:
        passed = (trajectory.start_ns - before.start_ns) * 1e-9
        start = [np.interp(passed, before.times, column) for column in before.positions.T]
        steps.append(np.abs(trajectory.positions[0] - start).max())
        before = trajectory
    return max(steps)


def test_a_long_hold_leads_over_from_where_the_arm_came_to_rest(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, posture=np.zeros(6), ramp=RampConfig(start_from='zero'),
              watchdog=WatchdogConfig(hold_time=2.0))
    rig.core.on_reference(JointTrajectory(
        rig.names, [0.0, 8.0], np.array([np.zeros(6), np.full(6, 0.8)]), np.full((2, 6), 0.1),
        start_ns=START), START)
    rolling = RollingTrajectory(rig.core)
    roll(rig, rolling, 2.0)
    rig.imu = False
    held = roll(rig, rolling, 1.9)[-1]
    assert held.state == HOLDING and not held.velocities.any()
    rig.imu = True
    issued = roll(rig, rolling, 2.0)
    assert largest_jump(held, issued) < 0.02 * (0.1 + 1.9 * 0.2)
    wanted = 0.1 * (issued[-1].start_ns - START) * 1e-9
    np.testing.assert_allclose(issued[-1].positions[0], wanted, atol=1e-3)


def test_a_new_start_begins_where_the_arm_is_and_not_where_it_was_left(moving):
    moving.core.stop(moving.now)
    while not moving.core.finished:
        roll(moving, moving.rolling, 0.002)
    moving.posture = POSTURE + 0.5
    roll(moving, moving.rolling, 1.0)
    moving.core.start()
    first = roll(moving, moving.rolling, 0.5)[0]
    np.testing.assert_allclose(first.positions[0], moving.posture, atol=1e-3)


@pytest.mark.parametrize('fallen', [0.15, 0.5])
@pytest.mark.parametrize('tripped', some(1, [False, True]))
def test_a_controller_that_is_activated_again_gets_the_measured_posture_and_effort(
        pa10, pa10_dynamics, fallen, tripped):
    rig = following(pa10, pa10_dynamics)
    rolling = RollingTrajectory(rig.core)
    roll(rig, rolling, 2.0)
    if tripped:
        rig.posture = np.full(6, 10.0)  # beyond the limits
        roll(rig, rolling, 0.5)
        assert rig.core.trip is not None
    rig.core.on_no_subscribers(rig.now)
    rolling.forget()
    rig.posture = paper_sinusoid().sample((rig.now - START) * 1e-9).position - fallen
    rig.effort = np.array([5.0, -60.0, 10.0, 0.5, 0.2, 0.0])
    issued = roll(rig, rolling, 2.0)
    np.testing.assert_allclose(issued[0].positions[0], rig.posture, atol=1e-3)
    np.testing.assert_allclose(issued[0].efforts[0], rig.effort, atol=0.5)
    assert largest_jump(issued[0], issued[1:]) < 0.01
    wanted = paper_sinusoid().sample((issued[-1].start_ns - START) * 1e-9).position
    if tripped or fallen > rig.config.maximum_reference_jump:  # which is said
        wanted = rig.posture
    np.testing.assert_allclose(issued[-1].positions[0], wanted, atol=1e-6)


@pytest.mark.parametrize('tripped', some(1, [False, True]))
@pytest.mark.parametrize('caught', [0.24, 0.4, 0.7, 0.8])  # s after it has begun to fall
def test_an_arm_that_swings_while_nobody_holds_it_is_led_on_from_where_it_is_caught(
        pa10, pa10_dynamics, caught, tripped):
    rig = Rig(pa10, pa10_dynamics, posture=np.zeros(6),
              watchdog=WatchdogConfig(joint_states_age=2.0, base_motion_age=2.0))
    rolling = RollingTrajectory(rig.core)
    roll(rig, rolling, 1.5)
    if tripped:
        rig.posture = np.full(6, 10.0)  # beyond the limits
        roll(rig, rolling, 0.5)
        rig.posture = np.zeros(6)
    trip = rig.core.trip
    assert (trip is not None) == tripped
    rate, fastest = np.pi / 0.8, 2.0 * pa10.velocity_limit[2]
    speeds, first = [], None
    for k in range(1100):
        seconds = 0.002 * k
        if seconds < caught:
            rig.velocity = np.eye(6)[2] * 1.25 * rate * np.sin(rate * seconds)
            rig.core.on_no_subscribers(rig.now)
            rolling.forget()
        else:  # by the controller's own feedback
            rig.velocity = rig.velocity * np.exp(-0.002 / 0.05)
        speeds.append(rig.velocity[2])
        rig.posture = rig.posture + 0.002 * rig.velocity
        rig.feed()
        for later in (0, MS) if seconds >= caught else ():  # timers wait for no joint state
            trajectory = rolling.due(rig.now + later)
            if trajectory is not None and first is None:
                first = trajectory
                np.testing.assert_allclose(first.positions[0], rig.posture, atol=1e-3)
                assert abs(rig.velocity[2]) < 0.11, 'the controller has brought it to rest'
        rig.now += 2 * MS
    assert first is not None and (max(speeds) > 1.1 * fastest or caught < 0.3)
    assert rig.core.trip is trip, 'what stopped the arm before stays, and nothing is added'
    assert tripped or rig.core.state == ACTIVE


def test_a_trajectory_must_not_end_before_the_next():
    with pytest.raises(ConfigurationError, match='period.*horizon'):
        RollingTrajectoryConfig(horizon=0.1, period=0.1)


def steepest(issued):
    """Return the largest rate of effort (n,) that a controller makes of trajectories."""
    start, rates = np.zeros(6), []
    for trajectory, following in zip(issued, [*issued[1:], issued[-1]]):
        times, efforts = trajectory.times, trajectory.efforts
        np.testing.assert_allclose(efforts[0], start, atol=1e-9)
        rates.append((np.abs(np.diff(efforts, axis=0)) / np.diff(times)[:, np.newaxis]).max(0))
        passed = (following.start_ns - trajectory.start_ns) * 1e-9
        start = np.array([np.interp(passed, times, effort) for effort in efforts.T])
    return np.max(rates, axis=0)


@pytest.mark.parametrize('period', some(1, [0.012, 0.1]))
def test_efforts_keep_to_the_rate_limit_along_trajectories_and_from_one_to_the_next(
        pa10, pa10_dynamics, period):
    rate = np.array([20.0, 40.0, 15.0, 10.0, 5.0, 5.0])
    rig = Rig(pa10, pa10_dynamics, posture=np.zeros(6),
              ramp=RampConfig(start_from='zero', ramp_in=0.1),
              limits=LimitsConfig(effort_rate=tuple(rate)))
    rig.core.on_reference(
        JointTrajectory.from_reference(paper_sinusoid(), 8.0, start_ns=START), START)
    rolling = RollingTrajectory(rig.core, RollingTrajectoryConfig(period=period))
    issued = roll(rig, rolling, 2.5)
    rig.core.set_payload('link6', 30.0)
    issued += roll(rig, rolling, 0.5)
    rig.imu = False
    issued += roll(rig, rolling, 1.0)
    rig.imu = True
    issued += roll(rig, rolling, 1.0)
    rig.core.clear_payload()
    rig.core.stop(rig.now)
    issued += roll(rig, rolling, 9.0)
    assert (steepest(issued) <= 1.0001 * rate).all(), steepest(issued)
    assert steepest(issued)[1] > 39.9, 'the limit was reached'
    assert rig.core.finished and not issued[-1].efforts[-1].any()


def test_friction_of_joints_that_turn_round_is_not_cut_by_the_rate_limit(pa10, pa10_dynamics):
    efforts = []
    for rate in (10.0, 1e4):
        rig = Rig(pa10, pa10_dynamics, posture=np.zeros(6), friction=True,
                  ramp=RampConfig(start_from='zero', ramp_in=0.1),
                  limits=LimitsConfig(rate_of_limit=rate))
        rig.core.on_reference(
            JointTrajectory.from_reference(demo_sinusoid(), 8.0, start_ns=START), START)
        issued = roll(rig, RollingTrajectory(rig.core), 6.0)[5:]
        efforts.append(np.concatenate([trajectory.efforts[:6] for trajectory in issued]))
    assert (np.ptp(efforts[0], axis=0) > 2 * pa10.friction).all(), 'every joint turns round'
    assert np.abs(efforts[0] - efforts[1]).max() < 1e-9


def test_a_controller_that_comes_anew_has_no_effort_in_force(moving):
    before = moving.issued[-1]
    moving.core.on_no_subscribers(moving.now)
    moving.rolling.forget()
    moving.now += 300 * MS
    first = roll(moving, moving.rolling, 1.0)[0]
    assert np.abs(before.efforts).max() > 5.0
    assert np.abs(first.efforts[0]).max() < 0.5


def test_the_horizon_is_at_most_half_a_second():
    with pytest.raises(ConfigurationError, match='horizon'):
        RollingTrajectoryConfig(horizon=0.6)

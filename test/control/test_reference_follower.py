"""Which desired motion is followed, by the rules of joint_trajectory_controller."""

import numpy as np
import pytest

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.reference_follower import ReferenceFollower

NAMES = ('a', 'b')
S = 1_000_000_000
NOW = 100 * S


@pytest.fixture
def events():
    """Return an event log."""
    return EventLog(0)


@pytest.fixture
def follower(events):
    """Return a follower that holds (0, 1)."""
    follower = ReferenceFollower(NAMES, FeedforwardConfig(), events, np.array([1.0, np.inf]))
    follower.resume(np.array([0.0, 1.0]), NOW)
    return follower


def at(follower, stamp):
    """Return position, velocity, acceleration (3, 2)."""
    out = np.empty((3, 2))
    follower.sample_into(stamp, out)
    return out


def largest_jump(follower, begin, end, step=S // 1000):
    """Return the largest change of position from one sample to the next."""
    positions = np.array([at(follower, t)[0] for t in range(begin, end, step)])
    return np.abs(np.diff(positions, axis=0)).max()


def test_without_a_reference_the_arm_is_held_where_it_was(follower):
    np.testing.assert_array_equal(at(follower, NOW + 5 * S), [[0, 1], [0, 0], [0, 0]])


def test_a_trajectory_is_followed_from_its_stamp_and_held_after_its_end(follower):
    trajectory = JointTrajectory(
        NAMES, [0, 1, 2], [[0, 1], [0.5, 1], [0.6, 1.2]], np.zeros((3, 2)), np.zeros((3, 2)),
        start_ns=NOW)
    assert follower.accept(trajectory, NOW)
    for t in (0.0, 0.3, 1.7):
        np.testing.assert_allclose(
            at(follower, NOW + int(t * S)), np.array(trajectory.sample(t)), atol=1e-8)
    np.testing.assert_array_equal(at(follower, NOW + 9 * S), [[0.6, 1.2], [0, 0], [0, 0]])


def test_a_stamp_of_zero_means_from_the_arrival_on(follower):
    trajectory = JointTrajectory(NAMES, [0, 1], [[0, 1], [0.5, 1.5]], np.zeros((2, 2)))
    follower.accept(trajectory, NOW + 7 * S)
    np.testing.assert_allclose(
        at(follower, NOW + 7 * S + S // 2)[0], trajectory.sample(0.5).position, atol=1e-12)


def test_the_first_point_is_approached_smoothly_from_the_present_desired_state(follower):
    trajectory = JointTrajectory(
        NAMES, [2, 3], [[1, 2], [1.5, 2]], [[0.5, 0], [0, 0]], start_ns=NOW)
    follower.accept(trajectory, NOW)
    np.testing.assert_allclose(at(follower, NOW), [[0, 1], [0, 0], [0, 0]])
    before, after = at(follower, NOW + 2 * S - 1000), at(follower, NOW + 2 * S + 1000)
    np.testing.assert_allclose(before[:2], after[:2], atol=1e-5)
    np.testing.assert_allclose(after[:2], [[1, 2], [0.5, 0]], atol=1e-5)
    assert largest_jump(follower, NOW, NOW + 4 * S) < 2e-3


def test_an_arm_that_is_already_there_waits_for_the_start_without_moving(follower):
    trajectory = JointTrajectory(
        NAMES, [0, 1], [[0, 1], [1, 1]], [[0, 0], [0, 0]], [[6, 0], [-6, 0]],
        start_ns=NOW + 20 * S)
    follower.accept(trajectory, NOW)
    for t in np.linspace(0, 19.999, 100):
        np.testing.assert_allclose(at(follower, NOW + int(t * S))[0], [0, 1], atol=1e-9)
    np.testing.assert_allclose(at(follower, NOW + 21 * S)[0], [1, 1])


def test_a_start_with_a_velocity_is_approached_without_a_long_run_up(follower):
    trajectory = JointTrajectory(
        NAMES, [0, 1], [[0, 1], [1, 1]], [[1, 0], [1, 0]], start_ns=NOW + 20 * S)
    follower.accept(trajectory, NOW)
    before = [at(follower, NOW + int(t * S))[0, 0] for t in np.linspace(0, 20, 1000)]
    assert -0.2 < min(before) < 0


def test_a_new_trajectory_replaces_the_old_one_without_a_jump(follower):
    first = JointTrajectory(NAMES, [0, 4], [[0, 1], [1, 1]], np.zeros((2, 2)), start_ns=NOW)
    follower.accept(first, NOW)
    later = NOW + 2 * S
    before = at(follower, later)
    second = JointTrajectory(NAMES, [2, 3], [[0, 0], [0, 1]], np.zeros((2, 2)), start_ns=later)
    follower.accept(second, later)
    np.testing.assert_allclose(at(follower, later), before, atol=1e-12)
    np.testing.assert_allclose(at(follower, later + 3 * S)[0], [0, 1])


def test_a_motion_that_ends_with_a_velocity_is_brought_to_rest(follower):
    trajectory = JointTrajectory(
        NAMES, [0, 1], [[0, 1], [0.5, 1]], [[0, 0], [1.0, 0]], start_ns=NOW)
    follower.accept(trajectory, NOW)
    end = at(follower, NOW + 3 * S)
    np.testing.assert_allclose(end, [[0.5 + 0.15, 1], [0, 0], [0, 0]])
    assert largest_jump(follower, NOW, NOW + 3 * S) < 2e-3


def test_order_is_by_name_and_extra_joints_are_ignored_with_a_reason(follower, events):
    trajectory = JointTrajectory(
        ('x', 'b', 'a'), [0, 1], [[9, 1, 0], [9, 1.1, 0.2]], np.zeros((2, 3)), start_ns=NOW)
    assert follower.accept(trajectory, NOW)
    np.testing.assert_allclose(at(follower, NOW + S)[0], [0.2, 1.1])
    [event] = events.drain()
    assert event.kind is EventKind.REFERENCE_JOINTS_IGNORED
    assert 'x' in event.text


def test_a_reference_for_other_joints_is_refused_by_name(follower, events):
    assert not follower.accept(JointTrajectory(('a', 'x'), [1], [[0, 1]]), NOW)
    [event] = events.drain()
    assert event.kind is EventKind.REFERENCE_REFUSED
    assert 'lack b' in event.text
    np.testing.assert_array_equal(at(follower, NOW + S)[0], [0, 1])


def test_a_jump_of_the_desired_position_is_refused(follower, events):
    trajectory = JointTrajectory(NAMES, [0, 1], [[0, 1.5], [0, 1]], np.zeros((2, 2)))
    assert not follower.accept(trajectory, NOW)
    assert 'joint b' in events.drain()[0].text
    np.testing.assert_array_equal(at(follower, NOW + S)[0], [0, 1])


def test_an_approach_faster_than_the_velocity_limit_is_refused(follower, events):
    far = JointTrajectory(NAMES, [0.5], [[1.0, 1.0]])
    assert not follower.accept(far, NOW)
    assert 'velocity limit' in events.drain()[0].text
    unlimited = JointTrajectory(NAMES, [0.5], [[0.0, 2.0]])  # joint b has no limit
    assert follower.accept(unlimited, NOW)


def test_a_trajectory_that_ended_in_the_past_is_refused(follower, events):
    old = JointTrajectory(NAMES, [0, 1], [[0, 1], [0.1, 1]], start_ns=NOW - 5 * S)
    assert not follower.accept(old, NOW)
    assert 'ended 4.000 s ago' in events.drain()[0].text


def test_a_start_on_another_clock_is_refused(follower, events):
    ahead = JointTrajectory(NAMES, [0], [[0, 1]], start_ns=NOW + 10**9 * S)
    assert not follower.accept(ahead, NOW)
    assert 'month' in events.drain()[0].text


def test_a_reference_beyond_the_position_limits_is_refused_unless_allowed(events):
    trajectory = JointTrajectory(NAMES, [1, 2, 3], [[0, 1], [0.2, 1], [0.6, 1]], start_ns=NOW)
    for allowed in (False, True):
        follower = ReferenceFollower(
            NAMES, FeedforwardConfig(check_position_limits=not allowed), events, np.ones(2),
            np.array([-0.5, -np.inf]), np.array([0.5, np.inf]))
        follower.resume(np.array([0.0, 1.0]), NOW)
        assert follower.accept(trajectory, NOW) is allowed
    [event] = events.drain()
    assert 'joint a' in event.text and '0.600' in event.text


def test_a_reference_beyond_a_velocity_limit_is_told_once_with_joint_and_factor(
        follower, events):
    def moving_by(way):
        return JointTrajectory(NAMES, [0, 2], [[0, 1], [way, 1]], np.zeros((2, 2)),
                               np.zeros((2, 2)), start_ns=NOW)

    # a quintic peaks at 15 / 8 of its mean velocity
    assert follower.accept(moving_by(1.06), NOW) and not events.drain()
    assert follower.accept(moving_by(1.6), NOW) and follower.accept(moving_by(1.6), NOW)
    [event] = events.drain()
    assert event.kind is EventKind.REFERENCE_TOO_FAST and event.severity == 'warning'
    assert 'joint a at 1.500 rad/s, 1.50 times' in event.text


def test_a_reference_beyond_a_velocity_limit_is_refused_where_that_is_asked_for(events):
    follower = ReferenceFollower(
        NAMES, FeedforwardConfig(check_velocity_limits=True), events, np.array([1.0, np.inf]))
    follower.resume(np.array([0.0, 1.0]), NOW)
    fast = JointTrajectory(NAMES, [0, 1], [[0, 1], [0.9, 5]], np.zeros((2, 2)), start_ns=NOW)
    assert not follower.accept(fast, NOW)
    assert 'joint a at 1.350 rad/s' in events.drain()[0].text


def test_a_reference_at_many_times_a_velocity_limit_is_refused_anyway(follower, events):
    def lasting(seconds):
        return JointTrajectory(NAMES, [0, seconds], [[0, 1], [0.4, 1]], np.zeros((2, 2)),
                               np.zeros((2, 2)), start_ns=NOW)

    assert follower.accept(lasting(0.16), NOW)  # 4.7 times
    events.drain()
    assert not follower.accept(lasting(0.14), NOW)
    assert '5.36 times its velocity limit' in events.drain()[0].text


def test_absurd_positions_are_refused_even_without_limits(follower, events):
    assert not follower.accept(JointTrajectory(NAMES, [5, 6], [[0, 1], [0, 1e300]]), NOW)
    assert 'joint b' in events.drain()[0].text


def test_too_many_points_are_refused(events):
    follower = ReferenceFollower(
        NAMES, FeedforwardConfig(maximum_reference_points=3), events, np.ones(2))
    follower.resume(np.zeros(2), NOW)
    assert not follower.accept(
        JointTrajectory(NAMES, np.arange(4), np.zeros((4, 2))), NOW)


def test_single_points_are_a_stream_that_is_carried_on_by_its_derivatives(follower):
    stream = JointTrajectory(NAMES, [0], [[0.1, 1]], [[0.5, 0]], [[2.0, 0]], start_ns=NOW)
    assert follower.accept(stream, NOW)
    np.testing.assert_allclose(
        at(follower, NOW + S // 20), [[0.1 + 0.5 * 0.05 + 0.00250, 1], [0.6, 0], [2, 0]])


def test_a_stream_that_stops_comes_to_rest(follower):
    stream = JointTrajectory(NAMES, [0], [[0.1, 1]], [[0.5, 0]], start_ns=NOW)
    follower.accept(stream, NOW)
    assert not follower.stream_ended(NOW + S // 20)
    assert follower.stream_ended(NOW + S // 5)
    np.testing.assert_allclose(
        at(follower, NOW + S), [[0.1 + 0.05 + 0.5 * 0.15, 1], [0, 0], [0, 0]])
    assert largest_jump(follower, NOW, NOW + S) < 1e-3


def test_a_stream_follows_a_motion_closely(follower):
    w = 2.0
    worst = 0.0
    for k in range(200):
        now = NOW + k * S // 100
        t = k / 100
        follower.accept(JointTrajectory(
            NAMES, [0], [[0.1 * np.sin(w * t), 1]], [[0.1 * w * np.cos(w * t), 0]],
            [[-0.1 * w * w * np.sin(w * t), 0]], start_ns=now), now)
        late = t + 0.009
        worst = max(worst, abs(
            at(follower, now + 9 * S // 1000)[0, 0] - 0.1 * np.sin(w * late)))
    assert worst < 1e-6


def test_a_stream_point_of_long_ago_is_refused(follower):
    assert not follower.accept(
        JointTrajectory(NAMES, [0], [[0.1, 1]], start_ns=NOW - S), NOW)


def test_stop_brings_the_motion_to_rest(follower):
    trajectory = JointTrajectory(NAMES, [0, 2], [[0, 1], [1, 1]], np.zeros((2, 2)), start_ns=NOW)
    follower.accept(trajectory, NOW)
    moving = at(follower, NOW + S)
    follower.stop(NOW + S)
    np.testing.assert_allclose(at(follower, NOW + S), moving, atol=1e-12)
    assert not at(follower, NOW + S + 3 * S // 10)[1:].any()


def test_resuming_near_the_reference_follows_it_and_far_from_it_holds_the_arm(follower, events):
    trajectory = JointTrajectory(NAMES, [0, 2], [[0, 1], [1, 1]], np.zeros((2, 2)), start_ns=NOW)
    follower.accept(trajectory, NOW)
    follower.resume(at(follower, NOW + S)[0] + 0.05, NOW + S)
    np.testing.assert_allclose(at(follower, NOW + 5 * S)[0], [1, 1])
    assert follower.following
    follower.resume(np.array([0.3, 1.0]), NOW + 5 * S)
    np.testing.assert_array_equal(at(follower, NOW + 6 * S), [[0.3, 1], [0, 0], [0, 0]])
    assert events.drain()[-1].kind is EventKind.REFERENCE_REFUSED


def test_a_reference_before_the_first_joint_state_waits_for_it(events):
    follower = ReferenceFollower(NAMES, FeedforwardConfig(), events, np.ones(2))
    trajectory = JointTrajectory(NAMES, [1, 2], [[0, 1], [0.5, 1]], start_ns=NOW)
    assert follower.accept(trajectory, NOW)
    follower.resume(np.array([0.0, 1.0]), NOW + S // 2)
    np.testing.assert_allclose(at(follower, NOW + 2 * S)[0], [0.5, 1])

"""No reference leads the desired motion beyond the position limits, whatever it ends with."""

from control_rig import Rig
import numpy as np
import pytest

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.polynomials import between
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.reference_follower import ReferenceFollower
from robot_dynamics.control.trips import TripsConfig
from selections import some

NAMES = ('a', 'b')
S = 1_000_000_000
NOW = 100 * S
UPPER = 2.0


@pytest.fixture
def events():
    """Return an event log."""
    return EventLog(0)


def follower_of(events, **config):
    """Return a follower that holds (0, 1) within 2 rad of zero."""
    follower = ReferenceFollower(
        NAMES, FeedforwardConfig(**config), events, np.full(2, np.inf), np.full(2, -UPPER),
        np.full(2, UPPER))
    follower.resume(np.array([0.0, 1.0]), NOW)
    return follower


def course(follower, seconds=4.0):
    """Return position (N, 2) and last velocity (2,) of the desired motion."""
    out, positions = np.empty((3, 2)), []
    for k in range(int(seconds * 500)):
        follower.sample_into(NOW + k * S // 500, out)
        positions.append(out[0].copy())
    return np.array(positions), out[1]


def ends_with(velocity, position=0.5):
    """Return a trajectory whose joint a has a velocity at its last point."""
    return JointTrajectory(
        NAMES, [0.0, 1.0], [[0.0, 1.0], [position, 1.0]], [[0.0, 0.0], [velocity, 0.0]],
        [[0.0, 0.0], [0.0, 0.0]], start_ns=NOW)


def test_a_last_velocity_that_would_run_away_is_refused_with_joint_and_positions(events):
    follower = follower_of(events)
    assert not follower.accept(ends_with(100.0), NOW)
    [event] = events.drain()
    assert event.kind is EventKind.REFERENCE_REFUSED
    assert 'joint a' in event.text and 'position limits' in event.text
    positions, velocity = course(follower)
    np.testing.assert_array_equal(positions, np.tile([0.0, 1.0], (len(positions), 1)))
    assert follower.accept(ends_with(0.0), NOW)  # the next correct one is followed


@pytest.mark.parametrize('position, velocity', [(0.5, 1.0), (1.85, 1.5), (1.95, 0.9)])
def test_a_motion_comes_to_rest_within_the_stop_time_and_the_limits(
        events, position, velocity):
    follower = follower_of(events)
    assert follower.accept(ends_with(velocity, position), NOW)
    positions, last = course(follower)
    assert positions.max() <= UPPER + 1e-3
    assert not last.any()
    at_rest = positions[int(500 * (1.0 + FeedforwardConfig().stop_time)) + 1:]
    np.testing.assert_array_equal(at_rest, np.tile(at_rest[0], (len(at_rest), 1)))


def test_a_stream_towards_a_limit_is_refused_before_it_would_run_beyond(events):
    follower = follower_of(events)
    point = JointTrajectory(NAMES, [0.1], [[0.1, 1.0]], [[50.0, 0.0]])
    assert not follower.accept(point, NOW)
    assert np.abs(course(follower, 1.0)[0]).max() <= UPPER


@pytest.mark.parametrize('check', [True, False])
def test_a_quintic_that_overshoots_a_limit_between_its_points_is_refused(events, check):
    follower = follower_of(events, check_position_limits=check)
    swings = JointTrajectory(
        NAMES, [0.0, 1.0], [[0.0, 1.0], [0.0, 1.0]], [[12.0, 0.0], [-12.0, 0.0]],
        [[0.0, 0.0], [0.0, 0.0]], start_ns=NOW)
    assert follower.accept(swings, NOW) is not check
    assert ('position limits' in ' '.join(event.text for event in events.drain())) is check


def test_the_extremes_of_a_motion_are_those_between_its_points():
    rng = np.random.default_rng(1)
    begin, end = rng.normal(size=(2, 3, 2))
    begin[1:] *= 10.0
    motion = between(0.0, begin, 1.0, end)
    positions = motion.sample(np.linspace(0.0, 1.0, 20001))[0]
    lowest, highest = motion.extremes(np.full(2, -0.1), np.full(2, 0.1))
    np.testing.assert_allclose(lowest, positions.min(axis=0), atol=2e-3)
    np.testing.assert_allclose(highest, positions.max(axis=0), atol=2e-3)


@pytest.mark.parametrize('jump', some(1, [0.19, 0.02, 0.1]))
def test_a_reference_that_begins_elsewhere_is_led_to_without_a_step_of_effort(
        pa10, pa10_dynamics, jump):
    def rig_after(distance):
        rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,),
                  trips=TripsConfig(saturation_time=0.0))  # it does not move
        rig.run(1.5)
        points = [rig.posture + [0, distance, 0, 0, 0, 0]] * 2
        rig.core.on_reference(JointTrajectory(
            rig.names, [0.0, 5.0], points, np.zeros((2, 6)), np.zeros((2, 6)),
            start_ns=rig.now - 1), rig.now)
        rig.commands.clear()
        return rig

    rig, same = rig_after(jump), rig_after(0.0)
    for r in (rig, same):
        r.run(0.1)
    assert rig.core.status(rig.now)['following_reference']
    efforts = np.array([[c.effort for c in r.commands] for r in (rig, same)])
    steps = np.abs(np.diff(efforts[0] - efforts[1], axis=0)) / pa10.effort_limit
    assert steps.max() < 0.005
    assert (np.abs(efforts[0] - efforts[1])[0] / pa10.effort_limit).max() < 0.03
    desired = rig.run(2.5).desired_position - same.run(2.5).desired_position
    np.testing.assert_allclose(desired, [0, jump, 0, 0, 0, 0], atol=1e-9)


def test_a_measurement_older_than_a_new_reference_is_compared_with_where_that_comes_from():
    config, events = FeedforwardConfig(), EventLog(0)
    follower = ReferenceFollower(('a',), config, events, np.array([2.0]))
    follower.resume(np.zeros(1), 0)
    state = np.empty((3, 1))
    for begin in (0, 3 * S):  # a motion at 0.5 rad/s, reissued on the way
        times = np.arange(0.0, 6.0, 0.1)
        q = 0.5 * (1e-9 * begin + times)
        assert follower.accept(JointTrajectory(
            ['a'], times, q[:, None], np.full((60, 1), 0.5), np.zeros((60, 1)),
            start_ns=begin), begin)
        if begin:
            follower.sample_into(begin - 4_000_000, state)
            np.testing.assert_allclose(state[:, 0], [0.5 * 2.996, 0.5, 0.0], atol=1e-9)

"""References are pure functions of time with exact derivatives."""

import types

from hypothesis import given, settings, strategies
import numpy as np
import pytest

from robot_dynamics.control.polynomials import between, hermite, stopping
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import ConfigurationError, InputError
from robot_dynamics.simulation.motions import paper_sinusoid, quintic_point_to_point, Sinusoid

NAMES = ('a', 'b')


def point(time, positions, velocities=(), accelerations=()):
    """Return something like a trajectory_msgs/JointTrajectoryPoint."""
    sec = int(time)
    stamp = types.SimpleNamespace(sec=sec, nanosec=int(round((time - sec) * 1e9)))
    return types.SimpleNamespace(positions=positions, velocities=velocities,
                                 accelerations=accelerations, time_from_start=stamp)


def assert_derivatives(sample, times, tolerance=1e-6):
    """Compare velocity and acceleration with central differences."""
    h = 1e-5
    before, at, after = (sample(times + d) for d in (-h, 0.0, h))
    np.testing.assert_allclose(
        at.velocity, (after.position - before.position) / (2 * h), atol=tolerance)
    np.testing.assert_allclose(
        at.acceleration, (after.velocity - before.velocity) / (2 * h), atol=tolerance)


def test_the_papers_sinusoids_are_those_of_the_golden_data(golden):
    case = golden['pa10_6ce']['cases'][0]
    assert case['name'] == 'bracket_A6_1p2'
    reference = paper_sinusoid()
    for expected in case['samples']:
        sample = reference.sample(expected['t'])
        np.testing.assert_allclose(sample.position, expected['q'], atol=1e-12)
        np.testing.assert_allclose(sample.velocity, expected['qd'], atol=1e-12)
        np.testing.assert_allclose(sample.acceleration, expected['qdd'], atol=1e-12)


def test_the_papers_sinusoids_stay_inside_the_position_limits(pa10):
    position = paper_sinusoid().sample(np.linspace(0, 60, 20000)).position
    assert (position > pa10.lower).all() and (position < pa10.upper).all()


@pytest.mark.parametrize('reference', [
    paper_sinusoid(),
    quintic_point_to_point(NAMES, [0, 1], [1, -2], 3.0)], ids=['sinusoid', 'point to point'])
def test_derivatives_of_closed_forms_are_exact(reference):
    assert_derivatives(reference.sample, np.linspace(0.01, 2.9, 50))


@pytest.mark.parametrize('reference', [
    paper_sinusoid(),
    quintic_point_to_point(NAMES, [0, 1], [1, -2], 3.0),
    JointTrajectory(NAMES, [0, 1, 3], [[0, 0], [1, 2], [0, 1]], np.zeros((3, 2)))],
    ids=['sinusoid', 'point to point', 'trajectory'])
def test_one_time_and_many_times_agree(reference):
    times = np.linspace(-0.5, 3.5, 41)
    many = reference.sample(times)
    for k, t in enumerate(times):
        one = reference.sample(t)
        for single, series in zip(one, many):
            np.testing.assert_allclose(single, series[k], rtol=1e-12, atol=1e-13)


def test_point_to_point_begins_and_ends_at_rest():
    reference = quintic_point_to_point(NAMES, [0.5, 1], [1, -2], 2.0)
    for t, expected in ((0.0, [0.5, 1]), (2.0, [1, -2]), (9.0, [1, -2]), (-1.0, [0.5, 1])):
        sample = reference.sample(t)
        np.testing.assert_allclose(sample.position, expected, atol=1e-12)
        assert not sample.velocity.any() and not sample.acceleration.any()


def test_point_to_point_is_as_short_as_its_limits_allow():
    reference = quintic_point_to_point(
        NAMES, [0, 0], [1, -2], velocity_limit=[0.5, 0.8], acceleration_limit=4.0)
    sample = reference.sample(np.linspace(0, reference.duration, 2001))
    assert np.abs(sample.velocity).max(axis=0) / [0.5, 0.8] == pytest.approx(
        [0.8, 1.0], abs=1e-5)
    slow = quintic_point_to_point(NAMES, [0, 0], [1, -2], acceleration_limit=0.1)
    peak = np.abs(slow.sample(np.linspace(0, slow.duration, 4001)).acceleration).max()
    assert peak == pytest.approx(0.1, rel=1e-5)


def test_point_to_point_without_duration_or_limits_is_refused():
    with pytest.raises(ConfigurationError, match='duration'):
        quintic_point_to_point(NAMES, [0, 0], [1, 1])


@settings(max_examples=50, deadline=None)
@given(strategies.lists(strategies.floats(-5, 5), min_size=6, max_size=6),
       strategies.floats(0.01, 20))
def test_a_quintic_passes_through_both_ends_with_their_derivatives(values, step):
    p0, p1, v0, v1, a0, a1 = values
    start, goal = np.array([[p0], [v0], [a0]]), np.array([[p1], [v1], [a1]])
    motion = between(2.0, start, 2.0 + step, goal)
    out = np.empty((3, 1))
    motion.sample_into(2.0, out)
    np.testing.assert_allclose(out, start, atol=1e-9)
    motion.sample_into(np.nextafter(2.0 + step, 0.0), out)
    np.testing.assert_allclose(out, goal, atol=1e-7 * (1 + 1 / step**2))


def test_a_quintic_between_samples_of_a_quintic_is_that_quintic():
    reference = quintic_point_to_point(NAMES, [0, 1], [1, -2], 3.0)
    trajectory = JointTrajectory.from_reference(reference, period=1.0)
    times = np.linspace(0, 3, 100)
    for mine, exact in zip(trajectory.sample(times), reference.sample(times)):
        np.testing.assert_allclose(mine, exact, atol=1e-12)


def test_points_fifty_milliseconds_apart_follow_the_paper_within_a_nanorad():
    reference = paper_sinusoid()
    trajectory = JointTrajectory.from_reference(reference, 10.0)
    times = np.linspace(0, 9.99, 2000)
    error = trajectory.sample(times).position - reference.sample(times).position
    assert np.abs(error).max() < 1e-9


def test_cubic_without_accelerations_and_linear_without_velocities():
    positions = [[0.0], [1.0]]
    cubic = JointTrajectory(['a'], [0, 2], positions, [[0.0], [0.0]]).sample(1.0)
    assert cubic.position[0] == pytest.approx(0.5)
    assert cubic.velocity[0] == pytest.approx(0.75)  # 3/2 of the mean
    linear = JointTrajectory(['a'], [0, 2], positions).sample(0.5)
    assert linear.position[0] == pytest.approx(0.25)
    assert linear.velocity[0] == pytest.approx(0.5)
    assert linear.acceleration[0] == 0.0


def test_hermite_of_given_derivatives_reproduces_a_cubic():
    # p = t^3 - 2 t^2 + t on [0, 2]
    c = hermite(np.array([[2.0]]), np.array([[0.0]]), np.array([[2.0]]), np.array([[1.0]]),
                np.array([[5.0]]))
    np.testing.assert_allclose(c[0, :, 0], [0, 2, -8, 8, 0, 0])


def test_stopping_comes_to_rest_after_half_the_way():
    state = np.array([[1.0], [2.0], [0.5]])
    motion = stopping(0.0, state, 0.4)
    out = np.empty((3, 1))
    motion.sample_into(0.0, out)
    np.testing.assert_allclose(out, state)
    motion.sample_into(5.0, out)
    np.testing.assert_allclose(out[:, 0], [1.4, 0, 0])


def test_messages_are_taken_as_they_are():
    trajectory = JointTrajectory.from_points(
        NAMES, [point(0.5, [0, 0], [0, 0]), point(1.25, [1, 2], [0, 0])], 7)
    assert trajectory.times.tolist() == [0.5, 1.25]
    assert trajectory.start_ns == 7
    assert trajectory.velocities is not None and trajectory.accelerations is None


def test_derivatives_that_one_point_lacks_count_as_absent():
    trajectory = JointTrajectory.from_points(
        NAMES, [point(0, [0, 0], [1, 1]), point(1, [1, 2])])
    assert trajectory.velocities is None


@pytest.mark.parametrize('names, points, what', [
    (NAMES, [], 'points'),
    ((), [point(0, [])], 'joint_names'),
    (('a', 'a'), [point(0, [0, 0])], 'twice'),
    (NAMES, [point(0, [0])], 'point 0'),
    (NAMES, [point(1, [0, 0]), point(1, [1, 1])], 'times'),
    (NAMES, [point(2, [0, 0]), point(1, [1, 1])], 'times'),
    (NAMES, [point(2**31, [0, 0])], 'times'),
    (NAMES, [point(0, [0, float('nan')])], 'positions'),
    (NAMES, [point(0, [0, 0], [0, float('inf')])], 'velocities'),
])
def test_malformed_points_are_refused_by_name(names, points, what):
    with pytest.raises(InputError, match=what):
        JointTrajectory.from_points(names, points)


def test_columns_are_found_by_name():
    trajectory = JointTrajectory(('c', 'a', 'b'), [0, 1], [[3, 1, 2], [6, 4, 5]])
    ordered = trajectory.for_joints(('a', 'b'))
    assert ordered.positions.tolist() == [[1, 2], [4, 5]]
    with pytest.raises(InputError, match='lack d'):
        trajectory.for_joints(('a', 'd'))


def test_a_reference_without_end_needs_a_duration():
    with pytest.raises(InputError, match='duration'):
        JointTrajectory.from_reference(Sinusoid(['a'], [1], [1]))

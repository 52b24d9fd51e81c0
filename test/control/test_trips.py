"""What lasts ends in a stop that says why, and stays until it is cleared or started anew."""

from control_rig import GENTLE, held_gravity, POSTURE, Rig
import numpy as np
import pytest

from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import (
    ACTIVE, FINAL_ACTION, RAMPING_IN, TRIPPED, WAITING)
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.trips import Trips, TripsConfig
from robot_dynamics.control.watchdog import WatchdogConfig

MS = 1_000_000
JOINTS, UNITS = ('a', 'b'), ('rad', 'm')


def led_away(rig, joint, distance=0.8):
    """Ask for a motion of one joint that the arm does not make, until that has lasted."""
    goal = POSTURE.copy()
    goal[joint] += distance
    rig.core.on_reference(JointTrajectory(
        rig.names, [0.0, 1.0], [POSTURE, goal], np.zeros((2, 6)), np.zeros((2, 6))), rig.now)
    rig.commands.clear()
    return rig.run(2.5)


def slipped(rig):
    """Let an encoder slip for half a second."""
    rig.posture = POSTURE + [0, 1.0, 0, 0, 0, 0]
    command = rig.run(0.5)
    return command


def reasons(rig):
    """Return what the log says of trips."""
    return [event.text for event in rig.events if event.kind is EventKind.TRIPPED]


@pytest.mark.parametrize('joint', [0, 3])
def test_an_arm_that_does_not_follow_is_stopped_at_its_gravity_for_good(
        rig, pa10_dynamics, joint):
    command = led_away(rig, joint)
    assert rig.core.state == TRIPPED
    assert rig.core.trip.cause == 'following_error'
    assert f'joint{joint + 1}' in rig.core.trip.text and '0.5 rad' in rig.core.trip.text
    [reason] = reasons(rig)
    assert reason.endswith(rig.core.trip.text)
    assert rig.core.status(rig.now)['trip'] == rig.core.trip.text
    np.testing.assert_allclose(
        command.effort, held_gravity(rig, pa10_dynamics, command.stamp_ns), rtol=0.02, atol=0.02)
    assert rig.largest_step() < 2 * GENTLE
    rig.run(5.0)
    assert rig.core.state == TRIPPED


def test_a_small_or_a_short_error_stops_nothing(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(1.0,))
    rig.run(1.5)
    led_away(rig, 0, 0.45)
    assert rig.core.trip is None
    trips = Trips(JOINTS, UNITS, TripsConfig())
    for stamp in range(0, 5000, 2):
        error = np.array([0.0, 3.0 if stamp % 300 else 0.0])
        assert not trips.on_command(error, (), stamp * MS)


def test_no_joint_without_feedback_is_expected_to_follow(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0, 0.0, 15.0, 15.0, 15.0, 15.0))
    rig.run(1.5)
    led_away(rig, 1)
    assert rig.core.state == ACTIVE


def test_each_joint_has_its_bound_and_none_where_it_is_zero():
    trips = Trips(JOINTS, UNITS, TripsConfig(following_error=(0.0, 0.1)))
    for stamp in range(0, 2000, 2):
        assert not trips.on_command(np.array([9.0, 0.09]), (), stamp * MS)
    tripped = [stamp for stamp in range(2000, 3000, 2)
               if trips.on_command(np.array([0.0, -0.2]), (), stamp * MS)]
    assert tripped == [2300]
    assert 'joint b is 0.2 m' in trips.trip.text


def test_an_effort_that_is_cut_for_a_second_trips_and_one_that_is_cut_now_and_then_does_not():
    trips = Trips(JOINTS, UNITS, TripsConfig())
    error = np.zeros(2)
    for stamp in range(0, 4000, 2):
        assert not trips.on_command(error, (1,) if stamp % 900 else (), stamp * MS)
    trips.on_command(error, (), 4000 * MS)
    tripped = [stamp for stamp in range(4002, 6000, 2)
               if trips.on_command(error, (0, 1) if stamp > 4500 else (1,), stamp * MS)]
    assert tripped == [5002]
    assert trips.trip.cause == 'saturation' and 'joint b' in trips.trip.text


def test_what_saturates_for_good_is_stopped(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, limits=LimitsConfig(effort=(30.0,)))
    rig.run(3.0)
    assert rig.core.trip.cause == 'saturation'
    assert 'joint2' in rig.core.trip.text


def test_what_lasted_while_the_arm_was_commanded_does_not_count_when_it_is_again(
        pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, limits=LimitsConfig(effort=(30.0,)))
    for _ in range(3):
        while not rig.step() or not rig.commands[-1].saturated:
            assert len(rig.commands) < 5000
        rig.run(0.4)
        assert rig.commands[-1].saturated
        rig.core.on_no_subscribers(rig.now)
        assert rig.core.trip is None
    rig.run(3.0)
    assert rig.core.trip.cause == 'saturation'


def test_a_cleared_trip_ramps_in_where_the_arm_is_and_is_told_again_if_it_lasts(
        rig, pa10_dynamics):
    slipped(rig)
    assert rig.core.state == TRIPPED and rig.core.trip.cause == 'position_change'
    assert rig.core.clear_trip(rig.now).cause == 'position_change'
    assert rig.core.clear_trip(rig.now) is None
    rig.commands.clear()
    command = rig.run(2.0)  # whoever clears it says that the encoder is right now
    assert rig.states()[-2:] == [RAMPING_IN, ACTIVE]
    np.testing.assert_allclose(command.desired_position, rig.posture)
    assert rig.largest_step() < GENTLE
    rig.posture = POSTURE
    rig.run(0.5)
    assert rig.core.state == TRIPPED


def test_a_true_position_does_not_clear_the_trip_by_itself(rig, pa10_dynamics):
    slipped(rig)
    rig.posture = POSTURE
    command = rig.run(2.0)
    assert rig.core.state == TRIPPED
    np.testing.assert_allclose(
        command.effort, held_gravity(rig, pa10_dynamics, command.stamp_ns), rtol=0.02, atol=0.02)


def test_numbers_that_are_missing_are_silence_and_no_trip(rig):
    joint = rig.posture[1]
    rig.posture[1] = np.nan
    rig.run(1.0)
    rig.posture[1] = joint
    rig.run(2.0)
    assert rig.core.state == ACTIVE and rig.core.trip is None


def test_a_new_activation_clears_it(rig):
    slipped(rig)
    rig.core.stop(rig.now)
    rig.run(4.0)
    assert rig.core.finished and rig.core.trip is not None
    rig.core.start()
    assert rig.core.trip is None
    rig.run(2.0)
    assert rig.core.state == ACTIVE


def test_the_final_action_follows_a_trip(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, watchdog=WatchdogConfig(final_action='zero'))
    rig.run(1.5)
    slipped(rig)
    command = rig.run(4.0)
    assert rig.states()[-2:] == [TRIPPED, FINAL_ACTION]
    assert not command.effort.any()
    assert rig.core.trip is not None


def test_whoever_subscribes_during_a_trip_is_led_to_gravity_from_the_measured_effort(
        rig, pa10_dynamics):
    slipped(rig)
    rig.posture = POSTURE
    rig.run(0.2)
    rig.core.on_no_subscribers(rig.now)
    assert rig.core.state == WAITING
    rig.effort = np.array([-20.0, 60.0, 0.0, 1.0, -1.0, 0.0])
    rig.commands.clear()
    command = rig.run(1.5)
    np.testing.assert_allclose(rig.commands[0].effort, rig.effort, atol=0.1)
    assert rig.states() == [TRIPPED]
    assert rig.largest_step() < GENTLE
    np.testing.assert_allclose(
        command.effort, held_gravity(rig, pa10_dynamics, command.stamp_ns), rtol=0.02, atol=0.02)

"""What goes wrong around the feedforward ends in a known state, without a step of the effort."""

import dataclasses

from control_rig import MS, POSTURE, Rig, START
import numpy as np
import pytest

from robot_dynamics import BaseMotion
from robot_dynamics.base.imu_sample import NOT_REPORTED
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import (
    ACTIVE, FINAL_ACTION, FINISHED, GRAVITY_ONLY, HOLDING, RAMPING_IN, RAMPING_OUT,
    RAMPING_TO_GRAVITY, WAITING)
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.watchdog import WatchdogConfig

ZERO = np.zeros(6)
# of the effort limit per command: 20 limits a second for 2 ms
RATE_LIMIT = 20.0 * 0.002 + 1e-9
GENTLE = 0.01  # of the effort limit per command: what a ramp of a second makes at most


@pytest.fixture
def rig(pa10, pa10_dynamics):
    """Return a rig whose feedforward is active, with feedback."""
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    rig.run(1.5)
    assert rig.core.state == ACTIVE
    return rig


def gravity(rig, dynamics, stamp):
    """Return the torque that holds gravity on the ship at a stamp."""
    return dynamics.torque(
        rig.posture, ZERO, ZERO, BaseMotion(gravity=rig.base(stamp).gravity))


# ------------------------------------------------------------------------------ before the first


@pytest.mark.parametrize('missing', ['joint_states', 'imu'])
def test_nothing_is_commanded_before_all_inputs_are_valid(pa10, pa10_dynamics, missing):
    rig = Rig(pa10, pa10_dynamics)
    setattr(rig, missing, False)
    assert rig.run(1.0) is None
    assert rig.core.state == WAITING
    waiting = [event for event in rig.events if event.kind is EventKind.WAITING]
    assert 1 <= len(waiting) <= 3
    setattr(rig, missing, True)
    assert rig.run(0.1) is not None


def test_the_base_motion_is_used_once_the_estimator_has_had_time(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, settling=0.5)
    assert rig.run(0.498) is None
    assert rig.run(0.1) is not None
    rig.imu = False
    rig.run(0.3)
    rig.imu = True
    rig.run(0.45)
    assert rig.core.state == GRAVITY_ONLY  # 0.2 s of recovery are not enough
    rig.run(0.5)
    assert rig.core.state == RAMPING_IN


def test_a_missing_joint_gives_one_line_a_second_and_no_command(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.names[2] = 'other'
    assert rig.run(3.0) is None
    events = [event for event in rig.events if event.kind is EventKind.JOINT_MISSING]
    assert 3 <= len(events) <= 4
    assert 'joint3' in events[0].text
    assert events[1].suppressed > 400


@pytest.mark.parametrize('how', ['covariance', 'absent'])
def test_an_imu_without_orientation_gives_no_command_and_one_line_a_second(
        pa10, pa10_dynamics, how):
    rig = Rig(pa10, pa10_dynamics)
    change = ({'orientation_covariance': NOT_REPORTED} if how == 'covariance'
              else {'orientation_xyzw': None})
    original = rig.sample
    rig.sample = lambda stamp: dataclasses.replace(original(stamp), **change)
    assert rig.run(2.0) is None
    events = [e for e in rig.events if e.kind is EventKind.BASE_ORIENTATION_MISSING]
    assert 2 <= len(events) <= 3
    assert 'orientation' in events[0].text


def test_without_orientation_the_torque_is_right_where_that_is_allowed(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, require_orientation=False)
    original = rig.sample
    rig.sample = lambda stamp: dataclasses.replace(original(stamp), orientation_xyzw=None)
    command = rig.run(2.0)
    expected = pa10_dynamics.torque(POSTURE, ZERO, ZERO, rig.base(command.acts_at_ns))
    assert np.abs(command.effort - expected).max() < 3e-3 * np.abs(expected).max()
    assert command.base_level == 'specific_force'


@pytest.mark.parametrize('field, value, word', [
    ('angular_velocity', (float('nan'), 0, 0), 'angular_velocity'),
    ('linear_acceleration', (0, float('inf'), 0), 'acceleration'),
    ('orientation_xyzw', (0, 0, 0, 0), 'norm'),
    ('orientation_xyzw', (0, 0, float('nan'), 1), 'orientation'),
    ('angular_velocity', (1e9, 0, 0), 'rad/s'),
    ('linear_acceleration', (0, 0, 1e9), 'm/s^2'),
    ('stamp_ns', 0, 'no stamp'),
    ('stamp_ns', 10**15, 'ahead'),
])
def test_an_unusable_imu_sample_is_refused_by_name(pa10, pa10_dynamics, field, value, word):
    rig = Rig(pa10, pa10_dynamics)
    original = rig.sample
    rig.sample = lambda stamp: dataclasses.replace(original(stamp), **{field: value})
    assert rig.run(0.5) is None
    texts = [event.text for event in rig.events]
    assert any(word in text for text in texts), texts


# -------------------------------------------------------------------------------------- ramp in


def test_activation_ramps_in_from_the_measured_effort(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.effort = np.array([5.0, -40.0, 3.0, 0.1, -0.2, 0.0])
    first = rig.step()
    np.testing.assert_allclose(first.effort, rig.effort)
    assert first.state == RAMPING_IN
    rig.run(1.5)
    assert rig.states() == [RAMPING_IN, ACTIVE]
    assert rig.largest_step() < GENTLE


@pytest.mark.parametrize('config, effort', [
    ({'ramp': RampConfig(start_from='zero')}, np.ones(6)), ({}, ())])
def test_activation_ramps_in_from_zero_when_asked_or_when_no_effort_is_reported(
        pa10, pa10_dynamics, config, effort):
    rig = Rig(pa10, pa10_dynamics, **config)
    rig.effort = effort
    assert not rig.step().effort.any()
    rig.run(1.5)
    assert rig.largest_step() < GENTLE


def test_an_absurd_measured_effort_starts_at_the_limits(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.effort = np.full(6, 1e5)
    np.testing.assert_array_equal(rig.step().effort, pa10.effort_limit)


# ------------------------------------------------------------------------------------- silence


@pytest.mark.parametrize('silent', ['joint_states', 'imu'])
def test_silence_is_held_then_ramped_to_gravity_with_the_last_known_tilt(
        rig, pa10_dynamics, silent):
    rig.commands.clear()
    setattr(rig, silent, False)
    last_stamp = rig.now
    rig.run(1.0)
    assert rig.states() == [ACTIVE, HOLDING, RAMPING_TO_GRAVITY, GRAVITY_ONLY]
    assert rig.largest_step() < GENTLE
    held = [c.effort for c in rig.commands if c.state == HOLDING]
    assert len({effort.tobytes() for effort in held}) == 1
    tilt = last_stamp if silent == 'imu' else rig.commands[-1].stamp_ns
    expected = gravity(rig, pa10_dynamics, tilt)
    difference = np.abs(rig.commands[-1].effort - expected).max()
    assert difference < 0.06 * np.abs(expected).max()
    before = rig.commands[-1].effort
    later = rig.run(3.0).effort
    if silent == 'imu':
        np.testing.assert_allclose(later, before, atol=1e-9)
    assert rig.core.state == GRAVITY_ONLY


def test_the_times_of_the_stages_are_those_configured(rig):
    rig.joint_states = False
    rig.commands.clear()
    stopped = rig.now - 2 * MS
    rig.run(1.0)
    entered = {}
    for command in rig.commands:
        entered.setdefault(command.state, (command.stamp_ns - stopped) / MS)
    assert entered[HOLDING] == pytest.approx(20 + 2, abs=2)
    assert entered[RAMPING_TO_GRAVITY] == pytest.approx(entered[HOLDING] + 50, abs=2)
    assert entered[GRAVITY_ONLY] == pytest.approx(entered[HOLDING] + 550, abs=2)


def test_the_final_action_zero_ramps_to_zero(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, watchdog=WatchdogConfig(final_action='zero'))
    rig.run(1.5)
    rig.imu = False
    command = rig.run(4.0)
    assert rig.states()[-2:] == [GRAVITY_ONLY, FINAL_ACTION]
    assert not command.effort.any()
    assert rig.largest_step() < GENTLE


def test_the_final_action_service_is_due_once_and_gravity_is_held(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, watchdog=WatchdogConfig(final_action='call_service'))
    rig.run(1.5)
    rig.imu = False
    rig.run(1.0)
    assert not rig.core.service_call_due
    command = rig.run(3.0)
    assert command.state == FINAL_ACTION
    assert rig.core.service_call_due
    assert not rig.core.service_call_due
    assert np.abs(command.effort).max() > 1.0


def test_a_short_gap_is_bridged_without_leaving_the_reference(rig):
    rig.core.on_reference(JointTrajectory(
        rig.names, [1.0, 2.0], [POSTURE, POSTURE + 0.1], np.zeros((2, 6)), np.zeros((2, 6))),
        rig.now)
    rig.commands.clear()
    rig.joint_states = False
    rig.run(0.04)
    rig.joint_states = True
    rig.run(3.0)
    assert rig.states() == [ACTIVE, HOLDING, RAMPING_IN, ACTIVE]
    np.testing.assert_allclose(rig.commands[-1].desired_position, POSTURE + 0.1)
    assert rig.largest_step() < GENTLE


def test_recovery_ramps_back_in_and_holds_the_arm_where_it_is(rig):
    rig.joint_states = False
    rig.run(1.0)
    rig.joint_states = True
    rig.posture = POSTURE + 0.5  # the arm has been moved meanwhile
    rig.core.on_reference(JointTrajectory(rig.names, [1.0], [POSTURE]), rig.now)
    rig.commands.clear()
    rig.run(2.0)
    assert rig.states() == [GRAVITY_ONLY, RAMPING_IN, ACTIVE]
    assert rig.largest_step() < GENTLE
    np.testing.assert_allclose(rig.commands[-1].desired_position, POSTURE + 0.5)
    assert EventKind.REFERENCE_REFUSED in rig.kinds()


def test_flickering_inputs_do_not_make_the_effort_jump(rig):
    random = np.random.default_rng(5)
    for _ in range(40):
        rig.joint_states, rig.imu = random.random(2) > 0.4
        rig.run(float(random.uniform(0.01, 0.4)))
    assert rig.largest_step() < GENTLE
    assert {HOLDING, RAMPING_TO_GRAVITY, RAMPING_IN} <= set(rig.states())


def test_a_delayed_imu_counts_as_stale_by_its_stamps(rig):
    rig.commands.clear()
    original = rig.sample
    rig.sample = lambda stamp: original(stamp - 200 * MS)
    rig.run(1.0)
    assert rig.states()[-1] == GRAVITY_ONLY


def test_duplicates_and_reordered_messages_change_nothing(pa10, pa10_dynamics):
    plain, noisy = (Rig(pa10, pa10_dynamics, natural_frequency=(15.0,)) for _ in range(2))
    for k in range(500):
        a = plain.step()
        if k > 10:  # what was before comes again
            old = noisy.now - 10 * MS
            noisy.core.on_joint_state(old, noisy.now, noisy.names, POSTURE + 1, ZERO, ZERO)
            noisy.core.on_base_sample(noisy.sample(old - old % (10 * MS)), noisy.now)
        b = noisy.step()
        assert (a is None) == (b is None)
        if a is not None:
            assert a.effort.tobytes() == b.effort.tobytes()


def test_a_stopped_stream_brings_the_arm_to_rest_and_is_reported(rig):
    for k in range(50):
        rig.core.on_reference(JointTrajectory(
            rig.names, [0.0], [POSTURE + 0.002 * k], [np.full(6, 0.2)]), rig.now)
        rig.run(0.01)
    command = rig.run(1.0)
    assert command.state == ACTIVE
    assert not command.desired_velocity.any()
    assert rig.kinds().count(EventKind.REFERENCE_STOPPED) == 1


def test_a_stopped_stream_falls_back_where_configured(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, watchdog=WatchdogConfig(reference_stale='fallback'))
    rig.run(1.5)
    rig.core.on_reference(JointTrajectory(rig.names, [0.0], [POSTURE]), rig.now)
    rig.run(1.5)
    assert rig.core.state == GRAVITY_ONLY
    assert rig.core.status(rig.now)['stale_inputs'] == ('reference',)


# --------------------------------------------------------------------------------------- clock


def test_a_clock_that_jumps_back_gives_one_line_and_no_step(rig):
    rig.commands.clear()
    rig.events.clear()
    rig.now = rig.epoch = START - 800 * MS
    rig.run(2.0)
    assert rig.kinds().count(EventKind.CLOCK_JUMPED) == 1
    assert rig.states()[0] in (HOLDING, RAMPING_IN)
    assert rig.states()[-1] == ACTIVE
    assert rig.largest_step() < GENTLE


def test_after_a_jump_without_new_inputs_the_stages_follow(rig):
    rig.commands.clear()
    rig.now -= 800 * MS
    rig.joint_states = rig.imu = False
    rig.run(1.0)
    assert rig.states() == [HOLDING, RAMPING_TO_GRAVITY, GRAVITY_ONLY]
    assert rig.largest_step() < GENTLE


def test_a_clock_that_stands_still_repeats_the_command(rig):
    rig.posture = POSTURE - 0.3
    rig.feed()
    first = rig.core.command(rig.now)
    for _ in range(100):
        assert rig.core.command(rig.now).effort.tobytes() == first.effort.tobytes()


def test_a_small_step_back_of_the_clock_is_no_jump(rig):
    rig.events.clear()
    rig.core.command(rig.now)
    rig.core.command(rig.now - 5 * MS)
    assert rig.core.take_events() == []


def test_a_leap_ahead_of_the_clock_is_silence_of_the_inputs(rig):
    rig.commands.clear()
    rig.now += 5_000 * MS
    rig.joint_states = rig.imu = False
    assert rig.step().state == HOLDING
    assert rig.largest_step() < GENTLE if len(rig.commands) > 1 else True


# ------------------------------------------------------------------------------------- the end


@pytest.mark.parametrize('end', ['zero', 'gravity'])
def test_stop_ramps_to_gravity_and_ends_as_configured(pa10, pa10_dynamics, end):
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,), ramp=RampConfig(end_at=end))
    rig.run(1.5)
    rig.core.on_reference(JointTrajectory(
        rig.names, [0.0, 10.0], [POSTURE, POSTURE + 0.5], np.zeros((2, 6))), rig.now)
    rig.run(0.2)
    rig.commands.clear()
    rig.core.stop(rig.now)
    rig.run(2.5)
    assert rig.core.finished
    assert rig.states() == [RAMPING_OUT, FINISHED]
    assert rig.largest_step() < GENTLE
    last = rig.commands[-1]
    if end == 'zero':
        assert not last.effort.any()
    else:
        np.testing.assert_allclose(
            last.effort, gravity(rig, pa10_dynamics, last.stamp_ns), rtol=0.02, atol=0.02)
    assert rig.core.command(rig.now) is None


def test_stop_works_while_inputs_are_silent(rig):
    rig.joint_states = rig.imu = False
    rig.core.stop(rig.now)
    rig.commands.clear()
    rig.run(2.5)
    assert rig.core.finished
    assert not rig.commands[-1].effort.any()
    assert rig.largest_step() < GENTLE


def test_stop_after_the_final_zero_does_not_raise_the_effort_again(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, watchdog=WatchdogConfig(final_action='zero'))
    rig.run(1.5)
    rig.imu = False
    rig.run(4.0)
    rig.core.stop(rig.now)
    command = rig.step()
    assert not command.effort.any()
    assert rig.core.finished


def test_stop_before_the_first_command_ends_at_once(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.core.stop(rig.now)
    assert rig.core.finished
    assert rig.step() is None


def test_start_after_the_end_ramps_in_again(rig):
    rig.core.stop(rig.now)
    rig.run(4.0)
    rig.core.start()
    assert rig.core.state == WAITING
    rig.commands.clear()
    rig.run(1.5)
    assert rig.states() == [RAMPING_IN, ACTIVE]


def test_a_second_activation_without_measured_effort_starts_from_the_last_command(
        pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, ramp=RampConfig(end_at='gravity'))
    rig.effort = ()
    rig.run(1.5)
    rig.core.stop(rig.now)
    rig.run(2.0)
    last = rig.commands[-1]
    assert last.state == FINISHED
    rig.core.start()
    np.testing.assert_array_equal(rig.step().effort, last.effort)


def test_start_while_running_changes_nothing(rig):
    rig.core.start()
    assert rig.core.state == ACTIVE


# ----------------------------------------------------------------------------------- the limits


def test_saturated_joints_are_named_and_the_effort_stays_within_the_limits(rig, pa10):
    rig.posture = POSTURE + np.array([0, 3.0, 0, 0, 0, 0])
    command = rig.run(0.5)
    assert 'joint2' in command.saturated
    assert (np.abs(command.effort) <= pa10.effort_limit).all()
    assert EventKind.SATURATED in rig.kinds()
    assert rig.core.status(rig.now)['saturated'] == command.saturated


def test_a_jump_of_the_measured_position_moves_the_effort_no_faster_than_the_rate_limit(rig):
    rig.posture = POSTURE - 0.5
    rig.run(0.1)
    assert rig.largest_step() <= RATE_LIMIT
    assert any('joint2' in command.rate_limited for command in rig.commands)


def test_the_gravity_effort_for_the_guard_is_known_once_joint_states_are(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    assert rig.core.gravity_effort() is None
    rig.run(1.0)
    np.testing.assert_allclose(
        rig.core.gravity_effort(), gravity(rig, pa10_dynamics, rig.now - 2 * MS), rtol=1e-2,
        atol=1e-2)


def test_the_status_tells_ages_and_rates(rig):
    status = rig.core.status(rig.now)
    assert status['state'] == ACTIVE
    assert status['joint_states_rate'] == pytest.approx(500, rel=0.01)
    assert status['base_motion_rate'] == pytest.approx(100, rel=0.01)
    assert status['joint_states_age'] == pytest.approx(0.002)
    assert status['stale_inputs'] == ()
    assert status['base_level'] == 'full'

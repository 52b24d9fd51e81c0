"""How the feedforward begins and ends: nothing too early, no step, a known last effort."""

import dataclasses

from control_rig import GENTLE, held_gravity, MS, POSTURE, Rig
import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import (
    ACTIVE, FINISHED, GRAVITY_ONLY, RAMPING_IN, RAMPING_OUT, WAITING)
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.watchdog import WatchdogConfig
from robot_dynamics.imu.sample import NOT_REPORTED

ZERO = np.zeros(6)


# ---- before the first ----


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


def test_a_missing_joint_gives_a_line_ever_more_rarely_and_no_command(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.names[2] = 'other'
    assert rig.run(3.0) is None
    events = [event for event in rig.events if event.kind is EventKind.JOINT_MISSING]
    assert 2 <= len(events) <= 3
    assert 'joint3' in events[0].text
    assert events[1].suppressed > 400


@pytest.mark.parametrize('how', ['covariance', 'absent'])
def test_an_imu_without_orientation_gives_no_command_and_a_line_at_once_and_later(
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


def test_without_orientation_gravity_only_takes_the_tilt_from_the_specific_force(
        pa10, pa10_dynamics):
    tilted = ShipMotion.regular(roll=(0.2, 1e9, np.pi / 2), pitch=None)  # stands still
    rig = Rig(pa10, pa10_dynamics, ship=tilted, require_orientation=False,
              base_motion='gravity_only')
    original = rig.sample
    rig.sample = lambda stamp: dataclasses.replace(original(stamp), orientation_xyzw=None)
    command = rig.run(1.5)
    expected = held_gravity(rig, pa10_dynamics, command.acts_at_ns)
    np.testing.assert_allclose(command.effort, expected, atol=1e-6)


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


# ---- ramp in ----


def test_activation_ramps_in_from_the_measured_effort(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.effort = np.array([5.0, -40.0, 3.0, 0.1, -0.2, 0.0])
    first = rig.step()
    np.testing.assert_allclose(first.effort, rig.effort)
    assert first.state == RAMPING_IN
    rig.run(1.5)
    assert rig.states() == [RAMPING_IN, ACTIVE]
    assert rig.largest_step() < GENTLE


def test_activation_ramps_in_from_zero_when_asked(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, ramp=RampConfig(start_from='zero'))
    rig.effort = np.ones(6)
    assert not rig.step().effort.any()
    rig.run(1.5)
    assert rig.largest_step() < GENTLE


@pytest.mark.parametrize('effort', [(), np.zeros(6)], ids=['none', 'zero'])
def test_an_arm_whose_driver_measures_no_effort_is_taken_to_be_held_by_gravity(
        pa10, pa10_dynamics, effort):
    rig = Rig(pa10, pa10_dynamics)
    rig.effort = effort
    gravity = held_gravity(rig, pa10_dynamics, rig.now)
    assert abs(gravity).max() > 20.0
    np.testing.assert_allclose(rig.step().effort, gravity, atol=0.1)
    rig.run(1.5)
    assert rig.largest_step() < GENTLE


@pytest.mark.parametrize('joints', [range(6), [2]])
def test_an_absurd_measured_effort_is_not_used_gravity_is_started_from(
        pa10, pa10_dynamics, joints):
    rig = Rig(pa10, pa10_dynamics)
    rig.effort[list(joints)] = 20000.0
    first = rig.step()
    np.testing.assert_allclose(
        first.effort, held_gravity(rig, pa10_dynamics, first.stamp_ns), rtol=0.02, atol=0.02)
    [event] = [event for event in rig.events if event.kind is EventKind.EFFORT_IMPLAUSIBLE]
    assert pa10.joint_names[joints[0]] in event.text or len(joints) > 1
    assert '20000 Nm' in event.text and 'limit of' in event.text
    rig.run(0.5)
    assert rig.largest_step() < GENTLE


# ---- the end ----


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
            last.effort, held_gravity(rig, pa10_dynamics, last.stamp_ns), rtol=0.02, atol=0.02)
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


def test_who_comes_while_nobody_heard_gets_the_whole_ramp(rig):
    rig.run(1.5)
    full = np.abs(rig.commands[-1].effort).max()
    rig.effort = np.full(6, 0.1)  # nobody: the arm is in its brakes
    rig.core.on_no_subscribers(rig.now)
    assert rig.core.state == WAITING
    rig.now += 500_000_000
    for _ in range(5):
        first = rig.step()
        if first is not None:
            break
        rig.run(0.3)
    assert np.abs(first.effort).max() < 0.05 * full


def test_a_newcomer_gets_a_ramp_from_the_last_command_where_none_is_measured(rig):
    rig.effort = ()
    rig.run(1.5)
    last = rig.commands[-1].effort
    rig.core.on_new_subscriber(rig.now)
    np.testing.assert_array_equal(rig.step().effort, last)
    assert rig.core.state == RAMPING_IN


def test_start_while_running_changes_nothing(rig):
    rig.core.start()
    assert rig.core.state == ACTIVE


def test_nothing_begins_at_a_posture_after_which_others_were_refused(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, watchdog=WatchdogConfig(joint_states_age=2.0))
    rig.run(1.5)
    rig.core.on_no_subscribers(rig.now)  # nothing is asked for meanwhile, and the arm falls
    for rig.posture in (np.full(6, 10.0), POSTURE + 0.3):
        for _ in range(200):
            rig.feed()
            rig.now += 2 * MS
        command = rig.core.command(rig.now)
        if rig.posture[0] == 10.0:
            assert command is None
            rig.now += 2 * MS
    np.testing.assert_allclose(command.desired_position, rig.posture, atol=1e-3)
    assert rig.core.trip is None

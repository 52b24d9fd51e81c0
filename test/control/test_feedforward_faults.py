"""What goes wrong around the feedforward ends in a known state, without a step of the effort."""


from control_rig import GENTLE, held_gravity, MS, POSTURE, RATE_LIMIT, Rig, START
import numpy as np
import pytest

from robot_dynamics.control.envelope import EnvelopeConfig
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import (
    ACTIVE, FINAL_ACTION, GRAVITY_ONLY, HOLDING, RAMPING_IN, RAMPING_TO_GRAVITY)
from robot_dynamics.control.joint_checks import JointChecksConfig
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.watchdog import WatchdogConfig

ZERO = np.zeros(6)


# ---- silence ----


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
    expected = held_gravity(rig, pa10_dynamics, tilt)
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
    assert entered[HOLDING] == pytest.approx(50 + 2, abs=2)
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


def test_the_final_service_is_wanted_until_the_recovery_while_gravity_is_held(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, watchdog=WatchdogConfig(final_action='call_service'))
    rig.run(1.5)
    rig.imu = False
    rig.run(1.0)
    assert not rig.core.wants_service
    command = rig.run(3.0)
    assert command.state == FINAL_ACTION
    assert rig.core.wants_service
    assert np.abs(command.effort).max() > 1.0
    rig.imu = True
    rig.run(1.0)
    assert not rig.core.wants_service
    rig.imu = False
    rig.run(4.0)
    assert rig.core.wants_service
    rig.core.stop(rig.now)
    rig.run(4.0)
    assert rig.core.finished and not rig.core.wants_service


def test_a_short_gap_is_bridged_without_leaving_the_reference(rig):
    rig.core.on_reference(JointTrajectory(
        rig.names, [1.0, 2.0], [POSTURE, POSTURE + 0.02], np.zeros((2, 6)), np.zeros((2, 6))),
        rig.now)
    rig.commands.clear()
    rig.joint_states = False
    rig.run(0.08)
    rig.joint_states = True
    rig.run(3.0)
    assert rig.states() == [ACTIVE, HOLDING, RAMPING_IN, ACTIVE]
    np.testing.assert_allclose(rig.commands[-1].desired_position, POSTURE + 0.02)
    assert rig.largest_step() < GENTLE


@pytest.mark.parametrize('rate', [40, 50, 125])
def test_slow_joint_states_do_not_keep_the_ramp_from_ending(pa10, pa10_dynamics, rate):
    rig = Rig(pa10, pa10_dynamics, base_motion='fixed', ramp=RampConfig(start_from='zero'))
    every = 500 // rate
    for k in range(1000):
        rig.joint_states = k % every == 0
        rig.step()
    expected = pa10_dynamics.torque(POSTURE, ZERO, ZERO)
    np.testing.assert_allclose(rig.commands[-1].effort, expected, atol=0.05)
    assert rig.largest_step() < GENTLE


def test_bursts_of_joint_states_are_taken_as_the_newest(rig):
    rig.commands.clear()
    late = []
    for k in range(300):
        late.append(rig.now)
        if len(late) == 5:
            for stamp in late:
                rig.core.on_joint_state(stamp, rig.now, rig.names, POSTURE, ZERO, ZERO)
            late.clear()
        rig.joint_states = False
        rig.step()
    assert rig.states() == [ACTIVE]


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
            rig.names, [0.0], [POSTURE + 2e-4 * k], [np.full(6, 0.02)]), rig.now)
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


# ---- clock ----


def test_a_clock_that_jumps_back_gives_one_line_and_no_step(rig):
    rig.commands.clear()
    rig.events.clear()
    rig.now = rig.epoch = START - 800 * MS
    rig.run(2.0)
    assert rig.kinds().count(EventKind.CLOCK_JUMPED) == 1
    assert rig.states()[0] in (HOLDING, RAMPING_IN)
    assert rig.states()[-1] == ACTIVE
    assert rig.largest_step() < GENTLE


def test_a_reference_from_before_the_jump_is_dropped_and_the_arm_held(rig):
    rig.core.on_reference(JointTrajectory(
        rig.names, [1.0, 20.0], [POSTURE, POSTURE + 0.2], np.zeros((2, 6))), rig.now)
    rig.run(1.0)
    assert rig.core.status(rig.now)['following_reference']
    rig.now = rig.epoch = START - 800 * MS
    command = rig.run(2.0)
    assert not rig.core.status(rig.now)['following_reference']
    np.testing.assert_array_equal(command.desired_position, POSTURE)
    assert command.state == ACTIVE


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
    assert rig.core.drain_events() == []


def test_a_leap_ahead_of_the_clock_is_silence_of_the_inputs(rig):
    rig.commands.clear()
    rig.now += 5_000 * MS
    rig.joint_states = rig.imu = False
    assert rig.step().state == HOLDING
    assert rig.largest_step() < GENTLE if len(rig.commands) > 1 else True


# ---- the limits ----


@pytest.fixture
def trusting(pa10, pa10_dynamics):
    """Return a rig with feedback that is active and takes any position for plausible."""
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,),
              joint_checks=JointChecksConfig(position_margin=10.0, position_step=10.0),
              envelope=EnvelopeConfig(share=(0.0,)))
    rig.run(1.5)
    return rig


def test_saturated_joints_are_named_and_the_effort_stays_within_the_limits(trusting, pa10):
    rig = trusting
    rig.posture = POSTURE + np.array([0, 3.0, 0, 0, 0, 0])
    command = rig.run(0.25)
    assert 'joint2' in command.saturated
    assert (np.abs(command.effort) <= pa10.effort_limit).all()
    assert EventKind.SATURATED in rig.kinds()
    assert rig.core.status(rig.now)['saturated'] == command.saturated


def test_a_jump_of_the_measured_position_moves_the_effort_no_faster_than_the_rate_limit(
        trusting):
    rig = trusting
    rig.posture = POSTURE - 0.5
    rig.run(0.1)
    assert rig.largest_step() <= RATE_LIMIT
    assert any('joint2' in command.rate_limited for command in rig.commands)


def test_the_gravity_effort_for_the_guard_is_known_once_joint_states_are(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    assert rig.core.gravity_effort() is None
    rig.run(1.0)
    np.testing.assert_allclose(
        rig.core.gravity_effort(), held_gravity(rig, pa10_dynamics, rig.now - 2 * MS), rtol=1e-2,
        atol=1e-2)


def test_the_status_tells_ages_and_rates(rig):
    status = rig.core.status(rig.now)
    assert status['state'] == ACTIVE
    assert status['joint_states_rate'] == pytest.approx(500, rel=0.01)
    assert status['base_motion_rate'] == pytest.approx(100, rel=0.01)
    assert status['joint_states_age'] == pytest.approx(0.002)
    assert status['stale_inputs'] == ()
    assert status['base_level'] == 'full'

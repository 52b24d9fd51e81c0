"""What a guard begins with is what the arm feels, as far as anybody knows."""

import numpy as np
import pytest
from robot_dynamics.control.guard import EffortGuard, GuardConfig, WAITING
from test_effort_guard import GRAVITY, JOINTS, LIMIT, MS, Stream


def test_the_first_command_is_led_to_from_the_gravity_effort():
    guard = EffortGuard(GuardConfig(joints=JOINTS, envelope_share=(0.0,)), LIMIT)
    guard.on_gravity_effort(JOINTS, GRAVITY, 0)
    command, last = np.array([-100.0, 10.0]), GRAVITY
    np.testing.assert_array_equal(guard.on_command(command, 0), last)
    for k in range(1, 300):
        sent = guard.on_command(command, 2 * k * MS)
        assert (np.abs(sent - last) <= 0.01 * LIMIT).all()
        last = sent
    np.testing.assert_array_equal(last, command)


@pytest.mark.parametrize('measured, start', [
    ((30.0, -3.0), (30.0, -3.0)), ((-3.0, 30.0), GRAVITY), ((0.0, 0.0), GRAVITY),
    ((np.nan, 1.0), GRAVITY), ((7.0,), GRAVITY), (None, GRAVITY)])
def test_the_first_command_is_led_to_from_the_measured_effort_where_that_can_be(measured, start):
    guard = EffortGuard(GuardConfig(joints=JOINTS, envelope_share=(0.0,)), LIMIT)
    guard.on_gravity_effort(JOINTS, GRAVITY, 0)
    if measured is not None:
        guard.on_joint_state(('other', *JOINTS), (99.0, *measured), 0)
    np.testing.assert_array_equal(guard.on_command([-100.0, 10.0], 0), start)


def test_an_old_measured_effort_is_not_started_from():
    guard = EffortGuard(GuardConfig(joints=JOINTS, envelope_share=(0.0,)), LIMIT)
    guard.on_joint_state(JOINTS, (30.0, -3.0), 0)
    guard.on_gravity_effort(JOINTS, GRAVITY, 500 * MS)
    np.testing.assert_array_equal(guard.on_command([-100.0, 10.0], 500 * MS), GRAVITY)


@pytest.mark.parametrize('age', [10, 100, 190])
def test_a_measured_effort_that_is_older_than_what_was_sent_last_is_not_started_from(age):
    guard = EffortGuard(GuardConfig(joints=JOINTS, envelope_share=(0.0,)), LIMIT)
    felt, wanted, k = np.array([30.0, -3.0]), np.array([50.0, -5.0]), 0
    guard.on_joint_state(JOINTS, felt, 0)
    sent = guard.on_command(wanted, 0)
    while not np.array_equal(sent, wanted):
        k += 2
        guard.on_joint_state(JOINTS, felt, k * MS)  # a busy machine: it shows nothing of this
        sent = guard.on_command(wanted, k * MS)
    guard.on_finished(k * MS)  # and somebody begins again
    assert guard.state == WAITING
    np.testing.assert_array_equal(guard.on_command(wanted, (k + age) * MS), wanted)
    guard.on_no_subscribers((k + age) * MS)  # whoever held that has gone
    guard.on_joint_state(JOINTS, felt, (k + age) * MS)
    np.testing.assert_array_equal(guard.on_command(wanted, (k + age + 2) * MS), felt)


@pytest.mark.parametrize('late', [1, 10, 100])
def test_a_feedforward_that_notices_later_and_ramps_as_well_is_not_led_to_twice(late):
    guard = EffortGuard(GuardConfig(joints=JOINTS, envelope_share=(0.0,)), LIMIT)
    felt, wanted = np.array([40.0, -4.0]), np.array([47.0, -4.5])
    guard.on_joint_state(JOINTS, felt, 0)
    sent = [guard.on_command(wanted, 2 * k * MS) for k in range(late)]
    for k in range(800):  # from what the arm feels
        command = sent[late - 1] + min(k / 500, 1.0) * (wanted - sent[late - 1])
        sent.append(guard.on_command(command, 2 * (late + k) * MS))
    way = (np.array(sent) - felt) / (wanted - felt)
    assert way.min() >= -1e-9 and way.max() <= 1.0 + 1e-9
    np.testing.assert_allclose(way[-1], 1.0)
    assert abs(np.diff(way, axis=0)).max() < 0.01  # and no step


def test_a_controller_that_comes_back_is_led_on_from_what_the_arm_feels_then():
    stream = Stream()
    stream.run(0.1)
    stream.guard.on_no_subscribers(stream.now)
    assert stream.guard.state == WAITING and stream.guard.tick(stream.now) is None
    stream.guard.on_joint_state(JOINTS, (1.0, 1.0), stream.now)
    np.testing.assert_array_equal(
        stream.guard.on_command(stream.command, stream.now), [1.0, 1.0])


def begun(commands, **config):
    """Return what a guard that knows nothing sends of commands, by their number."""
    guard, sent = EffortGuard(GuardConfig(joints=JOINTS, **config), LIMIT), {}
    for k, command in enumerate(commands):
        effort = guard.on_command(command, 2 * k * MS)
        if effort is not None:
            sent[k] = effort.tolist()
    return guard, sent


def test_where_nobody_knows_what_acts_commands_pass_once_they_agree():
    guard, sent = begun([[50.0 + 0.1 * k, 5.0] for k in range(300)])
    assert min(sent) == 100 and sent[100] == [60.0, 5.0]  # the recovery time, and no step
    assert max(abs(sent[k + 1][0] - sent[k][0]) for k in range(100, 299)) < 0.11
    assert any('agree' in event.text for event in guard.drain_events())


@pytest.mark.parametrize('wrong', [0, 50, 99])
def test_one_command_that_is_wrong_among_the_first_is_never_sent(wrong):
    commands = [[50.0, 5.0]] * 300
    commands[wrong] = [-1e4, 10.0]
    _, sent = begun(commands)
    assert min(sent) > 100 and all(effort == [50.0, 5.0] for effort in sent.values())


def test_commands_that_never_agree_are_never_sent():
    guard, sent = begun([[50.0, 5.0], [-50.0, 5.0]] * 500)
    assert not sent and guard.state == WAITING


def test_a_pause_among_the_first_commands_begins_anew():
    guard, sent = EffortGuard(GuardConfig(joints=JOINTS), LIMIT), []
    for k in range(10):
        sent.append(guard.on_command([50.0, 5.0], 300 * k * MS))
    assert sent == [None] * 10

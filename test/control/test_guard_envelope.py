"""The guard holds commands near the gravity effort, and stops for good what stays away from it."""

import numpy as np
import pytest
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.guard import EffortGuard, FORWARDING
from robot_dynamics.control.guard_config import GuardConfig
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.watchdog import GRAVITY_ONLY, RAMPING_TO_GRAVITY
from robot_dynamics.core.errors import ConfigurationError
from test_effort_guard import GRAVITY, JOINTS, LIMIT, Stream


def running(**config):
    """Return a stream of commands that hold gravity."""
    stream = Stream(**{'envelope_share': (0.5,), **config})
    stream.command = GRAVITY
    stream.run(0.1)
    del stream.sent[:-1]
    return stream


@pytest.mark.parametrize('share', [0.2, 0.5])
@pytest.mark.parametrize('command', [(-100.0, 10.0), (1e9, -4.0), (39.0, 4.0)])
def test_commands_go_no_further_from_gravity_than_the_envelope(share, command):
    stream = running(envelope_share=(share,), envelope_time=0.0)
    stream.command = np.array(command)
    stream.run(0.5)
    highest = np.minimum(GRAVITY + share * LIMIT, LIMIT)
    lowest = np.maximum(GRAVITY - share * LIMIT, -LIMIT)
    np.testing.assert_allclose(stream.efforts()[-1], np.clip(command, lowest, highest))
    assert stream.largest_step() <= 0.02 + 1e-9
    assert stream.states == [FORWARDING]


def test_one_command_that_is_wrong_moves_nothing():
    stream = running()
    stream.command = np.array([-100.0, 10.0])
    stream.run(0.002)
    stream.command = GRAVITY
    stream.run(0.1)
    np.testing.assert_array_equal(stream.efforts(), np.tile(GRAVITY, (len(stream.sent), 1)))
    assert stream.states == [FORWARDING]


def test_commands_that_are_cut_for_a_second_are_stopped_until_somebody_clears_it():
    stream = running()
    stream.command = np.array([-100.0, -4.0])
    stream.run(0.9)
    assert stream.guard.trip is None
    stream.run(0.2)
    assert stream.guard.state == RAMPING_TO_GRAVITY
    assert stream.guard.trip.cause == 'saturation' and 'joint a' in stream.guard.trip.text
    assert stream.guard.status(stream.now)['trip'] == stream.guard.trip.text
    stream.command = GRAVITY  # right again, but that is not enough
    stream.run(2.0)
    assert stream.guard.state == GRAVITY_ONLY
    np.testing.assert_allclose(stream.efforts()[-1], GRAVITY)
    stream.command = np.array([50.0, -5.0])
    assert stream.guard.clear_trip() is not None and stream.guard.clear_trip() is None
    stream.run(1.5)
    assert stream.guard.state == FORWARDING
    np.testing.assert_array_equal(stream.efforts()[-1], stream.command)
    assert stream.largest_step() <= 0.02 + 1e-9
    kinds = [event.kind for event in stream.guard.drain_events()]
    assert EventKind.TRIPPED in kinds and EventKind.SATURATED in kinds


def test_what_was_cut_now_and_then_is_forwarded_on():
    stream = running()
    for _ in range(10):
        stream.command = np.array([-100.0, -4.0])
        stream.run(0.3)
        stream.command = GRAVITY
        stream.run(0.05)
    assert stream.guard.trip is None and stream.states == [FORWARDING]


def test_one_gravity_effort_that_is_wrong_moves_nothing():
    stream = running()
    for wrong in ([-100.0, 10.0], [-1e4, 4.0], [np.nan, 0.0]):
        stream.guard.on_gravity_effort(JOINTS, wrong, stream.now)
        stream.run(0.1)
    assert (np.abs(stream.efforts() - GRAVITY) / LIMIT).max() <= 1e-9


def test_where_nobody_tells_of_gravity_the_rate_limit_alone_holds():
    stream = running(gravity_age=0.2)
    stream.gravity = None
    stream.run(0.3)
    stream.command = np.array([-100.0, 10.0])
    stream.run(0.5)
    np.testing.assert_array_equal(stream.efforts()[-1], stream.command)
    assert stream.largest_step() <= 0.02 + 1e-9


def test_a_share_for_the_wrong_number_of_joints_is_refused():
    with pytest.raises(ConfigurationError, match='envelope_share'):
        EffortGuard(GuardConfig(joints=JOINTS, envelope_share=(0.1, 0.2, 0.3)), LIMIT)


def mixed(pattern, other, seconds, **config):
    """Return a stream into which others send; ``pattern`` holds 1 where a command is theirs."""
    stream = running(**config)
    for k in range(round(seconds / 0.002)):
        stream.command = np.array(other) if pattern[k % len(pattern)] else GRAVITY
        stream.run(0.002)
    return stream


@pytest.mark.parametrize('pattern', [(1, 0), (1, 1, 0), (1, 1, 1, 0), (0, 0, 0, 0, 0, 1)])
@pytest.mark.parametrize('other', [LIMIT, -LIMIT, (90.0, -4.0), (1e300, -1e300)])
@pytest.mark.parametrize('share', [0.5, 0.0])
def test_commands_that_jump_among_others_are_never_sent_and_stop_the_arm_for_good(
        pattern, other, share):
    stream = mixed(pattern, other, 0.4, envelope_share=(share,))
    np.testing.assert_allclose(stream.efforts() - GRAVITY, 0.0, atol=1e-9)
    trip = stream.guard.trip
    assert trip.cause == 'jump' and 'publisher' in trip.text and trip.stamp_ns <= 0.45e9


def test_commands_of_others_that_are_near_move_the_effort_no_further_than_they_are():
    stream = mixed((1, 1, 0), GRAVITY + 0.09 * LIMIT, 1.0)
    assert (np.abs(stream.efforts() - GRAVITY) / LIMIT).max() <= 0.09 + 1e-9
    assert stream.guard.trip is None


def test_commands_of_others_now_and_then_are_told_and_stop_nothing():
    stream = mixed((1,) + 100 * (0,), LIMIT, 2.0)
    np.testing.assert_array_equal(stream.efforts()[-1], GRAVITY)
    assert stream.guard.trip is None
    told = [event for event in stream.guard.drain_events()
            if event.kind == EventKind.COMMAND_REFUSED]
    assert told and 'joint a jumps by' in told[0].text and 'publisher' in told[0].text


def test_an_effort_that_jumps_and_stays_is_followed_by_the_rate_limit():
    stream = running(envelope_share=(0.0,))
    stream.command = GRAVITY - 0.4 * LIMIT  # as when a joint with much friction turns round
    stream.run(0.1)
    np.testing.assert_allclose(stream.efforts()[-1], stream.command)
    assert stream.largest_step() <= 0.02 + 1e-9
    for k in range(20):  # again and again
        stream.command = GRAVITY + (0.1 if k % 2 else -0.1) * LIMIT
        stream.run(0.03)
    assert stream.guard.trip is None and stream.states == [FORWARDING]


def test_a_larger_rate_of_limit_lets_larger_jumps_pass_at_once():
    stream = running(envelope_share=(0.0,), limits=LimitsConfig(rate_of_limit=300.0))
    stream.command = GRAVITY - 0.4 * LIMIT
    stream.run(0.002)
    np.testing.assert_allclose(stream.efforts()[-1], stream.command)

"""The guard forwards fresh finite commands, and ends their silence by itself."""

from hypothesis import given, settings, strategies
import numpy as np
import pytest

from robot_dynamics.control.events import EventKind
from robot_dynamics.control.guard import EffortGuard, FORWARDING, GuardConfig, WAITING
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.watchdog import (
    FINAL_ACTION, GRAVITY_ONLY, HOLDING, RAMPING_TO_GRAVITY)
from robot_dynamics.core.errors import ConfigurationError

MS = 1_000_000
JOINTS = ('a', 'b')
LIMIT = np.array([100.0, 10.0])
GRAVITY = np.array([40.0, -4.0])


class Stream:
    """A feedforward's commands at 500 Hz through a guard that ticks at 500 Hz."""

    def __init__(self, **config):
        config.setdefault('command_age', 0.02)
        config.setdefault('envelope_share', (0.0,))  # commands and gravity have nothing in common
        self.guard = EffortGuard(GuardConfig(joints=JOINTS, **config), LIMIT)
        self.now = 0
        self.command = np.array([50.0, 5.0])
        self.gravity = GRAVITY
        self.alive = True
        self.sent = []
        self.states = []

    def run(self, seconds):
        """Go on for a time."""
        for _ in range(int(round(seconds / 0.002))):
            effort = None
            if self.alive:
                if self.gravity is not None:
                    if not self.sent:  # a guard begins at the gravity effort
                        self.guard.on_gravity_effort(JOINTS, self.command, self.now)
                    else:
                        self.guard.on_gravity_effort(('b', 'a'), self.gravity[::-1], self.now)
                effort = self.guard.on_command(self.command, self.now)
            tick = self.guard.tick(self.now)
            effort = tick if effort is None else effort
            if effort is not None:
                self.sent.append((self.now, effort))
            if not self.states or self.states[-1] != self.guard.state:
                self.states.append(self.guard.state)
            self.now += 2 * MS

    def efforts(self):
        """Return what was sent, (N, 2)."""
        return np.array([effort for _, effort in self.sent])

    def largest_step(self):
        """Return the largest change, as a share of the limit."""
        return (np.abs(np.diff(self.efforts(), axis=0)) / LIMIT).max()


def test_fresh_commands_pass_unchanged():
    stream = Stream()
    stream.run(0.1)
    assert len(stream.sent) == 50
    np.testing.assert_array_equal(stream.efforts(), np.tile([50.0, 5.0], (50, 1)))
    assert stream.states == [FORWARDING]


@pytest.mark.parametrize('first', ['command', 'tick', 'command that waited'])
def test_a_guard_that_was_frozen_leads_on_from_what_the_controller_holds(first):
    stream = Stream()
    stream.run(0.1)
    stream.now += 3000 * MS
    if first == 'tick':
        stream.guard.tick(stream.now)
    elif first == 'command that waited':
        stream.guard.on_command(stream.command, stream.now)
    stream.command = np.array([-80.0, 8.0])
    stream.run(1.0)
    assert stream.largest_step() < 0.01
    np.testing.assert_array_equal(stream.efforts()[-1], stream.command)


def test_nothing_is_sent_before_the_first_command():
    stream = Stream()
    stream.alive = False
    stream.run(1.0)
    assert stream.sent == []
    assert stream.guard.state == WAITING


def test_silence_is_held_then_ramped_to_the_gravity_effort():
    stream = Stream()
    stream.run(0.1)
    stream.alive = False
    stream.run(2.0)
    assert stream.states == [FORWARDING, HOLDING, RAMPING_TO_GRAVITY, GRAVITY_ONLY]
    np.testing.assert_allclose(stream.efforts()[-1], GRAVITY)
    assert stream.largest_step() < 0.01


def test_the_guard_takes_over_within_the_command_age_and_a_tick():
    stream = Stream()
    stream.run(0.1)
    killed = stream.now
    stream.alive = False
    stream.run(0.1)
    first = next(stamp for stamp, _ in stream.sent if stamp >= killed)
    assert first - killed <= 20 * MS
    ramp = next(stamp for stamp, effort in stream.sent
                if stamp >= killed and effort[0] != 50.0)
    assert ramp - killed <= (20 + 50 + 4) * MS


@pytest.mark.parametrize('gravity', [None, 'old'])
def test_without_a_recent_gravity_effort_it_ramps_to_zero(gravity):
    stream = Stream()
    stream.gravity = None
    if gravity == 'old':
        stream.guard.on_gravity_effort(JOINTS, GRAVITY, 0)
        stream.now = 3000 * MS
    stream.run(0.3)
    stream.sent.clear()
    stream.alive = False
    stream.run(1.0)
    assert not stream.efforts()[-1].any()
    assert stream.largest_step() < 0.01


def test_the_final_action_zero_ramps_to_zero():
    stream = Stream(final_action='zero')
    stream.run(0.1)
    stream.alive = False
    stream.run(4.0)
    assert stream.states[-2:] == [GRAVITY_ONLY, FINAL_ACTION]
    assert not stream.efforts()[-1].any()


@pytest.mark.parametrize('silent', [0.0, 0.08, 0.3, 1.0])
def test_a_guard_that_takes_over_has_settled_when_it_sends_gravity_and_not_before(silent):
    stream = Stream(ramp_time=0.5)
    stream.run(0.1)
    stream.alive = False
    stream.run(silent)
    stream.guard.take_over(stream.now)
    steps = 0
    while not stream.guard.settled(stream.now - 2 * MS):  # of the last step
        assert not stream.sent or not np.allclose(stream.efforts()[-1], GRAVITY, atol=1e-9)
        stream.run(0.002)
        steps += 1
    np.testing.assert_allclose(stream.efforts()[-1], GRAVITY, atol=1e-12)
    assert (steps == 0) == (silent == 1.0) and stream.largest_step() < 0.01


def test_a_guard_whose_final_action_is_zero_has_settled_at_zero():
    stream = Stream(ramp_time=0.2, final_action='zero', final_delay=0.1)
    stream.run(0.1)
    stream.alive = False
    stream.run(0.4)
    assert stream.guard.state == FINAL_ACTION
    while not stream.guard.settled(stream.now - 2 * MS):
        assert stream.efforts()[-1].any()
        stream.run(0.002)
    np.testing.assert_allclose(stream.efforts()[-1], [0.0, 0.0], atol=1e-12)


def test_the_final_service_is_wanted_until_the_recovery():
    stream = Stream(final_action='call_service')
    stream.run(0.1)
    stream.alive = False
    stream.run(4.0)
    assert stream.guard.wants_service
    np.testing.assert_allclose(stream.efforts()[-1], GRAVITY)
    stream.alive = True
    stream.run(1.0)
    assert not stream.guard.wants_service


def test_with_a_final_effort_of_zero_the_service_is_called_only_once_the_effort_is_zero():
    stream = Stream(ramp_time=0.2, final_action='call_service', final_effort='zero',
                    final_delay=0.1)
    stream.run(0.1)
    stream.alive = False
    stream.run(0.4)
    assert stream.guard.state == FINAL_ACTION
    seen = []
    for _ in range(200):
        seen.append((bool(stream.efforts()[-1].any()), stream.guard.wants_service))
        stream.run(0.002)
    assert (True, False) in seen and (False, True) in seen
    assert (True, True) not in seen
    assert stream.largest_step() < 0.02


def test_a_restarted_feedforward_is_trusted_after_the_recovery_time_and_faded_in():
    stream = Stream()
    stream.run(0.1)
    stream.alive = False
    stream.run(1.0)
    stream.alive = True
    stream.command = np.array([-80.0, 8.0])
    stream.states.clear()
    stream.run(1.5)
    assert stream.states == [GRAVITY_ONLY, FORWARDING]
    np.testing.assert_array_equal(stream.efforts()[-1], stream.command)
    assert stream.largest_step() < 0.01


def test_a_short_gap_is_held_and_forwarding_goes_on():
    stream = Stream()
    stream.run(0.1)
    stream.alive = False
    stream.run(0.04)
    stream.alive = True
    stream.run(0.1)
    assert stream.states == [FORWARDING, HOLDING, FORWARDING]
    assert stream.largest_step() == 0.0


@pytest.mark.parametrize('end', ['notice', 'zero'])
def test_the_silence_of_a_feedforward_that_has_ended_is_no_fault(end):
    stream = Stream()
    stream.run(0.1)
    if end == 'zero':
        stream.command = np.zeros(2)
        stream.run(1.0)
    else:
        stream.guard.on_finished(stream.now)
    stream.alive = False
    count = len(stream.sent)
    stream.run(3.0)
    assert stream.guard.state == WAITING
    assert len(stream.sent) <= count


def test_a_feedforward_killed_while_its_zero_is_faded_to_is_missed():
    stream = Stream(final_action='zero')
    stream.run(0.1)
    stream.alive = False
    stream.run(1.0)
    stream.alive = True
    stream.command = np.zeros(2)
    stream.run(0.4)
    assert stream.guard.state == FORWARDING and stream.efforts()[-1].all()
    stream.alive = False
    stream.run(5.0)
    assert stream.guard.state == FINAL_ACTION and not stream.efforts()[-1].any()


@pytest.mark.parametrize('wanted', [[0.0, 0.0], [-30.0, 3.0]])
@pytest.mark.parametrize('silent, slow', [(0.2, False), (1.0, False), (0.0, True)])
def test_the_last_command_of_a_feedforward_that_has_ended_is_led_to(wanted, silent, slow):
    stream = Stream(limits=LimitsConfig(rate_of_limit=1.0 if slow else 20.0))
    stream.run(0.1)
    stream.alive = False
    stream.run(silent)
    stream.alive = True
    stream.command = np.array(wanted)
    stream.run(0.05)
    stream.guard.on_finished(stream.now)
    stream.alive = False
    stream.run(2.0)
    assert stream.guard.state == WAITING
    np.testing.assert_allclose(stream.efforts()[-1], wanted, atol=1e-9)
    assert stream.largest_step() < 0.01


def test_a_guard_that_takes_over_from_zero_adds_no_effort():
    stream = Stream()
    stream.command = np.zeros(2)
    stream.run(0.1)
    stream.guard.take_over(stream.now)
    stream.run(1.0)
    assert stream.guard.state == WAITING and not stream.efforts().any()


@pytest.mark.parametrize('bad', [
    [float('nan'), 1.0], [float('inf'), 1.0], [1.0], [1.0, 2.0, 3.0], None, 'x', [[1.0, 2.0]],
    ['a', 'b']])
def test_a_malformed_command_is_not_forwarded_and_does_not_count_as_alive(bad):
    stream = Stream()
    stream.run(0.1)
    stream.command = bad
    stream.run(1.0)
    assert stream.guard.state == GRAVITY_ONLY
    assert np.isfinite(stream.efforts()).all()
    kinds = [event.kind for event in stream.guard.drain_events()]
    assert EventKind.COMMAND_REFUSED in kinds


def test_limits_hold_for_what_is_forwarded():
    stream = Stream(limits=LimitsConfig(effort=(30.0,)))
    stream.run(0.1)
    np.testing.assert_array_equal(stream.efforts()[-1], [30.0, 5.0])


def test_changed_ages_and_times_hold_at_once_and_limits_by_the_rate():
    stream = Stream()
    stream.run(0.1)
    stream.guard.configure(GuardConfig(
        joints=JOINTS, command_age=0.2, hold_time=0.1, final_action='zero', final_delay=0.0,
        envelope_share=(0.0,),
        limits=LimitsConfig(effort=(20.0, 2.0))))
    stream.run(0.5)
    assert stream.largest_step() <= 0.02
    assert stream.sent[-1][1].tolist() == [20.0, 2.0]
    stream.alive = False
    stream.run(0.15)
    assert stream.guard.state == FORWARDING, 'not too old yet'
    stream.run(0.1)
    assert stream.guard.state == HOLDING
    stream.run(1.5)
    assert stream.guard.state == FINAL_ACTION and not stream.sent[-1][1].any()


def test_limits_that_do_not_fit_change_nothing():
    stream = Stream()
    with pytest.raises(ConfigurationError, match='limits.effort'):
        stream.guard.configure(GuardConfig(
            joints=JOINTS, command_age=9.0, limits=LimitsConfig(effort=(1.0, 2.0, 3.0))))
    stream.run(0.1)
    assert stream.sent[-1][1].tolist() == [50.0, 5.0]
    assert stream.guard.config.command_age != 9.0


def test_a_gravity_effort_of_other_joints_is_refused():
    stream = Stream()
    stream.guard.on_gravity_effort(('a', 'x'), [1.0, 2.0], 0)
    [event] = stream.guard.drain_events()
    assert 'joints' in event.text


def test_a_clock_that_jumps_back_makes_no_step():
    stream = Stream()
    stream.now = 5000 * MS
    stream.run(0.1)
    stream.now = 100 * MS
    stream.alive = False
    stream.run(2.0)
    assert stream.states[-1] == GRAVITY_ONLY
    assert stream.largest_step() < 0.01
    kinds = [event.kind for event in stream.guard.drain_events()]
    assert kinds.count(EventKind.CLOCK_JUMPED) == 1


def test_the_status_tells_state_and_ages():
    stream = Stream(limits=LimitsConfig(effort=(30.0,)))
    assert stream.guard.status(0)['command_age'] == float('inf')
    stream.run(0.1)
    status = stream.guard.status(stream.now + 3 * MS)
    assert status['state'] == FORWARDING
    assert status['command_age'] == pytest.approx(0.005)
    assert status['saturated'] == ('a',)


def test_joints_must_be_named():
    with pytest.raises(ConfigurationError, match='joints'):
        EffortGuard(GuardConfig())


anything = strategies.one_of(
    strategies.none(), strategies.text(max_size=3), strategies.lists(
        strategies.one_of(strategies.floats(), strategies.none()), max_size=4),
    strategies.lists(strategies.floats(-200, 200), min_size=2, max_size=2))


@settings(max_examples=150, deadline=None)
@given(strategies.lists(strategies.tuples(
    strategies.sampled_from(['command', 'gravity', 'tick', 'finished']), anything,
    strategies.one_of(strategies.integers(0, 50 * MS), strategies.integers(-10**12, 10**12))),
    max_size=40))
def test_whatever_comes_in_nothing_leaves_but_finite_limited_efforts(calls):
    guard = EffortGuard(GuardConfig(joints=JOINTS), LIMIT)
    now = 10**12
    for what, value, step in calls:
        now += step
        sent = None
        if what == 'command':
            sent = guard.on_command(value, now)
        elif what == 'gravity':
            guard.on_gravity_effort(JOINTS, value, now)
        elif what == 'tick':
            sent = guard.tick(now)
        else:
            guard.on_finished(now)
        if sent is not None:
            assert sent.shape == (2,)
            assert np.isfinite(sent).all()
            assert (np.abs(sent) <= LIMIT).all()

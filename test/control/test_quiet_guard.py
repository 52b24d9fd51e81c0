"""When a guard has nothing to do, and what it does when a controller goes and comes."""

from hypothesis import given, settings, strategies
import numpy as np
import pytest

from robot_dynamics.control.guard import EffortGuard, GuardConfig
from test_effort_guard import GRAVITY, JOINTS, LIMIT, MS, Stream


@given(strategies.lists(strategies.tuples(
    strategies.sampled_from(['command', 'gravity', 'finished', 'take over', 'tick']),
    strategies.integers(0, 60)), max_size=60))
@settings(max_examples=100, deadline=None)
def test_a_tick_has_nothing_to_do_before_the_guard_says_so(events):
    guard, now = EffortGuard(GuardConfig(joints=JOINTS, recovery_time=0.01), LIMIT), 10**9
    for what, wait in events:
        if what == 'command':
            guard.on_command([50.0, 5.0], now)
        elif what == 'gravity':
            guard.on_gravity_effort(JOINTS, GRAVITY, now)
        elif what == 'finished':
            guard.on_finished(now)
        elif what == 'take over':
            guard.take_over(now)
        now += wait * MS
        quiet, state = now < guard.quiet_until_ns, guard.state
        effort = guard.tick(now)
        assert not quiet or (effort is None and guard.state == state)


def test_a_guard_is_quiet_while_commands_are_fresh_or_absent_and_ticks_otherwise():
    stream = Stream(command_age=0.02)
    assert stream.guard.quiet_until_ns > 10**18
    stream.run(0.1)
    last = stream.now - 2 * MS
    assert stream.guard.quiet_until_ns == last + 20 * MS
    stream.alive = False
    stream.run(0.1)
    assert stream.guard.quiet_until_ns <= stream.now


@pytest.mark.parametrize('measured, begins', [(None, GRAVITY), ([2.0, -1.0], [2.0, -1.0])])
def test_an_arm_that_is_held_is_held_by_the_next_controller_from_what_it_feels(measured, begins):
    stream = Stream(ramp_time=0.2)
    stream.run(1.0)
    stream.alive = False
    stream.run(1.0)
    np.testing.assert_array_equal(stream.sent[-1][1], GRAVITY)
    stream.guard.on_no_subscribers(stream.now)
    stream.run(1.0)
    if measured is not None:
        stream.guard.on_joint_state(JOINTS, measured, stream.now)
    stream.guard.on_new_subscriber(stream.now)
    stream.sent.clear()
    stream.run(1.0)
    assert np.abs(stream.efforts()[0] - begins).max() < 1.0
    assert stream.largest_step() < 0.05
    np.testing.assert_array_equal(stream.efforts()[-1], GRAVITY)

"""A clock of ROS that stands still, or nearly so, keeps nothing fresh."""

import pytest
from robot_dynamics.nodes.running_clock import RunningClock
from test_callback_fuzz import healthy, make_stream

S = 1_000_000_000
STEP = S // 1000


class Clocks:
    """A ROS clock that runs at some pace beside the steady one, and what is said of it."""

    def __init__(self, ros=100 * S):
        self.ros, self.steady, self.said = ros, 5 * S, []
        self.running = RunningClock(
            lambda: self.ros, S // 2, self.said.append, lambda: self.steady)

    def run(self, seconds, pace, every=1):
        """Let both go on, the ROS clock by a jump every so many ms; return the times told."""
        told = []
        for k in range(1, int(1000 * seconds) + 1):
            self.steady += STEP
            if k % every == 0:
                self.ros += int(pace * STEP * every)
            told.append(self.running())
        return told


@pytest.mark.parametrize('pace, every', [(1.0, 1), (0.3, 1), (0.3, 100), (0.03, 10), (5.0, 1)])
def test_a_clock_that_runs_is_told_as_it_is(pace, every):
    clocks = Clocks()
    assert clocks.run(3.0, pace, every)[-1] == clocks.ros and not clocks.said


@pytest.mark.parametrize('pace', [0.0, 0.005])
def test_a_clock_that_stands_still_or_nearly_so_is_gone_on_from_and_said_once(pace):
    clocks = Clocks()
    clocks.run(1.0, 1.0)
    stopped = clocks.ros
    told = clocks.run(0.4, pace)
    assert told[-1] == clocks.ros and not clocks.said, 'a hiccup is no stop'
    told = clocks.run(3.0, pace)
    assert told[-1] - stopped == pytest.approx(3.4 * S, abs=0.1 * S)
    assert min(b - a for a, b in zip(told, told[1:])) >= 0
    assert len(clocks.said) == 1 and 'stood still' in clocks.said[0]


def test_a_clock_that_runs_again_is_told_as_it_is():
    clocks = Clocks()
    clocks.run(3.0, 0.0)
    told = clocks.run(1.5, 0.3)
    assert told[-1] == clocks.ros and 'runs again' in clocks.said[-1]
    assert clocks.run(3.0, 0.3)[-1] == clocks.ros and len(clocks.said) == 2


def test_a_paused_process_finds_no_clock_that_stands_still():
    clocks = Clocks()
    clocks.run(1.0, 1.0)
    clocks.steady += 3 * S  # the process is paused, and the clock's next message is still to come
    assert clocks.run(0.3, 0.0)[-1] == clocks.ros and not clocks.said
    clocks.ros += 3 * S
    assert clocks.run(1.0, 1.0)[-1] == clocks.ros and not clocks.said
    stopped = clocks.ros
    clocks.steady += 3 * S
    told = clocks.run(0.5, 0.0)
    assert 'stood still' in clocks.said[0], 'one that has really stopped is found by what is left'
    assert told[-1] == stopped + 3.5 * S


def test_a_clock_that_has_not_begun_or_is_set_back_is_told_as_it_is():
    clocks = Clocks(ros=0)
    assert clocks.run(3.0, 0.0)[-1] == 0 and not clocks.said
    clocks.ros = 50 * S
    assert clocks.running() == 50 * S
    clocks.ros = 20 * S
    assert clocks.run(1.0, 1.0)[-1] == clocks.ros == 21 * S and not clocks.said


def test_an_arm_is_not_commanded_by_old_inputs_while_the_clock_stands_still():
    stream, clock = make_stream()
    healthy(stream, clock, 800)
    assert stream.core.state == 'active'
    stopped, steady = clock.now, [0]
    stream._clock_ns = RunningClock(lambda: stopped, S // 2, lambda text: None, lambda: steady[0])
    states = []
    for _ in range(1500):  # three seconds, in which the last message is repeated
        steady[0] += 2_000_000
        stream.on_silence()
        states.append(stream.core.state)
    assert states[:240] == ['active'] * 240, 'half a second is borne'
    assert 'holding' in states[:260] and states[-1] == 'gravity_only'

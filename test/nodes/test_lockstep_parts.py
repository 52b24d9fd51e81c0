import math

import numpy as np
import pytest
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import config_from_parameters
from robot_dynamics.nodes.command_delay import CommandDelay
from robot_dynamics.nodes.handshake import Handshake, RETRY_PERIOD


class Wall:

    def __init__(self):
        self.time = 100.0

    def __call__(self):
        return self.time


@pytest.fixture
def wall():
    return Wall()


@pytest.fixture
def handshake(wall):
    made = Handshake(5.0, wall)
    made.asked(1000)
    return made


def test_only_the_awaited_stamp_is_an_answer(handshake):
    assert not handshake.is_answer(999)
    assert handshake.is_answer(1000)


def test_a_question_is_repeated_after_the_retry_period_and_not_before(handshake, wall):
    wall.time += 0.9 * RETRY_PERIOD
    assert not handshake.is_overdue()
    wall.time += 0.2 * RETRY_PERIOD
    assert handshake.is_overdue()


def test_repetitions_count_only_after_the_first_answer(handshake):
    handshake.asked(1000)
    assert handshake.repetitions == 0
    handshake.is_answer(1000)
    handshake.asked(2000)
    handshake.asked(2000)
    assert handshake.repetitions == 1


def test_without_an_answer_it_ends_with_an_error_that_says_what_to_look_at(handshake, wall):
    wall.time += 19.0
    assert handshake.is_overdue(), 'the first answer may take four times as long'
    assert handshake.is_answer(1000)
    handshake.asked(2000)
    wall.time += 4.0
    handshake.asked(2000)  # a repetition does not start the time again
    wall.time += 1.5
    with pytest.raises(ConfigurationError, match='feedforward_node active'):
        handshake.is_overdue()


def test_delays_lie_in_their_range_and_repeat_by_seed():
    config = CommandDelay(0.001, 0.003, seed=4)
    first, second = config.sampler(), config.sampler()
    delays = [first() for _ in range(2000)]
    assert delays == [second() for _ in range(2000)]
    assert 1e6 <= min(delays) < 1.05e6 and 2.95e6 < max(delays) <= 3e6
    assert np.mean(delays) == pytest.approx(2e6, rel=0.02)
    other = CommandDelay(0.001, 0.003, seed=5).sampler()
    assert delays[:5] != [other() for _ in range(5)]


def test_a_range_that_is_upside_down_is_refused():
    with pytest.raises(ConfigurationError, match='delay.maximum'):
        CommandDelay(0.003, 0.001)


@pytest.mark.parametrize('value', [-0.1, math.nan, 2.0])
def test_a_delay_outside_its_range_is_refused(value):
    with pytest.raises(ConfigurationError):
        config_from_parameters(CommandDelay, {'minimum': value})

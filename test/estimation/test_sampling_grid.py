"""The even grid that samples are brought onto."""

import numpy as np
import pytest

from robot_dynamics.estimation.harmonic_filter.sampling_grid import BEGIN_ANEW, SamplingGrid


def place(steps):
    """Place samples so many ms apart; return the grid, and the time of each from its point, ms."""
    grid, since, off = SamplingGrid(), 0.0, []
    for step in steps:
        since += 1e-3 * step
        count = grid.place(since)
        if count == BEGIN_ANEW:
            grid.restart(grid.interval)
        if count:
            since = 0.0
            off.append(1e3 * grid.lead)
    return grid, np.array(off)


def test_even_samples_are_the_grid():
    grid, off = place([10.0] * 5000)
    assert grid.interval == pytest.approx(0.01, rel=1e-12)
    assert abs(off).max() < 1e-9 and len(off) == 5000


@pytest.mark.parametrize('loss', [0.1, 0.3, 0.5, 0.6])
def test_lost_samples_leave_the_grid_where_it_is(loss):
    kept = np.flatnonzero(np.random.default_rng(3).random(6000) > loss)
    grid, off = place(10.0 * np.diff(kept))
    assert grid.interval == pytest.approx(0.01, rel=1e-6)
    assert abs(off[200:]).max() < 0.01


@pytest.mark.parametrize('steps, interval', [
    ([10, 10, 30], 0.01), ([15, 5], 0.005), ([19.7, 0.3], 0.02), ([0.3, 19.7], 0.02)])
def test_the_interval_is_that_of_which_the_steps_are_multiples(steps, interval):
    grid, _ = place(steps * 1000)
    assert grid.interval == pytest.approx(interval, rel=1e-3)


def test_a_pause_at_the_start_is_given_up():
    grid, off = place([700.0] + [10.0] * 1000)
    assert grid.interval == pytest.approx(0.01, rel=1e-6)
    assert abs(off[100:]).max() < 1e-6


@pytest.mark.parametrize('rate', [25.0, 100.0, 1000.0])
def test_the_grid_follows_the_clock_of_the_sensor(rate):
    period = 1000.0 / rate
    steps = np.concatenate([np.full(2000, period), np.full(20000, period * (1 + 5e-5))])
    grid, off = place(steps)
    assert grid.interval * rate == pytest.approx(1 + 5e-5, rel=2e-6)
    assert len(off) == len(steps), 'none is left out'


def test_a_sample_at_a_point_that_is_taken_is_left_out():
    grid = SamplingGrid()
    for _ in range(100):
        assert grid.place(0.01) == 1
    assert grid.place(1e-5) == 0 and grid.place(0.002) == 0 and grid.place(0.01) == 1
    assert grid.place(0.03) == 3

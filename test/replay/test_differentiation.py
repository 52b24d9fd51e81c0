"""Zero-phase differentiation: exact on cubics, undelayed, of the stated bandwidth."""

from __future__ import annotations

import numpy as np
import pytest

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.replay.differentiation import (
    bandwidth_of, derivatives, gain, half_width_for)

RNG = np.random.default_rng(4)
JITTERED = np.sort(np.arange(0, 4, 0.01) + RNG.uniform(-4e-3, 4e-3, 400))


@pytest.mark.parametrize('t', [
    np.arange(0, 4, 0.01), JITTERED, JITTERED[(JITTERED < 1.0) | (JITTERED > 1.5)],
    (np.arange(0, 4, 0.05)[:, None] + 1e-3 * np.arange(5)).ravel()],
    ids=['even', 'jittered', 'with a gap', 'in bursts'])
def test_a_cubic_is_reproduced_exactly_whatever_the_stamps(t: np.ndarray) -> None:
    a = RNG.normal(size=(4, 3))
    powers = np.stack([np.ones_like(t), t, t**2, t**3])
    fit = derivatives(t, powers.T @ a, t, 0.1)
    slope = np.stack([0 * t, np.ones_like(t), 2 * t, 3 * t**2])
    bend = np.stack([0 * t, 0 * t, 2 * np.ones_like(t), 6 * t])
    assert np.allclose(fit[0], powers.T @ a, atol=1e-11)
    assert np.allclose(fit[1], slope.T @ a, atol=1e-9)
    assert np.allclose(fit[2], bend.T @ a, atol=1e-7)


def test_blocks_give_bit_for_bit_the_result_of_the_whole_series() -> None:
    values = RNG.normal(size=(400, 5))
    width = 0.12
    whole = derivatives(JITTERED, values, JITTERED, width)
    for start in range(0, 400, 70):
        stop = min(start + 70, 400)
        near = (JITTERED >= JITTERED[start] - width) & (JITTERED <= JITTERED[stop - 1] + width)
        part = derivatives(JITTERED[near], values[near], JITTERED[start:stop], width)
        assert np.array_equal(part, whole[:, start:stop], equal_nan=True)


def test_a_slow_sine_comes_out_without_delay() -> None:
    t = JITTERED
    fit = derivatives(t, np.sin(2 * np.pi * t)[:, None], t, half_width_for(8, 0.01))
    middle = (t > 0.3) & (t < 3.7)
    expected = 2 * np.pi * np.cos(2 * np.pi * t)
    shift = np.sum((fit[1, :, 0] - expected)[middle] * np.sin(2 * np.pi * t)[middle])
    assert abs(fit[1, middle, 0] - expected[middle]).max() < 0.02 * 2 * np.pi
    assert abs(shift) < 1e-3 * middle.sum() * 2 * np.pi


@pytest.mark.parametrize('bandwidth', [3.0, 5.0, 12.0])
def test_a_sine_at_the_stated_bandwidth_loses_three_decibels(bandwidth: float) -> None:
    t = np.arange(0, 6, 1e-3)
    width = half_width_for(bandwidth, 1e-3)
    assert bandwidth_of(width) == pytest.approx(bandwidth)
    fit = derivatives(t, np.sin(2 * np.pi * bandwidth * t)[:, None], t, width)
    middle = (t > 1) & (t < 5)
    ratio = np.sqrt(2) * fit[1, middle, 0].std() / (2 * np.pi * bandwidth)
    assert ratio == pytest.approx(np.sqrt(0.5), abs=0.005)
    assert gain(np.array([bandwidth]), width)[0] == pytest.approx(ratio, abs=0.005)


def test_the_window_never_gets_narrower_than_the_samples_allow() -> None:
    assert half_width_for(100.0, 0.033) == pytest.approx(3.2 * 0.033)
    with pytest.raises(ConfigurationError, match='bandwidth'):
        half_width_for(0.0, 0.01)


def test_a_hole_gives_nan_and_a_nan_sample_is_not_used() -> None:
    t = np.r_[0:1:0.01, 2:3:0.01]
    values = t[:, None]**2
    at = np.array([0.5, 1.5, 2.5])
    fit = derivatives(t, values, at, 0.1)
    assert np.isnan(fit[:, 1]).all()
    spoiled = values.copy()
    spoiled[50] = np.nan
    again = derivatives(t, spoiled, at, 0.1)
    assert again[1, 0, 0] == pytest.approx(1.0, abs=1e-9)
    assert np.array_equal(again[:, 2], fit[:, 2])

"""The regression on the past, alone: it learns a line spectrum by heart, and knows its limits."""

import numpy as np
import pytest

from robot_dynamics.estimation.harmonic_filter.autoregression import (
    Autoregression, NODES, SPACING, TAPS)


def wave(t, phase=0.0):
    """Value, rate and acceleration of three sinusoids about an offset, (3, ...)."""
    lines = ((0.1, 0.7), (0.05, 1.1), (0.01, 1.9))
    return np.array([
        0.03 + sum(a * np.sin(w * t + phase) for a, w in lines),
        sum(a * w * np.cos(w * t + phase) for a, w in lines),
        sum(-a * w * w * np.sin(w * t + phase) for a, w in lines)])


def fed(duration, interval=0.01, noise=0.0, seed=0):
    """Let a regression of two channels see that much."""
    regression, random = Autoregression(2), np.random.default_rng(seed)
    regression.suits(interval)
    t = np.arange(0, duration, interval)
    y = np.stack([wave(t, phase)[:2].T for phase in (0.0, 1.0)], axis=1)
    y[:, :, 0] += noise * random.standard_normal(y.shape[:2])
    for sample in y:
        regression.take(sample)
        regression.learn()
    return regression, t[-1]


@pytest.mark.parametrize('interval', [0.04, 0.01, 0.0025])
def test_it_continues_what_it_has_learned(interval):
    regression, now = fed(30.0, interval)
    for c, phase in enumerate((0.0, 1.0)):
        expected = wave(now + regression.times, phase).T
        assert np.allclose(regression.predict()[c], expected, rtol=0, atol=2e-6)


def test_its_instants_are_where_it_says():
    regression, _ = fed(1.0, 0.04)
    assert regression.spacing == round(SPACING / 0.04)
    assert np.allclose(regression.times, NODES * regression.spacing * 0.04)


def test_a_gap_silences_it_until_the_past_is_whole_again():
    regression, now = fed(30.0)
    regression.take(np.full((2, 2), np.nan))
    silent = 0
    for k in range(2, 1000):
        regression.take(np.stack([wave(now + 0.01 * k, phase)[:2] for phase in (0.0, 1.0)]))
        silent += np.isnan(regression.predict()).any()
    # NaN lies on one of the taps only every tenth sample
    assert silent == TAPS - 1
    assert not np.isnan(regression.predict()).any()


def test_it_finds_the_noise_of_the_values_and_of_derivatives_made_from_them():
    regression, _ = fed(60.0, noise=1e-4)
    noise = regression.noise()
    assert np.allclose(noise[:, 0], 1e-8, rtol=0.2)
    assert (noise[:, 1] > 1e-8 / SPACING**2).all() and (noise[:, 2] > 1e-8 / SPACING**4).all()


def test_another_interval_makes_it_start_again():
    regression, _ = fed(30.0)
    assert regression.suits(0.0101)
    assert not regression.suits(0.02)
    assert np.isnan(regression.predict()).all() and regression.newest == -1


def test_slow_work_that_comes_in_bursts_changes_nothing():
    steady, now = fed(30.0)
    late = Autoregression(2)
    late.suits(0.01)
    t = np.arange(0, 30.0, 0.01)
    for k, sample in enumerate(np.stack([wave(t, p)[:2].T for p in (0.0, 1.0)], axis=1)):
        late.take(sample)
        if k % 150 == 149:
            late.learn()
    assert np.allclose(late.predict(), steady.predict(), rtol=0, atol=1e-9)

"""Who of two predictors is followed, how far, and with what stated error."""

from dataclasses import replace

import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.estimation.harmonic_filter.autoregression import NODES
from robot_dynamics.estimation.harmonic_filter.second_opinion import SecondOpinion
from robot_dynamics.estimation.motion_estimator import BaseMotionEstimator
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel

INTERVAL = 0.01
W, AMPLITUDE = 0.8, 0.1


def wave(t):
    """Value, rate and acceleration of one channel, (..., 3)."""
    return AMPLITUDE * np.stack(
        [np.sin(W * t), W * np.cos(W * t), -W * W * np.sin(W * t)], axis=-1)


def contest(bank_error, duration=50.0, noise=0.0, deviation=1.0):
    """Let a bank that errs so much compete for a while; return the judge and the time."""
    opinion, random = SecondOpinion(1), np.random.default_rng(1)
    now = 0.0

    def bank(ahead):
        return (wave(now + ahead) + bank_error)[None]

    def deviations(ahead):
        return np.full((1, len(ahead), 3), deviation)

    opinion.work(INTERVAL, bank, deviations)
    for k in range(round(duration / INTERVAL)):
        now = k * INTERVAL
        y = wave(now)[None, :2] + [noise * random.standard_normal(), 0.0]
        opinion.take(y)
        opinion.work(INTERVAL, bank, deviations)
    return opinion, now


def test_the_better_one_is_followed():
    opinion, now = contest(bank_error=1e-3)
    assert (opinion.share == 1.0).all()
    for ahead in (-0.006, 0.0, 0.013, 0.1, 0.33, 1.0, 3.9):
        state = wave(now + ahead)[None] + 1e-3
        opinion.blend(ahead, state)
        assert np.allclose(state, wave(now + ahead), rtol=0, atol=2e-5)


def test_a_bank_that_is_as_good_is_left_alone():
    opinion, now = contest(bank_error=0.0)
    state = wave(now + 0.5)[None].copy()
    opinion.blend(0.5, state)
    assert not opinion.followed and (state == wave(now + 0.5)).all()


def test_what_the_noise_hides_is_not_decided():
    opinion, _ = contest(bank_error=1e-3, noise=2e-3)
    assert not opinion.followed


def test_it_is_not_followed_further_than_six_deviations_of_the_bank():
    opinion, now = contest(bank_error=1e-3, deviation=1e-5)
    state = wave(now + 0.5)[None] + 1e-3
    opinion.blend(0.5, state)
    assert np.allclose(state, wave(now + 0.5) + 1e-3 - 6e-5, rtol=0, atol=1e-9)


def test_it_is_not_asked_beyond_its_instants_or_about_the_past():
    opinion, _ = contest(bank_error=1e-3)
    for ahead in (-0.1, NODES[-1] * 0.1 + 0.1):
        state = np.ones((1, 3))
        opinion.blend(ahead, state)
        assert (state == 1.0).all()
        assert (opinion.factors(0, ahead, np.ones(3)) == 1.0).all()


def test_its_stated_error_covers_what_it_errs_below_the_noise():
    noise = 1e-4
    opinion, now = contest(bank_error=1e-2, noise=noise, duration=80.0)
    stated = opinion.factors(0, 1.0, np.full(3, 1e-2))[0] * 1e-2
    random, errors = np.random.default_rng(2), []
    for k in range(1, 2000):
        now += INTERVAL
        opinion.take(wave(now)[None, :2] + [noise * random.standard_normal(), 0.0])
        state = wave(now + 1.0)[None] + 1e-2
        opinion.blend(1.0, state)
        errors.append(state[0, 0] - wave(now + 1.0)[0])
    assert np.std(errors) < stated < noise  # the bank errs a hundred times as much


def ship_errors(glitch=0.0, duration=70.0, ahead=0.5, seed=9001):
    """Error of roll and pitch with perfect orientation in sea state 5 after 60 s, rad."""
    ship, imu = ShipMotion.irregular(5, seed=seed), ImuModel(ImuConfig())
    estimator, errors = BaseMotionEstimator(), []
    for k in range(round(duration / INTERVAL)):
        t = k * INTERVAL
        sample = imu.measure(k * 10_000_000, ship.at(t), ship.pose(t).rotation)
        if glitch and k == 6200:
            x, *rest = sample.orientation_xyzw
            sample = replace(sample, orientation_xyzw=(x + 0.5 * glitch, *rest))
        estimator.update(sample)
        if k >= 6000:
            found = estimator.at(sample.stamp_ns + round(ahead * 1e9)).motion.gravity
            errors.append(found - ship.at(t + ahead).gravity)
    return np.array(errors)[:, :2] / 9.80665


def test_with_a_perfect_sensor_half_a_second_is_predicted_to_microradians():
    assert np.sqrt((ship_errors()**2).mean()) < 1e-5


@pytest.mark.parametrize('glitch', [
    pytest.param(1e-5, marks=pytest.mark.slow), 3e-4,
    pytest.param(3e-3, marks=pytest.mark.slow)])
def test_a_wrong_sample_among_perfect_ones_does_little(glitch):
    assert np.abs(ship_errors(glitch)).max() < 1e-3 + 0.2 * glitch

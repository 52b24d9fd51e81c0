"""The oscillator bank: information in closed form, linear algebra, learning, prediction."""

import math

import numpy as np
import pytest

from robot_dynamics.estimation.harmonic_filter.bank_channels import Channel, frequency_grids
from robot_dynamics.estimation.harmonic_filter.information import InformationGrid, rows
from robot_dynamics.estimation.harmonic_filter.oscillator_bank import OscillatorBank
from robot_dynamics.estimation.harmonic_filter.signal_model import ChannelModel
from robot_dynamics.estimation.harmonic_filter.solve_kernel import compiled

FREQUENCY = np.array([0.0, 0.3, 0.9, 1.7])
WEIGHT = np.array([1.0, 0.3, 0.9, 1.7])


def _summed(samples, interval, decay):
    """Information by brute force, (2, 2 N, 2 N)."""
    total = np.zeros((2, 8, 8))
    for j in range(samples):
        angle = FREQUENCY * j * interval
        value = np.concatenate([np.cos(angle), -np.sin(angle)])
        rate = np.concatenate([WEIGHT * np.sin(angle), WEIGHT * np.cos(angle)])
        total += decay**j * np.array([np.outer(value, value), np.outer(rate, rate)])
    return total


@pytest.mark.parametrize('samples', [0, 1, 7, 500])
def test_information_in_closed_form_is_the_sum_over_samples(samples):
    grid = InformationGrid(FREQUENCY, WEIGHT, 0.04, 0.97)
    np.testing.assert_allclose(
        grid.of_last(samples), _summed(samples, 0.04, 0.97), rtol=1e-9, atol=1e-9)


def test_information_of_a_long_stretch_is_the_steady_one():
    grid = InformationGrid(FREQUENCY, WEIGHT, 0.04, 0.97)
    np.testing.assert_allclose(
        grid.of_last(10**6), _summed(2000, 0.04, 0.97), rtol=1e-9, atol=1e-9)


def test_rows_are_derivatives_of_each_other():
    h = 1e-5
    later, earlier = rows(FREQUENCY, 0.7 + h), rows(FREQUENCY, 0.7 - h)
    np.testing.assert_allclose(
        (later - earlier)[:2] / (2 * h), rows(FREQUENCY, 0.7)[1:], atol=1e-8)


def test_the_solver_inverts():
    random = np.random.default_rng(0)
    A = random.standard_normal((30, 30))
    told, half, root = A @ A.T, A @ A.T * 0.5, random.uniform(0.1, 2.0, 30)
    right = random.standard_normal((4, 30))
    inverse = np.linalg.inv(told + np.diag(root**-2))
    products, noise = np.zeros((4, 30)), np.zeros((4, 30))
    work = told.copy()
    assert compiled()(work, half, root, right, products, noise)
    np.testing.assert_allclose(work, inverse, atol=1e-12)
    np.testing.assert_allclose(products, right @ inverse, atol=1e-12)
    np.testing.assert_allclose(noise, right @ inverse @ half, atol=1e-12)


def test_the_solver_says_when_a_matrix_is_not_positive():
    told = -4 * np.eye(3)
    assert not compiled()(told, np.eye(3), np.ones(3), np.ones((1, 3)), np.zeros((1, 3)),
                          np.zeros((1, 3)))


@pytest.mark.parametrize('window', [1.0, 4.0, 30.0])
def test_the_grids_are_dense_for_their_window(window):
    for grid, knee, spacing in zip(frequency_grids(window), (2.4, 4.5), (0.26, 0.5)):
        inner = grid[(grid > 0) & (grid < knee)]
        assert np.diff(inner).max() * window < spacing
        assert grid[0] == 0.0 and grid[-1] > 8.0 and (np.diff(grid) > 0).all()


def _signal(t, order=0):
    parts = ((0.10, 0.71, 0.3), (0.05, 0.93, 2.0), (0.02, 1.57, 1.0))
    return sum(a * w**order * np.sin(w * t + p + order * math.pi / 2) for a, w, p in parts)


def _fed(noise=(1e-3, 3e-4), duration=40.0, interval=0.01, seed=0, edit=None, bias=0.0):
    """Feed a bank with one signal; returns the bank and the time of the last sample."""
    random = np.random.default_rng(seed)
    bank = OscillatorBank([Channel('x', 7.0, (1e-5, 1e-5), 0.3, 0.02)])
    bank.declare(np.array([[True, True]]))
    t = before = 0.0
    for i in range(round(duration / interval)):
        t = i * interval
        y = np.array([[_signal(t) + noise[0] * random.standard_normal(),
                       _signal(t, 1) + bias + noise[1] * random.standard_normal()]])
        if edit is not None:
            y = edit(i, y)
            if y is None:
                continue
        bank.step(t - before, y)
        bank.maintain()
        before = t
    return bank, before


def _errors(bank, t, ahead):
    out = bank.evaluate(ahead)[0]
    return out - [_signal(t + ahead, order) for order in range(3)]


@pytest.mark.parametrize('interval', [0.04, 0.01, 0.002])
def test_signal_derivatives_and_future_are_found_at_any_rate(interval):
    bank, t = _fed(interval=interval, duration=30.0)
    value, rate, acceleration = np.abs(_errors(bank, t, 0.0))
    assert value < 6e-4 and rate < 3e-4 and acceleration < 1.5e-3  # of 0.1, 0.08, 0.09
    assert np.abs(_errors(bank, t, 1.0))[0] < 0.003


def test_errors_fit_their_stated_covariance():
    scores = []
    for seed in range(12):
        bank, t = _fed(seed=seed, duration=15.0 + seed)
        for ahead in (0.0, 0.5, 1.5):
            scores.append(_errors(bank, t, ahead) / np.sqrt(np.diag(bank.covariance(0, ahead))))
    rms = np.sqrt(np.mean(np.square(scores), axis=0))
    assert (rms > 0.4).all() and (rms < 1.6).all()


def test_stated_errors_grow_with_the_horizon():
    bank, _ = _fed(duration=20.0)
    stated = [bank.covariance(0, ahead)[0, 0] for ahead in (0.0, 0.3, 1.0, 2.0, 4.0, 6.0)]
    assert (np.diff(stated) > 0).all()


def test_noise_is_measured_from_the_samples():
    bank, _ = _fed(noise=(2e-3, 5e-4))
    np.testing.assert_allclose(np.sqrt(bank.noise[0]), [2e-3, 5e-4], rtol=0.15)


def test_a_constant_error_of_the_rate_is_told_from_motion():
    bank, t = _fed(bias=0.01, duration=60.0)
    assert bank.x[0, 1, 0] == pytest.approx(0.01, abs=1e-3)
    assert abs(_errors(bank, t, 0.0)[1]) < 1e-3


def test_a_gap_is_bridged_by_what_is_known():
    bank, t = _fed(edit=lambda i, y: None if 3000 <= i < 3040 else y, duration=30.6)
    assert np.abs(_errors(bank, t, 0.0))[0] < 2e-3


@pytest.mark.parametrize('column, glitch', [(0, 1.0), (1, 30.0)])
def test_a_glitch_is_ignored(column, glitch):
    def spoiled(i, y):
        if i == 2990:
            y[0, column] += glitch
        return y
    bank, t = _fed(edit=spoiled, duration=30.0)
    value, rate, acceleration = np.abs(_errors(bank, t, 0.0))
    assert value < 6e-4 and rate < 6e-4 and acceleration < 3e-3


def test_a_lasting_jump_is_believed():
    def moved(i, y):
        y[0, 0] += 0.2 if i > 2000 else 0.0
        return y
    bank, t = _fed(edit=moved, duration=50.0)
    assert abs(_errors(bank, t, 0.0)[0] - 0.2) < 5e-3


def test_a_lost_measurement_fades_smoothly():
    # the rate vanishes after 25 s; what was told before still counts, then values alone do
    def gone(i, y):
        if i == 2500:
            bank_holder[0].declare(np.array([[True, False]]))
        if i >= 2500:
            y[0, 1] = np.nan
        return y
    bank_holder = []
    original = OscillatorBank.declare

    def remember(self, reported):
        bank_holder[:] = [self]
        original(self, reported)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OscillatorBank, 'declare', remember)
        for duration in (25.1, 26.0, 28.0, 45.0):
            bank, t = _fed(edit=gone, duration=duration)
            errors = np.abs(_errors(bank, t, 0.0))
            assert errors[0] < 2e-3 and errors[1] < 4e-3


def test_calm_stays_calm():
    bank = OscillatorBank([Channel('x', 7.0, (1e-5, 1e-5), 0.3, 0.02)])
    bank.declare(np.array([[True, True]]))
    for _ in range(1000):
        bank.step(0.01, np.zeros((1, 2)))
        bank.maintain()
    assert np.abs(bank.evaluate(1.0)).max() < 1e-9


def test_hours_without_any_motion_leave_numbers():
    model = ChannelModel(7.0, (1e-5, 1e-5), 0.3, 0.02, FREQUENCY)
    told, still = np.eye(2 * len(FREQUENCY)), np.zeros(len(FREQUENCY))
    both = np.array([True, True])
    with np.errstate(all='raise'):
        for i in range(1, 2400):  # 4 h
            model.learn(still, 6.0, 6.0 * i, np.zeros(2), np.zeros(2), both, both)
            model.solve(told.copy(), told, np.zeros(2 * len(FREQUENCY)))
        # what predictions are compared by
        assert np.isfinite((model.floor / model.variances(np.array([0.5, 2.0]))[:, :2])**2).all()


@pytest.mark.parametrize('begin', [196.0, 198.0, 200.0])
def test_a_wash_that_reaches_a_calm_harbour_is_followed_within_two_seconds(begin):
    bank = OscillatorBank([Channel('x', 7.0, (1e-5, 1e-5), 0.3, 0.02)])
    bank.declare(np.array([[True, True]]))
    for i in range(round(25 * (begin + 12))):
        t = max(0.0, 0.04 * i - begin)
        grown, growing = t / (5 + t), 5 / (5 + t)**2
        bank.step(0.04, np.array([[
            grown * 0.1 * math.sin(0.7 * t),
            growing * 0.1 * math.sin(0.7 * t) + grown * 0.07 * math.cos(0.7 * t)]]))
        bank.maintain()
        if t > 2:
            error = bank.evaluate(0.1)[0, 0] - (t + 0.1) / (5.1 + t) * 0.1 * math.sin(
                0.7 * (t + 0.1))
            assert abs(error) < 1e-3


def test_a_solution_that_fails_leaves_the_last_one_going_on():
    bank, t = _fed(duration=30.0)
    expected = bank.evaluate(0.5).copy()
    bank.models[0]._solve = lambda *_: False
    bank._solve(0)
    np.testing.assert_array_equal(bank.evaluate(0.5), expected)
    assert not bank._gains.any()


def test_a_sea_that_wakes_up_is_followed():
    # still for half a minute, then motion at once
    random = np.random.default_rng(0)
    bank = OscillatorBank([Channel('x', 7.0, (1e-5, 1e-5), 0.3, 0.02)])
    bank.declare(np.array([[True, True]]))
    worst = 0.0
    for i in range(5000):
        t = 0.01 * i
        grown = 1 / (1 + math.exp(-(t - 33)))
        slope = grown * (1 - grown)
        y = np.array([[grown * _signal(t) + 1e-3 * random.standard_normal(),
                       grown * _signal(t, 1) + slope * _signal(t)
                       + 3e-4 * random.standard_normal()]])
        bank.step(0.01, y)
        bank.maintain()
        if t > 36:
            worst = max(worst, abs(bank.evaluate(0.0)[0, 0] - grown * _signal(t)))
    assert worst < 0.004


def test_powers_stay_within_what_was_measured_whatever_they_are_learned_from():
    frequency = np.linspace(0.0, 6.0, 20)
    model = ChannelModel(7.0, (1e-4, 1e-4), 0.3, 0.02, frequency)
    spread, reported = np.array([0.02, 0.03]), np.array([True, True])
    model.learn(np.zeros(20), 0.1, 1.0, spread, np.zeros(2), reported, reported)
    for _ in range(60):  # innovations that never fit, coefficients that grow and grow
        model.learn(np.full(20, 1e6), 1.0, 100.0, spread, np.full(2, 1e3), reported, reported)
    assert 0.02 < model.power.sum() < 60 * spread[0]

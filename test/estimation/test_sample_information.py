"""What samples at any instants tell about oscillators, against sums over them one by one."""

import math

import numpy as np
import pytest

from robot_dynamics.estimation.harmonic_filter.information import InformationGrid
from robot_dynamics.estimation.harmonic_filter.sample_information import SampleInformation

FREQUENCY = np.array([[0.0, 0.3, 0.9, 1.7], [0.0, 0.5, 1.5, 4.0]])
WEIGHT = np.where(FREQUENCY > 0, FREQUENCY, 1.0)
BAND = np.array([0, 0, 1])
WINDOW = 4.0
UNIT = np.ones(2)


def one_by_one(instants, now, g):
    """Return what values and what rates tell, (2, 2 N, 2 N)."""
    total = np.zeros((2, 8, 8))
    for t in instants:
        angle, decay = FREQUENCY[g] * (now - t), math.exp(-(now - t) / WINDOW)
        value = np.concatenate([np.cos(angle), -np.sin(angle)])
        rate = np.concatenate([WEIGHT[g] * np.sin(angle), WEIGHT[g] * np.cos(angle)])
        total += decay * np.array([np.outer(value, value), np.outer(rate, rate)])
    return total


def made(instants):
    """Return the information of samples, which begin at 0."""
    information = SampleInformation(FREQUENCY, WEIGHT, BAND, WINDOW)
    information.declare(np.array([[1, 1], [1, 1], [1, 0]], dtype=bool))
    for dt in np.diff(instants, prepend=0.0):
        information.take(dt)
    return information


@pytest.fixture
def uneven():
    return np.concatenate([[0.0], np.cumsum(np.random.default_rng(0).exponential(0.05, 700))])


def test_samples_at_any_instants_tell_what_their_rows_say(uneven):
    information = made(uneven)
    for c, scale in ((0, (1.0, 1.0)), (1, (2.0, 0.5)), (2, (1.0, 0.0))):
        expected = np.tensordot(scale, one_by_one(uneven, uneven[-1], BAND[c]), 1)
        np.testing.assert_allclose(information.told(c, np.array(scale)).exact, expected,
                                   rtol=1e-9, atol=1e-9)


def test_even_samples_tell_what_the_closed_form_says():
    information = made(0.02 * np.arange(300))
    told = information.told(0, UNIT)
    assert told.steady is None
    decay = math.exp(-0.02 / WINDOW)
    for found, weight in ((told.exact, decay), (told.squared, decay**2)):
        value, rate = InformationGrid(FREQUENCY[0], WEIGHT[0], 0.02, weight).of_last(300)
        np.testing.assert_allclose(found, value + rate, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize('scale', [(1.0, 0.0), (0.0, 1.0)])
def test_after_a_pause_the_steady_information_is_as_much_but_evenly_spread(scale):
    instants = np.concatenate([0.01 * np.arange(400), 5.0 + 0.01 * np.arange(3)])
    told = made(instants).told(0, np.array(scale))
    n = FREQUENCY.shape[1]
    constant = 0 if scale[0] else n  # whose part is the weight of all samples
    assert told.steady[constant, constant] == pytest.approx(told.exact[constant, constant])
    # the newest sample stands alone in one, and in a crowd in the other
    newest = np.concatenate([np.ones(n), np.zeros(n)]) if scale[0] else (
        np.concatenate([np.zeros(n), WEIGHT[0]]))
    alone, crowd = (newest @ np.linalg.solve(m + 1e-3 * np.eye(2 * n), newest)
                    for m in (told.exact, told.steady))
    assert crowd < 0.8 * alone


def test_what_is_even_again_is_so_after_some_windows():
    information = made(np.concatenate([0.01 * np.arange(100), 2.0 + 0.01 * np.arange(1500)]))
    assert information.told(0, UNIT).steady is not None
    for _ in range(200):
        information.take(0.01)
    assert information.told(0, UNIT).steady is None


def test_a_measurement_that_ends_begins_and_comes_back_tells_of_its_own_samples(uneven):
    instants, information = uneven[:600], SampleInformation(FREQUENCY, WEIGHT, BAND, WINDOW)
    patterns = [((1, 1), (1, 1), (1, 0)), ((1, 0), (1, 1), (0, 0)), ((1, 0), (0, 0), (1, 0)),
                ((1, 1), (1, 1), (1, 1))]
    present = np.zeros((600, 3, 2), dtype=bool)
    for part, reported in enumerate(patterns):
        information.declare(np.array(reported, dtype=bool))
        present[150 * part:150 * (part + 1)] = reported
        for i in range(150 * part, 150 * (part + 1)):
            information.take(instants[i] - (instants[i - 1] if i else 0.0))
    for c in range(3):
        assert information.live(c).all()
        for m in range(2):
            expected = one_by_one(instants[present[:, c, m]], instants[-1], BAND[c])[m]
            np.testing.assert_allclose(information.told(c, np.eye(2)[m]).exact, expected,
                                       rtol=1e-9, atol=1e-9)


def test_what_ended_fades():
    information = made(0.01 * np.arange(500))
    information.declare(np.array([[1, 0], [1, 1], [1, 0]], dtype=bool))
    for _ in range(800):
        information.take(0.01)
    for told in information.told(0, np.array([0.0, 1.0]))[:2]:
        before = np.linalg.norm(made(0.01 * np.arange(500)).told(0, np.array([0.0, 1.0])).exact)
        assert 0 < np.linalg.norm(told) < 0.2 * before


def test_without_maintenance_nothing_piles_up():
    information = made(0.01 * np.arange(30_000))
    assert len(information._waiting) <= 2000
    expected = one_by_one(0.01 * np.arange(20_000, 30_000), 299.99, 0).sum(axis=0)
    np.testing.assert_allclose(information.told(0, UNIT).exact, expected, rtol=1e-8, atol=1e-8)


def test_nothing_is_told_before_the_first_sample_and_after_a_restart(uneven):
    information = made(uneven)
    information.restart()
    assert not information.live(0).any()

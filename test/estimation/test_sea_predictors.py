"""The predictors that know seas of any period need no data to predict one."""

import math

import numpy as np
import pytest

from robot_dynamics.estimation.adaptive import settings
from robot_dynamics.estimation.adaptive.compiling import constants

SHIP, WITH_ANGLE, EXACT = 0, 1, len(settings.RATIOS) - 1


def errors(period, age, phase):
    """Return errors of turn, rate and derivative over their amplitudes, (3, H)."""
    d, w = constants(0.01)[0], 2 * math.pi / period
    edges, ahead = d.edges, 0.01 * d.knots
    means = [np.cos(phase - w * 0.01 * np.arange(a, b)).mean()
             for a, b in zip(edges[:-1], edges[1:])]
    x = np.array([*means, math.sin(phase) / w, 1.0])
    truth = np.stack([(np.sin(phase + w * ahead) - math.sin(phase)) / w,
                      np.cos(phase + w * ahead), -w * np.sin(phase + w * ahead)])
    return (d.prior[SHIP, WITH_ANGLE, age, EXACT] @ x - truth) * np.array([[w], [1.0], [1 / w]])


@pytest.mark.parametrize('phase', [0.0, 1.0, 2.0])
@pytest.mark.parametrize('period', [7.0, 10.0, 14.0])
@pytest.mark.parametrize('age', range(3, len(settings.AGES)))
def test_a_swell_is_predicted_from_its_first_quarter_second_on(period, phase, age):
    found = np.abs(errors(period, age, phase))
    near = 1 + int(np.searchsorted(settings.HORIZONS, 0.1))
    assert found[:, :near].max() < 0.05
    assert found[:2, :-1].max() < 0.25  # up to a second


def test_weights_of_what_there_is_not_yet_are_zero():
    d, _ = constants(0.01)
    for age, points in enumerate(d.filled):
        unseen = np.flatnonzero(d.edges[1:] > points)
        assert not d.prior[:, :, age][..., unseen].any()
    assert not d.prior[:, 0, ..., -2].any()  # no angle


@pytest.mark.parametrize('band', range(len(settings.BANDS)))
def test_a_derivative_in_a_band_is_true_there_and_nothing_far_above(band):
    d, _ = constants(0.01)
    reach = d.filters.shape[1] // 2
    after, passed = 0.01 * np.arange(-reach, reach + 1), settings.BANDS[band][0]

    def gain(frequency):
        w = 2 * math.pi * frequency
        return d.filters[2 + band] @ np.sin(w * after) / w
    assert max(abs(gain(f) - 1) for f in np.linspace(0.05, 1.0, 20) * passed) < 0.01
    assert max(abs(gain(f)) for f in np.linspace(15.0, 45.0, 50)) < 0.001

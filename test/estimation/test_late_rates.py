"""Rates from reported angles are those of the middle of a window, and know their noise."""

import numpy as np
import pytest

from robot_dynamics.estimation.adaptive.late_rates import LateRates


def filled(angle, interval=0.01, duration=0.6):
    window = LateRates()
    for t in np.arange(0.0, duration + 1e-9, interval):
        window.add(round(1e9 * t), angle(t), (t,))
    return window


@pytest.mark.parametrize('interval', [0.002, 0.01, 0.05])
def test_the_slope_of_a_parabola_is_that_of_the_middle(interval):
    window = filled(lambda t: (1.0 + 2.0 * t + 3.0 * t * t, -t), interval)
    stamp, rates, _, beside = window.middle()
    t = 1e-9 * stamp
    assert rates == pytest.approx((2.0 + 6.0 * t, -1.0), rel=1e-6)
    assert 0.2 < 0.6 - t < 0.3
    assert beside[0] == pytest.approx(t, abs=interval)


@pytest.mark.parametrize('interval', [0.005, 0.02])
def test_the_noise_grows_with_that_of_the_reports(interval):
    rng, found = np.random.default_rng(1), []
    for noise in (1e-4, 1e-3):
        window = LateRates()
        for k in range(1000):
            window.add(round(1e9 * interval * k), noise * rng.standard_normal(2), ())
            window.middle()
        found.append(window.noise(interval).mean())
    assert found[1] == pytest.approx(10 * found[0], rel=0.2)
    assert found[1] == pytest.approx(3e-3, rel=0.2)


def test_too_few_reports_say_nothing():
    assert filled(lambda t: (t, t), duration=0.3).middle() is None
    assert filled(lambda t: (t, t), interval=0.2).middle() is None

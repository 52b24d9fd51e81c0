"""A base that nobody measures any more is believed to tilt on as foreseen, if that has held."""

import numpy as np
import pytest
from robot_dynamics.control.tilt_forecast import TiltForecast

MS = 1_000_000
STEP = 5 * MS


def tilt(stamp_ns, period=8.0):
    """Return the gravity of a base that rolls by 0.1 rad."""
    roll = 0.1 * np.sin(2e-9 * np.pi / period * stamp_ns)
    return 9.81 * np.array([0.0, -np.sin(roll), -np.cos(roll)])


def noted(predicted, seconds=6.0):
    """Return a forecast that has seen a base roll, and when that was last."""
    forecast = TiltForecast(predicted)
    stamps = range(0, round(seconds * 1e9), STEP)
    for stamp in stamps:
        forecast.note(tilt(stamp), stamp)
    return forecast, stamps[-1]


def test_what_was_foreseen_and_has_held_is_followed_for_a_second_and_stays_there():
    forecast, last = noted(tilt)
    for after in (0, 100 * MS, 500 * MS, 900 * MS):
        np.testing.assert_allclose(
            forecast.after(tilt(last), last, last + after), tilt(last + after), atol=2e-3)
    stays = forecast.after(tilt(last), last, last + 9000 * MS)
    assert min(np.linalg.norm(stays - tilt(last + k * MS)) for k in range(900, 1001)) < 1e-3


@pytest.mark.parametrize('predicted', [
    lambda stamp: np.array([0.0, 0.0, 9.81]), lambda stamp: tilt(stamp, 3.0),
    lambda stamp: np.full(3, np.nan)])
def test_where_predictions_have_failed_the_tilt_stays(predicted):
    forecast, last = noted(predicted)
    np.testing.assert_array_equal(forecast.after(tilt(last), last, last + 500 * MS), tilt(last))


def test_without_some_seconds_of_predictions_the_tilt_stays():
    forecast, last = noted(tilt, 2.0)
    np.testing.assert_array_equal(forecast.after(tilt(last), last, last + 500 * MS), tilt(last))


def test_what_was_foreseen_in_the_last_half_second_counts_for_nothing():
    forecast, last = noted(lambda stamp: tilt(stamp) if stamp < 7000 * MS else np.full(3, 9.0))
    np.testing.assert_allclose(
        forecast.after(tilt(last), last, last + 900 * MS), tilt(last + 900 * MS), atol=2e-3)


def test_no_base_is_believed_to_go_further_than_it_has_gone():
    forecast, last = noted(lambda stamp: tilt(stamp) if stamp < 6600 * MS else np.full(3, 9.0))
    way = forecast.after(tilt(last), last, last + 800 * MS) - tilt(last)
    longest = max(np.linalg.norm(tilt(k * STEP + 1500 * MS) - tilt(k * STEP)) for k in range(900))
    assert 0.9 * longest < np.linalg.norm(way) <= longest + 1e-3

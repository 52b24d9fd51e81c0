"""A base that nobody measures any more is believed to tilt on as predicted, where that has held."""

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


def test_predictions_that_have_held_are_followed_for_a_second_and_stay_there():
    forecast, last = noted(tilt)
    for after in (100 * MS, 500 * MS, 1000 * MS):
        np.testing.assert_allclose(
            forecast.after(tilt(last), last, last + after), tilt(last + after), atol=1e-12)
    np.testing.assert_array_equal(
        forecast.after(tilt(last), last, last + 9000 * MS), tilt(last + 1000 * MS))


@pytest.mark.parametrize('predicted', [
    lambda stamp: np.array([0.0, 0.0, 9.81]), lambda stamp: tilt(stamp, 3.0),
    lambda stamp: np.full(3, np.nan)])
def test_where_predictions_have_failed_the_tilt_stays(predicted):
    forecast, last = noted(predicted)
    np.testing.assert_array_equal(forecast.after(tilt(last), last, last + 500 * MS), tilt(last))


def test_without_three_seconds_of_predictions_the_tilt_stays():
    forecast, last = noted(tilt, 2.0)
    np.testing.assert_array_equal(forecast.after(tilt(last), last, last + 500 * MS), tilt(last))


def test_no_base_is_believed_to_go_further_in_a_second_than_it_has_gone():
    gone_mad = []
    forecast, last = noted(lambda stamp: np.array([9.81, 0.0, 0.0]) if gone_mad else tilt(stamp))
    gone_mad.append(True)
    way = forecast.after(tilt(last), last, last + 500 * MS) - tilt(last)
    longest = max(np.linalg.norm(tilt(k * STEP + 1000 * MS) - tilt(k * STEP)) for k in range(1000))
    assert 0.0 < np.linalg.norm(way) <= longest

"""The ship in an irregular sea: published RMS values, derivatives, repeatability."""

import json
import math

import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.motion_statistics import describe, power_spectrum, ship_statistics
from robot_dynamics.ship.ship_config import ship_from_parameters

# RMS of roll (beam sea), pitch (head sea) in deg, heave acceleration (beam sea) in m/s^2 at sea
# states 3 to 6: the published closed-form hull of 65 m and the supply vessel.
PUBLISHED = {
    None: ([1.2, 3.2, 5.8, 8.4], [0.35, 0.85, 1.5, 2.1], [0.27, 0.49, 0.76, 0.84]),
    'supply_vessel': ([0.37, 1.03, 1.96, 3.35], [0.34, 0.84, 1.49, 2.14], None)}


def _rms(ship, order=0):
    """RMS of the six degrees of freedom or their derivatives, exactly, from the components."""
    source = ship.source
    weight = source.frequency**(2 * order)
    return np.sqrt(((source.sine**2 + source.cosine**2) / 2 * weight).sum(axis=1))


@pytest.mark.parametrize('hull', list(PUBLISHED))
@pytest.mark.parametrize('column', range(4))
def test_rms_of_roll_pitch_and_heave_agree_with_published_values(hull, column):
    roll, pitch, heave = PUBLISHED[hull]
    beam = ShipMotion.irregular(3 + column, hull=hull, seed=5)
    head = ShipMotion.irregular(3 + column, hull=hull, seed=5, wave_direction=math.pi)
    assert math.degrees(_rms(beam)[3]) == pytest.approx(roll[column], rel=0.04)
    assert math.degrees(_rms(head)[4]) == pytest.approx(pitch[column], rel=0.02)
    if heave:
        assert _rms(beam, 2)[2] == pytest.approx(heave[column], rel=0.045)


def test_a_long_run_has_the_rms_of_its_components():
    ship = ShipMotion.irregular(5, wave_direction=2.0, seed=3)
    x = ship.degrees_of_freedom(np.arange(0, 7200, 0.5))
    np.testing.assert_allclose(x[:, :6].std(axis=0), _rms(ship), rtol=0.02)
    np.testing.assert_allclose(x[:, 12:].std(axis=0), _rms(ship, 2), rtol=0.02)


def test_no_stretch_of_the_run_repeats():
    ship = ShipMotion.irregular(5, seed=1)
    roll = ship.degrees_of_freedom(np.arange(0, 7200, 0.5))[:, 3]
    roll = (roll - roll.mean()) / roll.std()
    piece = roll[:240]  # two minutes
    count = len(roll) - len(piece)
    likeness = [piece @ roll[i:i + 240] / 240 / np.sqrt((piece**2).mean() * (
        roll[i:i + 240]**2).mean()) for i in range(120, count)]
    assert max(likeness) < 0.97


@pytest.mark.parametrize('speed, direction, point', [
    (0.0, 1.2, (12.0, -4.0, 8.0)), (7.0, 2.5, (0.0, 0.0, 0.0)), (9.0, 0.3, (-30.0, 9.0, -2.0))])
def test_derivatives_are_exact_at_any_deck_point(speed, direction, point):
    ship = ShipMotion.irregular(6, wave_direction=direction, ship_speed=speed, ramp_in=20.0,
                                spreading=6.0)
    h = 5e-3
    for t in (8.0, 100.0):
        around = ship.pose(t + h * np.arange(-3, 4), point)
        first = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
        second = np.array([2, -27, 270, -490, 270, -27, 2]) / (180 * h * h)
        now = ship.pose(t, point)
        np.testing.assert_allclose(first @ around.position, now.linear_velocity, atol=1e-8)
        np.testing.assert_allclose(second @ around.position, now.linear_acceleration, atol=1e-6)
        np.testing.assert_allclose(
            first @ around.angular_velocity, now.angular_acceleration, atol=1e-8)


def test_a_head_sea_does_not_roll_and_a_beam_sea_does_not_pitch():
    head = _rms(ShipMotion.irregular(5, wave_direction=math.pi))
    beam = _rms(ShipMotion.irregular(5, wave_direction=math.pi / 2))
    assert head[3] < 1e-12 and head[4] > 0.01
    assert beam[4] < 1e-12 and beam[3] > 0.05


def test_turning_the_ship_is_turning_the_sea():
    one = ShipMotion.irregular(5, wave_direction=2.0, heading=0.7)
    two = ShipMotion.irregular(5, wave_direction=1.3, heading=0.0)
    np.testing.assert_allclose(one.at(50.0).packed, two.at(50.0).packed, atol=1e-12)


def test_speed_into_the_waves_shortens_the_periods():
    slow = ShipMotion.irregular(5, wave_direction=math.pi)
    fast = ShipMotion.irregular(5, wave_direction=math.pi, ship_speed=6.0)
    slow_rms, fast_rms = _rms(slow, 1)[4] / _rms(slow)[4], _rms(fast, 1)[4] / _rms(fast)[4]
    assert fast_rms > 1.2 * slow_rms


@pytest.mark.parametrize('options', [
    {'sea_state': 4}, {'sea_state': 5, 'hull': 'supply_vessel', 'ship_speed': 4.0},
    {'significant_wave_height': 2.0, 'zero_crossing_period': 6.0, 'spectrum': 'jonswap',
     'spreading': 4.0, 'seed': 9},
    {'significant_wave_height': 2.0, 'spectrum': 'pierson_moskowitz', 'ramp_in': 10.0},
    {'sea_state': 4, 'hull': ClosedFormHull(roll_period=None, metacentric_height=0.7)}])
def test_parameters_build_the_same_ship(options):
    ship = ShipMotion.irregular(**options)
    again = ship_from_parameters(json.loads(json.dumps(ship.to_parameters())))
    for t in (3.0, 77.7):
        np.testing.assert_allclose(
            again.at(t, (1, 2, 3)).packed, ship.at(t, (1, 2, 3)).packed, atol=1e-12)


def test_zero_and_empty_parameters_mean_not_given():
    flat = {'mode': 'irregular', 'sea_state': 4, 'significant_wave_height': 0.0,
            'peak_period': 0.0, 'rao_table': '', 'spreading': 0.0}
    np.testing.assert_array_equal(ship_from_parameters(flat).at(9.0).packed,
                                  ShipMotion.irregular(4).at(9.0).packed)


@pytest.mark.parametrize('flat, error, text', [
    ({'sea_state': 4, 'wave_dir': 3.0}, UnknownNameError, 'wave_direction_deg'),
    ({'sea_state': 4, 'rao_table': 'supply_vessel', 'hull.length': 50.0}, ConfigurationError,
     'both given'),
    ({}, ConfigurationError, 'either sea_state')])
def test_wrong_parameters_are_named(flat, error, text):
    with pytest.raises(error, match=text):
        ship_from_parameters({'mode': 'irregular', **flat})


def test_statistics_of_a_sine_are_known():
    t = np.arange(0, 100, 0.05)
    found = describe('x', 'm', 3 * np.sin(2 * math.pi * t / 8.0) + 1, 0.05)
    assert found.rms == pytest.approx(3 / math.sqrt(2), rel=0.01)
    assert found.zero_crossing_period == pytest.approx(8.0, rel=1e-4)
    assert found.maximum == pytest.approx(3.0, rel=0.05)


def test_the_estimated_spectrum_integrates_to_the_variance():
    x = ShipMotion.irregular(5).degrees_of_freedom(np.arange(0, 3600, 0.25))[:, 3]
    w, density = power_spectrum(x, 0.25)
    assert density.sum() * (w[1] - w[0]) == pytest.approx(x.var(), rel=0.1)
    assert 0.5 < w[np.argmax(density)] < 0.8


def test_ship_statistics_names_what_moves():
    found = {s.name: s for s in ship_statistics(ShipMotion.irregular(5), 600.0)}
    assert found['roll'].rms == pytest.approx(5.9, rel=0.25)
    assert found['pitch'].rms < 1e-9
    assert math.isnan(found['pitch'].zero_crossing_period)
    assert 7 < found['roll'].zero_crossing_period < 11

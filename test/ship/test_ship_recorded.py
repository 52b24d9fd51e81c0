"""Replay of recorded motion: true to the samples, smooth in its derivatives."""

import math

import numpy as np
import pytest

from robot_dynamics import BaseMotion, ShipMotion
from robot_dynamics.core.errors import ConfigurationError, InputError
from robot_dynamics.ship.recorded_motion import RecordedMotion
from robot_dynamics.ship.ship_config import ship_from_parameters

SOURCE = ShipMotion.irregular(5, wave_direction=2.0)
NAMES = ('surge', 'sway', 'heave', 'roll', 'pitch', 'yaw')


@pytest.fixture(scope='module')
def samples():
    t = np.arange(0, 120, 0.1)
    return t, SOURCE.degrees_of_freedom(t)[:, :6]


@pytest.fixture(scope='module')
def recording(tmp_path_factory, samples):
    path = tmp_path_factory.mktemp('recorded') / 'motion.csv'
    t, x = samples
    rows = [','.join(f'{v:.17g}' for v in (100 + a, *b)) for a, b in zip(t, x)]
    path.write_text('# a comment\n' + ','.join(('time', *NAMES)) + '\n' + '\n'.join(rows))
    return str(path)


def test_replay_returns_the_motion_with_its_derivatives(recording):
    ship = ShipMotion.recorded(recording)
    t = np.arange(10, 110, 0.037)
    truth, replay = SOURCE.degrees_of_freedom(t), ship.degrees_of_freedom(t)
    np.testing.assert_allclose(replay, truth, atol=2e-4)


def test_one_instant_equals_the_series(recording):
    ship = ShipMotion.recorded(recording, ramp_in=3.0, fade=5.0)
    t = np.array([-1.0, 0.0, 0.3, 2.0, 7.0, 60.03, 117.0, 119.8, 119.9, 130.0])
    one_by_one = [ship.at(float(x)).packed for x in t]
    np.testing.assert_allclose(ship.at(t).packed, one_by_one, atol=1e-10)


def test_replay_begins_and_ends_at_rest_where_it_shall_fade(recording):
    ship = ShipMotion.recorded(recording, fade=5.0)
    for t in (-5.0, 0.0, 119.9, 500.0):
        np.testing.assert_allclose(ship.at(t).packed, BaseMotion.still().packed, atol=1e-9)


def test_derivatives_hold_through_the_fade_too(recording):
    ship = ShipMotion.recorded(recording, fade=5.0)
    h = 1e-3
    for t in (2.0, 60.0, 117.5):
        x = ship.degrees_of_freedom(t + h * np.arange(-1, 2))
        np.testing.assert_allclose((x[2, :6] - x[0, :6]) / (2 * h), x[1, 6:12], atol=1e-6)
        np.testing.assert_allclose((x[2, 6:12] - x[0, 6:12]) / (2 * h), x[1, 12:], atol=1e-6)


def test_a_faster_replay_scales_rates_and_accelerations(recording):
    slow, fast = ShipMotion.recorded(recording), ShipMotion.recorded(recording, 2.0)
    a, b = (s.degrees_of_freedom(np.array([x]))[0] for s, x in ((slow, 60.0), (fast, 30.0)))
    np.testing.assert_allclose(b, a * np.repeat([1.0, 2.0, 4.0], 6), rtol=1e-6, atol=1e-12)


def test_the_filter_takes_noise_out_of_the_acceleration(samples):
    t, x = samples
    noisy = x[:, 3] + 1e-3 * np.random.default_rng(0).standard_normal(len(t))
    inner = np.arange(20, 100, 0.05)
    truth = SOURCE.degrees_of_freedom(inner)[:, 15]
    errors = [np.std(RecordedMotion(t, {'roll': noisy}, cutoff=cutoff)
                     .evaluate_series(inner)[:, 15] - truth) for cutoff in (None, 0.6)]
    assert errors[1] < 0.05 * errors[0] and errors[1] < 0.25 * truth.std()


def test_angles_may_come_in_degrees(tmp_path):
    t = np.arange(0, 40, 0.1)
    path = tmp_path / 'roll.csv'
    path.write_text('time,roll_deg\n' + '\n'.join(f'{a},{10 * math.sin(a)}' for a in t))
    roll = ShipMotion.recorded(str(path)).pose(20.0).rpy[0]
    assert roll == pytest.approx(math.radians(10) * math.sin(20.0), abs=1e-6)


def test_parameters_build_the_same_replay(recording):
    ship = ShipMotion.recorded(recording, 1.5, ramp_in=2.0)
    again = ship_from_parameters(ship.to_parameters())
    for t in (0.9, 33.3):  # while it ramps in, and afterwards
        np.testing.assert_array_equal(again.at(t).packed, ship.at(t).packed)


@pytest.mark.parametrize('text, message', [
    ('time,rol\n0,1\n', 'expected a column time'), ('roll\n0\n', 'expected a column time'),
    ('time,roll\n0,x\n', 'no number')])
def test_a_broken_recording_is_named(tmp_path, text, message):
    path = tmp_path / 'broken.csv'
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=message):
        ShipMotion.recorded(str(path))


def test_a_recording_must_be_long_enough_and_exist(tmp_path):
    with pytest.raises(InputError, match='at least 6'):
        RecordedMotion([0, 1, 2], {'roll': [0, 1, 2]})
    with pytest.raises(ConfigurationError, match='cannot be read'):
        ShipMotion.recorded(str(tmp_path / 'absent.csv'))

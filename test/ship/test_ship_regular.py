"""The regular ship: the paper's numbers, exact derivatives, the same ship from parameters."""

import json
import pathlib

import numpy as np
import pytest

from robot_dynamics import BaseMotion, RobotDynamicsError, ShipMotion
from robot_dynamics.core.errors import ConfigurationError, InputError, UnknownNameError
from robot_dynamics.motion import rotations
from robot_dynamics.ship.ship_config import ship_from_parameters

POINT = (3.0, -2.0, 5.0)


@pytest.fixture(scope='module')
def lively():
    return ShipMotion.regular(
        roll=(0.5, 6.0, 0.3), pitch=[(0.3, 4.0), (0.1, 2.5, 1.0)], yaw=(0.4, 7.0, 1.0),
        surge=(1.0, 6.0, 2.0), sway=[(1.0, 5.0, 0.3), (0.3, 3.0, 1.0)], heave=(2.0, 8.0),
        ramp_in=5.0)


def test_default_is_table_3_of_the_paper():
    t = np.array([0.0, 1.0, 2.5, 11.5])
    rpy = ShipMotion.regular().pose(t).rpy
    np.testing.assert_allclose(rpy[:, 0], 0.3 * np.cos(2 * np.pi * t / 11.5), atol=1e-15)
    np.testing.assert_allclose(rpy[:, 1], 0.3 * np.sin(2 * np.pi * t / 4.0), atol=1e-15)


def test_default_equals_roll_pitch_converter():
    t, wr, wp = 1.7, 2 * np.pi / 11.5, 2 * np.pi / 4
    expected = BaseMotion.from_roll_pitch(
        0.3 * np.cos(wr * t), 0.3 * np.sin(wp * t), -0.3 * wr * np.sin(wr * t),
        0.3 * wp * np.cos(wp * t), -0.3 * wr**2 * np.cos(wr * t), -0.3 * wp**2 * np.sin(wp * t))
    np.testing.assert_allclose(ShipMotion.regular().at(t).packed, expected.packed, atol=1e-14)


@pytest.mark.parametrize('t', [0.7, 3.0, 12.3])
def test_velocity_and_acceleration_are_derivatives_of_the_pose(lively, t):
    h = 1e-3
    poses = lively.pose(t + h * np.arange(-3, 4), POINT)
    first = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
    second = np.array([2, -27, 270, -490, 270, -27, 2]) / (180 * h * h)
    now = lively.pose(t, POINT)
    np.testing.assert_allclose(first @ poses.position, now.linear_velocity, atol=1e-9)
    np.testing.assert_allclose(second @ poses.position, now.linear_acceleration, atol=1e-7)
    Rd = np.tensordot(first, poses.rotation, 1)
    np.testing.assert_allclose(
        rotations.unskew(now.rotation.T @ Rd), now.angular_velocity, atol=1e-9)
    np.testing.assert_allclose(
        first @ poses.angular_velocity, now.angular_acceleration, atol=1e-9)


def test_motion_at_a_point_is_its_pose_in_deck_axes(lively):
    t = np.linspace(0, 20, 9)
    motion, pose = lively.at(t, POINT), lively.pose(t, POINT)
    np.testing.assert_allclose(motion.linear_acceleration,
                               rotations.rotate_back(pose.rotation, pose.linear_acceleration),
                               atol=1e-13)
    np.testing.assert_allclose(
        motion.gravity, rotations.rotate_back(pose.rotation, [0, 0, -9.80665]), atol=1e-14)


def test_one_instant_equals_the_series(lively):
    t = np.linspace(-1, 20, 40)
    one_by_one = [lively.at(float(x), POINT).packed for x in t]
    np.testing.assert_allclose(lively.at(t, POINT).packed, one_by_one, atol=1e-13)


def test_deck_point_equals_the_transformed_motion_of_the_centre(lively):
    moved = lively.at(7.7).transformed(np.eye(3), POINT)
    np.testing.assert_allclose(lively.at(7.7, POINT).packed, moved.packed, atol=1e-13)


def test_angles_are_composed_not_added():
    pose = ShipMotion.regular(roll=(1.0, 4.0), pitch=(1.0, 4.0), yaw=(1.0, 4.0)).pose(1.0)
    np.testing.assert_allclose(
        pose.rotation, rotations.matrix_from_rpy([1.0, 1.0, 1.0]), atol=1e-15)


def test_ramp_starts_at_rest_and_ends_at_the_full_motion():
    full, ramped = ShipMotion.regular(), ShipMotion.regular(ramp_in=5.0)
    for t in (-1.0, 0.0):
        np.testing.assert_array_equal(ramped.at(t).packed, BaseMotion.still().packed)
    np.testing.assert_allclose(ramped.at(5.0).packed, full.at(5.0).packed, atol=1e-15)
    step = ramped.at(5.0 - 1e-6).packed - ramped.at(5.0 + 1e-6).packed
    assert np.abs(step).max() < 1e-4  # acceleration does not jump


def test_motion_depends_on_time_alone(lively):
    first = lively.at(3.3).packed.copy()
    lively.at(100.0), lively.at(np.linspace(0, 5, 50))
    np.testing.assert_array_equal(lively.at(3.3).packed, first)


def test_parameters_build_the_same_ship(lively):
    again = ship_from_parameters(json.loads(json.dumps(lively.to_parameters())))
    for t in (2.2, 8.8):  # while it ramps in, and afterwards
        np.testing.assert_array_equal(again.at(t, POINT).packed, lively.at(t, POINT).packed)


def test_parameters_may_be_plain_numbers():
    ship = ship_from_parameters(
        {'mode': 'regular', 'heave.amplitude': 1.0, 'heave.period': 8.0})
    expected = ShipMotion.regular(roll=None, pitch=None, heave=(1.0, 8.0))
    np.testing.assert_array_equal(ship.at(1.0).packed, expected.at(1.0).packed)
    empty = ship_from_parameters({})
    np.testing.assert_array_equal(empty.at(1.0).packed, ShipMotion.regular().at(1.0).packed)


@pytest.mark.parametrize('parameters, error, text', [
    ({'mode': 'calm'}, ConfigurationError, 'regular'),
    ({'rol.amplitude': 1.0}, UnknownNameError, 'roll.amplitude'),
    ({'roll.amplitude': 1.0}, ConfigurationError, 'roll.period missing'),
    ({'roll.amplitude': [1.0, 2.0], 'roll.period': 3.0}, ConfigurationError, 'length'),
    ({'roll.amplitude': 1.0, 'roll.period': 0.0}, ConfigurationError, 'period'),
    ({'ramp_in': -1.0}, ConfigurationError, 'ramp_in')])
def test_wrong_parameters_are_named(parameters, error, text):
    with pytest.raises(error, match=text) as caught:
        ship_from_parameters(parameters)
    assert isinstance(caught.value, RobotDynamicsError)


def test_a_still_ship_is_a_level_base():
    ship = ShipMotion.regular(roll=None, pitch=None)
    np.testing.assert_array_equal(ship.at(3.0).packed, BaseMotion.still().packed)


def test_golden_base_motion_of_the_paper():
    path = pathlib.Path(__file__).parents[1] / 'data' / 'golden.json'
    ship = ShipMotion.regular(gravity_magnitude=9.8062)
    for case in json.loads(path.read_text())['pa10_6ce']['cases']:
        for sample in case['samples']:
            motion = ship.at(float(sample['t']))
            np.testing.assert_allclose(motion.angular_velocity, sample['omega_body'], atol=1e-14)
            np.testing.assert_allclose(
                motion.angular_acceleration, sample['omegadot_body'], atol=1e-14)


@pytest.mark.parametrize('t, point, says', [
    ('noon', (0, 0, 0), 't: is not numeric'), ([[0.0]], (0, 0, 0), 't: expected shape'),
    (np.nan, (1.0, 0, 0), 't: is nan'), (0.0, (1.0, 2.0), 'point: expected shape'),
    (np.zeros(2), (1.0, 2.0), 'point: expected shape')])
def test_a_time_or_place_that_is_none_is_refused_by_name(t, point, says):
    with pytest.raises(InputError, match=says):
        ShipMotion.regular().at(t, point)


@pytest.mark.parametrize('t', [np.nan, np.inf, float('-inf')])
def test_a_time_that_is_not_finite_is_refused_at_the_rotation_centre_too(t):
    with pytest.raises(InputError, match='t: is'):
        ShipMotion.regular().at(t)


@pytest.mark.parametrize('given', [5, 0.3, 'big', [(0.3, 4.0), 5], (0.3,)])
def test_what_is_no_sinusoid_is_refused_by_the_name_of_the_angle(given):
    with pytest.raises(InputError, match='^pitch: '):
        ShipMotion.regular(pitch=given)

"""Four mecanum wheels: which way they drive, what they carry, and what is refused."""

import dataclasses

from mobile_robots import MECANUM, mecanum_tree
import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState, InverseDynamics, Omnidirectional
from robot_dynamics.core.errors import (
    ConfigurationError, InputError, ModelError, UnknownNameError)
from robot_dynamics.dynamics.ground_contact import ground_contact
from robot_dynamics.dynamics.loads import ExternalWrench

WHEELS = dict(zip(MECANUM, MECANUM))
RADIUS = 0.12


@pytest.fixture(scope='module')
def model():
    return mecanum_tree(np.random.default_rng(4), 2)[0]


@pytest.fixture(scope='module')
def platform(model):
    return Omnidirectional.from_model(model, **WHEELS)


@pytest.mark.parametrize('rates, twist', [
    ((1, 1, 1, 1), (RADIUS, 0, 0)),      # front right, front left, rear right, rear left
    ((1, -1, -1, 1), (0, RADIUS, 0)),    # to the left
    ((1, -1, 1, -1), (0, 0, 1)),         # turning to the left
    ((1, 1, -1, -1), (0, 0, 0))])        # the front drives against the rear
def test_wheels_drive_forward_aside_and_around(platform, rates, twist):
    found = platform.wheel_twists @ rates
    ahead, aside = np.abs(platform.places).mean(axis=0)
    expected = np.array(twist, float) * [1, 1, RADIUS / (ahead + aside)]
    assert np.allclose(found, expected, atol=1e-12)


def test_wheel_rates_of_a_twist_give_it_back(platform, rng):
    twist = rng.normal(size=3)
    assert np.allclose(platform.wheel_twists @ platform.wheel_rates @ twist, twist, atol=1e-12)


def test_a_push_aside_is_held_by_all_wheels_in_equal_shares(model, platform):
    """By virtual work: 40 N to the left through O take a quarter of 40 N times the radius each."""
    dynamics = InverseDynamics(model, backend='interpreted', support=platform)
    heading, zero = 0.7, np.zeros(dynamics.model.nv)
    base = BaseState(BaseMotion(), [1.0, 2.0, heading])
    c, s = np.cos(heading), np.sin(heading)
    left = np.array([-s, c, 0.0])
    arm = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ platform.R_BO.T @ platform.p_BO
    push = {'base': ExternalWrench([*(40.0 * left), *np.cross(arm, 40.0 * left)], 'base')}
    share = dynamics.external_torque(zero, push, base)
    assert np.allclose(share[:4], -RADIUS * 10.0 * np.array([1, -1, -1, 1]), atol=1e-10)
    assert np.allclose(share[4:], 0.0, atol=1e-12)


def test_four_contacts_hold_the_zero_moment_point(model, platform):
    dynamics = InverseDynamics(model, backend='interpreted', support=platform)
    zero = np.zeros(dynamics.model.nv)
    contact = ground_contact(dynamics, zero, zero, zero)
    assert contact.normal is None and contact.longitudinal is None
    assert np.isclose(contact.vertical, 9.80665 * model.total_mass, rtol=1e-12)
    corner = np.abs(platform.places).max(axis=0)
    inside = (corner - np.abs(contact.zero_moment_point)).min()
    assert np.isclose(contact.tipping_margin, inside, rtol=1e-9)


@pytest.mark.parametrize('change, error, words', [
    ({'rear_left': 'wheel'}, UnknownNameError, ("'wheel'",)),
    ({'rear_left': 'rear_right'}, InputError, ('rear_left', 'same joint', 'rear_right')),
    ({'roller_angle': 0.0}, InputError, ('roller_angle', 'DifferentialDrive')),
    ({'roller_angle': 1.5}, InputError, ('roller_angle',)),
    ({'wheel_radius': 0.3}, ConfigurationError, ('wheel_radius', '0.12 m')),
    ({'front_left': 'rear_left', 'front_right': 'rear_right', 'rear_left': 'front_left',
      'rear_right': 'front_right'}, ModelError, ('rear ahead of the front', 'swap')),
    ({'rear_left': 'rear_right', 'rear_right': 'rear_left'}, ModelError, ('not parallel',))])
def test_wheels_that_are_no_platform_are_refused_with_the_fix(model, change, error, words):
    with pytest.raises(error) as caught:
        Omnidirectional.from_model(model, **{**WHEELS, **change})
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_a_wrench_in_deck_axes_needs_the_pose(model, platform):
    dynamics = InverseDynamics(model, backend='interpreted', support=platform)
    zero = np.zeros(dynamics.model.nv)
    for base in (None, BaseMotion()):
        with pytest.raises(InputError, match='pose: is missing'):
            dynamics.torque(zero, zero, zero, base, {'base': ExternalWrench(np.ones(6), 'base')})
    assert np.isfinite(dynamics.torque(zero, zero, zero, None, {'base': np.ones(6)})).all()


def test_a_platform_is_data(platform):
    with pytest.raises(dataclasses.FrozenInstanceError):
        platform.radius = 0.2

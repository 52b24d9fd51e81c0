"""Bases that do not lie level: an arm on a wall, with the sensor on the deck or on the arm."""

import functools

import numpy as np
import pytest

from robot_dynamics import BaseMotion, ShipMotion
from robot_dynamics.estimation.adaptive.motion_estimator import AdaptiveEstimator
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion.level_frame import Upright
from robot_dynamics.motion.rotations import matrix_from_rpy
from selections import some

SHIP = ShipMotion.regular(roll=(0.15, 7.0), pitch=(0.1, 5.0), heave=(0.5, 6.0))
PLACE = np.array([1.0, -0.5, 2.0])
ROUGH = ShipMotion.irregular(6)


@pytest.mark.parametrize('rpy', some(1, [
    [0.3, -np.pi / 2, 0.2], [0, np.pi / 2, 0], [0, 1.2, -0.8]]))
@pytest.mark.parametrize('on_deck', some(1, [True, False]))
def test_the_motion_of_a_base_on_a_wall_is_found(rpy, on_deck):
    R_DB = matrix_from_rpy(rpy)
    mounting = ImuMounting(R_DB.T, -R_DB.T @ PLACE) if on_deck else ImuMounting()
    estimator, imu, errors, scale = AdaptiveEstimator(mounting), ImuModel(), [], []
    for k in range(3000):
        t = 0.01 * k
        deck = SHIP.at(t)
        wall = deck.transformed(R_DB, PLACE)
        R_WD = SHIP.rotation_at(t)
        sample = (imu.measure(10_000_000 * k, deck, R_WD) if on_deck
                  else imu.measure(10_000_000 * k, wall, R_WD @ R_DB))
        assert estimator.update(sample) is None
        if k > 2000:
            found = estimator.at(10_000_000 * k).motion
            errors.append(np.linalg.norm(found.packed[:6] - wall.packed[:6]))
            scale.append(np.linalg.norm(wall.packed[:6]))
            assert np.linalg.norm(found.specific_force - wall.specific_force) < 0.05
            assert np.linalg.norm(found.gravity - wall.gravity) < 0.01
    assert np.mean(errors) < 0.03 * np.mean(scale)


def test_covariance_turns_with_the_motion():
    """Sample vectors in U, turn them, and compare with the turned covariance."""
    rng = np.random.default_rng(0)
    upright = Upright([-1.0, 0.2, 0.1])
    root = rng.normal(size=(12, 12))
    draws = rng.normal(size=(200_000, 12)) @ root.T
    turned = np.array([upright.motion_back(row) for row in draws[:20_000]])
    expected = upright.covariance_back(root @ root.T)
    assert np.abs(np.cov(turned.T) - expected).max() < 0.05 * np.abs(expected).max()


@pytest.mark.parametrize('up', [(0, 0, -1), (0, 0, 1), (1, 0, 0), (0.3, -2.0, 0.4)])
def test_up_becomes_z(up):
    np.testing.assert_allclose(Upright(up).R_UB @ up, [0, 0, np.linalg.norm(up)], atol=1e-12)


def test_a_wall_without_orientation_is_told_by_its_specific_force():
    wall = BaseMotion(gravity=[9.80665, 0.0, 0.0])
    estimator = AdaptiveEstimator()
    for k in range(50):
        sample = ImuModel().measure(10_000_000 * k, wall, matrix_from_rpy((0, np.pi / 2, 0)))
        bare = type(sample)(sample.stamp_ns, sample.angular_velocity, sample.linear_acceleration)
        assert estimator.update(bare) is None
    np.testing.assert_allclose(estimator.at(sample.stamp_ns).motion.specific_force,
                               [-9.80665, 0, 0], atol=1e-6)


@functools.lru_cache(maxsize=None)
def rough_samples(reports_orientation):
    """Return what a level sensor measures in five seconds."""
    sensor = ImuModel(ImuConfig(reports_orientation=reports_orientation))
    return [sensor.measure_ship(10_000_000 * k, ROUGH, 0.01 * k) for k in range(500)]


def estimated(estimator, reports_orientation=True):
    for sample in rough_samples(reports_orientation):
        assert estimator.update(sample) is None
    return estimator.at(5_000_000_000)


@pytest.mark.parametrize('rpy', [
    (0.0, np.pi / 2, 0.0), (0.0, -np.pi / 2, 1.0), (np.pi / 2, 0.0, 0.0), (np.pi, 0.0, 0.0),
    (0.4, 1.2, -0.5), (0.1, 0.2, 0.3)])
@pytest.mark.parametrize('reports_orientation', [True, False])
def test_an_arm_that_stands_in_any_way_gets_the_motion_of_an_upright_one_turned(
        rpy, reports_orientation):
    R_BI = matrix_from_rpy(rpy)  # the sensor is level, the arm's base is not
    place = np.array([0.3, -0.2, 0.4])
    found = estimated(AdaptiveEstimator(ImuMounting(R_BI, place)), reports_orientation)
    upright = estimated(AdaptiveEstimator(ImuMounting(p_BI=R_BI.T @ place)),
                        reports_orientation)
    assert found.level == upright.level
    turned = (upright.motion.packed.reshape(4, 3) @ R_BI.T).ravel()
    size = np.repeat([0.05, 0.05, 1.0, 9.8], 3)
    assert (np.abs(found.motion.packed - turned) / size).max() < 0.05
    assert np.linalg.eigvalsh(found.covariance).min() > -1e-12


def test_after_a_reset_it_looks_again_how_the_base_stands():
    mounting = ImuMounting(matrix_from_rpy((0.0, np.pi / 2, 0.0)), np.array([0.3, -0.2, 0.4]))
    estimator = AdaptiveEstimator(mounting)
    first = estimated(estimator)
    estimator.reset()
    assert estimator.at(0).level == 'none'
    np.testing.assert_allclose(estimated(estimator).motion.packed, first.motion.packed, atol=1e-9)

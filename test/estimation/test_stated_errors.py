"""What the adaptive estimator says of its errors: neither far too little nor far too much."""

import math

import numpy as np
import pytest

from robot_dynamics.estimation.adaptive.compiling import constants
from robot_dynamics.estimation.adaptive.signal_predictor import SignalPredictor
from robot_dynamics.estimation.estimators import make_estimator
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.ship.ship_motion import ShipMotion
from selections import some

DT, G = 0.01, 9.80665
ROLL, PITCH = 0, 1
SEAS = [(3, ROLL), (4, PITCH), (5, ROLL), (3, PITCH), (5, PITCH), (4, ROLL)]


def told(state, axis, gyro, orientation, seconds, hull='supply_vessel', seed=9):
    """Return instants, errors of an angular acceleration and what was said of them, (3, N)."""
    ship = ShipMotion.irregular(state, hull=hull, seed=3141,
                                wave_direction=math.pi / (2 if axis == ROLL else 1))
    motion = ship.degrees_of_freedom(np.arange(0, seconds, DT))[:, 3 + axis::6]
    rng, estimator, found = np.random.default_rng(seed), make_estimator('adaptive'), []
    for k, (angle, rate, acceleration) in enumerate(motion.tolist()):
        reported = angle + math.radians(orientation) * rng.standard_normal()
        w = math.radians(gyro) * rng.standard_normal(3) + (rate, 0.0, 0.0)
        force = 0.02 * rng.standard_normal(3) + (0.0, G * math.sin(angle), G * math.cos(angle))
        estimator.update(ImuSample(round(k * DT * 1e9), tuple(w), tuple(force), (
            math.sin(reported / 2), 0.0, 0.0, math.cos(reported / 2))))
        if k * DT > 0.3 and k % 7 == 0:
            said = estimator.at(round(k * DT * 1e9))
            found.append((k * DT, said.motion.angular_acceleration[0] - acceleration,
                          math.sqrt(said.covariance[3, 3])))
    return np.array(found).T


@pytest.mark.parametrize('step', [0.01, 0.02])
def test_errors_are_stated_by_noise_that_is_as_large_as_it_is(step):
    found = {round(seconds / step): [] for seconds in (2.0, 5.0, 15.0)}
    for seed in range(15):
        predictor, noise = SignalPredictor((False,) * 6, step), np.random.default_rng(seed)
        for k in range(1, max(found) + 1):
            predictor.advance(noise.standard_normal(6), True)
            if k in found:
                found[k].append(predictor._memory.noise[:, 5].copy())
    for variances in found.values():
        assert np.mean(variances) == pytest.approx(1.0, abs=0.12)


def test_errors_beside_a_noisy_gyro_are_as_large_as_stated_from_the_first_second_on():
    t, errors, stated = np.concatenate(
        [told(*sea, 0.1, 0.05, 10.0, hull) for sea in SEAS for hull in (None, 'supply_vessel')],
        axis=1)
    for begin, end in ((1.0, 2.3), (3.0, 6.0), (6.0, 10.0)):
        score = (np.abs(errors) / stated)[(t > begin) & (t < end)]
        assert 0.4 < np.sqrt(np.mean(score**2)) < 1.4
        assert np.mean(score < 1.96) > 0.87


@pytest.mark.parametrize('state, axis', some(2, SEAS))
def test_errors_with_exact_reports_are_as_large_as_stated(state, axis):
    t, errors, stated = told(state, axis, gyro=0.1, orientation=0.0, seconds=60.0)
    score = (np.abs(errors) / stated)[t > 15.0]
    assert 0.3 < np.sqrt(np.mean(score**2)) < 1.5
    assert np.mean(score < 1.96) > 0.85


def test_a_noisy_gyro_is_soon_forgotten_beside_exact_reports():
    for seed in range(12):
        t, errors, stated = told(4, PITCH, gyro=0.1, orientation=0.0, seconds=12.0, seed=seed)
        late = t > 8.0
        assert np.sqrt(np.mean(stated[late]**2)) < 10.0 * np.sqrt(np.mean(errors[late]**2))


def test_what_is_learned_as_the_derivative_is_it_within_the_band():
    d = constants(DT)[0]
    reach = int(d.scalars[2])
    after = DT * np.arange(-reach, reach + 1)
    for band, highest in enumerate((4.0, 1.5)):
        for w in 2 * math.pi * np.array([0.1, 0.5, 1.0]) * highest:
            assert d.filters[2 + band] @ np.sin(w * after) == pytest.approx(w, rel=1e-3)


@pytest.mark.parametrize('frequency', [0.05, 0.2, 1.0, 3.0])
def test_a_slow_motion_is_no_vibration(frequency):
    d, w = constants(DT)[0], 2 * math.pi * frequency
    after = DT * (np.arange(len(d.left)) - len(d.left) // 2)
    assert abs(d.left @ np.cos(w * after)) < 1e-3
    assert abs(d.shake @ np.sin(w * after)) < 2e-3 * w


@pytest.mark.parametrize('frequency', [12.0, 20.0, 33.0, 45.0])
def test_the_acceleration_of_a_vibration_is_known(frequency):
    d, w = constants(DT)[0], 2 * math.pi * frequency
    after = DT * (np.arange(len(d.left)) - len(d.left) // 2)
    assert d.left @ np.cos(w * after) == pytest.approx(1.0, abs=0.01)
    assert d.shake @ np.sin(w * after) == pytest.approx(w, rel=0.01)

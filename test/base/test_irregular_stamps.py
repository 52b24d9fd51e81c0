"""The adaptive estimator with sensors that do not keep time: jitter, doubled and lost samples."""

import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.base.imu_model import ImuConfig, ImuModel
from robot_dynamics.base.motion_estimator import BaseMotionEstimator
from robot_dynamics.base.oscillator_bank import Channel, OscillatorBank

SHIP = ShipMotion.regular()
CONFIG = ImuConfig(orientation_noise=np.deg2rad(0.05), gyro_noise=np.deg2rad(0.02),
                   accelerometer_noise=0.02, seed=3)
INTERVAL = 10_000_000  # ns
COUNT = 2400
AHEAD = 0.006  # s
SETTLED = 300  # samples


def worst_error(stamps, estimator=None):
    """Return the largest error of the angular acceleration once it has settled, rad/s^2."""
    estimator, imu = estimator or BaseMotionEstimator(), ImuModel(CONFIG)
    worst = 0.0
    for k, stamp in enumerate(np.asarray(stamps, dtype=np.int64).tolist()):
        t = stamp * 1e-9
        assert estimator.update(imu.measure(stamp, SHIP.at(t), SHIP.pose(t).rotation)) is None
        if k > SETTLED:
            found = estimator.at(stamp + round(AHEAD * 1e9)).motion.angular_acceleration
            error = found - SHIP.at(t + AHEAD).angular_acceleration
            worst = max(worst, float(np.abs(error).max()))
    return worst


@pytest.fixture
def even():
    return 1_000_000_000 + INTERVAL * np.arange(COUNT)


@pytest.fixture(scope='module')
def peak():
    return np.abs(SHIP.at(np.arange(0, 24, 0.01)).angular_acceleration).max()


@pytest.mark.parametrize('seed', range(3))
@pytest.mark.parametrize('jitter', [0.01, 0.03, 0.05])
def test_stamps_that_jitter_cost_little(even, peak, jitter, seed):
    random = np.random.default_rng(seed)
    late = random.normal(0.0, jitter * INTERVAL, COUNT)
    assert worst_error(np.sort(even + late)) < 0.1 * peak


@pytest.mark.parametrize('seed', range(3))
def test_stamps_that_are_late_like_those_of_a_busy_timer_cost_little(even, peak, seed):
    random = np.random.default_rng(seed)
    assert worst_error(np.sort(even + random.exponential(2e5, COUNT))) < 0.1 * peak


@pytest.mark.parametrize('apart', [1_000, 300_000])
def test_a_sample_that_follows_its_like_at_once_changes_nothing(even, peak, apart):
    doubled = np.sort(np.concatenate([even, even[50::37] + apart]))
    assert worst_error(doubled) < 0.03 * peak


def test_lost_samples_cost_little(even, peak):
    kept = np.random.default_rng(0).random(COUNT) > 0.2
    assert worst_error(even[kept]) < 0.05 * peak


@pytest.mark.parametrize('loss', [0.4, 0.7])
def test_a_sensor_that_loses_most_of_its_samples_is_followed(even, peak, loss):
    kept = np.random.default_rng(0).random(COUNT) > loss
    kept[0] = True
    assert worst_error(even[kept]) < 0.1 * peak


def test_gaps_of_half_a_second_every_second_are_bridged(even, peak):
    assert worst_error(even[np.arange(COUNT) % 100 < 55]) < 0.1 * peak


@pytest.mark.slow
@pytest.mark.parametrize('steps', [
    (14, 6), (6, 14), (8, 12), (12, 8), (15, 5), (19.7, 0.3), (0.3, 19.7), (3, 3, 3, 31), (1, 39),
    (10, 10, 30), (10, 70)])
def test_stamps_that_come_in_groups_are_followed(peak, steps):
    stamps = 1e9 + 1e6 * np.concatenate([[0.0], np.cumsum(np.tile(steps, COUNT // len(steps)))])
    assert worst_error(np.round(stamps)) < 0.1 * peak


@pytest.mark.slow
@pytest.mark.parametrize('after', [0.018, 0.0333, 0.1])
def test_a_sensor_that_becomes_slower_is_followed(peak, after):
    stamps = 1e9 * np.concatenate([np.arange(1, 11, 0.01), np.arange(11, 41, after)])
    assert worst_error(np.round(stamps)) < 0.1 * peak


@pytest.mark.parametrize('apart', [1_000, 12_000_000])
def test_a_first_pair_at_an_odd_distance_is_soon_forgotten(even, peak, apart):
    stamps = np.concatenate([even[:1], even[:1] + apart, even[4:]])
    assert worst_error(stamps) < 0.1 * peak


@pytest.mark.parametrize('pause', [300_000_000, 900_000_000])
def test_a_pause_after_the_first_sample_is_not_taken_for_the_interval(even, peak, pause):
    stamps = np.concatenate([even[:1] - pause, even])
    assert worst_error(stamps) < 0.03 * peak


@pytest.mark.parametrize('interval, jitter', [
    (0.04, 0.1), (0.01, 0.05), (0.01, 0.1), (0.001, 0.1)])
def test_jitter_moves_neither_the_interval_nor_the_grid(interval, jitter):
    random, bank = np.random.default_rng(1), OscillatorBank(
        [Channel('x', 7.0, (1e-5, 1e-5), 0.3, 0.02)])
    bank.declare(np.array([[True, True]]))
    count = max(6000, round(40.0 / interval))
    stamps = interval * np.sort(np.arange(count) + random.normal(0.0, jitter, count))
    before, taken = stamps[0], 0
    for stamp in stamps.tolist():
        if bank.step(stamp - before, np.zeros((1, 2))):
            before, taken = stamp, taken + 1
    assert bank.interval == pytest.approx(interval, rel=2e-3)
    assert taken == count


@pytest.mark.parametrize('after', [0.005, 0.0091])
def test_a_sensor_that_becomes_faster_does_no_harm(peak, after):
    stamps = 1e9 * np.concatenate([np.arange(1, 11, 0.01), np.arange(11, 26, after)])
    assert worst_error(np.round(stamps)) < 0.1 * peak

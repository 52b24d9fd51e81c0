import numpy as np
import pytest

from robot_dynamics.app.demo.reduced_estimators import (
    BackwardDifference, ExactMotion, WithoutAccelerometer, WithoutAngularAcceleration,
    WithoutPrediction)
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.ship.ship_motion import ShipMotion

SHIP = ShipMotion.regular()
LAST = 990_000_000


def fed(estimator, config=ImuConfig()):
    sensor = ImuModel(config)
    for k in range(100):
        assert estimator.update(sensor.measure_ship(10_000_000 * k, SHIP, 0.01 * k)) is None
    return estimator


def test_exact_motion_is_that_of_the_ship_at_its_point_after_the_epoch():
    exact = ExactMotion(SHIP, (3.0, 1.0, 2.0), 10**9)
    assert exact.update(None) is None
    np.testing.assert_array_equal(exact.at(4 * 10**9).motion.packed,
                                  SHIP.at(3.0, (3.0, 1.0, 2.0)).packed)


def test_without_prediction_the_answer_is_that_of_the_last_sample():
    full, reduced = SavitzkyGolayEstimator(), fed(WithoutPrediction(SavitzkyGolayEstimator()))
    fed(full)
    late = reduced.at(LAST + 50_000_000).motion.packed
    np.testing.assert_array_equal(late, full.at(LAST).motion.packed)
    assert np.abs(late - full.at(LAST + 50_000_000).motion.packed).max() > 1e-3
    np.testing.assert_array_equal(reduced.at(LAST - 10_000_000).motion.packed,
                                  full.at(LAST - 10_000_000).motion.packed)


def test_without_angular_acceleration_only_that_is_zero():
    full, reduced = (fed(e) for e in (SavitzkyGolayEstimator(), WithoutAngularAcceleration(
        SavitzkyGolayEstimator())))
    motion, exact = reduced.at(LAST).motion, full.at(LAST).motion
    assert not motion.angular_acceleration.any()
    assert np.abs(exact.angular_acceleration).max() > 0.1
    for name in ('angular_velocity', 'linear_acceleration', 'gravity'):
        np.testing.assert_array_equal(getattr(motion, name), getattr(exact, name))


def test_without_the_accelerometer_the_level_falls_and_no_acceleration_is_known():
    estimate = fed(WithoutAccelerometer(SavitzkyGolayEstimator())).at(LAST)
    assert estimate.level == 'gyro'
    assert not estimate.motion.linear_acceleration.any()


def test_a_backward_difference_lags_by_half_a_sample():
    estimate = fed(BackwardDifference()).at(LAST + 20_000_000)
    np.testing.assert_allclose(estimate.motion.angular_acceleration,
                               SHIP.at(0.985).angular_acceleration, atol=1e-4)
    np.testing.assert_allclose(estimate.motion.gravity, SHIP.at(0.99).gravity, atol=1e-9)


def test_a_backward_difference_allows_for_the_lever_arm_of_the_sensor():
    place = (0.5, -0.2, 0.1)
    estimate = fed(BackwardDifference(ImuMounting(p_BI=place)),
                   ImuConfig(mounting_xyz=place)).at(LAST)
    np.testing.assert_allclose(estimate.motion.linear_acceleration, 0.0, atol=3e-3)


@pytest.mark.parametrize('kind', [WithoutPrediction, WithoutAccelerometer])
def test_a_reset_reaches_the_estimator(kind):
    reduced = fed(kind(SavitzkyGolayEstimator()))
    reduced.reset()
    assert reduced.at(LAST).level == 'none'

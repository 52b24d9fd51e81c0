"""The simple estimator: accurate on the paper's ship, careful with what it is fed."""

import dataclasses
import math

import numpy as np
import pytest

from robot_dynamics import BaseMotion, ShipMotion
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import NOT_REPORTED, RejectionReason
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion import rotations

DEG = math.pi / 180
NOISE = {'orientation_noise': 0.05 * DEG, 'gyro_noise': 0.02 * DEG, 'accelerometer_noise': 0.02}


def _run(estimator, ship, config, duration=12.0, ahead=0.003, start=3.0, edit=None):
    """Feed a ship's IMU; return errors of the packed motion at stamp + ahead, (T, 12)."""
    imu, errors = ImuModel(config), []
    for i in range(int(duration * config.rate)):
        stamp = round(i * 1e9 / config.rate)
        sample = imu.measure_ship(stamp, ship, stamp * 1e-9)
        if sample is None:
            continue
        rejection = estimator.update(sample if edit is None else edit(sample))
        assert rejection is None
        if stamp * 1e-9 > start:
            target = stamp + round(ahead * 1e9)
            truth = ship.at(target * 1e-9).packed
            errors.append(estimator.at(target).motion.packed - truth)
    return np.array(errors)


@pytest.fixture(scope='module')
def ship():
    return ShipMotion.regular(heave=(0.5, 7.0))


def test_on_the_papers_ship_angular_acceleration_is_within_one_percent(ship):
    errors = _run(SavitzkyGolayEstimator(), ship, ImuConfig(**NOISE))
    rms = np.sqrt((errors**2).mean(axis=0))
    signal = 0.51  # rad/s^2, RMS about the pitch axis
    assert rms[3:6].max() < 0.012 * signal
    assert rms[0:3].max() < 3e-4
    force = errors[:, 6:9] - errors[:, 9:12]
    assert np.sqrt((force**2).mean(axis=0)).max() < 0.013  # less than one sample's noise


@pytest.mark.parametrize('rate', [25.0, 100.0, 1000.0])
def test_polynomials_follow_a_noiseless_ship_at_any_rate(ship, rate):
    errors = _run(SavitzkyGolayEstimator(), ship, ImuConfig(rate=rate), duration=2.5, start=1.0)
    assert np.abs(errors[:, 3:6]).max() < 0.008


def test_a_wrong_instant_costs_what_compensation_saves(ship):
    late = _run(SavitzkyGolayEstimator(), ship, ImuConfig(), ahead=0.05)
    assert np.abs(late[:, 0:3]).max() < 0.002  # without extrapolation: 0.04 rad/s


def test_irregular_stamps_are_fitted_where_they_lie(ship):
    rng = np.random.default_rng(3)
    estimator, stamp = SavitzkyGolayEstimator(), 0
    imu = ImuModel()
    for _ in range(400):
        stamp += round(rng.uniform(0.004, 0.016) * 1e9)
        estimator.update(imu.measure_ship(stamp, ship, stamp * 1e-9))
    error = estimator.at(stamp).motion.packed - ship.at(stamp * 1e-9).packed
    assert np.abs(error).max() < 0.01


def test_lever_arm_and_mounting_are_undone(ship):
    rpy, place = (0.3, -0.4, 2.0), (0.4, 1.0, -0.7)
    mounting = ImuMounting(rotations.matrix_from_rpy(rpy), place)
    errors = _run(SavitzkyGolayEstimator(mounting=mounting), ship,
                  ImuConfig(mounting_rpy=rpy, mounting_xyz=place))
    assert np.abs(errors).max() < 0.02


def test_ned_samples_are_recognised_by_their_frame(ship):
    errors = _run(SavitzkyGolayEstimator(), ship, ImuConfig(ned=True))
    assert np.abs(errors).max() < 0.02


def test_a_quaternion_that_changes_sign_does_no_harm(ship):
    flip = [1.0]

    def edit(sample):
        flip[0] = -flip[0]
        quat = [flip[0] * x for x in sample.orientation_xyzw]
        return dataclasses.replace(sample, orientation_xyzw=quat)
    assert np.abs(_run(SavitzkyGolayEstimator(), ship, ImuConfig(), edit=edit)).max() < 0.02


def test_without_orientation_the_specific_force_remains(ship):
    estimator = SavitzkyGolayEstimator()
    errors = _run(estimator, ship, ImuConfig(reports_orientation=False))
    assert estimator.at(0).level == 'specific_force'
    assert estimator.at(0).motion.specific_force_only
    assert np.abs(errors[:, 6:9] - errors[:, 9:12]).max() < 0.02


def test_without_accelerometer_gravity_and_rates_remain(ship):
    errors = _run(SavitzkyGolayEstimator(), ship, ImuConfig(), edit=lambda s: dataclasses.replace(
        s, linear_acceleration_covariance=NOT_REPORTED))
    assert np.abs(errors[:, :6]).max() < 0.02
    assert np.abs(errors[:, 9:]).max() < 0.02
    assert np.abs(errors[:, 6:9]).max() > 0.3  # heave is invisible


def test_orientation_alone_gives_rates_too(ship):
    errors = _run(SavitzkyGolayEstimator(), ship, ImuConfig(), edit=lambda s: dataclasses.replace(
        s, linear_acceleration_covariance=NOT_REPORTED, angular_velocity_covariance=NOT_REPORTED))
    assert np.abs(errors[:, 0:3]).max() < 0.01  # of 0.47 rad/s: the cubic bends too little
    assert np.abs(errors[:, 3:6]).max() < 0.07  # of 0.74 rad/s^2


def _sample(at_ns, **changes):
    sample = ImuModel().measure(at_ns, BaseMotion.still(), np.eye(3))
    return dataclasses.replace(sample, **changes)


def test_nothing_received_is_level_none_and_a_base_at_rest():
    estimate = SavitzkyGolayEstimator().at(123)
    assert estimate.level == 'none'
    np.testing.assert_array_equal(estimate.motion.packed, BaseMotion.still().packed)


def test_the_first_sample_is_used_at_once():
    estimator = SavitzkyGolayEstimator()
    estimator.update(_sample(0))
    estimate = estimator.at(10_000_000)
    assert estimate.level == 'full'
    np.testing.assert_allclose(estimate.motion.packed, BaseMotion.still().packed, atol=1e-12)


@pytest.mark.parametrize('changes, reason', [
    ({'angular_velocity': (0.0, math.nan, 0.0)}, RejectionReason.NOT_FINITE),
    ({'linear_acceleration': (math.inf, 0.0, 0.0)}, RejectionReason.NOT_FINITE),
    ({'orientation_xyzw': (math.nan, 0.0, 0.0, 1.0)}, RejectionReason.NOT_FINITE),
    ({'orientation_xyzw': (0.0, 0.0, 0.0, 0.0)}, RejectionReason.BAD_QUATERNION),
    ({'orientation_xyzw': (0.0, 0.0, 0.0, 0.5)}, RejectionReason.BAD_QUATERNION),
    ({'stamp_ns': 0}, RejectionReason.DUPLICATE_STAMP),
    ({'angular_velocity_covariance': NOT_REPORTED, 'orientation_covariance': NOT_REPORTED},
     RejectionReason.NO_ANGULAR_VELOCITY)])
def test_a_bad_sample_is_refused_with_its_reason_and_changes_nothing(changes, reason):
    estimator = SavitzkyGolayEstimator()
    estimator.update(_sample(0))
    before = estimator.at(0).motion.packed
    rejection = estimator.update(_sample(10_000_000, **changes))
    assert rejection is not None and rejection.reason is reason and rejection.text
    np.testing.assert_array_equal(estimator.at(0).motion.packed, before)


@pytest.mark.parametrize('jump_ns', [-5 * 10**9, 10**9])
def test_a_jump_of_the_stamps_starts_afresh(ship, jump_ns):
    estimator, imu = SavitzkyGolayEstimator(), ImuModel()
    for i in range(100):
        estimator.update(imu.measure_ship(i * 10**7, ship, 0.01 * i))
    after = 10**9 + jump_ns
    estimator.update(imu.measure_ship(after, ship, 30.0))
    assert estimator.resets == 1
    np.testing.assert_allclose(
        estimator.at(after).motion.angular_velocity, ship.at(30.0).angular_velocity, atol=1e-12)


def test_extrapolation_stops_where_polynomials_mean_nothing(ship):
    estimator, imu = SavitzkyGolayEstimator(max_extrapolation=0.1), ImuModel()
    for i in range(100):
        estimator.update(imu.measure_ship(i * 10**7, ship, 0.01 * i))
    far, limit = estimator.at(100 * 10**9), estimator.at(99 * 10**7 + 10**8)
    np.testing.assert_array_equal(far.motion.packed, limit.motion.packed)

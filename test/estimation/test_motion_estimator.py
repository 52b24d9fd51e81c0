"""The adaptive estimator: accurate in any sea without tuning, honest, careful, smooth."""

import dataclasses
import math

from imu_stream import DEG, NOISE, samples
import numpy as np
import pytest

from robot_dynamics import BaseMotion, ShipMotion
from robot_dynamics.estimation.adaptive.motion_estimator import AdaptiveEstimator
from robot_dynamics.estimation.complementary_filter import TiltFromForce
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import NOT_REPORTED, RejectionReason
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion import rotations

POINT = (8.0, 2.0, 4.0)


def _run(ship, config, estimator=None, duration=40.0, start=20.0, ahead=0.0, edit=None):
    """Return errors and stated sigmas of the packed motion at stamp + ahead, (T, 12) each."""
    estimator = estimator or AdaptiveEstimator()
    found, times, sigmas = [], [], []
    for i, (t, sample) in enumerate(samples(ship, config, duration, POINT)):
        assert estimator.update(sample if edit is None else edit(sample)) is None
        if t > start and i % 10 == 0:
            estimate = estimator.at(sample.stamp_ns + round(ahead * 1e9))
            found.append(estimate.motion.packed)
            times.append(t + ahead)
            sigmas.append(np.sqrt(np.diag(estimate.covariance)))
    return np.array(found) - ship.at(np.array(times), POINT).packed, np.array(sigmas)


def _rms(errors):
    return np.sqrt((errors**2).mean(axis=0))


@pytest.fixture(scope='module')
def quartering():
    return ShipMotion.irregular(4, hull='supply_vessel', wave_direction=2.2, seed=77)


@pytest.fixture(scope='module')
def full_run(quartering):
    return _run(quartering, ImuConfig(**NOISE, seed=5))


def test_all_of_the_base_motion_is_found(full_run, quartering):
    rms = _rms(full_run[0])
    signal = quartering.at(np.arange(20, 45, 0.1), POINT).packed.std(axis=0)
    assert (rms[3:5] < 0.06 * signal[3:5]).all()   # angular acceleration of roll and pitch
    assert rms[0:3].max() < 0.02 * DEG             # better than one sample of the gyro
    assert rms[9:12].max() < 0.03 * DEG * 9.81     # better than one orientation
    force = _rms(full_run[0][:, 6:9] - full_run[0][:, 9:12])
    assert force.max() < 0.012                     # better than one sample


def test_stated_errors_are_honest(full_run):
    score = full_run[0] / full_run[1]
    rms = _rms(score)[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]  # gravity's z is second order
    assert (rms > 0.5).all() and (rms < 1.6).all()
    covered = (np.abs(score[:, :11]) < 1.96).mean()
    assert 0.88 < covered < 0.99


@pytest.mark.parametrize('state', [2, 6])
def test_one_setting_serves_calm_and_storm(state):
    ship = ShipMotion.irregular(state, seed=4)
    errors, _ = _run(ship, ImuConfig(**NOISE))
    signal = ship.at(np.arange(20, 45, 0.1), POINT).packed.std(axis=0)
    assert _rms(errors)[3] < {2: 0.12, 6: 0.05}[state] * signal[3]


def test_the_future_is_predicted(quartering):
    errors, sigmas = _run(quartering, ImuConfig(**NOISE), ahead=1.0)
    signal = quartering.at(np.arange(20, 45, 0.1), POINT).packed.std(axis=0)
    # gravity's y and x follow roll and pitch
    assert (_rms(errors)[9:11] < 0.06 * signal[9:11]).all()  # holding them errs by 70 %
    score = _rms(errors / sigmas)[9:11]
    assert (score > 0.4).all() and (score < 1.8).all()


@pytest.mark.parametrize('rate', [25.0, 400.0])
def test_other_rates_do(quartering, rate):
    errors, _ = _run(quartering, ImuConfig(rate=rate, **NOISE), duration=30.0, start=20.0)
    signal = quartering.at(np.arange(20, 45, 0.1), POINT).packed.std(axis=0)
    assert (_rms(errors)[3:5] < 0.12 * signal[3:5]).all()


def test_lost_samples_do_little_harm(quartering):
    errors, _ = _run(quartering, ImuConfig(dropout=0.1, **NOISE))
    assert _rms(errors)[0:3].max() < 0.03 * DEG


def test_lever_arm_mounting_and_ned_are_undone(quartering):
    rpy, place = (0.3, -0.4, 2.0), (0.4, 1.0, -0.7)
    estimator = AdaptiveEstimator(ImuMounting(rotations.matrix_from_rpy(rpy), place))
    imu = ImuModel(ImuConfig(mounting_rpy=rpy, mounting_xyz=place, ned=True, rate=50.0))
    for i in range(1000):
        estimator.update(imu.measure_ship(i * 20_000_000, quartering, 0.02 * i, POINT))
    error = estimator.at(999 * 20_000_000).motion.packed - quartering.at(19.98, POINT).packed
    assert np.abs(error[:9]).max() < 0.01


def test_without_orientation_ship_accelerations_do_not_tilt_the_estimate(quartering):
    errors, _ = _run(quartering, ImuConfig(rate=50.0, reports_orientation=False, **NOISE),
                     duration=100.0, start=70.0)
    tilt = _rms(errors)[9:11] / 9.81
    # taking the accelerometer for the vertical would err by 4 deg here
    assert tilt.max() < 0.2 * DEG
    assert _rms(errors[:, 6:9] - errors[:, 9:12]).max() < 0.015


def test_without_orientation_the_tilt_is_stated_as_doubtful_at_first(quartering):
    scores = []
    for begin in (0.0, 3.1, 7.7, 12.0):
        estimator, config = AdaptiveEstimator(), ImuConfig(
            rate=25.0, reports_orientation=False, **NOISE)
        for i, (t, sample) in enumerate(samples(quartering, config, 20.0, POINT, begin)):
            estimator.update(sample)
            if i % 10 == 9:
                estimate = estimator.at(sample.stamp_ns)
                error = estimate.motion.gravity - quartering.at(t, POINT).gravity
                scores.append(error[:2] / np.sqrt(np.diagonal(estimate.covariance)[9:11]))
    young = np.array(scores).reshape(4, -1, 2)[:, :12]
    assert 0.3 < _rms(young.reshape(-1)) < 1.6  # half a turn of the swell; some degrees
    assert 0.3 < _rms(np.array(scores).reshape(-1)) < 1.6


def test_a_biased_gyro_does_not_tilt_the_vertical_for_long(quartering):
    tilt, errors = TiltFromForce(), []
    config = ImuConfig(rate=20.0, reports_orientation=False, gyro_bias=(0.001, -0.001, 0.0))
    for t, sample in samples(quartering, config, 300.0):
        found = tilt.update(0.05, sample.angular_velocity, sample.linear_acceleration)
        if t > 250:
            errors.append(found - quartering.pose(t).rpy[:2])
    assert _rms(np.array(errors)).max() < 0.5 * DEG  # 1.7 deg without learning the bias


def test_without_an_orientation_the_tilt_does_not_lag_at_a_low_rate():
    tilt = TiltFromForce()
    for t in np.arange(0.0, 30.0, 0.1):
        roll = 0.2 * np.sin(t)
        found = tilt.update(0.1 * (t > 0), (0.2 * np.cos(t), 0.0, 0.0),
                            (0.0, 9.81 * np.sin(roll), 9.81 * np.cos(roll)))
        assert found == pytest.approx((roll, 0.0), abs=5e-4)  # in half a step it turns by 0.01


@pytest.mark.parametrize('pause', [0.0, 0.8])
def test_without_an_orientation_accelerations_are_those_of_the_gyro(quartering, pause):
    # the tilt takes half a minute to settle; its drift must not be taken for motion
    config, estimator = ImuConfig(**NOISE, reports_orientation=False), AdaptiveEstimator()
    found, times = [], []
    for t, sample in samples(quartering, config, 20.0, POINT):
        if 10.0 < t < 10.0 + pause:
            continue
        estimator.update(sample)
        if t > 4.0 and not 9.9 < t < 10.5 + pause:
            found.append(estimator.at(sample.stamp_ns).motion.angular_acceleration)
            times.append(t)
    errors = np.array(found) - quartering.at(np.array(times), POINT).angular_acceleration
    signal = quartering.at(np.arange(0, 20, 0.1), POINT).angular_acceleration.std(axis=0)
    assert (_rms(errors)[:2] < 0.1 * signal[:2]).all()


def test_gyro_bias_is_estimated(quartering):
    estimator = AdaptiveEstimator()
    _run(quartering, ImuConfig(gyro_bias=(0.004, -0.002, 0.0), **NOISE), estimator)
    assert estimator.gyro_bias == pytest.approx((0.004, -0.002), abs=5e-4)


def _drop_force(sample):
    return dataclasses.replace(sample, linear_acceleration_covariance=NOT_REPORTED)


def _orientation_only(sample):
    return dataclasses.replace(_drop_force(sample), angular_velocity_covariance=NOT_REPORTED)


def _without_rates(sample):
    return dataclasses.replace(sample, angular_velocity_covariance=NOT_REPORTED)


def _changed(ship, edits, duration=20.0, start=4.0):
    """Return errors over signals and over stated ones; edits: from sample number to edit."""
    estimator, found, times, stated = AdaptiveEstimator(), [], [], []
    for count, (t, sample) in enumerate(samples(ship, ImuConfig(**NOISE), duration, POINT)):
        estimator.update(edits(count)(sample))
        if t > start:
            estimate = estimator.at(sample.stamp_ns)
            found.append(estimate.motion.packed)
            times.append(t)
            stated.append(np.sqrt(np.diagonal(estimate.covariance)))
    errors = np.array(found) - ship.at(np.array(times), POINT).packed
    signal = np.abs(ship.at(np.arange(0, duration, 0.1), POINT).packed).max(axis=0)
    return np.abs(errors).max(axis=0) / signal, errors / stated


@pytest.mark.parametrize('other', [_drop_force, _orientation_only, _without_rates])
def test_messages_that_alternate_between_levels_are_all_used(quartering, other):
    error, score = _changed(quartering, lambda k: other if k % 2 else lambda sample: sample)
    assert error[[0, 1]].max() < 0.06 and error[[3, 4]].max() < 0.15 and error[9:11].max() < 0.02
    assert _rms(score)[[0, 1, 3, 4, 9, 10]].max() < 1.6


def test_rates_that_begin_late_do_not_spoil_what_was_known(quartering):
    error, score = _changed(
        quartering, lambda k: _orientation_only if k < 1500 else lambda sample: sample,
        start=15.0, duration=17.0)
    assert error[[0, 1]].max() < 0.1 and error[9:11].max() < 0.05
    assert _rms(score)[[0, 1, 3, 4]].max() < 8.0  # the noise of rates is not known at once


@pytest.mark.slow
def test_forces_that_come_and_go_beside_an_orientation_are_used_while_they_are_there(quartering):
    signal = quartering.at(np.arange(0, 60, 0.1), POINT).packed[:, 8].std()
    estimator, errors = AdaptiveEstimator(), {20: [], 40: [], 60: []}
    for t, sample in samples(quartering, ImuConfig(**NOISE), 60.0, POINT):
        estimator.update(_without_rates(sample) if 20 < t < 40 else _orientation_only(sample))
        end = next(key for key in errors if t < key)
        if t > end - 6:
            found = estimator.at(sample.stamp_ns)
            errors[end].append((found.motion.packed[8] - quartering.at(t, POINT).packed[8],
                                math.sqrt(found.covariance[8, 8])))
    (before, unsure), (there, sure), (after, unsure_again) = (
        _rms(np.array(errors[key])) for key in (20, 40, 60))
    assert there < 0.15 * signal < before and sure < 0.3 * min(unsure, unsure_again)
    assert after < 3 * unsure_again


@pytest.mark.parametrize('edit, level, limit', [
    (None, 'full', 0.06), (_drop_force, 'gyro', 0.06), (_orientation_only, 'orientation', 0.35)])
def test_each_level_gives_what_it_can(quartering, edit, level, limit):
    estimator = AdaptiveEstimator()
    errors, _ = _run(quartering, ImuConfig(**NOISE), estimator, edit=edit)
    signal = quartering.at(np.arange(20, 45, 0.1), POINT).packed.std(axis=0)
    assert estimator.level == level
    assert (_rms(errors)[3:5] < limit * signal[3:5]).all()
    heave_known = _rms(errors)[8] < 0.1 * signal[8]
    assert heave_known == (level == 'full')


def test_a_fall_to_a_lower_level_is_smooth(quartering):
    estimator, before, steps = AdaptiveEstimator(), None, []
    for i, (_, sample) in enumerate(samples(quartering, ImuConfig(**NOISE), 36.0, POINT)):
        estimator.update(_orientation_only(sample) if i >= 3000 else sample)
        now = estimator.at(sample.stamp_ns).motion.packed
        if before is not None and i > 2000:
            steps.append(np.abs(now - before)[:6])
        before = now
    usual, fall = np.max(steps[:900], axis=0), np.max(steps[900:], axis=0)
    assert (fall < 4 * usual + 0.002).all()


@pytest.mark.parametrize('lost', [
    lambda i: 2000 < i, lambda i: 1500 < i < 1600 or 2000 < i, lambda i: 1500 < i and i % 2])
def test_an_orientation_that_is_lost_and_comes_back_moves_the_tilt_little(quartering, lost):
    config = ImuConfig(rate=50.0, gyro_bias=(0.004, -0.004, 0.0), **NOISE)
    estimator, found, times = AdaptiveEstimator(), [], []
    for i, (t, sample) in enumerate(samples(quartering, config, 50.0, POINT)):
        if lost(i):
            sample = dataclasses.replace(sample, orientation_covariance=NOT_REPORTED)
        estimator.update(sample)
        if t > 25:
            found.append(estimator.at(sample.stamp_ns).motion.gravity)
            times.append(t)
    error = np.abs(np.array(found) - quartering.at(np.array(times), POINT).gravity)[:, :2] / 9.81
    assert error.max() < 0.3 * DEG  # forces alone, or the bias, would tilt it by degrees


def _still(at_ns, **changes):
    sample = ImuModel().measure(at_ns, BaseMotion.still(), np.eye(3))
    return dataclasses.replace(sample, **changes)


@pytest.mark.parametrize('changes, reason', [
    ({'angular_velocity': (0.0, math.nan, 0.0)}, RejectionReason.NOT_FINITE),
    ({'orientation_xyzw': (0.0, 0.0, 0.0, 0.0)}, RejectionReason.BAD_QUATERNION),
    ({'stamp_ns': 0}, RejectionReason.DUPLICATE_STAMP),
    ({'orientation_xyzw': (0.0, math.sin(0.75), 0.0, math.cos(0.75))}, RejectionReason.TOO_STEEP)])
def test_a_bad_sample_is_refused_with_its_reason(changes, reason):
    estimator = AdaptiveEstimator()
    estimator.update(_still(0))
    rejection = estimator.update(_still(10_000_000, **changes))
    assert rejection is not None and rejection.reason is reason and rejection.text


def test_the_first_sample_is_used_at_once():
    estimator = AdaptiveEstimator()
    R = rotations.matrix_from_rpy([0.1, -0.2, 0.0])
    motion = BaseMotion(gravity=R.T @ [0, 0, -9.80665])
    estimator.update(ImuModel().measure(0, motion, R))
    np.testing.assert_allclose(estimator.at(0).motion.packed, motion.packed, atol=1e-12)


def test_stamps_that_go_back_start_afresh_and_a_gap_keeps_what_was_learned(quartering):
    imu, estimator = ImuModel(ImuConfig(**NOISE)), AdaptiveEstimator()
    for _, sample in samples(quartering, ImuConfig(**NOISE), 10.0, POINT):
        estimator.update(sample)
    later = 30 * 10**9
    estimator.update(imu.measure_ship(later, quartering, 30.0, POINT))
    assert estimator.resets == 0
    estimator.update(imu.measure_ship(0, quartering, 0.0, POINT))
    assert estimator.resets == 1 and estimator.at(0).level == 'full'


def test_a_base_hung_upside_down_is_followed():
    ship = ShipMotion.regular(roll=(0.1, 6.0), pitch=(0.05, 5.0))
    mounting = ImuMounting()
    imu = ImuModel(ImuConfig(mounting_rpy=(math.pi, 0.0, 0.0)))
    estimator = AdaptiveEstimator(mounting)
    for i in range(800):
        estimator.update(imu.measure_ship(i * 20_000_000, ship, 0.02 * i))
    truth = ship.at(15.98).transformed(imu.R_BI, np.zeros(3))
    np.testing.assert_allclose(
        estimator.at(799 * 20_000_000).motion.packed[:9], truth.packed[:9], atol=0.01)

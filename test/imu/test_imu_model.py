"""The simulated IMU: REP-145, mounting, noise, bias, lost samples."""

import dataclasses

import numpy as np
import pytest

from robot_dynamics import BaseMotion, ShipMotion
from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.parameters import config_from_parameters
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion import rotations

G = 9.80665
STILL = BaseMotion.still()


def _measure_many(config, count=2000):
    imu = ImuModel(config)
    return [imu.measure(int(i * 1e9 / config.rate), STILL, np.eye(3)) for i in range(count)]


def test_at_rest_the_specific_force_is_plus_g_up():
    sample = ImuModel().measure(0, STILL, np.eye(3))
    np.testing.assert_allclose(sample.linear_acceleration, [0, 0, G])
    np.testing.assert_allclose(sample.angular_velocity, 0.0)
    np.testing.assert_allclose(sample.orientation_xyzw, [0, 0, 0, 1])


def test_at_rest_in_ned_axes_it_is_minus_g_along_z():
    sample = ImuModel(ImuConfig(ned=True)).measure(0, STILL, np.eye(3))
    np.testing.assert_allclose(sample.linear_acceleration, [0, 0, -G])
    assert sample.frame_id == 'imu_link_ned'


def test_bow_up_pitches_positive_in_ned_axes():
    R = rotations.matrix_from_rpy([0.0, -0.2, 0.0])  # FLU: negative is bow up
    sample = ImuModel(ImuConfig(ned=True)).measure(0, STILL, R)
    assert rotations.rpy_from_quat(sample.orientation_xyzw)[1] == pytest.approx(0.2)


def test_a_sensor_on_its_side_feels_gravity_sideways():
    config = ImuConfig(mounting_rpy=(np.pi / 2, 0, 0))
    sample = ImuModel(config).measure(0, STILL, np.eye(3))
    np.testing.assert_allclose(sample.linear_acceleration, [0, G, 0], atol=1e-14)


@pytest.mark.parametrize('rpy, place', [
    ((0.3, -0.4, 2.0), (0.4, 1.0, -0.7)), ((np.pi, 0.0, 0.0), (0.0, 0.0, 0.0)),
    ((0.0, np.pi / 2, 0.0), (-3.0, 0.0, 2.0))], ids=['askew', 'upside down', 'on a wall'])
@pytest.mark.parametrize('ned', [False, True])
def test_mounting_brings_any_sensor_back_to_base_axes(ned, rpy, place):
    ship = ShipMotion.regular(yaw=(0.4, 5.0), heave=(1.0, 6.0))
    imu = ImuModel(ImuConfig(ned=ned, mounting_rpy=rpy, mounting_xyz=place))
    mounting = ImuMounting(rotations.matrix_from_rpy(rpy), place)
    sample = imu.measure_ship(0, ship, 1.3, (5.0, 0.0, 2.0))
    truth, pose = ship.at(1.3, (5.0, 0.0, 2.0)), ship.pose(1.3)
    numbers = mounting.to_base(sample)
    np.testing.assert_allclose(numbers[0:3], truth.angular_velocity, atol=1e-14)
    force = mounting.force_at_origin(numbers[3:6], numbers[0:3], truth.angular_acceleration)
    np.testing.assert_allclose(force, truth.specific_force, atol=1e-13)
    up = rotations.matrix_from_quat(numbers[6:10])[2]
    np.testing.assert_allclose(up, pose.rotation[2], atol=1e-14)


def test_noise_has_the_stated_size_and_covariance():
    config = ImuConfig(orientation_noise=0.01, gyro_noise=0.02, accelerometer_noise=0.3)
    samples = _measure_many(config, 5000)
    w = np.array([s.angular_velocity for s in samples])
    f = np.array([s.linear_acceleration for s in samples])
    tilt = rotations.rotation_vector_from_quat([s.orientation_xyzw for s in samples])
    for values, sigma in ((w, 0.02), (f, 0.3), (tilt, 0.01)):
        np.testing.assert_allclose(values.std(axis=0), sigma, rtol=0.05)
    assert samples[0].angular_velocity_covariance[4] == pytest.approx(0.02**2)
    assert samples[0].orientation_covariance[8] == pytest.approx(0.01**2)


def test_a_density_scales_with_the_root_of_the_rate():
    sigmas = [ImuModel(ImuConfig(rate=rate, gyro_noise_density=1e-4)).gyro_sigma
              for rate in (100.0, 400.0, 900.0)]
    assert sigmas == pytest.approx([1e-3, 2e-3, 3e-3])
    with pytest.raises(ConfigurationError, match='gyro_noise'):
        ImuConfig(gyro_noise=1.0, gyro_noise_density=1.0)


def test_bias_wanders_with_the_root_of_time():
    final = []
    for seed in range(200):
        config = ImuConfig(gyro_bias=(0.1, 0, 0), gyro_bias_walk=0.01, seed=seed)
        imu = ImuModel(config)
        imu.measure(0, STILL, np.eye(3))
        final.append(imu.measure(int(25e9), STILL, np.eye(3)).angular_velocity)
    np.testing.assert_allclose(np.mean(final, axis=0), [0.1, 0, 0], atol=0.012)
    np.testing.assert_allclose(np.std(final, axis=0), 0.05, rtol=0.15)


def test_the_same_seed_gives_the_same_samples():
    config = ImuConfig(gyro_noise=0.1, dropout=0.2, seed=7)
    one, two = _measure_many(config, 100), _measure_many(config, 100)
    other = _measure_many(dataclasses.replace(config, seed=8), 100)
    one, two, other = ([s and s.angular_velocity for s in run] for run in (one, two, other))
    assert one == two != other


def test_dropouts_come_at_the_stated_rate():
    lost = sum(sample is None for sample in _measure_many(ImuConfig(dropout=0.1), 1500))
    assert 104 < lost < 196  # 150 expected, four standard deviations


def test_arrival_is_stamp_plus_delay_plus_jitter():
    imu = ImuModel(ImuConfig(delay=0.004, jitter=0.002))
    sample = imu.measure(10**9, STILL, np.eye(3))
    late = np.array([imu.arrival_ns(sample) - 10**9 for _ in range(200)])
    assert late.min() >= 4_000_000 and late.max() <= 6_000_000 and np.ptp(late) > 1_500_000


def test_without_orientation_the_covariance_starts_with_minus_one():
    sample = ImuModel(ImuConfig(reports_orientation=False)).measure(0, STILL, np.eye(3))
    assert sample.orientation_covariance[0] == -1.0 and not sample.has_orientation


def test_wrong_parameters_are_named():
    with pytest.raises(UnknownNameError, match='gyro_noise'):
        config_from_parameters(ImuConfig, {'gyro_nois': 1.0})
    with pytest.raises(ConfigurationError, match='dropout'):
        ImuConfig(dropout=1.5)

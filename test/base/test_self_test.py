"""The IMU's self-test: silent about a good sensor, right about a bad one."""

import dataclasses

from imu_stream import NOISE, samples
import numpy as np
import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.base.imu_model import ImuConfig, ImuModel
from robot_dynamics.base.imu_sample import NOT_REPORTED
from robot_dynamics.base.mounting import ImuMounting
from robot_dynamics.base.self_test import ImuSelfTest, Suspicion
from robot_dynamics.motion import rotations

SHIP = ShipMotion.irregular(5, wave_direction=2.0)


def _verdict(edit=lambda sample: sample, **config):
    test = ImuSelfTest()
    for _, sample in samples(SHIP, ImuConfig(rate=50.0, **{**NOISE, **config}), 6.0):
        test.add(edit(sample))
    return test.verdict


def _scaled(field, factor):
    def edit(sample):
        return dataclasses.replace(
            sample, **{field: [factor * x for x in getattr(sample, field)]})
    return edit


@pytest.mark.parametrize('config', [{}, {'reports_orientation': False}])
def test_a_good_sensor_in_a_rough_sea_passes(config):
    verdict = _verdict(**config)
    assert verdict.passed, verdict.text


def test_there_is_no_verdict_before_its_time():
    test = ImuSelfTest(duration=5.0)
    for _, sample in samples(SHIP, ImuConfig(rate=50.0), 4.0):
        assert test.add(sample) is None


@pytest.mark.parametrize('edit, suspicion, word', [
    (_scaled('linear_acceleration', -1.0), Suspicion.NOT_SPECIFIC_FORCE, '_ned'),
    (_scaled('linear_acceleration', 1 / 9.80665), Suspicion.UNIT_G, 'units of g'),
    (_scaled('linear_acceleration', 0.01), Suspicion.GRAVITY_REMOVED, 'gravity out'),
    (_scaled('linear_acceleration', 1.6), Suspicion.WRONG_MAGNITUDE, 'scale'),
    (_scaled('angular_velocity', 57.3), Suspicion.GYRO_DEGREES, 'degrees per second'),
    (_scaled('angular_velocity', -1.0), Suspicion.GYRO_AXES, 'signs')])
def test_a_wrong_sensor_is_suspected_of_what_is_wrong(edit, suspicion, word):
    verdict = _verdict(edit)
    assert verdict.suspicion is suspicion and word in verdict.text


def _measured(config, mounting=None, edit=lambda sample: sample):
    imu, test = ImuModel(config), ImuSelfTest(mounting)
    for i in range(300):
        test.add(edit(imu.measure_ship(i * 20_000_000, SHIP, 0.02 * i)))
    return test.verdict


def test_ned_axes_without_the_suffix_are_suspected():
    def rename(sample):
        return dataclasses.replace(sample, frame_id='imu_link')
    assert _measured(ImuConfig(ned=True, rate=50.0)).passed
    verdict = _measured(ImuConfig(ned=True, rate=50.0), edit=rename)
    assert verdict.suspicion is Suspicion.NOT_SPECIFIC_FORCE


def test_an_orientation_of_another_frame_is_suspected():
    rpy = (np.pi / 2, 0.0, 0.0)
    config = ImuConfig(mounting_rpy=rpy, rate=50.0)
    assert _measured(config, ImuMounting(rotations.matrix_from_rpy(rpy))).passed

    def of_the_vehicle(sample):
        return dataclasses.replace(sample, orientation_xyzw=(0.0, 0.0, 0.0, 1.0))
    assert _measured(config, edit=of_the_vehicle).suspicion is Suspicion.MOUNTING


def test_a_mounting_that_nobody_stated_is_suspected():
    config = ImuConfig(mounting_rpy=(np.pi / 2, 0.0, 0.0), rate=50.0, reports_orientation=False)
    assert _measured(config).suspicion is Suspicion.MOUNTING


def test_an_orientation_sensor_alone_is_not_judged():
    def strip(sample):
        return dataclasses.replace(sample, angular_velocity_covariance=NOT_REPORTED,
                                   linear_acceleration_covariance=NOT_REPORTED)
    assert _verdict(strip).passed

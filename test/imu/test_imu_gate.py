"""The gate of IMU samples: what passes, in which axes, and what a finding says."""

import dataclasses
import math

import numpy as np
from numpy.testing import assert_allclose
import pytest

from robot_dynamics.core.checks import Finding
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.imu.sample_checks import FrameCheck, OrientationCheck
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.ship.ship_motion import ShipMotion

SHIP = ShipMotion.regular()
RPY, XYZ = (0.3, -0.2, 1.0), (0.5, -1.0, 0.4)
MS = 1_000_000


def sample(stamp_ns=MS, **config):
    return ImuModel(ImuConfig(**config)).measure_ship(stamp_ns, SHIP, 0.7)


def test_a_sample_of_another_frame_is_refused_with_both_names():
    gate = ImuGate(checks=[FrameCheck('/imu_link')])
    finding = gate.pass_through(sample(frame_id='imu_2'))
    assert finding.check == 'frame' and finding.signal == 'frame_id'
    assert "'imu_2'" in finding.text and "'imu_link'" in finding.text
    for name in ('imu_link', '/imu_link'):
        assert isinstance(gate.pass_through(sample(frame_id=name)), ImuSample)


def test_without_an_expected_frame_those_known_to_lie_elsewhere_are_refused():
    gate = ImuGate(checks=[FrameCheck('', {'imu_2'})])
    assert 'imu.link' in gate.pass_through(sample(frame_id='imu_2')).text
    assert isinstance(gate.pass_through(sample()), ImuSample)


@pytest.mark.parametrize('change, signal, value, bound, unit', [
    ({'angular_velocity': (0.0, -60.0, 1.0)}, 'angular_velocity', 60.0, 50.0, 'rad/s'),
    ({'linear_acceleration': (0.0, 1.0, 981.0)}, 'linear_acceleration', 981.0, 500.0, 'm/s^2')])
def test_a_value_beyond_its_range_is_named_with_bound_and_unit(
        change, signal, value, bound, unit):
    finding = ImuGate().pass_through(dataclasses.replace(sample(), **change))
    assert (finding.check, finding.signal) == ('range', signal)
    assert (finding.value, finding.bound, finding.unit) == (value, bound, unit)
    assert unit in finding.text


@pytest.mark.parametrize('change, check', [
    ({'angular_velocity': (0.0, math.nan, 0.0)}, 'not_finite'),
    ({'linear_acceleration': (math.inf, 0.0, 0.0)}, 'not_finite'),
    ({'orientation_xyzw': (0.0, 0.0, 0.0, 0.5)}, 'bad_quaternion')])
def test_numbers_that_are_none_do_not_pass(change, check):
    assert ImuGate().pass_through(dataclasses.replace(sample(), **change)).check == check


def test_an_orientation_is_required_only_where_it_is_asked_for():
    blind = dataclasses.replace(
        sample(), orientation_xyzw=None, orientation_covariance=NOT_REPORTED)
    assert ImuGate(checks=[OrientationCheck()]).pass_through(blind).check == 'orientation_missing'
    passed = ImuGate(ImuMounting()).pass_through(blind)
    assert isinstance(passed, ImuSample) and not passed.has_orientation


@pytest.mark.parametrize('ned', [False, True])
def test_behind_the_gate_an_estimator_sees_what_it_would_see_with_the_whole_mounting(ned):
    mounting = ImuMounting(matrix_from_rpy(RPY), XYZ)
    gate = ImuGate(mounting)
    behind = SavitzkyGolayEstimator(mounting=gate.mounting_behind)
    alone = SavitzkyGolayEstimator(mounting=mounting)
    sensor = ImuModel(ImuConfig(mounting_rpy=RPY, mounting_xyz=XYZ, ned=ned))
    for k in range(80):
        measured = sensor.measure_ship(10 * MS * (k + 1), SHIP, 0.01 * k)
        assert alone.update(measured) is None
        assert behind.update(gate.pass_through(measured)) is None
    at = 10 * MS * 81
    assert_allclose(behind.at(at).motion.packed, alone.at(at).motion.packed, atol=1e-11)
    assert np.abs(alone.at(at).motion.packed[:9]).max() > 0.01


def test_a_check_that_remembers_is_reset_with_the_gate():
    class Twice:
        signal = 'stamp_ns'
        seen = 0

        def examine(self, sample):
            self.seen += 1
            return Finding('twice', self.signal, 'comes again') if self.seen > 1 else None

        def reset(self):
            self.seen = 0

    gate = ImuGate(checks=[Twice()])
    assert isinstance(gate.pass_through(sample()), ImuSample)
    assert gate.pass_through(sample()).check == 'twice'
    gate.reset()
    assert isinstance(gate.pass_through(sample()), ImuSample)

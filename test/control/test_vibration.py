"""Diagnostics tell the vibration of the base, which its motion leaves out."""

import dataclasses
import math

from control_rig import Rig
import numpy as np
import pytest

from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.estimation.estimators import make_estimator
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from selections import some

G = 9.80665
HZ = 31.0  # of a motor, beside a ship of some seconds


@pytest.mark.parametrize('gyro, force', some(2, [
    (0.0, 0.0), (0.05, 0.6), (0.02, 0.0), (0.0, 0.3)]))
def test_diagnostics_tell_the_vibration_of_the_base(pa10, pa10_dynamics, gyro, force):
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    rig.core = FeedforwardCore(rig.config, pa10_dynamics, make_estimator('adaptive', None, G))
    rig.sensor = ImuModel(ImuConfig(seed=1, gyro_noise=3e-4, accelerometer_noise=0.01))
    good = rig.sample

    def sample(stamp_ns):
        measured, wave = good(stamp_ns), math.sin(2.0 * math.pi * HZ * 1e-9 * stamp_ns)
        return dataclasses.replace(
            measured,
            angular_velocity=tuple(np.add(measured.angular_velocity, [gyro * wave, 0.0, 0.0])),
            linear_acceleration=tuple(np.add(
                measured.linear_acceleration, [0.0, 0.0, force * wave])))
    rig.sample = sample
    rig.run(6.0)
    status = rig.core.status(rig.now)
    assert status['gyro_vibration'] == pytest.approx(gyro / math.sqrt(2.0), rel=0.1, abs=2e-3)
    assert status['force_vibration'] == pytest.approx(force / math.sqrt(2.0), rel=0.1, abs=0.02)


def test_an_estimator_that_cannot_tell_vibration_says_nothing_of_it(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.run(0.5)
    assert 'gyro_vibration' not in rig.core.status(rig.now)

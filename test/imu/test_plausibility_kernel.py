"""The compiled checks of IMU samples decide as their text says, whatever is sent."""

import dataclasses

from imu_stream import NOISE, samples
import numpy as np
import pytest

from robot_dynamics.imu import plausibility, plausibility_kernel as kernel, rate_agreement
from robot_dynamics.imu.plausibility import plausibility_checks
from robot_dynamics.imu.sample import NOT_REPORTED
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.ship.ship_motion import ShipMotion

WRONG = (
    {'angular_velocity': (3.0, 0.0, 0.0)}, {'linear_acceleration': (0.0, 0.0, 1.0)},
    {'orientation_xyzw': (0.0, 0.0, 0.0, 1.0)}, {'angular_velocity': (0.0, 0.0, 0.0)},
    {'linear_acceleration': (0.0, 3.5, 9.8)}, {'orientation_covariance': NOT_REPORTED},
    {'angular_velocity_covariance': NOT_REPORTED}, {})


def hostile(seed):
    """Yield samples, of which some are wrong, for one or for long, late or held."""
    random, wrong, until, late = np.random.default_rng(seed), {}, 0, 0
    for k, (_, sample) in enumerate(samples(
            ShipMotion.regular(), ImuConfig(seed=seed, **NOISE), 6.0)):
        late += int(random.choice([0, 90_000_000, 700_000_000], p=[0.98, 0.01, 0.01]))
        if k >= until and random.random() < 0.03:
            wrong = WRONG[random.integers(len(WRONG))] or {
                name: getattr(sample, name) for name in (
                    'angular_velocity', 'linear_acceleration', 'orientation_xyzw')}
            until = k + int(random.choice([1, 60]))
        yield dataclasses.replace(
            sample, stamp_ns=sample.stamp_ns + late, **(wrong if k < until else {}))


@pytest.mark.parametrize('seed', range(3))
def test_compiled_checks_find_what_their_text_finds(monkeypatch, seed):
    def found():
        [check] = plausibility_checks(9.80665)
        findings = [check.examine(sample) for sample in hostile(seed)]
        return [finding and (finding.check, finding.text) for finding in findings]

    def interpreted():
        return [lambda m, signals, state, *rest: kernel.examine(
            m, signals.view(np.recarray), state.view(np.recarray), *rest)]

    compiled = found()
    for module in (plausibility, rate_agreement):
        monkeypatch.setattr(module, 'compiled', interpreted)
    assert compiled == found()
    assert len({finding[0] for finding in compiled if finding is not None}) >= 4

"""An IMU that goes wrong in mid-run moves the effort little, and stops the arm when it lasts."""

import dataclasses

from control_rig import GENTLE, held_gravity, Rig
from imu_stream import NOISE
import numpy as np
import pytest

from robot_dynamics.control.feedforward import FeedforwardCore, TRIPPED
from robot_dynamics.estimation.estimators import make_estimator
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.motion import rotations

G = 9.80665
LEARNED = 16.0  # s, after which the base is foreseen well
BEGIN = 3.0  # s
ASKEW = rotations.quat_from_matrix(rotations.matrix_from_rpy([np.radians(40.0), 0.0, 0.0]))
STUCK = ('angular_velocity', 'linear_acceleration', 'orientation_xyzw')

# by name: what a sample (and the first one of the fault) becomes
FAULTS = {
    'gyro in deg/s': lambda s, f: {'angular_velocity': np.degrees(s.angular_velocity)},
    'gyro of the other sign': lambda s, f: {'angular_velocity': np.negative(s.angular_velocity)},
    'gyro dead': lambda s, f: {'angular_velocity': np.zeros(3)},
    'force in g': lambda s, f: {'linear_acceleration': np.divide(s.linear_acceleration, G)},
    'force of the other sign': lambda s, f: {
        'linear_acceleration': np.negative(s.linear_acceleration)},
    'gravity twice': lambda s, f: {
        'linear_acceleration': np.add(s.linear_acceleration, G * np.array(s.up))},
    'gravity taken out': lambda s, f: {
        'linear_acceleration': np.subtract(s.linear_acceleration, G * np.array(s.up))},
    'frame renamed to NED': lambda s, f: {'frame_id': 'imu_link_ned'},
    'orientation off by 40 deg': lambda s, f: {
        'orientation_xyzw': rotations.quat_multiply(s.orientation_xyzw, ASKEW)},
    'world off by 40 deg': lambda s, f: {
        'orientation_xyzw': rotations.quat_multiply(ASKEW, s.orientation_xyzw)},
    'orientation frozen at 0 0 0 1': lambda s, f: {'orientation_xyzw': np.array([0, 0, 0, 1.0])},
    'all stuck': lambda s, f: {name: getattr(f, name) for name in STUCK},
    **{f'{name} stuck': lambda s, f, name=name: {name: getattr(f, name)} for name in STUCK}}


@pytest.fixture(scope='module')
def before(pa10, pa10_dynamics):
    """Return a rig that has run without a fault until one begins."""
    return sound(pa10, pa10_dynamics, BEGIN)


@pytest.fixture(scope='module')
def healthy(pa10, pa10_dynamics):
    """Return the efforts without a fault, by stamp."""
    rig = sound(pa10, pa10_dynamics, BEGIN + 0.8)
    return {command.stamp_ns: command.effort for command in rig.commands}


@pytest.fixture(scope='module')
def learned(pa10, pa10_dynamics):
    """Return a rig that has run until the base is foreseen well."""
    return sound(pa10, pa10_dynamics, LEARNED)


def sound(pa10, dynamics, seconds):
    """Return a rig whose IMU was right for so long."""
    rig = Rig(pa10, dynamics, natural_frequency=(15.0,))
    rig.core = FeedforwardCore(rig.config, dynamics, make_estimator('adaptive', None, G))
    rig.sensor = ImuModel(ImuConfig(seed=1, **NOISE))
    rig.run(seconds)
    return rig


def go_wrong(before, fault=None, lasting=True, seconds=0.8):
    """Return a rig whose IMU goes wrong from here on, with the commands since."""
    rig = before.copied()
    good, first = rig.sample, []

    def sample(stamp_ns):
        measured = good(stamp_ns)
        if fault is None or (first and not lasting):
            return measured
        first.append(measured)
        return dataclasses.replace(measured, **{
            name: value if isinstance(value, str) else tuple(value)
            for name, value in FAULTS[fault](measured, first[0]).items()})
    rig.sample = sample
    rig.commands.clear()
    rig.run(seconds)
    return rig


def largest_error(rig, healthy):
    """Return the largest error of an effort before the arm is being stopped, of the limit."""
    return max(float((np.abs(command.effort - healthy[command.stamp_ns])
                      / rig.model.effort_limit).max())
               for command in rig.commands if command.state in ('active', 'holding'))


@pytest.mark.parametrize('name', FAULTS)
def test_a_fault_that_lasts_errs_by_a_tenth_of_the_limit_and_is_stopped_in_half_a_second(
        before, healthy, name):
    rig = go_wrong(before, name)
    assert largest_error(rig, healthy) <= 0.10
    assert rig.core.state == TRIPPED
    begin_ns = rig.epoch + round(BEGIN * 1e9)
    assert (rig.core.trip.stamp_ns - begin_ns) * 1e-9 <= 0.5
    assert rig.largest_step() < 2 * GENTLE


@pytest.mark.parametrize('name', FAULTS)
def test_one_bad_sample_errs_by_a_twentieth_of_the_limit_and_stops_nothing(
        before, healthy, name):
    rig = go_wrong(before, name, lasting=False, seconds=0.4)
    assert largest_error(rig, healthy) <= 0.05
    assert {command.state for command in rig.commands} == {'active'}


@pytest.mark.slow
@pytest.mark.parametrize('name', ['orientation off by 40 deg', 'gyro in deg/s', 'all stuck'])
def test_the_arm_is_stopped_at_the_gravity_of_the_tilt_a_second_later_as_it_was_foreseen(
        learned, pa10_dynamics, name):
    rig = go_wrong(learned, name, seconds=1.8)
    second_ns = rig.epoch + round((LEARNED + 1.0) * 1e9)
    assert rig.core.state == TRIPPED
    np.testing.assert_allclose(
        rig.commands[-1].effort, held_gravity(rig, pa10_dynamics, second_ns), rtol=0.05, atol=2.0)


def test_without_predictions_that_have_held_it_is_that_of_the_last_plausible_tilt(
        pa10, pa10_dynamics):
    rig = go_wrong(sound(pa10, pa10_dynamics, 2.0), 'orientation off by 40 deg', seconds=1.5)
    begin_ns = rig.epoch + round(2.0 * 1e9)
    np.testing.assert_allclose(
        rig.commands[-1].effort, held_gravity(rig, pa10_dynamics, begin_ns), rtol=0.05, atol=2.0)


def test_a_sensor_that_is_stuck_from_the_start_is_not_followed(pa10, pa10_dynamics):
    rig = go_wrong(sound(pa10, pa10_dynamics, 0.0), 'all stuck', seconds=2.0)
    assert 'active' not in rig.states()


def test_a_copy_of_a_rig_goes_on_as_the_rig_itself_whatever_other_copies_met(before, healthy):
    go_wrong(before, 'force in g')
    commands = go_wrong(before).commands
    assert len(commands) == 400
    for command in commands:
        assert np.array_equal(command.effort, healthy[command.stamp_ns])

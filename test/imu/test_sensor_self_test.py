import dataclasses

from imu_stream import NOISE, samples
import numpy as np
import pytest

from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.imu.sensor_model import ImuConfig, ImuModel
from robot_dynamics.imu.sensor_self_test import Mistake, SensorSelfTest
from robot_dynamics.motion import rotations
from robot_dynamics.ship.ship_motion import ShipMotion

PAPER = ShipMotion.regular()
STILL = ShipMotion.regular(roll=None, pitch=None)
TILTED = rotations.matrix_from_rpy([0.1, 0.15, 0.4])
CONFIG = ImuConfig(seed=4, **NOISE)


def stream(ship=PAPER, duration=1.0, change=lambda sample: sample, **config):
    """Yield what an IMU reports, changed by a mistake."""
    model = ImuModel(dataclasses.replace(CONFIG, **config))
    for k in range(int(100 * duration)):
        yield change(model.measure_ship(10_000_000 * k, ship, 0.01 * k))


def at_rest(rotation, change=lambda sample: sample, duration=1.0):
    """Yield the samples of a base that leans and does not move."""
    model = ImuModel(CONFIG)
    for k in range(int(100 * duration)):
        motion = STILL.at(0.0)
        motion = type(motion)(gravity=rotation.T @ motion.gravity)
        yield change(model.measure(10_000_000 * k, motion, rotation))


def verdict(samples_, **test):
    mounting = test.pop('mounting', ImuMounting())
    found = SensorSelfTest(mounting.ned, **test)
    gate = ImuGate(mounting, base_checks=[found])
    for sample in samples_:
        gate.pass_through(sample)
    return found


def suspected(samples_, **test):
    finding = verdict(samples_, **test).finding
    return None if finding is None else finding.mistakes[0]


def without_orientation(sample):
    return dataclasses.replace(sample, orientation_xyzw=None,
                               orientation_covariance=NOT_REPORTED)


def scaled_force(factor):
    return lambda sample: dataclasses.replace(
        sample, linear_acceleration=tuple(factor * f for f in sample.linear_acceleration))


def without_suffix(sample):
    return dataclasses.replace(sample, frame_id='imu_link')


@pytest.mark.parametrize('config', [
    {}, {'ned': True}, {'reports_orientation': False}, {'rate': 25.0},
    {'gyro_bias': (0.01, -0.01, 0.02), 'accelerometer_bias': (0.3, -0.3, 0.3)}])
def test_a_right_sensor_passes_on_the_paper_ship(config):
    found = verdict(stream(duration=10.0, **config))
    assert found.finding is None
    assert found.finished or not config.get('reports_orientation', True)


@pytest.mark.parametrize('sea_state', [2, 6, 8])
def test_a_right_sensor_passes_in_any_sea_far_from_the_rotation_centre(sea_state):
    for seed in range(2):
        ship = ShipMotion.irregular(sea_state, seed=seed)
        for begin in (0.0, 50.0):
            stream_ = (sample for _, sample in samples(
                ship, CONFIG, 10.0, (25.0, 5.0, 15.0), begin))
            assert suspected(stream_) is None


def test_an_upside_down_sensor_is_told_unless_its_mounting_is_given():
    mounted = {'mounting_rpy': (np.pi, 0.0, 0.0)}
    assert suspected(stream(**mounted)) is Mistake.UPSIDE_DOWN
    mounting = ImuMounting(rotations.matrix_from_rpy((np.pi, 0.0, 0.0)))
    assert suspected(stream(**mounted, duration=10.0), mounting=mounting) is None
    hanging = verdict(stream(**mounted), up=(0.0, 0.0, -1.0))  # the arm itself hangs
    assert hanging.finding is None
    assert verdict(stream(**mounted), up=None).finding is None  # nothing is known of it
    assert suspected(stream(ned=True, change=without_suffix), up=None) is Mistake.NED_AS_FLU


def test_a_sensor_on_its_side_is_told():
    assert suspected(stream(mounting_rpy=(0.0, np.pi / 2, 0.0))) is Mistake.MOUNTING


def test_ned_declared_as_flu_is_suspected_first_and_the_sign_of_the_force_with_it():
    found = verdict(stream(ned=True, change=without_suffix)).finding
    assert found.mistakes == (Mistake.NED_AS_FLU, Mistake.FORCE_SIGN)
    assert 'imu.axes' in found.text and 'imu_link_ned' in found.text
    assert suspected(stream(ned=True, change=without_suffix, duration=10.0),
                     mounting=ImuMounting(ned=True)) is None


def test_flu_declared_as_ned_is_told():
    assert suspected(stream(), mounting=ImuMounting(ned=True)) is Mistake.FLU_AS_NED


def test_a_reversed_force_without_orientation_leaves_three_suspicions():
    found = verdict(stream(change=lambda s: without_orientation(scaled_force(-1.0)(s))))
    assert set(found.finding.mistakes) == {
        Mistake.NED_AS_FLU, Mistake.FORCE_SIGN, Mistake.UPSIDE_DOWN}


def test_gravity_removed_by_the_driver_is_told():
    def remove(sample):
        R = rotations.matrix_from_quat(sample.orientation_xyzw)
        return dataclasses.replace(sample, linear_acceleration=tuple(
            np.array(sample.linear_acceleration) - R.T @ [0, 0, 9.80665]))
    for ship in (STILL, ShipMotion.irregular(6)):
        assert suspected(stream(ship, change=remove)) is Mistake.GRAVITY_REMOVED


def test_units_of_g_are_told():
    assert suspected(stream(change=scaled_force(1 / 9.80665))) is Mistake.UNITS_OF_G
    assert suspected(stream(change=scaled_force(9.80665))) is Mistake.FORCE_SCALE


def test_an_orientation_in_a_world_with_z_down_is_told():
    def turn(sample):
        half_turn = np.array([1.0, 0.0, 0.0, 0.0])
        return dataclasses.replace(sample, orientation_xyzw=tuple(
            rotations.quat_multiply(half_turn, sample.orientation_xyzw)))
    assert suspected(stream(change=turn)) is Mistake.ORIENTATION_WORLD


def flipped_orientation(sample):
    """Report the orientation in NED beside vectors in FLU: pitch and yaw change their sign."""
    roll, pitch, yaw = rotations.rpy_from_matrix(
        rotations.matrix_from_quat(sample.orientation_xyzw))
    return dataclasses.replace(sample, orientation_xyzw=tuple(rotations.quat_from_matrix(
        rotations.matrix_from_rpy([roll, -pitch, -yaw]))))


def test_an_orientation_in_ned_beside_a_force_in_flu_is_told_at_rest():
    found = verdict(at_rest(TILTED, flipped_orientation)).finding
    assert found.mistakes == (Mistake.ORIENTATION_SIGN,)
    assert 'pitch' in found.text and 'roll' not in found.text
    assert suspected(at_rest(TILTED)) is None


def test_a_failed_sensor_is_used_no_more_until_it_is_reset_and_right():
    gate = ImuGate(ImuMounting(), base_checks=[SensorSelfTest()])
    answers = [gate.pass_through(sample) for sample in stream(ned=True, change=without_suffix)]
    assert answers[-1].check == 'self_test'
    assert 'NED axes declared as FLU' in answers[-1].text
    assert gate.pass_through(next(stream())).check == 'self_test'
    gate.reset()
    assert all(isinstance(gate.pass_through(sample), ImuSample) for sample in stream())

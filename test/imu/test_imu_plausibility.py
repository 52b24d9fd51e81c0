"""Every sample of an IMU is held against those before it and its other signals, at any time."""

import dataclasses

from imu_stream import NOISE, samples
import numpy as np
import pytest

from robot_dynamics.core.checks import Finding
from robot_dynamics.imu.force_mistake import force_mistake
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.mistakes import Mistake
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.plausibility import plausibility_checks
from robot_dynamics.imu.sample import ImuSample, NOT_REPORTED
from robot_dynamics.imu.sample_checks import FrameCheck
from robot_dynamics.imu.sensor_model import ImuConfig
from robot_dynamics.motion import rotations
from robot_dynamics.ship.ship_motion import ShipMotion

DEG = np.pi / 180
PAPER = ShipMotion.regular()
STILL = ShipMotion.regular(roll=None, pitch=None)
G = 9.80665
FAR = (25.0, 5.0, 15.0)


def stream(ship, seconds, change=lambda sample, k: sample, point=(0.0, 0.0, 0.0), **config):
    """Yield what passes a new gate of samples that are changed from their k-th on."""
    gate = ImuGate(ImuMounting(), [FrameCheck('')])
    config = {'seed': 4, **NOISE, **config}
    for k, (_, sample) in enumerate(samples(
            ship, ImuConfig(**config), seconds, point)):
        yield gate.pass_through(change(sample, k))


def longest_refusal(answers):
    """Return how many samples in a row were refused at most."""
    longest = run = 0
    for answer in answers:
        run = run + 1 if isinstance(answer, Finding) else 0
        longest = max(longest, run)
    return longest


def replaced(**changes):
    """Return a change of samples by functions of them."""
    return lambda sample, k: dataclasses.replace(
        sample, **{name: tuple(change(sample)) for name, change in changes.items()})


def flipped(sample):
    """Return the orientation in NED beside vectors in FLU: pitch and yaw change their sign."""
    roll, pitch, yaw = rotations.rpy_from_matrix(
        rotations.matrix_from_quat(sample.orientation_xyzw))
    return rotations.quat_from_matrix(rotations.matrix_from_rpy([roll, -pitch, -yaw]))


def mistakes(answers):
    """Return what is suspected, of all answers."""
    return {mistake for answer in answers for mistake in getattr(answer, 'mistakes', ())}


@pytest.mark.parametrize('sea_state', [2, 6, 8])
def test_no_sample_is_refused_in_any_sea_far_from_the_rotation_centre(sea_state):
    for seed, config in enumerate([{}, {'rate': 25.0, 'dropout': 0.3}, {
            'gyro_bias': (0.02, -0.02, 0.03), 'accelerometer_bias': (0.3, -0.3, 0.3)}]):
        ship = ShipMotion.irregular(sea_state, seed=seed)
        assert longest_refusal(stream(ship, 15.0, point=FAR, **config)) == 0


@pytest.mark.parametrize('ship', [STILL, ShipMotion.irregular(6)], ids=['quay', 'sea'])
def test_what_shakes_or_is_noisy_is_used_often_enough(ship):
    assert longest_refusal(stream(ship, 15.0, accelerometer_noise=2.0, gyro_noise=0.03)) <= 9
    noisy = {'orientation_noise': 0.3 * DEG, 'gyro_noise': 0.3 * DEG, 'accelerometer_noise': 0.5}
    assert longest_refusal(stream(ship, 15.0, **noisy)) <= 2


@pytest.mark.parametrize('ship', [STILL, PAPER], ids=['quay', 'sea'])
def test_a_perfect_simulated_sensor_passes_also_where_it_rests(ship):
    none = dict.fromkeys(NOISE, 0.0)
    assert longest_refusal(stream(ship, 5.0, **none)) == 0
    assert longest_refusal(stream(ship, 5.0, **none, reports_orientation=False)) == 0


@pytest.mark.parametrize('change, suspected', [
    (replaced(angular_velocity=lambda s: np.degrees(s.angular_velocity)), Mistake.RATE_UNIT),
    (replaced(angular_velocity=lambda s: np.negative(s.angular_velocity)), Mistake.RATE_SIGN),
    (replaced(angular_velocity=lambda s: (0.0, 0.0, 0.0)), Mistake.RATE_DEAD),
    (replaced(orientation_xyzw=flipped), Mistake.RATE_SIGN),
    (replaced(orientation_xyzw=lambda s: (0.0, 0.0, 0.0, 1.0)), Mistake.ORIENTATION_FROZEN),
    (replaced(linear_acceleration=lambda s: np.divide(s.linear_acceleration, G)),
     Mistake.UNITS_OF_G),
    (replaced(linear_acceleration=lambda s: s.linear_acceleration - G * np.array(s.up)),
     Mistake.GRAVITY_REMOVED),
    (replaced(linear_acceleration=lambda s: s.linear_acceleration + G * np.array(s.up)),
     Mistake.GRAVITY_TWICE)])
def test_a_mistake_from_the_first_sample_on_is_named(change, suspected):
    gentle = ShipMotion.regular(roll=(0.05, 8.0, 1.0), pitch=(0.04, 6.0))
    assert suspected in mistakes(stream(gentle, 10.0, change))
    assert any(isinstance(answer, Finding) for answer in stream(PAPER, 3.0, change))


def test_an_orientation_that_is_askew_by_a_little_is_found_in_half_a_minute():
    askew = rotations.quat_from_matrix(rotations.matrix_from_rpy([8 * DEG, 0.0, 0.0]))
    answers = stream(PAPER, 30.0, replaced(
        orientation_xyzw=lambda s: rotations.quat_multiply(s.orientation_xyzw, askew)))
    assert 'velocity' in {answer.check for answer in answers if isinstance(answer, Finding)}


@pytest.mark.parametrize('signal', [
    'angular_velocity', 'linear_acceleration', 'orientation_xyzw', 'all'])
def test_a_signal_that_repeats_itself_is_found_within_a_sixth_of_a_second(signal):
    kept = []

    def stuck(sample, k):
        if k < 200:
            return sample
        kept.append(sample)
        return (dataclasses.replace(kept[0], stamp_ns=sample.stamp_ns) if signal == 'all' else
                dataclasses.replace(sample, **{signal: getattr(kept[0], signal)}))
    answers = list(stream(PAPER, 2.5, stuck))
    assert all(isinstance(answer, ImuSample) for answer in answers[:200])
    assert all(isinstance(answer, Finding) for answer in answers[217:])
    assert answers[217].check == 'stuck'


def test_samples_that_pause_leave_what_repeats_itself_to_be_found_as_soon():
    [check], found, sent = plausibility_checks(G), [], []
    for k, (_, sample) in enumerate(samples(PAPER, ImuConfig(seed=4, **NOISE), 2.5)):
        if k < 200 and k % 40 > 30:
            continue  # 90 ms
        sent += [sample] if k <= 200 else []
        finding = check.examine(dataclasses.replace(sent[-1], stamp_ns=sample.stamp_ns))
        found += [k] if finding is not None and finding.check == 'stuck' else []
    assert 200 < found[0] <= 217


def test_a_slow_driver_may_repeat_what_it_has():
    kept = []

    def held(sample, k):
        if k % 5 == 0:
            kept.append(sample)
        return dataclasses.replace(kept[-1], stamp_ns=sample.stamp_ns)
    assert longest_refusal(stream(PAPER, 10.0, held)) == 0


def test_one_that_is_stuck_from_its_first_sample_is_found_unless_it_may_rest():
    first = []

    def stuck(sample, k):
        first.append(sample)
        return dataclasses.replace(first[0], stamp_ns=sample.stamp_ns)
    answers = list(stream(PAPER, 1.0, stuck))
    assert isinstance(answers[-1], Finding)


def test_a_frame_that_changes_is_refused_and_the_first_one_kept():
    def renamed(sample, k):
        return dataclasses.replace(sample, frame_id='imu_link_ned' if k >= 50 else 'imu_link')
    answers = list(stream(STILL, 1.0, renamed))
    assert all(isinstance(answer, ImuSample) for answer in answers[:50])
    assert {answer.check for answer in answers[50:]} == {'frame'}
    assert "'imu_link' to 'imu_link_ned'" in answers[50].text


def test_an_orientation_alone_may_not_step():
    askew = rotations.quat_from_matrix(rotations.matrix_from_rpy([40 * DEG, 0.0, 0.0]))

    def alone(sample, k):
        return dataclasses.replace(
            sample, angular_velocity_covariance=NOT_REPORTED,
            linear_acceleration_covariance=NOT_REPORTED,
            orientation_xyzw=tuple(rotations.quat_multiply(sample.orientation_xyzw, askew))
            if k >= 100 else sample.orientation_xyzw)
    answers = list(stream(PAPER, 2.0, alone))
    assert all(isinstance(answer, ImuSample) for answer in answers[:100])
    assert {answer.check for answer in answers[100:]} == {'orientation_change'}


@pytest.mark.parametrize('size, mistake', [
    (1.0, Mistake.UNITS_OF_G), (0.2, Mistake.GRAVITY_REMOVED), (2.5, Mistake.GRAVITY_REMOVED),
    (19.6, Mistake.GRAVITY_TWICE), (96.2, Mistake.FORCE_SCALE)])
def test_the_size_of_a_force_says_what_is_wrong_with_it(size, mistake):
    assert force_mistake(size, G)[0] is mistake
    assert force_mistake(G, G) is None and force_mistake(0.6 * G, G) is None


def shaken(force, rate, share=1.0, seed=6):
    """Return samples of a base that vibrates, some of which get lost."""
    random = np.random.default_rng(seed)

    def change(sample, k):
        return dataclasses.replace(
            sample,
            linear_acceleration=tuple(sample.linear_acceleration + force * random.normal(size=3)),
            angular_velocity=tuple(sample.angular_velocity + rate * random.normal(size=3)))
    return change


@pytest.mark.parametrize('force, rate', [(1.0, 0.05), (2.0, 0.0), (2.0, 0.1)])
def test_a_base_that_vibrates_loses_few_samples(force, rate):
    answers = list(stream(PAPER, 20.0, shaken(force, rate)))[200:]
    assert np.mean([isinstance(answer, Finding) for answer in answers]) < 0.01


@pytest.mark.parametrize('change', [
    replaced(linear_acceleration=lambda s: np.divide(s.linear_acceleration, G)),
    replaced(linear_acceleration=lambda s: s.linear_acceleration + G * np.array(s.up)),
    replaced(angular_velocity=lambda s: np.degrees(s.angular_velocity))])
def test_what_goes_wrong_is_found_at_once_also_while_the_base_vibrates(change):
    shake = shaken(1.0, 0.05)
    answers = list(stream(PAPER, 5.0, lambda s, k: change(shake(s, k), k) if k >= 400 else shake(
        s, k)))
    assert np.mean([isinstance(answer, Finding) for answer in answers[400:]]) > 0.9


@pytest.mark.parametrize('amplitude', [0.01, 0.03])
def test_a_gyro_that_dies_on_a_gentle_sea_is_found_once_the_base_has_turned(amplitude):
    gentle = ShipMotion.regular(roll=(amplitude, 1.0, 1.0), pitch=(amplitude, 0.7))
    answers = list(stream(gentle, 6.0, lambda s, k: dataclasses.replace(
        s, angular_velocity=(0.0, 0.0, 0.0)) if k >= 400 else s))
    assert all(isinstance(answer, ImuSample) for answer in answers[:400])
    first = next(k for k, answer in enumerate(answers) if isinstance(answer, Finding))
    assert answers[first].check == 'stuck' and first - 400 <= 100 * 0.02 / amplitude


def test_rates_that_come_with_gaps_are_weighed_by_the_time_they_stand_for():
    random, lost = np.random.default_rng(8), []

    def kept(k):
        if not lost and random.random() < 0.05:
            lost.extend(range(30))
        return not (lost and lost.pop() is not None)
    gate, answers = ImuGate(ImuMounting(), [FrameCheck('')]), []
    for k, (_, sample) in enumerate(samples(PAPER, ImuConfig(seed=4, **NOISE), 60.0)):
        if kept(k):
            answers.append(gate.pass_through(sample))
    assert not [answer for answer in answers if isinstance(answer, Finding)]

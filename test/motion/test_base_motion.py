"""BaseMotion: its layout, its gate and its converters."""

import copy
import pickle

import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseMotionSeries
from robot_dynamics.core.errors import InputError, UnknownNameError
from robot_dynamics.motion import rotations
from robot_dynamics.motion.joint_series import JointSeries

RNG = np.random.default_rng(2)
G = 9.80665


def _random_motion(shape=()):
    return BaseMotion(*RNG.standard_normal((4, *shape, 3)))


def test_packed_is_velocity_acceleration_acceleration_gravity():
    w, wd, a, g = RNG.standard_normal((4, 3))
    np.testing.assert_array_equal(BaseMotion(w, wd, a, g).packed, np.concatenate([w, wd, a, g]))


def test_nothing_given_is_a_level_base_at_rest():
    expected = [0.0] * 11 + [-G]
    np.testing.assert_array_equal(BaseMotion().packed, expected)
    np.testing.assert_array_equal(BaseMotion.still().packed, expected)


def test_lists_integers_and_arrays_are_the_same():
    one = BaseMotion([1, 2, 3], None, (4, 5, 6), np.array([0, 0, -9]))
    two = BaseMotion(np.array([1., 2, 3]), None, np.array([4., 5, 6]), np.array([0., 0, -9]))
    np.testing.assert_array_equal(one.packed, two.packed)


def test_a_single_vector_broadcasts_over_a_series():
    w = RNG.standard_normal((5, 3))
    motion = BaseMotion(w, gravity=[0, 1, -9])
    assert motion.is_series and len(motion) == 5
    np.testing.assert_array_equal(motion.gravity, np.tile([0, 1, -9], (5, 1)))
    np.testing.assert_array_equal(motion[3].angular_velocity, w[3])


def test_motion_is_immutable_and_survives_copies():
    motion = _random_motion()
    with pytest.raises(AttributeError):
        motion.packed = np.zeros(12)
    with pytest.raises(ValueError):
        motion.angular_velocity[0] = 1.0
    for other in (copy.deepcopy(motion), pickle.loads(pickle.dumps(motion))):
        np.testing.assert_array_equal(other.packed, motion.packed)


@pytest.mark.parametrize('bad, text', [
    ([0, np.nan, 0], 'index 1'), ([0, 0, np.inf], 'index 2'), ([0, 0], 'shape'),
    ('up', 'not numeric')])
def test_a_bad_vector_is_named(bad, text):
    with pytest.raises(InputError, match=text) as caught:
        BaseMotion(linear_acceleration=bad)
    assert caught.value.argument == 'linear_acceleration'


def test_a_nan_in_the_fast_path_is_named():
    with pytest.raises(InputError, match='angular_acceleration'):
        BaseMotion(np.zeros(3), np.array([0.0, 0.0, np.nan]))


@pytest.mark.parametrize('name', [
    'roll', 'pitch', 'roll_rate', 'pitch_rate', 'roll_acceleration', 'pitch_acceleration'])
@pytest.mark.parametrize('bad', [np.nan, 'x', [0.0, np.inf], None])
def test_a_bad_angle_is_named_as_it_was_given(name, bad):
    with pytest.raises(InputError) as caught:
        BaseMotion.from_roll_pitch(**{'roll': 0.1, 'pitch': 0.2, name: bad})
    assert caught.value.argument == name


def test_series_of_different_length_are_refused():
    with pytest.raises(InputError, match='differ in length'):
        BaseMotion(np.zeros((4, 3)), np.zeros((5, 3)))


def _angle(t):
    roll = np.array([0.4 * np.sin(t), 0.4 * np.cos(t), -0.4 * np.sin(t)])
    pitch = np.array([0.3 * np.cos(2 * t), -0.6 * np.sin(2 * t), -1.2 * np.cos(2 * t)])
    return roll, pitch


def test_roll_pitch_follows_the_printed_formula():
    (a, ad, add), (b, bd, bdd) = _angle(0.7)
    motion = BaseMotion.from_roll_pitch(a, b, ad, bd, add, bdd)
    np.testing.assert_allclose(
        motion.angular_velocity, [ad, bd * np.cos(a), -bd * np.sin(a)], atol=1e-15)
    np.testing.assert_allclose(motion.angular_acceleration, [
        add, bdd * np.cos(a) - ad * bd * np.sin(a), -bdd * np.sin(a) - ad * bd * np.cos(a)],
        atol=1e-15)


def test_roll_pitch_accepts_series_and_world_acceleration():
    t = np.linspace(0, 3, 7)
    (a, ad, add), (b, bd, bdd) = _angle(t)
    series = BaseMotion.from_roll_pitch(a, b, ad, bd, add, bdd, [0.0, 0.0, 2.0])
    one = BaseMotion.from_roll_pitch(a[3], b[3], ad[3], bd[3], add[3], bdd[3], [0.0, 0.0, 2.0])
    np.testing.assert_allclose(series[3].packed, one.packed, atol=1e-15)
    np.testing.assert_allclose(  # upward acceleration adds to gravity's reaction
        series.specific_force * G, -series.gravity * (G + 2.0), atol=1e-12)


def test_bow_down_lets_gravity_point_forward():
    assert BaseMotion.from_roll_pitch(0.0, 0.2).gravity[0] > 0
    assert BaseMotion.from_roll_pitch(0.2, 0.0).gravity[1] < 0  # starboard is -y and lies low


def test_pose_derivatives_agree_with_roll_pitch():
    def rotation(t):
        (a, *_), (b, *_) = _angle(t)
        return rotations.matrix_from_rpy([a, b, 0.0])
    t, h = 0.7, 1e-4
    early, now, late = rotation(t - h), rotation(t), rotation(t + h)
    pose = BaseMotion.from_pose(now, (late - early) / (2 * h), (late - 2 * now + early) / h**2,
                                [1.0, 2.0, 3.0])
    (a, ad, add), (b, bd, bdd) = _angle(t)
    expected = BaseMotion.from_roll_pitch(a, b, ad, bd, add, bdd, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(pose.packed, expected.packed, atol=1e-6)


def test_transforming_there_and_back_changes_nothing():
    motion = _random_motion((4,))
    R, p = rotations.exp([0.3, -1.0, 2.0]), np.array([1.0, -2.0, 0.5])
    again = motion.transformed(R, p).transformed(R.T, -R.T @ p)
    np.testing.assert_allclose(again.packed, motion.packed, atol=1e-13)


def test_lever_arm_under_steady_rotation_is_centripetal():
    spinning = BaseMotion(angular_velocity=[0, 0, 2.0])
    at_rim = spinning.transformed(np.eye(3), [1.5, 0, 0])
    np.testing.assert_allclose(at_rim.linear_acceleration, [-6.0, 0, 0])


def test_lever_arm_acceleration_is_the_second_derivative_of_position():
    p = np.array([0.4, -1.2, 2.0])

    def rotation(t):
        return rotations.matrix_from_rpy([0.4 * np.sin(t), 0.3 * np.cos(2 * t), 0.2 * t])
    t, h = 0.7, 1e-4
    a_W = (rotation(t + h) - 2 * rotation(t) + rotation(t - h)) @ p / h**2
    rpy = [0.4 * np.sin(t), 0.3 * np.cos(2 * t), 0.2 * t]
    motion = BaseMotion.from_rpy(rpy, [0.4 * np.cos(t), -0.6 * np.sin(2 * t), 0.2],
                                 [-0.4 * np.sin(t), -1.2 * np.cos(2 * t), 0.0])
    np.testing.assert_allclose(
        motion.transformed(np.eye(3), p).linear_acceleration, rotation(t).T @ a_W, atol=1e-6)


@pytest.mark.parametrize('rpy', [(0.0, 0.0, 0.0), (0.3, -0.2, 1.0), (np.pi, 0.0, 0.5)])
def test_imu_at_rest_reads_plus_g_up_and_gives_a_still_base(rpy):
    R_WI = rotations.matrix_from_rpy(rpy)
    motion = BaseMotion.from_imu([0, 0, 0], R_WI.T @ [0, 0, G],
                                 orientation_xyzw=rotations.quat_from_matrix(R_WI))
    np.testing.assert_allclose(motion.packed[:9], 0.0, atol=1e-14)
    np.testing.assert_allclose(motion.gravity, R_WI.T @ [0, 0, -G], atol=1e-14)


def test_imu_inverts_what_a_mounted_sensor_measures():
    R_BI, p_BI = rotations.exp([0.2, 0.4, -2.0]), np.array([0.5, -0.3, 1.0])
    R_WB = rotations.matrix_from_rpy([0.2, -0.3, 1.0])
    base = BaseMotion([.3, -.2, .1], [.5, .6, -.7], [1., 2, 3], R_WB.T @ [0, 0, -G])
    sensed = base.transformed(R_BI, p_BI)
    again = BaseMotion.from_imu(
        sensed.angular_velocity, sensed.specific_force, sensed.angular_acceleration,
        rotations.quat_from_matrix(R_WB @ R_BI), R_BI, p_BI)
    np.testing.assert_allclose(again.packed, base.packed, atol=1e-13)
    assert not again.specific_force_only


def test_imu_without_orientation_keeps_the_specific_force_and_says_so():
    motion = BaseMotion.from_imu([0, 0, 0.1], [0.1, 0.2, 9.9])
    assert motion.specific_force_only
    np.testing.assert_allclose(motion.specific_force, [0.1, 0.2, 9.9])
    np.testing.assert_array_equal(motion.gravity, 0.0)
    assert motion.transformed(np.eye(3), [1, 0, 0]).specific_force_only


def test_imu_on_a_lever_arm_asks_for_angular_acceleration():
    with pytest.raises(InputError, match='angular_acceleration'):
        BaseMotion.from_imu([0, 0, 0], [0, 0, G], p_BI=[1, 0, 0])


@pytest.mark.parametrize('build', [
    BaseMotion.still,
    lambda gravity_magnitude: BaseMotion.from_roll_pitch(
        0.1, 0.0, gravity_magnitude=gravity_magnitude),
    lambda gravity_magnitude: BaseMotion.from_pose(
        np.eye(3), np.zeros((3, 3)), np.zeros((3, 3)), gravity_magnitude=gravity_magnitude),
    lambda gravity_magnitude: BaseMotion.from_imu(
        np.zeros(3), [0.0, 0.0, 9.8], orientation_xyzw=[0, 0, 0, 1],
        gravity_magnitude=gravity_magnitude)])
@pytest.mark.parametrize('magnitude', [-9.80665, float('nan')])
def test_a_negative_magnitude_of_gravity_is_refused_everywhere(build, magnitude):
    with pytest.raises(InputError, match='gravity_magnitude: is'):
        build(gravity_magnitude=magnitude)


def test_series_refuse_time_that_does_not_increase():
    with pytest.raises(InputError, match='index 2'):
        BaseMotionSeries([0.0, 0.1, 0.1], BaseMotion(np.zeros((3, 3))))
    series = BaseMotionSeries([0.0, 0.1, 0.2], BaseMotion(np.zeros((3, 3))))
    assert len(series[1:]) == 2


def test_joint_series_are_selected_by_name():
    position = RNG.standard_normal((4, 3))
    series = JointSeries([0, 1, 2, 3], ['a', 'b', 'c'], position)
    np.testing.assert_array_equal(series.select(['c', 'a']).position, position[:, [2, 0]])
    with pytest.raises(UnknownNameError, match="unknown joint 'd'"):
        series.select(['d'])
    with pytest.raises(InputError, match='twice'):
        JointSeries([0, 1, 2, 3], ['a', 'b', 'a'], position)

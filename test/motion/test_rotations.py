"""Rotations: conversions invert each other and follow the stated conventions."""

import numpy as np
import pytest

from robot_dynamics.motion import attitude, frames, rotations

RNG = np.random.default_rng(1)
RPY = RNG.uniform([-3.1, -1.5, -3.1], [3.1, 1.5, 3.1], (200, 3))


def _axis_rotation(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R = np.eye(3)
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def test_rpy_is_rz_ry_rx():
    for roll, pitch, yaw in RPY[:10]:
        expected = _axis_rotation(2, yaw) @ _axis_rotation(1, pitch) @ _axis_rotation(0, roll)
        np.testing.assert_allclose(
            rotations.matrix_from_rpy([roll, pitch, yaw]), expected, atol=1e-15)


def test_rpy_matrix_and_quaternion_invert_each_other():
    R = rotations.matrix_from_rpy(RPY)
    q = rotations.quat_from_matrix(R)
    np.testing.assert_allclose(rotations.rpy_from_matrix(R), RPY, atol=1e-11)
    np.testing.assert_allclose(rotations.matrix_from_quat(q), R, atol=1e-14)
    np.testing.assert_allclose(rotations.rpy_from_quat(q), RPY, atol=1e-11)


@pytest.mark.parametrize('axis', range(3))
def test_half_turns_have_a_quaternion(axis):
    q = rotations.quat_from_matrix(_axis_rotation(axis, np.pi))
    np.testing.assert_allclose(np.abs(q), np.eye(4)[axis], atol=1e-15)


def test_quaternion_product_is_rotation_product():
    a, b = np.split(rotations.quat_from_matrix(rotations.matrix_from_rpy(RPY)), [100])
    product = rotations.matrix_from_quat(rotations.quat_multiply(a, b))
    np.testing.assert_allclose(
        product, rotations.matrix_from_quat(a) @ rotations.matrix_from_quat(b), atol=1e-14)


@pytest.mark.parametrize('length', [0.0, 1e-9, 1e-5, 1e-4, 0.3, 3.1])
def test_log_inverts_exp(length):
    v = RNG.standard_normal((50, 3))
    v *= length / np.linalg.norm(v, axis=1, keepdims=True)
    np.testing.assert_allclose(rotations.log(rotations.exp(v)), v, atol=1e-12 + 1e-12 * length)


def test_exp_satisfies_its_differential_equation():
    v = np.array([0.4, -0.7, 0.2])
    h = 1e-5
    rate = (rotations.exp(v * (1 + h)) - rotations.exp(v * (1 - h))) / (2 * h)
    np.testing.assert_allclose(rate, rotations.skew(v) @ rotations.exp(v), atol=1e-9)


def test_skew_is_the_cross_product():
    a, b = RNG.standard_normal((2, 30, 3))
    np.testing.assert_allclose(rotations.rotate(rotations.skew(a), b), np.cross(a, b), atol=1e-15)
    np.testing.assert_allclose(rotations.unskew(rotations.skew(a)), a)


def _angles(t):
    rpy = np.array([0.7 * np.sin(t), 0.5 * np.cos(1.3 * t), 0.9 * np.sin(0.7 * t + 1)])
    rate = np.array([0.7 * np.cos(t), -0.65 * np.sin(1.3 * t), 0.63 * np.cos(0.7 * t + 1)])
    acceleration = np.array([-0.7 * np.sin(t), -0.845 * np.cos(1.3 * t),
                             -0.441 * np.sin(0.7 * t + 1)])
    return rpy, rate, acceleration


def test_angular_velocity_is_the_derivative_of_the_matrix():
    t, h = 0.8, 1e-5
    R = rotations.matrix_from_rpy(_angles(t)[0])
    Rd = (rotations.matrix_from_rpy(_angles(t + h)[0])
          - rotations.matrix_from_rpy(_angles(t - h)[0])) / (2 * h)
    w, _ = attitude.angular_motion_from_rpy(*_angles(t))
    np.testing.assert_allclose(w, rotations.unskew(R.T @ Rd), atol=1e-9)


def test_angular_acceleration_is_the_derivative_of_angular_velocity():
    t, h = 0.8, 1e-5
    late, early = (attitude.angular_motion_from_rpy(*_angles(t + s))[0] for s in (h, -h))
    _, wd = attitude.angular_motion_from_rpy(*_angles(t))
    np.testing.assert_allclose(wd, (late - early) / (2 * h), atol=1e-9)


def test_bow_up_is_positive_pitch_in_ned_and_negative_in_flu():
    bow_up_ned = rotations.matrix_from_rpy([0.0, 0.1, 0.0])
    bow_in_ned = bow_up_ned @ [1, 0, 0]
    assert bow_in_ned[2] < 0  # NED z points down: the bow is above the horizon
    for world in ('enu', 'nwu'):
        flu = frames.swap_matrix(bow_up_ned, world)
        assert (flu @ [1, 0, 0])[2] == pytest.approx(np.sin(0.1))
        assert rotations.rpy_from_matrix(flu)[1] == pytest.approx(-0.1)


def test_starboard_down_is_positive_roll_in_both():
    flu = frames.swap_matrix(rotations.matrix_from_rpy([0.2, 0.0, 0.0]))
    assert rotations.rpy_from_matrix(flu)[0] == pytest.approx(0.2)
    port_side = flu @ [0, 1, 0]
    assert port_side[2] > 0


def test_heading_north_is_yaw_zero_in_ned_and_ninety_degrees_in_enu():
    flu = frames.swap_matrix(np.eye(3))
    np.testing.assert_allclose(flu @ [1, 0, 0], [0, 1, 0], atol=1e-15)  # ENU: y is north


def test_frame_conversions_are_their_own_inverse():
    R = rotations.matrix_from_rpy(RPY)
    for world in ('enu', 'nwu'):
        np.testing.assert_allclose(
            frames.swap_matrix(frames.swap_matrix(R, world), world), R, atol=1e-15)

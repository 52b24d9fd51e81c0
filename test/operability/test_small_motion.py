"""The linear map from the ship's small motion to loads, against the exact nonlinear functions."""

import numpy as np
import pytest

from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.small_motion import ACTIVE, base_from_deck, transfer
from robot_dynamics.ship.rigid_deck import base_motion_series

R_DB = matrix_from_rpy([0.3, -0.2, 1.1])
P_DB = np.array([11.0, -3.0, 4.5])
POSTURE = np.array([[0.3, 0.5, -0.2, 1.2, 0.4, -0.6]])


def exact_base(motion):
    """Return the base motion of a robot mounted so, by the nonlinear path, (T, 18) -> T."""
    packed = base_motion_series(np.atleast_2d(motion), P_DB, 9.80665)
    return BaseMotion.from_packed(
        np.ascontiguousarray((packed.reshape(-1, 4, 3) @ R_DB).reshape(-1, 12)))


@pytest.fixture(scope='module')
def robot(pa10_dynamics):
    return RobotLoads.of_arm(pa10_dynamics)


@pytest.fixture(scope='module', params=['at rest', 'moving'])
def states(request, pa10):
    if request.param == 'at rest':
        return RobotStates.postures(pa10, POSTURE)
    rng = np.random.default_rng(5)
    return RobotStates(POSTURE, rng.normal(size=(1, 6)), rng.normal(size=(1, 6)), np.zeros(1))


def test_base_motion_is_the_derivative_of_the_exact_one():
    h = 1e-4
    steps = h * np.eye(18)
    numeric = (exact_base(steps).packed - exact_base(-steps).packed).T / (2 * h)
    assert np.abs(base_from_deck(R_DB, P_DB) - numeric).max() < 1e-7


def test_loads_are_the_derivative_of_the_exact_ones(robot, states):
    linear = robot.linear(states, R_DB).by_base[0] @ base_from_deck(R_DB, P_DB)
    h = 1e-4
    steps = h * np.eye(18)
    q, qd, qdd = (np.repeat(value, 18, axis=0) for value in (states.q, states.qd, states.qdd))
    numeric = (robot.function(q, qd, qdd, exact_base(steps))
               - robot.function(q, qd, qdd, exact_base(-steps))).T / (2 * h)
    assert np.abs(linear - numeric).max() < 1e-7 * np.abs(linear).max()


def test_loads_at_rest_are_those_of_the_level_base(robot, states, pa10_dynamics):
    level = BaseMotion(gravity=R_DB.T @ [0.0, 0.0, -9.80665])
    still = robot.linear(states, R_DB).still[0]
    expected = pa10_dynamics.torque(states.q[0], states.qd[0], states.qdd[0], level)
    assert still[:6] == pytest.approx(expected, rel=1e-12)


def test_a_regular_wave_gives_the_amplitude_that_the_exact_dynamics_give(robot, pa10):
    states = RobotStates.postures(pa10, POSTURE)
    rng = np.random.default_rng(2)
    hull = (rng.normal(size=(6, 1)) + 1j * rng.normal(size=(6, 1)))
    w, height = 0.8, 1e-5
    response = transfer(robot.linear(states, R_DB).by_base, base_from_deck(R_DB, P_DB), hull,
                        np.array([w])).sum(axis=0)[0, :, 0]
    t = np.arange(64) * 2 * np.pi / w / 64
    wave = height * hull[:, 0] * np.exp(1j * w * t)[:, None]
    motion = np.concatenate([wave, 1j * w * wave, -w * w * wave], axis=1).real
    samples = [np.repeat(value, len(t), axis=0) for value in (states.q, states.qd, states.qdd)]
    loads = robot.function(*samples, exact_base(motion))
    amplitude = 2 * (loads * np.exp(-1j * w * t)[:, None]).mean(axis=0) / height
    assert np.abs(amplitude - response).max() < 1e-6 * np.abs(response).max()


def test_causes_sum_to_the_whole(robot, states):
    w = np.array([0.5, 0.8, 1.2])
    hull = np.ones((6, 3), complex)
    parts = transfer(robot.linear(states, R_DB).by_base, base_from_deck(R_DB, P_DB), hull, w)
    deck = np.concatenate([hull, 1j * w * hull, -w * w * hull])
    whole = robot.linear(states, R_DB).by_base @ base_from_deck(R_DB, P_DB) @ deck
    assert np.abs(parts.sum(axis=0) - whole).max() < 1e-12 * np.abs(whole).max()


def test_second_derivatives_are_those_of_the_exact_loads(robot, states):
    """A step of all numbers at once, beyond first order, is what the second derivatives say."""
    Q = robot.linear(states, R_DB, P_DB).second[0]
    step = np.zeros(18)
    step[list(ACTIVE)] = 1e-3 * np.random.default_rng(4).normal(size=12)
    q, qd, qdd = (np.repeat(value, 3, axis=0) for value in (states.q, states.qd, states.qdd))
    above, middle, below = robot.function(
        q, qd, qdd, exact_base(np.stack([step, 0 * step, -step])))
    x = step[list(ACTIVE)]
    expected = x @ Q @ x
    assert np.abs(above - 2 * middle + below - expected).max() < 1e-3 * np.abs(expected).max()

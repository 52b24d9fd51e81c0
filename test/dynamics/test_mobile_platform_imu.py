"""An IMU on the platform feels the wheels, too: what remains is the deck."""

from dynamics_states import random_base, random_state, relative_error
from mobile_robots import on_wheels, wheeled_tree, WHEELS
import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState
from robot_dynamics.dynamics.supports.platform_motion import deck_motion, platform_motion


@pytest.fixture(scope='module')
def robot(wheeled):
    return on_wheels(wheeled, **WHEELS, backend='interpreted')


def test_driving_on_still_ground_with_a_platform_imu_changes_nothing(robot, rng):
    q, qd, qdd = random_state(rng, 5)
    felt = platform_motion(robot.support, BaseState(BaseMotion(), [0.4, -0.2, 0.7]), qd, qdd)
    assert np.abs(felt.angular_velocity[2]) > 0.1
    assert np.abs(felt.linear_acceleration).max() > 0.05
    deck = deck_motion(robot.support, felt, qd, qdd)
    assert relative_error(deck.motion.packed, BaseMotion().packed) < 1e-12
    with_imu = robot.torque(q, qd, qdd, deck)
    assert relative_error(with_imu, robot.torque(q, qd, qdd)) < 1e-12


@pytest.mark.parametrize('seed', range(4))
def test_platform_imu_on_a_moving_deck_gives_the_torques_of_a_deck_imu(seed):
    rng = np.random.default_rng(seed)
    model, _ = wheeled_tree(rng, 3, signs=[(1, 1), (1, -1)][seed % 2])
    robot = on_wheels(model, 'left', 'right', backend='interpreted')
    (q, qd, qdd), deck = random_state(rng, model.nv), random_base(rng)
    pose = rng.uniform(-2, 2, 3)
    felt = platform_motion(robot.support, BaseState(deck, pose), qd, qdd)
    seen = deck_motion(robot.support, felt, qd, qdd)
    assert relative_error(robot.torque(q, qd, qdd, seen),
                          robot.torque(q, qd, qdd, BaseState(deck, pose))) < 1e-11


def test_platform_motion_is_the_second_derivative_of_its_pose(robot):
    """On still ground, against finite differences of the base link's path."""
    qd, qdd = np.array([3.0, 1.0, 0, 0, 0]), np.array([-2.0, 4.0, 0, 0, 0])
    step, heading = 1e-4, 0.6
    lever = -robot.support.R_BO.T @ robot.support.p_BO

    def place(pose):
        c, s = np.cos(pose[2]), np.sin(pose[2])
        return pose[:2] + np.array([[c, -s], [s, c]]) @ lever[:2]

    def rate(pose, t):
        return robot.support.pose_rate(qd + t * qdd, pose)

    start = np.array([0.1, 0.2, heading])
    path = []
    for t in (-step, 0.0, step):
        middle = start + 0.5 * t * rate(start, 0.0)
        path.append(place(start + t * rate(middle, 0.5 * t)))
    acceleration = (path[0] - 2 * path[1] + path[2]) / step**2
    c, s = np.cos(heading), np.sin(heading)
    felt = platform_motion(robot.support, BaseState(BaseMotion(), start), qd, qdd)
    expected = np.array([[c, s], [-s, c]]) @ acceleration
    assert np.abs(felt.linear_acceleration[:2] - expected).max() < 1e-5


def test_a_series_is_its_samples(robot, rng):
    _, qd, qdd = random_state(rng, 5, 4)
    platform = random_base(rng, 4)
    series = deck_motion(robot.support, platform, qd, qdd)
    for k in range(4):
        one = deck_motion(robot.support, platform[k], qd[k], qdd[k])
        assert relative_error(series.motion.packed[k], one.motion.packed) < 1e-14


def test_a_specific_force_stays_one(robot, rng):
    """Without an orientation gravity stays inside the acceleration, and torques are right."""
    q, qd, qdd = random_state(rng, 5)
    felt = platform_motion(robot.support, BaseState(BaseMotion(), [0, 0, 0.3]), qd, qdd)
    imu = BaseMotion.from_imu(felt.angular_velocity, felt.specific_force,
                              felt.angular_acceleration)
    deck = deck_motion(robot.support, imu, qd, qdd)
    assert deck.specific_force_only
    assert relative_error(robot.torque(q, qd, qdd, deck),
                          robot.torque(q, qd, qdd)) < 1e-12

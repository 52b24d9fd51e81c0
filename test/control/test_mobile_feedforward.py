"""The feedforward of a mobile manipulator: pose, cmd_vel, and what is wrong with them."""

import dataclasses

import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState, RobotModel
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import ACTIVE, GRAVITY_ONLY, HOLDING, RAMPING_IN
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.mobile_config import MobileConfig
from robot_dynamics.control.mobile_dynamics import MobileDynamics
from robot_dynamics.control.mobile_feedforward import MobileFeedforwardCore
from robot_dynamics.control.pose_input import heading_of
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import (
    ConfigurationError, InputError, ModelError, UnknownNameError)
from robot_dynamics.core.resources import resource_path
from robot_dynamics.estimation.protocol import BaseEstimate
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.simulation.mobile_motions import MOBILE_JOINTS

MS = 1_000_000
PERIOD = 2 * MS
START = 1_000_000_000
ROLLING = BaseMotion([0.1, 0.05, 0.02], [0.2, -0.1, 0.0], [0.3, 0.1, 0.4], [0.8, -0.9, -9.7])
MOBILE = MobileConfig(left_wheel='left_wheel_joint', right_wheel='right_wheel_joint')
ARM = ('arm1', 'arm2', 'arm3')


@pytest.fixture(scope='module')
def model():
    return RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))


@pytest.fixture(scope='module')
def robot(model):
    return MOBILE.robot(model)


class Estimator:
    """Knows the deck's motion without samples."""

    def update(self, sample):
        """Take anything."""

    def at(self, stamp_ns):
        """Return the same motion always."""
        return BaseEstimate(ROLLING, 'full', None)

    def reset(self):
        """Forget nothing."""

    def maintain(self):
        """Do nothing."""


class Rig:
    """A core with a robot that follows perfectly, stepped cycle by cycle."""

    def __init__(self, robot, base_motion='fixed', mobile=MOBILE, **config):
        self.core = MobileFeedforwardCore(
            FeedforwardConfig(base_motion=base_motion, **config), robot, Estimator(), mobile)
        self.now = START
        self.position = np.zeros(5)
        self.velocity = np.zeros(5)
        self.names = list(self.core.names)
        self.events = []

    def cycle(self, odometry=(0.0, 0.0, 0.0)):
        core, now = self.core, self.now
        if odometry is not None:
            core.on_odometry(now, now, odometry)
        core.on_base_sample(ImuSample(now, (0, 0, 0), (0, 0, 9.8), (0, 0, 0, 1)), now)
        core.on_joint_state(now, now, self.names, self.position, self.velocity)
        command = core.command(now)
        self.events += core.drain_events()
        self.now += PERIOD
        if command is not None:
            self.position = command.desired_position.copy()
            self.velocity = command.desired_velocity.copy()
        return command

    def run(self, seconds, **kwargs):
        return [self.cycle(**kwargs) for _ in range(int(seconds * 1e9) // PERIOD)]


def texts(rig, kind):
    return [event.text for event in rig.events if event.kind is kind]


def test_torque_is_that_of_the_pose_that_odometry_reports(robot):
    rig = Rig(robot, 'moving')
    pose = (2.0, -1.0, 0.6)
    command = rig.run(2.0, odometry=pose)[-1]
    zero = np.zeros(5)
    assert command.state == ACTIVE
    there = robot.torque(zero, zero, zero, BaseState(ROLLING, pose))
    assert np.allclose(command.effort, there, atol=1e-9)
    elsewhere = robot.torque(zero, zero, zero, BaseState(ROLLING, zero[:3]))
    assert np.abs(command.effort - elsewhere).max() > 0.1


def test_without_odometry_nothing_is_sent_on_a_moving_deck(robot):
    rig = Rig(robot, 'moving')
    assert rig.run(1.5, odometry=None)[-1] is None
    assert any('waiting for valid' in text and 'pose' in text
               for text in texts(rig, EventKind.WAITING))


def test_on_level_ground_no_odometry_is_needed(robot):
    assert Rig(robot, 'fixed').run(1.5, odometry=None)[-1].state == ACTIVE


def test_a_lost_pose_leads_to_gravity_only_and_its_return_to_control(robot):
    rig = Rig(robot, 'moving')
    before = rig.run(2.0)[-1]
    states = [command.state for command in rig.run(1.5, odometry=None)]
    assert states[0] == ACTIVE and HOLDING in states and states[-1] == GRAVITY_ONLY
    assert any('holding (pose stale)' in text for text in texts(rig, EventKind.STATE_CHANGED))
    zero = np.zeros(5)
    still = BaseMotion(gravity=ROLLING.gravity)
    held = rig.cycle(odometry=None).effort
    assert np.allclose(held, robot.torque(zero, zero, zero, BaseState(still, zero[:3])), atol=1e-9)
    after = rig.run(2.0)[-1]
    assert after.state == ACTIVE and np.allclose(after.effort, before.effort, atol=1e-9)


@pytest.mark.parametrize('pose', [(0.0, np.nan, 0.0), (0.0, 0.0)])
def test_a_pose_that_is_none_is_refused_and_named(robot, pose):
    rig = Rig(robot, 'moving')
    assert rig.run(1.0, odometry=pose)[-1] is None
    assert 'three finite numbers' in texts(rig, EventKind.POSE_REFUSED)[0]


def test_a_joint_state_without_a_wheel_is_named_and_gives_no_command(robot):
    rig = Rig(robot)
    rig.names[0] = 'someone_else'
    assert rig.run(0.5)[-1] is None
    assert any('right_wheel_joint' in event.text for event in rig.events)


def test_between_odometry_the_pose_is_carried_on_by_the_wheels(robot):
    rig = Rig(robot, 'moving')
    rig.run(1.0)
    rig.velocity[:2] = 4.0, 2.0
    core = rig.core
    core.on_odometry(rig.now, rig.now, (1.0, 2.0, 0.5))
    core.on_joint_state(rig.now, rig.now, rig.names, rig.position, rig.velocity)
    at = core._pose.at(rig.now + 100 * MS, rig.velocity[:2])
    speed, turning = 0.075 / 2 * 6.0, 0.075 / 0.5 * 2.0
    assert np.allclose(at, [1.0 + 0.1 * speed * np.cos(0.5 + 0.05 * turning),
                            2.0 + 0.1 * speed * np.sin(0.5 + 0.05 * turning),
                            0.5 + 0.1 * turning], atol=1e-9)


def test_samples_from_the_platform_wait_for_a_heading(robot):
    rig = Rig(robot, 'moving', dataclasses.replace(MOBILE, imu_on='platform'))
    assert rig.run(1.0, odometry=None)[-1] is None
    assert any('base_motion' in text for text in texts(rig, EventKind.WAITING))
    assert rig.run(2.5, odometry=(0.0, 0.0, 1.0))[-1].state == ACTIVE


def test_dynamics_without_a_pose_refuse_a_moving_deck_and_say_why(robot):
    dynamics = MobileDynamics(robot)
    dynamics.lost = 'the last odometry is 3 s old'
    zero = np.zeros(5)
    with pytest.raises(InputError, match='pose: the last odometry is 3 s old'):
        dynamics.torque(zero, zero, zero, ROLLING)


# ---------------------------------------------------------------------------------- cmd_vel


def test_cmd_vel_drives_and_silence_stops(robot):
    rig = Rig(robot)
    rig.run(1.0)
    for _ in range(20):
        rig.core.on_twist(rig.now, 0.3, 0.4)
        commands = rig.run(0.1)
    wheels = commands[-1].desired_velocity[:2]
    assert np.allclose(0.075 / 2 * wheels.sum(), 0.3, atol=1e-9)
    assert np.allclose(0.075 / 0.5 * (wheels[0] - wheels[1]), 0.4, atol=1e-9)
    commands = rig.run(2.5)
    assert np.abs(commands[-1].desired_velocity).max() == 0.0
    assert commands[-1].state == ACTIVE


def test_wheels_driven_by_cmd_vel_never_jerk(robot):
    rig = Rig(robot)
    rig.run(1.0)
    commands = []
    for k in range(30):
        rig.core.on_twist(rig.now, 0.4 * np.sin(k), 0.5 * np.cos(k))
        commands += rig.run(0.05)
    velocity = np.array([command.desired_velocity[:2] for command in commands])
    acceleration = np.array([command.desired_acceleration[:2] for command in commands])
    assert np.abs(np.diff(velocity, axis=0)).max() < 2 * 8.0 * PERIOD * 1e-9
    assert np.abs(np.diff(acceleration, axis=0)).max() < 1.0
    assert np.abs(velocity).max() > 1.0


def test_the_arm_follows_its_own_trajectory_beside_cmd_vel(robot):
    rig = Rig(robot)
    rig.run(1.0)
    goal = np.array([0.5, -0.3, 0.8])
    rig.core.on_reference(JointTrajectory(
        ARM, [0.0, 2.0], [np.zeros(3), goal], np.zeros((2, 3)), np.zeros((2, 3)),
        rig.now), rig.now)
    for _ in range(25):
        rig.core.on_twist(rig.now, 0.2, 0.0)
        commands = rig.run(0.1)
    assert np.allclose(commands[-1].desired_position[2:], goal, atol=1e-9)
    assert np.allclose(commands[-1].desired_velocity[:2], 0.2 / 0.075, atol=1e-9)


def test_wheels_and_arm_follow_a_trajectory_each(robot):
    rig = Rig(robot)
    rig.run(1.0)
    zero, start = np.zeros((2, 2)), rig.now
    rig.core.on_reference(JointTrajectory(
        MOBILE_JOINTS[:2], [0.0, 3.0], [[0, 0], [9.0, 3.0]], zero, zero, start), start)
    rig.run(0.5)
    goal = np.array([0.5, -0.3, 0.8])
    rig.core.on_reference(JointTrajectory(
        ARM, [0.5, 2.0], [0.1 * goal, goal], np.zeros((2, 3)), np.zeros((2, 3)), rig.now),
        rig.now)
    commands = rig.run(3.0)
    assert np.allclose(commands[-1].desired_position, [9.0, 3.0, *goal], atol=1e-9)
    velocity = np.array([command.desired_velocity for command in commands])
    assert np.abs(np.diff(velocity, axis=0)).max() < 0.05


@pytest.mark.parametrize('delay, words', [(0.0, 'away from the present'), (0.05, 'too far')])
def test_an_arm_trajectory_that_starts_elsewhere_is_refused(robot, delay, words):
    rig = Rig(robot)
    rig.run(1.0)
    rig.core.on_reference(JointTrajectory(
        ARM, [delay, 1.0 + delay], [[1.0, 0, 0], [1.2, 0, 0]], np.zeros((2, 3)),
        np.zeros((2, 3)), rig.now), rig.now)
    assert np.abs(rig.run(0.3)[-1].desired_position).max() == 0.0
    assert any(words in text for text in texts(rig, EventKind.REFERENCE_REFUSED))


def test_an_arm_trajectory_without_one_joint_is_refused_by_name(robot):
    rig = Rig(robot)
    rig.run(1.0)
    rig.core.on_reference(JointTrajectory(ARM[:2], [0.0, 1.0], np.zeros((2, 2))), rig.now)
    assert rig.cycle().state in (ACTIVE, RAMPING_IN)
    assert any('arm3' in text for text in texts(rig, EventKind.REFERENCE_REFUSED))


def test_cmd_vel_that_no_wheel_can_do_keeps_its_curve(robot):
    rig = Rig(robot)
    rig.run(1.0)
    rig.core.on_twist(rig.now, 100.0, 100.0)
    rates = rig.core._twists._rates
    assert np.isclose(rates.max(), robot.model.velocity_limit[0])
    assert np.isclose(rates[0] / rates[1], (1 + 0.25) / (1 - 0.25))


def test_cmd_vel_that_is_not_finite_changes_nothing(robot):
    rig = Rig(robot)
    rig.run(1.0)
    rig.core.on_twist(rig.now, float('nan'), 0.0)
    assert np.abs(rig.run(0.5)[-1].desired_velocity).max() == 0.0
    assert any('linear.x' in text for text in texts(rig, EventKind.REFERENCE_REFUSED))


# ------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize('change, error, words', [
    ({'left_wheel': ''}, ConfigurationError, 'only one is named'),
    ({'left_wheel': 'wheel_l'}, UnknownNameError, 'wheel_l'),
    ({'left_wheel': 'arm1'}, ModelError, 'arm1'),
    ({'wheel_radius': 0.2}, ConfigurationError, '0.2 m contradicts the 0.075 m'),
    ({'track': 0.3}, ConfigurationError, '0.3 m contradicts the 0.5 m'),
])
def test_wrong_parameters_are_named(model, change, error, words):
    with pytest.raises(error, match=words):
        dataclasses.replace(MOBILE, **change).robot(model)


def test_an_arm_needs_no_wheels():
    assert not MobileConfig().on_wheels and MOBILE.on_wheels


def test_heading_of_an_orientation_is_its_turn_about_the_deck():
    assert np.isclose(heading_of((0, 0, np.sin(0.35), np.cos(0.35))), 0.7)
    assert heading_of((0.0, 0.0, 0.0, 0.0)) is None

"""The feedforward of robots on wheels: pose, cmd_vel, IMU, payload, wrenches, whatever wheels."""

import dataclasses

from driving_robots import ARM, DRIVING, on_two_wheels, TWO_WHEELS
import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState, InverseDynamics
from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import (
    ACTIVE, FeedforwardCore, GRAVITY_ONLY, HOLDING, RAMPING_IN)
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.pose_input import heading_of, PoseInput
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.rolling_trajectory import RollingTrajectory
from robot_dynamics.control.watchdog import InputMonitor
from robot_dynamics.control.wrench_input import WrenchConfig
from robot_dynamics.core.errors import ConfigurationError, ModelError, UnknownNameError
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.estimation.protocol import BaseEstimate
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.simulation.motions import MOBILE_JOINTS
from selections import some

MS, PERIOD = 1_000_000, 2_000_000
START = 1_000_000_000
ROLLING = BaseMotion([0.1, 0.05, 0.02], [0.2, -0.1, 0.0], [0.3, 0.1, 0.4], [0.8, -0.9, -9.7])
POSE = (2.0, -1.0, 0.6)


class Robot:
    """Dynamics on wheels with the configuration that names them."""

    def __init__(self, model, config):
        self.model, self.config = model, config
        self.dynamics = InverseDynamics(model, support=config.support(model))
        self.wheels = len(self.dynamics.support.wheels)


@pytest.fixture(scope='module')
def robot():
    return Robot(on_two_wheels(), TWO_WHEELS)


@pytest.fixture(scope='module', params=some(1, DRIVING))
def any_robot(request, robot):
    make, config = DRIVING[request.param]
    return robot if config is TWO_WHEELS else Robot(make(), config)


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

    def __init__(self, robot, base_motion='fixed', change=None, wrenches=None, **config):
        self.core = FeedforwardCore(
            FeedforwardConfig(base_motion=base_motion, **config), robot.dynamics, Estimator(),
            wrenches=wrenches, driving=dataclasses.replace(robot.config, **(change or {})))
        self.now = START
        self.names = list(self.core.names)
        self.position = np.zeros(len(self.names))
        self.velocity = np.zeros(len(self.names))
        self.events = []

    def feed(self, odometry=(0.0, 0.0, 0.0)):
        """Give the core what is due now."""
        core, now = self.core, self.now
        if odometry is not None:
            core.on_odometry(now, now, odometry)
        core.on_base_sample(ImuSample(now, (0, 0, 0), (0, 0, 9.8), (0, 0, 0, 1)), now)
        core.on_joint_state(now, now, self.names, self.position, self.velocity)

    def cycle(self, odometry=(0.0, 0.0, 0.0)):
        self.feed(odometry)
        command = self.core.command(self.now)
        self.events += self.core.drain_events()
        self.now += PERIOD
        if command is not None:
            self.position = command.desired_position.copy()
            self.velocity = command.desired_velocity.copy()
        return command

    def run(self, seconds, **kwargs):
        return [self.cycle(**kwargs) for _ in range(int(seconds * 1e9) // PERIOD)]


def texts(rig, kind):
    return [event.text for event in rig.events if event.kind is kind]


def standing(robot, pose, motion=ROLLING):
    """Return the torque of a robot that stands at a pose with all joints at zero."""
    zero = np.zeros(robot.model.nv)
    return robot.dynamics.torque(zero, zero, zero, BaseState(motion, pose))


def test_torque_is_that_of_the_pose_that_odometry_reports(any_robot):
    command = Rig(any_robot, 'moving').run(2.0, odometry=POSE)[-1]
    assert command.state == ACTIVE
    assert np.allclose(command.effort, standing(any_robot, POSE), atol=1e-9)
    assert np.abs(command.effort - standing(any_robot, (0.0, 0.0, 0.0))).max() > 0.1
    assert np.allclose(sum(command.terms.values()), command.effort, atol=1e-9)


def test_a_payload_counts_and_a_command_explains_itself_by_that_of_then(any_robot):
    rig = Rig(any_robot, 'moving')
    bare = rig.run(2.0, odometry=POSE)[-1]
    rig.core.set_payload('link3', 1.5, (0.1, 0.0, 0.0))
    loaded = rig.run(1.5, odometry=POSE)[-1]
    heavier = InverseDynamics(any_robot.model.with_payload('link3', 1.5, (0.1, 0.0, 0.0)),
                              support=any_robot.dynamics.support, backend='interpreted')
    zero = np.zeros(any_robot.model.nv)
    assert np.allclose(loaded.effort, heavier.torque(zero, zero, zero, BaseState(ROLLING, POSE)),
                       atol=1e-9)
    assert np.abs(loaded.effort - bare.effort).max() > 1.0
    rig.core.clear_payload()
    rig.run(1.5, odometry=POSE)
    for command in (bare, loaded):
        assert np.allclose(sum(command.terms.values()), command.effort, atol=1e-9)


@pytest.mark.parametrize('frame', ['link3', 'base_footprint'])
def test_a_wrench_on_a_link_counts_in_its_axes_or_in_those_of_the_platform(any_robot, frame):
    push = np.array([5.0, -3.0, 8.0, 0.5, 0.2, -0.4])
    rig = Rig(any_robot, 'moving', wrenches=WrenchConfig(topics=('link3=ft',)))
    bare = rig.run(2.0, odometry=POSE)[-1]
    for _ in range(500):
        rig.core.on_wrench('link3', rig.now, rig.now, frame, push)
        command = rig.cycle(odometry=POSE)
    c, s = np.cos(POSE[2]), np.sin(POSE[2])
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    wrench = ExternalWrench(push) if frame == 'link3' else ExternalWrench(
        np.concatenate([turn @ push[:3], turn @ push[3:]]), 'base')
    zero = np.zeros(any_robot.model.nv)
    expected = any_robot.dynamics.torque(
        zero, zero, zero, BaseState(ROLLING, POSE), {'link3': wrench})
    assert np.allclose(command.effort, expected, atol=1e-9)
    assert np.abs(command.effort - bare.effort).max() > 0.5
    assert np.allclose(command.terms['external'], expected - bare.effort, atol=1e-9)


def driven(support, pose, reference, times):
    """Return where a pose (3,) comes to along the reference from the first time to the last."""
    velocities = reference.sample(times).velocity
    for velocity, step in zip(0.5 * (velocities[1:] + velocities[:-1]), np.diff(times)):
        middle = pose + 0.5 * step * support.pose_rate(velocity, pose)
        pose = pose + step * support.pose_rate(velocity, middle)
    return pose


def test_a_rolling_trajectory_knows_where_the_wheels_will_have_carried_the_robot(any_robot):
    """The efforts ahead are those of the poses ahead, on the arc that the wheels describe."""
    dynamics, count = any_robot.dynamics, any_robot.model.nv
    rig = Rig(any_robot, 'moving', ramp=RampConfig(start_from='zero', ramp_in=0.0))
    rolling = RollingTrajectory(rig.core)
    goal, zero = np.zeros((2, count)), np.zeros((2, count))
    goal[1, :any_robot.wheels] = 20.0 * (1.0 + 0.5 * np.arange(any_robot.wheels))
    reference = JointTrajectory(rig.names, [0.0, 3.0], goal, zero, zero, START + 1000 * MS)
    rig.core.on_reference(reference, START)
    pose, issued_at, trajectory = np.array(POSE), None, None
    for _ in range(1100):
        rig.feed(odometry=pose.tolist())
        issued = rolling.due(rig.now)
        if issued is not None:
            trajectory, issued_at = issued, pose
        t = (rig.now - reference.start_ns) * 1e-9
        pose = driven(dynamics.support, pose, reference, np.array([t, t + 0.002]))
        rig.now += PERIOD
        rig.position, rig.velocity, _ = reference.sample(t + 0.002)
    assert trajectory.state == ACTIVE and np.abs(issued_at[:2] - POSE[:2]).max() > 0.1
    k = 8  # 0.18 s ahead, within the horizon
    begin = (trajectory.start_ns - reference.start_ns) * 1e-9
    times = begin + np.linspace(0.0, trajectory.times[k] + rig.core.status(rig.now)['lead'], 401)
    then = reference.sample(times[-1])

    def effort(at):
        return dynamics.torque(*then, BaseState(ROLLING, at))

    expected = effort(driven(dynamics.support, issued_at, reference, times))
    left_behind = np.abs(effort(issued_at) - expected).max()
    assert left_behind > 0.05
    assert np.abs(trajectory.efforts[k] - expected).max() < 0.1 * left_behind


def test_without_odometry_nothing_is_sent_on_a_moving_deck(any_robot):
    rig = Rig(any_robot, 'moving')
    assert rig.run(1.5, odometry=None)[-1] is None
    assert any('waiting for valid' in text and 'pose' in text
               for text in texts(rig, EventKind.WAITING))


def test_on_level_ground_no_odometry_is_needed(any_robot):
    assert Rig(any_robot, 'fixed').run(1.5, odometry=None)[-1].state == ACTIVE


def test_a_lost_pose_leads_to_gravity_only_and_its_return_to_control(any_robot):
    rig = Rig(any_robot, 'moving')
    before = rig.run(2.0)[-1]
    states = [command.state for command in rig.run(1.5, odometry=None)]
    assert states[0] == ACTIVE and HOLDING in states and states[-1] == GRAVITY_ONLY
    assert any('holding (pose stale)' in text for text in texts(rig, EventKind.STATE_CHANGED))
    held = rig.cycle(odometry=None).effort
    level = standing(any_robot, (0.0, 0.0, 0.0), BaseMotion(gravity=ROLLING.gravity))
    assert np.allclose(held, level, atol=1e-9)
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
    pose = PoseInput(robot.dynamics.support, InputMonitor('pose', 0.2, 0.05), None)
    pose.receive(START, START, (1.0, 2.0, 0.5))
    at = pose.at(START + 100 * MS, np.array([4.0, 2.0]))
    speed, turning = 0.075 / 2 * 6.0, 0.075 / 0.5 * 2.0
    assert np.allclose(at, [1.0 + 0.1 * speed * np.cos(0.5 + 0.05 * turning),
                            2.0 + 0.1 * speed * np.sin(0.5 + 0.05 * turning),
                            0.5 + 0.1 * turning], atol=1e-9)


def test_a_pose_reckoned_from_the_wheels_goes_where_they_roll(any_robot):
    support = any_robot.dynamics.support
    pose = PoseInput(support, InputMonitor('pose', 0.2, 0.05), None, reckons=True)
    rates = 4.0 + np.arange(any_robot.wheels)
    truth = np.zeros(3)
    for k in range(501):
        pose.on_wheels(START + k * PERIOD, START + k * PERIOD, rates)
    for _ in range(20_000):
        truth = truth + 5e-5 * support.pose_rate(rates, truth)
    assert np.abs(pose.at(START + 500 * PERIOD) - truth).max() < 1e-4
    assert np.abs(truth).max() > 0.2


def test_samples_from_the_platform_wait_for_a_heading(any_robot):
    rig = Rig(any_robot, 'moving', {'imu_on': 'platform'})
    assert rig.run(1.0, odometry=None)[-1] is None
    assert any('base_motion' in text for text in texts(rig, EventKind.WAITING))
    assert rig.run(2.5, odometry=(0.0, 0.0, 1.0))[-1].state == ACTIVE


# ---------------------------------------------------------------------------------- cmd_vel


def test_cmd_vel_drives_and_silence_stops(any_robot):
    rig = Rig(any_robot)
    rig.run(1.0)
    left = 0.2 if any_robot.wheels == 4 else 0.0
    for _ in range(20):
        rig.core.on_twist(rig.now, 0.3, 0.4, left)
        commands = rig.run(0.1)
    twist = any_robot.dynamics.support.pose_rate(commands[-1].desired_velocity, np.zeros(3))
    assert np.allclose(twist, [0.3, left, 0.4], atol=1e-9)
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
    fastest = max((command.desired_velocity[:2] for command in rig.run(5.0)), key=np.max)
    assert np.isclose(fastest.max(), robot.model.velocity_limit[0])
    assert np.isclose(fastest[0] / fastest[1], (1 + 0.25) / (1 - 0.25))


def test_an_arm_refuses_cmd_vel_and_says_why(pa10_dynamics):
    core = FeedforwardCore(FeedforwardConfig(base_motion='fixed'), pa10_dynamics)
    core.on_twist(START, 0.1, 0.0)
    event, = core.drain_events()
    assert event.kind is EventKind.REFERENCE_REFUSED and 'no wheels' in event.text


def test_cmd_vel_that_is_not_finite_changes_nothing(robot):
    rig = Rig(robot)
    rig.run(1.0)
    rig.core.on_twist(rig.now, float('nan'), 0.0)
    assert np.abs(rig.run(0.5)[-1].desired_velocity).max() == 0.0
    assert any('linear.x' in text for text in texts(rig, EventKind.REFERENCE_REFUSED))


# ------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize('change, error, words', [
    ({'left_wheel': ''}, ConfigurationError, 'only one is named'),
    ({'rear_left_wheel': 'arm1'}, ConfigurationError, 'only one is named'),
    ({'left_wheel': 'wheel_l'}, UnknownNameError, 'wheel_l'),
    ({'left_wheel': 'arm1'}, ModelError, 'arm1'),
    ({'wheel_radius': 0.2}, ConfigurationError, '0.2 m contradicts the 0.075 m'),
    ({'track': 0.3}, ConfigurationError, '0.3 m contradicts the 0.5 m'),
])
def test_wrong_parameters_are_named(robot, change, error, words):
    with pytest.raises(error, match=words):
        dataclasses.replace(TWO_WHEELS, **change).support(robot.model)


def test_an_arm_needs_no_wheels(pa10):
    assert not DrivingConfig().on_wheels and TWO_WHEELS.on_wheels
    assert DrivingConfig().support(pa10).pose_size == 0


def test_heading_of_an_orientation_is_its_turn_about_the_deck():
    assert np.isclose(heading_of((0, 0, np.sin(0.35), np.cos(0.35))), 0.7)
    assert heading_of((0.0, 0.0, 0.0, 0.0)) is None

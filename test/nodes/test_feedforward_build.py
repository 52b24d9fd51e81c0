"""A core from the parameters of the node: IMU, mount and loads of arms and of robots on wheels."""

import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState
from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.watchdog import WatchdogConfig
from robot_dynamics.control.wrench_input import WrenchConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.nodes.estimator_parameters import EstimatorConfig
from robot_dynamics.nodes.feedforward_build import build_core
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.mount_parameters import MountConfig

START, PERIOD = 1_000_000_000, 2_000_000
WHEELS = {'left_wheel': 'left_wheel_joint', 'right_wheel': 'right_wheel_joint'}
RIDES = DrivingConfig(imu_on='platform', **WHEELS)
G = 9.80665


def core(**node_config):
    return build_core(str(resource_path('urdf/mobile_manipulator.urdf')), FeedforwardConfig(
        watchdog=WatchdogConfig(base_settling=0.0)), FeedforwardNodeConfig(
            estimator='savitzky_golay', **node_config), lambda text: None)


def last_command(core, frame_id, tilt=0.0, heading=0.0, seconds=1.6):
    """Return the last command and the events of a robot at rest on a deck with its bow down."""
    state = np.zeros(5)
    quaternion = (0.0, np.sin(tilt / 2), 0.0, np.cos(tilt / 2))
    force = (-G * np.sin(tilt), 0.0, G * np.cos(tilt))
    for now in range(START, START + int(seconds * 1e9), PERIOD):
        core.on_odometry(now, now, (0.0, 0.0, heading))
        if now % (5 * PERIOD) == 0:
            core.on_base_sample(ImuSample(now, (0, 0, 0), force, quaternion, frame_id), now)
        core.on_joint_state(now, now, core.names, state, state)
        command = core.command(now)
    return command, core.drain_events()


@pytest.mark.parametrize('imu', [EstimatorConfig(link='base_link'),
                                 EstimatorConfig(frame_id='imu_link')])
def test_an_imu_on_a_platform_is_used_when_its_link_or_frame_is_named(imu):
    command, events = last_command(
        core(mobile=RIDES, imu=imu), imu.link or imu.frame_id, tilt=0.1)
    assert command is not None, events
    assert command.base_level == 'full' and command.state == 'active'
    zero = np.zeros(5)
    gravity = np.array([G * np.sin(0.1), 0.0, -G * np.cos(0.1)])
    expected = core(mobile=DrivingConfig(**WHEELS)).dynamics.torque(
        zero, zero, zero, BaseState(BaseMotion(gravity=gravity), np.zeros(3)))
    assert np.allclose(command.effort, expected, atol=1e-6)


def test_an_imu_on_a_platform_with_another_frame_is_refused_with_both_names():
    command, events = last_command(
        core(mobile=RIDES, imu=EstimatorConfig(frame_id='imu_link')), 'imu_2', seconds=0.1)
    assert command is None
    refused, = (event.text for event in events if event.kind.value == 'base_sample_refused')
    assert "'imu_2'" in refused and "'imu_link'" in refused


def test_a_sloping_deck_is_told_by_the_mount():
    """With the mount as with an IMU that measures it, the efforts are those of the slope."""
    fixed = build_core(
        str(resource_path('urdf/mobile_manipulator.urdf')), FeedforwardConfig(base_motion='fixed'),
        FeedforwardNodeConfig(mobile=DrivingConfig(**WHEELS),
                              mount=MountConfig(base_rpy=(0.0, 0.1, 0.0))), lambda text: None)
    command, _ = last_command(fixed, 'imu_link')
    measured, _ = last_command(core(mobile=DrivingConfig(**WHEELS)), 'imu_link', tilt=0.1)
    assert np.allclose(command.effort, measured.effort, atol=1e-6)
    assert np.abs(command.effort[:2]).min() > 0.1


def test_a_robot_on_wheels_takes_measured_wrenches():
    built = core(mobile=DrivingConfig(**WHEELS), wrench=WrenchConfig(topics=('link3=wrench',)))
    assert built.wrenches.links


@pytest.mark.parametrize('change, words', [
    ({'mount': MountConfig(platform_link='base_link')}, 'mount.platform_link'),
    ({'imu': EstimatorConfig(link='base_link')}, 'imu.link'),
    ({'imu': EstimatorConfig(link='link2'), 'mobile': RIDES}, "link 'link2' moves")])
def test_what_cannot_be_on_wheels_is_refused_by_the_name_of_its_parameter(change, words):
    with pytest.raises(ConfigurationError, match=words):
        core(**{'mobile': DrivingConfig(**WHEELS), **change})

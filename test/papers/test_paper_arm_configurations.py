"""The configurations of the papers' arms fit their URDF, and the loop closed with them tracks."""

import dataclasses

import numpy as np
import pytest

from robot_dynamics import RobotModel
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.parameters import config_from_parameters
from robot_dynamics.core.resources import resource_path
from robot_dynamics.ship.ship_config import ship_from_parameters
from robot_dynamics.simulation.closed_loop import ClosedLoop, run_closed_loop
from robot_dynamics.simulation.motions import quintic_point_to_point
from robot_dynamics.simulation.simulated_robot import SimulatedRobotConfig
import yaml

ARMS = ('three_link_arm', 'anthropomorphic_arm')


@pytest.fixture(scope='module', params=ARMS)
def arm(request):
    """Return model and parameters by node name."""
    text = resource_path(f'examples/papers/{request.param}.yaml').read_text(encoding='utf-8')
    sections = {key.rpartition('/')[2]: value['ros__parameters']
                for key, value in yaml.safe_load(text).items()}
    return RobotModel.from_urdf(resource_path(f'examples/papers/{request.param}.urdf')), sections


def test_feedforward_and_reference_name_the_joints_of_the_urdf(arm):
    model, sections = arm
    config = config_from_parameters(FeedforwardConfig, sections['feedforward'])
    assert config.joints == model.joint_names
    assert tuple(sections['reference_trajectory']['joints']) == model.joint_names


def test_the_motion_stays_within_the_limits_of_the_urdf(arm):
    model, sections = arm
    reference = sections['reference_trajectory']
    motion = quintic_point_to_point(
        model.joint_names, reference['start'], reference['goal'], reference['duration'])
    sample = motion.sample(np.linspace(0, motion.duration, 101))
    assert (sample.position >= model.lower).all() and (sample.position <= model.upper).all()
    assert (np.abs(sample.velocity) <= model.velocity_limit).all()


@pytest.mark.slow
def test_the_closed_loop_tracks_on_the_ship_and_much_worse_on_a_base_believed_still(arm):
    model, sections = arm
    reference = sections['reference_trajectory']
    motion = quintic_point_to_point(model.joint_names, reference['start'], reference['goal'], 0.8)
    robot = config_from_parameters(SimulatedRobotConfig, {
        key[len('arm.'):]: value for key, value in sections['simulated_robot'].items()
        if key.startswith('arm.')})
    feedforward = config_from_parameters(FeedforwardConfig, sections['feedforward'])
    delay = tuple(sections['simulated_robot'][f'delay.{end}'] for end in ('minimum', 'maximum'))
    errors = []
    for base_motion in ('moving', 'fixed'):
        loop = ClosedLoop(
            dataclasses.replace(feedforward, base_motion=base_motion), robot,
            reference_start=1.2, duration=2.0, jitter=delay)
        run = run_closed_loop(
            model, ship_from_parameters({
                key[len('ship.'):]: value for key, value in sections['**'].items()}),
            loop, motion, backend='interpreted')
        errors.append(np.sqrt((run.error_rms(1.2, 2.0)**2).mean()))
    assert errors[0] < 5e-3
    assert errors[1] > 5 * errors[0]

"""What is shipped to be followed asks for no more than the limits of the robot that follows it."""

import numpy as np
import pytest

from robot_dynamics import InverseDynamics
from robot_dynamics.app.demo.configured import configured_ship
from robot_dynamics.app.demo.learning import LearningDemo
from robot_dynamics.app.demo.mobile_manipulator import (
    deck_state, demo_drive, demo_robot, driven_path)
from robot_dynamics.app.scenarios import MobileScenario, ShipPa10
from robot_dynamics.simulation.motions import demo_sinusoid
import yaml

TIME = np.arange(0.0, 60.0, 0.02)  # s, as long as the reference node publishes
PA10_FILES = ('ship_pa10', 'ros2_control_effort_forward', 'ros2_control_effort_trajectory')


def configured_reference(repository, file, **changes):
    """Return the motion that the reference node makes of a configuration file."""
    node = pytest.importorskip('robot_dynamics.nodes.reference_trajectory_node')
    text = (repository / f'config/{file}.yaml').read_text()
    parameters = yaml.safe_load(text)['/**/reference_trajectory']['ros__parameters']
    return node.ReferenceConfig(**{**parameters, **changes}).reference()


def exceeded(model, sample, torque):
    """Return which limits of the description a motion with its torque exceeds, by joint."""
    position, velocity, _ = sample
    inside = {'position': (position > model.lower) & (position < model.upper),
              'velocity': np.abs(velocity) < model.velocity_limit,
              'effort': np.abs(torque) < model.effort_limit}
    return {(kind, joint) for kind, fine in inside.items()
            for joint, always in zip(model.joint_names, fine.all(axis=0)) if not always}


def exceeded_on_the_ship(pa10, reference):
    rotors = ShipPa10.configuration('feedforward')['reflected_rotor_inertia']
    model = pa10.with_rotor_inertia(dict(zip(pa10.joint_names, rotors)))
    sample = reference.sample(TIME)
    dynamics = InverseDynamics(model, rotor_inertia=True, backend='interpreted')
    return exceeded(
        model, sample, dynamics.torque(*sample, configured_ship(ShipPa10).at(TIME)))


@pytest.mark.parametrize('file', PA10_FILES)
def test_the_reference_of_the_pa10_keeps_to_its_limits(pa10, repository, file):
    assert exceeded_on_the_ship(pa10, configured_reference(repository, file)) == set()


def test_at_the_pace_of_the_paper_the_first_joint_would_not(pa10, repository):
    hasty = configured_reference(repository, 'ship_pa10', time_scale=1.0)
    assert exceeded_on_the_ship(pa10, hasty) == {('velocity', 'joint1')}


def test_the_demo_draws_and_judges_the_reference_that_its_node_publishes(repository):
    for mine, published in zip(demo_sinusoid().sample(TIME), configured_reference(
            repository, 'ship_pa10').sample(TIME)):
        np.testing.assert_array_equal(mine, published)


def test_the_work_that_the_arm_is_learned_from_keeps_to_its_limits(pa10, tmp_path):
    work = LearningDemo(ShipPa10(lockstep=True, friction=True), tmp_path)._work()
    assert exceeded_on_the_ship(pa10, work) == set()


@pytest.mark.parametrize('deck', [False, True], ids=['level ground', 'deck'])
def test_the_reference_of_the_mobile_manipulator_keeps_to_its_limits(repository, deck):
    scenario = MobileScenario(deck=deck, lockstep=True)
    reference = configured_reference(repository, 'mobile_manipulator')
    robot = demo_robot(scenario, 'interpreted')
    time = np.arange(0.0, reference.duration, 0.02)
    sample = reference.sample(time)
    path = driven_path(demo_drive(scenario), sample.position)
    torque = robot.torque(*sample, deck_state(scenario, time, path))
    assert exceeded(robot.model, sample, torque) == set()

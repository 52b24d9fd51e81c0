"""Efforts through a real forward controller: what its interface holds, whatever happens."""

import numpy as np
import pytest
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.nodes.description import model_from_parameter
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.closed_loop import ClosedLoop, run_closed_loop
from robot_dynamics.simulation.motions import demo_sinusoid
from robot_dynamics.simulation.simulated_robot import SimulatedRobotConfig
from trajectory_loop import in_ns
import yaml

pytestmark = pytest.mark.slow
A = 'effort_controller'


def near(seen, name, other, tolerance=0.05):
    """Return whether efforts are the same, within Nm."""
    return np.abs(np.subtract(seen[name], seen[other])).max() < tolerance


def test_every_event_of_way_a_leaves_the_interface_as_the_readme_says(scenario, pa10):
    seen = scenario('way_a_events')
    assert seen['claimed'] == {'joint_state_broadcaster': 'active', A: 'active'}
    assert near(seen, 'active', 'gravity') and np.abs(seen['gravity']).max() > 20.0
    # deactivated: the last effort for ever, and the ramp goes on where it is active again
    assert near(seen, 'deactivated', 'active') and near(seen, 'reactivated', 'gravity')
    # what the guard is told wrongly does not get to the controller
    assert near(seen, 'guarded_five', 'gravity') and near(seen, 'guarded_nan', 'gravity')
    assert seen['after_wrong_commands'][A] == 'active'
    # killed in a motion: gravity first, then deactivated, and it stays
    assert not near(seen, 'moving', 'gravity', 1.0)
    assert near(seen, 'after_kill', 'last_gravity') and not near(seen, 'after_kill', 'moving', 0.2)
    assert near(seen, 'after_restart', 'gravity')
    assert seen['inactive_already'][A] == 'inactive' and seen['guard_exit'] == 0
    # without the guard
    np.testing.assert_allclose(seen['after_five_unguarded'], 1.0)
    assert (np.array(seen['largest']) <= pa10.effort_limit + 1e-9).all()


def test_a_controller_manager_that_comes_late_or_again_gets_the_effort_that_is_held(
        scenario, pa10):
    seen = scenario('way_a_held')
    assert near(seen, 'held', 'active')
    for ended in ('interrupted', 'killed'):
        assert near(seen, ended, 'held') and seen[f'controllers_{ended}'][A] == 'active'
    assert (np.array(seen['largest']) <= pa10.effort_limit + 1e-9).all()


def test_with_a_simulated_clock_that_stops_the_arm_is_held(scenario, pa10):
    seen = scenario('way_a_simulated_time')
    assert seen['offset'] > 1e6, 'the stamps are those of the simulated clock'
    assert near(seen, 'active', 'gravity') and near(seen, 'again', 'gravity')
    assert (np.array(seen['largest']) <= pa10.effort_limit + 1e-9).all()


def test_the_arm_follows_as_in_one_process(followed, pa10, repository):
    seen = followed('way_a_tracking')
    assert seen['controllers'][A] == 'active'
    assert (np.array(seen['largest']) <= pa10.effort_limit + 1e-9).all()
    own = own_closed_loop(repository, seen['delay'], in_ns(seen['cycles']), seen['ship_time'],
                          seen['estimating'])
    print(f'RMS in rad: {seen["rms"]}, in one process {own.tolist()}')
    assert np.linalg.norm(seen['rms']) < 1.2 * np.linalg.norm(own), (seen, own)


def own_closed_loop(repository, delay, cycles, ship_time, begin):
    """Return the RMS error without ROS, with the delay and the cycles of a run, rad."""
    rotors = yaml.safe_load((repository / 'config/ship_pa10.yaml').read_text())[
        '/**']['ros__parameters']['reflected_rotor_inertia']
    model = model_from_parameter(str(repository / 'urdf/pa10.urdf'), tuple(rotors))
    loop = ClosedLoop(
        FeedforwardConfig(natural_frequency=(6.0,), command_period=0.005, rotor_inertia=True,
                          actuation_delay=0.007, feedback_inertia_ratio=1e6),
        SimulatedRobotConfig(substep=0.0025, rotor_inertia=True), cycles=cycles,
        reference_start=begin, duration=begin + 10.0, ship_epoch=begin - ship_time,
        jitter=(delay - 0.001, delay + 0.001))
    result = run_closed_loop(
        model, ShipMotion.regular(), loop, demo_sinusoid(model.joint_names))
    return result.error_rms(begin + 1.0, begin + 10.0)

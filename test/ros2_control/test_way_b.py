"""Trajectories with efforts for a real joint_trajectory_controller, whatever happens."""

import numpy as np
import pytest
from trajectory_loop import follow, in_ns

pytestmark = pytest.mark.slow
B = 'joint_trajectory_controller'


def near(seen, name, other, tolerance=0.05):
    """Return whether efforts are the same, within Nm."""
    return np.abs(np.subtract(seen[name], seen[other])).max() < tolerance


@pytest.fixture(autouse=True)
def efforts_in_points(ros2_control):
    """Skip where the controller takes no efforts."""
    if ros2_control['ROS_DISTRO'] == 'humble':
        pytest.skip('joint_trajectory_controller of Humble takes no efforts')


def test_every_event_of_way_b_leaves_the_interface_as_the_readme_says(scenario, pa10):
    seen = scenario('way_b_events')
    assert near(seen, 'active', 'gravity') and np.abs(seen['gravity']).max() > 20.0
    # the controller writes zero as it leaves, but its last update may come after that
    assert not np.any(seen['deactivated']) or near(seen, 'deactivated', 'gravity', 5.0)
    assert near(seen, 'reactivated', 'gravity')
    # killed: the controller stays, and holds the arm with the effort of the last trajectory
    assert near(seen, 'after_kill', 'gravity') and seen['controllers'][B] == 'active'
    # started again, it goes on from the measured effort
    assert near(seen, 'after_restart', 'gravity') and max(seen['restart_steps']) < 1.0
    assert seen['exit'] == 0 and near(seen, 'after_interrupt', 'gravity')
    assert (np.array(seen['largest']) <= pa10.effort_limit + 1e-9).all()


@pytest.mark.parametrize('name, rotors', [
    ('way_b_tracking', True), ('way_b_links_tracking', False)], ids=['rotors', 'links'])
def test_the_arm_follows_with_the_feedback_of_the_controller_as_in_one_process(
        followed, pa10, repository, name, rotors):
    seen = followed(name)
    assert seen['controllers'][B] == 'active'
    assert (np.array(seen['largest']) <= pa10.effort_limit + 1e-9).all()
    # activated again it is led on from where the arm has fallen to, which it had caught by itself
    assert np.abs(seen['gap']).max() < 0.1, seen['gap']
    assert (np.array(seen['led']) < 0.05 * pa10.effort_limit).all(), seen['led']
    assert not seen['trips']
    begin = seen['estimating']
    # two clocks drift past each other: commands are late alike for seconds, and then otherwise;
    # when they act lies between their arrival and the arm's next tick, and the error with it
    own = np.max([np.sqrt(np.mean([follow(
        repository, 200, rotors, 0.0, (max(0.0, delay - 0.0005), delay + 0.0005), 0.006,
        begin + 10.0, begin, ship_time=seen['ship_time'], cycles=in_ns(seen['cycles'])
        ).error_rms(begin + 1.0, begin + 10.0)**2 for delay in delays], axis=0))
        for delays in (seen['heard'], seen['delays'])], axis=0)
    assert np.abs(own).max() < 0.02, own  # rad; else nothing could be held against it
    print(f'RMS in rad: {seen["rms"]}, in one process {own.tolist()}')
    assert np.linalg.norm(seen['rms']) < 1.2 * np.linalg.norm(own), (seen, own)
    # Nm from cycle to cycle; from the measured state it was 46
    assert seen['steps'][0][1] < 2.0, seen['steps']

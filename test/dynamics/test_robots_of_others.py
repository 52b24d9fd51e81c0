"""
Every robot of the PyPI package example-robot-data, against Pinocchio's free-flyer.

Torque, mass matrix and wrench on the deck, both methods, random states and base motions.
"""

import importlib.metadata
from pathlib import Path

from dynamics_states import random_base, random_state
import numpy as np
from pinocchio_peer import PinocchioPeer
import pytest

from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.core.errors import ModelError

ROBOTS = Path(str(importlib.metadata.distribution('example-robot-data').locate_file(
    'cmeel.prefix/share/example-robot-data/robots')))

REFUSED = {  # and what the refusal says
    'alex_description/urdf/alex_psyonic_hands.urdf': 'unknown joint',
    'ur_description/urdf/ur3.urdf': 'has no <link>',
}
WITHOUT_JOINTS = {
    'hector_description/robots/quadrotor_base.urdf', 'iris_description/robots/iris_simple.urdf'}
FILES = sorted(str(path.relative_to(ROBOTS)) for path in ROBOTS.rglob('*.urdf'))
COMPARED = [name for name in FILES if name not in REFUSED and name not in WITHOUT_JOINTS]
AT_EVERY_CHANGE = {  # the others take a minute and run with the slow tests
    'panda_description/urdf/panda.urdf', 'tiago_description/robots/tiago_no_hand.urdf',
    'ur_description/urdf/ur5_robot.urdf', 'baxter_description/urdf/baxter.urdf'}


def scaled_error(value, reference):
    """Largest difference over the largest value: joints of one robot share their scale."""
    return np.abs(value - reference).max() / max(1.0, np.abs(reference).max())


def test_almost_every_file_is_compared():
    assert len(COMPARED) >= 65
    assert len(REFUSED) + len(WITHOUT_JOINTS) <= 4


@pytest.mark.parametrize('name', [
    name if name in AT_EVERY_CHANGE else pytest.param(name, marks=pytest.mark.slow)
    for name in COMPARED])
def test_robot_agrees_with_pinocchio(name):
    urdf = (ROBOTS / name).read_text()
    model = RobotModel.from_urdf(ROBOTS / name)
    peer = PinocchioPeer(urdf, model)
    rng = np.random.default_rng(len(name))
    cases = [(random_state(rng, model.nv), random_base(rng)) for _ in range(3)]
    for method in ('newton_euler', 'lagrange_euler'):
        dynamics = InverseDynamics(model, method=method, backend='interpreted')
        for state, base in cases:
            tau, wrench = peer.torque_and_wrench(*state, base)
            assert scaled_error(dynamics.torque(*state, base), tau) < 1e-9
            assert scaled_error(dynamics.base_wrench(*state, base), wrench) < 1e-9
        q = cases[0][0][0]
        assert scaled_error(dynamics.mass_matrix(q), peer.mass_matrix(q)) < 1e-9


@pytest.mark.parametrize('name, reason', REFUSED.items())
def test_refused_file_is_refused_with_its_reason(name, reason):
    with pytest.raises(ModelError, match=reason):
        RobotModel.from_urdf(ROBOTS / name)


@pytest.mark.parametrize('name', sorted(WITHOUT_JOINTS))
def test_robot_without_joints_still_weighs_on_the_deck(name):
    dynamics = InverseDynamics(RobotModel.from_urdf(ROBOTS / name), backend='interpreted')
    nothing = np.empty(0)
    assert dynamics.torque(nothing, nothing, nothing).shape == (0,)
    weight = -9.80665 * dynamics.model.total_mass
    assert np.isclose(dynamics.base_wrench(nothing, nothing, nothing)[2], weight, rtol=1e-12)

"""Friction at rest is stiff: an explicit rule of fixed step must not pretend to follow it."""

import re

import numpy as np
import pytest

from robot_dynamics import RobotModel
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.simulation.integration import simulate


@pytest.fixture(scope='module')
def scara():
    return RobotModel.from_urdf(resource_path('urdf/scara.urdf'))


def brake(model, step, integrator='RK4', duration=0.05):
    """Let joints that move slowly come to rest; gravity held where it acts."""
    hold = np.zeros(4)
    hold[model.index('lift')] = -1.5 * 9.80665
    return simulate(model, np.zeros(4), [0.02, -0.02, 0.0, 0.05], hold, None, duration,
                    step=step, integrator=integrator, friction=True, backend='interpreted')


@pytest.mark.slow
def test_a_step_too_long_for_the_friction_is_refused_with_one_that_works(scara):
    with pytest.raises(InputError, match='Radau') as caught:
        brake(scara, 1e-3)
    longest = float(re.search(r'shorten it to (\S+) s', str(caught.value)).group(1))
    with pytest.raises(InputError):
        brake(scara, 1.1 * longest)
    run = brake(scara, 0.9 * longest, duration=2000 * longest)
    assert np.abs(run.velocity[-1]).max() < 1e-4


def test_an_implicit_integrator_brings_the_joints_to_rest(scara):
    run = brake(scara, 1e-3, 'Radau', duration=0.3)
    assert np.abs(run.velocity[-1]).max() < 1e-6


def test_without_friction_the_same_step_is_fine(scara):
    run = simulate(scara, np.zeros(4), [0.5, 0, 0, 0], None, None, 0.01, backend='interpreted')
    assert run.energy_drift < 1e-9

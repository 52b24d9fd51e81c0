"""The paper's mobile manipulator against numbers from an independent symbolic derivation."""

from dynamics_states import relative_error
from mobile_robots import on_wheels, WHEELS
import numpy as np
import pytest

from robot_dynamics import BaseMotion

METHODS = ('newton_euler', 'lagrange_euler')


@pytest.fixture(scope='module')
def numbers(golden):
    return golden['mobile_manipulator']


@pytest.mark.parametrize('method', METHODS)
def test_matrices_are_the_golden_ones(wheeled, numbers, method):
    robot = on_wheels(wheeled, **WHEELS, method=method, backend='interpreted')
    level, zero = BaseMotion.still(numbers['parameters']['g']), np.zeros(5)
    for state in numbers['states']:
        q, v, right = state['q'], state['v'], state['physical']
        assert relative_error(robot.mass_matrix(q), right['M1']) < 1e-9
        assert relative_error(robot.coriolis_matrix(q, v) @ v, right['C1v']) < 1e-9
        assert relative_error(robot.terms(q, v, zero, level).coriolis, right['C1v']) < 1e-9
        assert relative_error(robot.terms(q, v, zero, level).gravity, right['G1']) < 1e-9


@pytest.mark.parametrize('backend', ['interpreted', 'numba'])
def test_torques_are_the_golden_ones(wheeled, numbers, backend):
    case = numbers['torque_case']
    state = numbers['states'][case['state']]
    robot = on_wheels(wheeled, **WHEELS, backend=backend)
    tau = robot.torque(state['q'], state['v'], case['accel'],
                       BaseMotion.still(numbers['parameters']['g']))
    assert relative_error(tau, case['tau_physical']) < 1e-9


def test_heading_follows_from_the_wheels_as_in_eq_21(wheeled, numbers):
    drive = on_wheels(wheeled, **WHEELS).support
    for state in numbers['states']:
        right, left = state['q'][:2]
        assert abs(drive.radius / drive.track * (right - left) - state['theta_m']) < 1e-9

"""The paper's mobile manipulator against numbers from an independent symbolic derivation."""

from dynamics_states import relative_error
import numpy as np
import pytest

from robot_dynamics import BaseMotion, MobileManipulator

METHODS = ('newton_euler', 'lagrange_euler')
VARIANTS = {'physical': 'physical', 'paper': 'paper_inertia'}
WHEELS = {'left_wheel': 'left_wheel_joint', 'right_wheel': 'right_wheel_joint'}


@pytest.fixture(scope='module')
def numbers(golden):
    return golden['mobile_manipulator']


@pytest.mark.parametrize('variant', VARIANTS)
@pytest.mark.parametrize('method', METHODS)
def test_matrices_are_the_golden_ones(wheeled, numbers, method, variant):
    robot = MobileManipulator(wheeled, **WHEELS, method=method, variant=variant,
                              backend='interpreted')
    level, zero = BaseMotion.still(numbers['parameters']['g']), np.zeros(5)
    for state in numbers['states']:
        q, v, right = state['q'], state['v'], state[VARIANTS[variant]]
        assert relative_error(robot.mass_matrix(q), right['M1']) < 1e-9
        assert relative_error(robot.coriolis_matrix(q, v) @ v, right['C1v']) < 1e-9
        assert relative_error(robot.terms(q, v, zero, level).coriolis, right['C1v']) < 1e-9
        assert relative_error(robot.gravity_torque(q, level), right['G1']) < 1e-9


@pytest.mark.parametrize('backend', ['interpreted', 'numba'])
@pytest.mark.parametrize('options, key', [
    ({}, 'tau_physical'), ({'variant': 'paper'}, 'tau_paper_inertia'),
    ({'gravity': 'printed'}, 'tau_paper_gravity_sign')])
def test_torques_are_the_golden_ones(wheeled, numbers, options, key, backend):
    case = numbers['torque_case']
    state = numbers['states'][case['state']]
    robot = MobileManipulator(wheeled, **WHEELS, **options, backend=backend)
    tau = robot.torque(state['q'], state['v'], case['accel'],
                       BaseMotion.still(numbers['parameters']['g']))
    assert relative_error(tau, case[key]) < 1e-9


def test_heading_follows_from_the_wheels_as_in_eq_21(wheeled, numbers):
    drive = MobileManipulator(wheeled, **WHEELS).drive
    for state in numbers['states']:
        right, left = state['q'][:2]
        assert abs(drive.radius / drive.track * (right - left) - state['theta_m']) < 1e-9

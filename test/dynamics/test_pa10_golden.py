"""The PA10-6CE on the paper's ship, against numbers computed with other software."""

from dynamics_states import relative_error
import numpy as np
import pytest

from robot_dynamics import BaseMotion, InverseDynamics

METHODS = ('newton_euler', 'lagrange_euler')


def base_of(sample, g):
    return BaseMotion.from_roll_pitch(
        *(sample[k] for k in ('roll', 'pitch', 'roll_d', 'pitch_d', 'roll_dd', 'pitch_dd')),
        gravity_magnitude=g)


@pytest.mark.parametrize('backend', ['interpreted', 'numba'])
@pytest.mark.parametrize('method', METHODS)
def test_torques_on_the_ship_are_the_golden_ones(pa10, golden, method, backend):
    arm = golden['pa10_6ce']
    dynamics = InverseDynamics(pa10, method=method, backend=backend)
    for case in arm['cases']:
        for sample in case['samples']:
            state = [np.array(sample[k]) for k in ('q', 'qd', 'qdd')]
            moving = dynamics.torque(*state, base_of(sample, arm['g']))
            assert relative_error(moving, sample['tau_with_base']) < 1e-9
            fixed = dynamics.torque(*state, BaseMotion.still(arm['g']))
            assert relative_error(fixed, sample['tau_without_base']) < 1e-9


def test_base_vectors_from_roll_and_pitch_are_the_golden_ones(golden):
    arm = golden['pa10_6ce']
    for sample in arm['cases'][0]['samples']:
        base = base_of(sample, arm['g'])
        assert relative_error(base.angular_velocity, sample['omega_body']) < 1e-12
        assert relative_error(base.angular_acceleration, sample['omegadot_body']) < 1e-12
        gravity = np.array(sample['R_base']).T @ [0, 0, -arm['g']]
        assert relative_error(base.gravity, gravity) < 1e-12


@pytest.mark.parametrize('method', METHODS)
def test_printed_eq_35_gives_the_printed_error(pa10, golden, method):
    """Angles in place of rates, as the paper prints: the golden wrong answer, so an error."""
    arm = golden['pa10_6ce']
    dynamics = InverseDynamics(pa10, method=method, backend='interpreted')
    sample = arm['cases'][0]['samples'][1]
    right = base_of(sample, arm['g'])
    printed = BaseMotion([sample['roll'], sample['pitch'], 0],
                         [sample['roll_d'], sample['pitch_d'], 0], gravity=right.gravity)
    state = [np.array(sample[k]) for k in ('q', 'qd', 'qdd')]
    wrong = dynamics.torque(*state, printed)
    assert relative_error(wrong, sample['tau_literal_eq35_g_rotated']) < 1e-9
    assert np.abs(wrong - sample['tau_with_base']).max() > 0.5

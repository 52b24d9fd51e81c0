"""Two independent formulations, one answer; and the paper's own sums as a third."""

from dynamics_states import random_base, random_state, relative_error
import numpy as np
from printed_sums import printed_sums
import pytest
from random_trees import random_model

from robot_dynamics import InverseDynamics
from selections import some


def pair(model, **options):
    return [InverseDynamics(model, method=method, backend='interpreted', **options)
            for method in ('newton_euler', 'lagrange_euler')]


@pytest.mark.parametrize('seed', some(3, range(12)))
def test_methods_agree_on_random_trees_and_base_motions(seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, joints=int(rng.integers(1, 14)))
    newton, lagrange = pair(model)
    state, base = random_state(rng, model.nv, 20), random_base(rng, 20)
    assert relative_error(newton.torque(*state, base), lagrange.torque(*state, base)) < 1e-10
    first, second = newton.terms(*state, base), lagrange.terms(*state, base)
    for name, value in first.as_dict().items():
        assert relative_error(value, getattr(second, name)) < 1e-10, name
    assert relative_error(newton.mass_matrix(state[0]), lagrange.mass_matrix(state[0])) < 1e-10


def test_methods_agree_at_32_joints(rng):
    model = random_model(rng, joints=32)
    newton, lagrange = pair(model)
    state, base = random_state(rng, model.nv), random_base(rng)
    assert relative_error(newton.torque(*state, base), lagrange.torque(*state, base)) < 1e-10


@pytest.mark.parametrize('seed', range(4))
def test_factored_sums_are_the_paper_s_sums(seed):
    rng = np.random.default_rng(seed)
    model = random_model(rng, joints=int(rng.integers(1, 6)), branching=False,
                         kinds=('revolute', 'continuous', 'prismatic'))
    state, base = random_state(rng, model.nv), random_base(rng)
    oracle = printed_sums(model, *state, base.angular_velocity, base.angular_acceleration,
                          base.linear_acceleration, base.gravity)
    for dynamics in pair(model):
        assert relative_error(dynamics.torque(*state, base), oracle) < 1e-10


def test_pa10_torques_are_the_paper_s_sums(pa10, rng):
    state, base = random_state(rng, 6), random_base(rng)
    oracle = printed_sums(pa10, *state, base.angular_velocity, base.angular_acceleration,
                          base.linear_acceleration, base.gravity)
    for dynamics in pair(pa10):
        assert relative_error(dynamics.torque(*state, base), oracle) < 1e-12

"""
Properties of the dynamics on random trees that hypothesis chooses and shrinks.

A robot, its state and its base come from one seed and its size, so that a failing example is
small and can be written down.
"""

from dynamics_states import random_base, random_state, relative_error
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest
from random_trees import random_model

from robot_dynamics import BaseMotion, InverseDynamics
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.motion.rotations import matrix_from_rpy

EXAMPLES = settings(max_examples=12, deadline=None, derandomize=True)
HEAVY = settings(EXAMPLES, max_examples=5)
MANY = settings(EXAMPLES, max_examples=15)


def trees(largest):
    return st.builds(
        dict, seed=st.integers(0, 2**32 - 1), joints=st.integers(1, largest),
        branching=st.booleans(), fixed=st.booleans(), mimics=st.integers(0, 3))


TREES = trees(6)


class Case:
    """A robot in a state, on a base."""

    def __init__(self, tree):
        options = dict(tree)
        self.rng = np.random.default_rng(options.pop('seed'))
        self.model = random_model(self.rng, **options)
        self.state = random_state(self.rng, self.model.nv)
        self.base = random_base(self.rng)
        links = list(self.model.link_names)
        self.link = links[int(self.rng.integers(len(links)))]

    def dynamics(self, method='newton_euler', **options):
        return InverseDynamics(self.model, method=method, backend='interpreted', **options)

    def load(self):
        """Return a random possible body: mass, centre of mass, inertia."""
        a, b, c = self.rng.uniform(0.02, 0.3, 3)
        mass, R = self.rng.uniform(0.1, 5.0), matrix_from_rpy(self.rng.uniform(-3, 3, 3))
        moments = mass / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
        return mass, self.rng.uniform(-0.2, 0.2, 3), R @ np.diag(moments) @ R.T


@pytest.mark.slow
@HEAVY
@given(TREES)
def test_methods_agree_also_with_losses_load_and_wrench(tree):
    case = Case(tree)
    rotor = {name: float(case.rng.uniform(0, 1)) for name in case.model.joint_names}
    load, wrench = case.load(), {case.link: ExternalWrench(case.rng.normal(size=6), 'base')}
    results = []
    for method in ('newton_euler', 'lagrange_euler'):
        dynamics = case.dynamics(method, friction=True, rotor_inertia=rotor)
        dynamics.set_payload(case.link, *load)
        results.append((dynamics.torque(*case.state, case.base, wrench),
                        dynamics.mass_matrix(case.state[0]),
                        dynamics.base_wrench(*case.state, case.base, wrench)))
    for one, other in zip(*results):
        assert relative_error(one, other) < 1e-10


@pytest.mark.slow
@EXAMPLES
@given(TREES)
def test_terms_sum_to_the_torque_and_scale_as_their_causes(tree):
    case = Case(tree)
    q, qd, qdd = case.state
    dynamics = case.dynamics(friction=True, rotor_inertia=dict.fromkeys(
        case.model.joint_names, 0.5))
    terms = dynamics.terms(q, qd, qdd, case.base)
    assert relative_error(terms.total, dynamics.torque(q, qd, qdd, case.base)) < 1e-11
    twice = dynamics.terms(q, qd, 2 * qdd, case.base)
    assert relative_error(twice.inertia, 2 * terms.inertia) < 1e-11
    assert relative_error(twice.rotor, 2 * terms.rotor) < 1e-12
    assert relative_error(twice.gravity, terms.gravity) == 0.0
    faster = dynamics.terms(q, 2 * qd, qdd, case.base)
    assert relative_error(faster.coriolis, 4 * terms.coriolis) < 1e-10
    assert relative_error(faster.base_coriolis, 2 * terms.base_coriolis) < 1e-10
    assert relative_error(faster.base_inertial, terms.base_inertial) == 0.0


@pytest.mark.slow
@HEAVY
@given(TREES)
def test_a_payload_is_the_heavier_robot_and_leaves_no_trace(tree):
    case = Case(tree)
    dynamics, load = case.dynamics(), case.load()
    before = dynamics.torque(*case.state, case.base)
    wrench = dynamics.base_wrench(*case.state, case.base)
    dynamics.set_payload(case.link, *load)
    heavier = InverseDynamics(case.model.with_payload(case.link, *load), backend='interpreted')
    assert relative_error(dynamics.torque(*case.state, case.base),
                          heavier.torque(*case.state, case.base)) < 1e-10
    assert relative_error(dynamics.base_wrench(*case.state, case.base),
                          heavier.base_wrench(*case.state, case.base)) < 1e-10
    assert relative_error(dynamics.mass_matrix(case.state[0]),
                          heavier.mass_matrix(case.state[0])) < 1e-10
    dynamics.set_payload(case.link, 0.0)
    assert np.array_equal(dynamics.torque(*case.state, case.base), before)
    dynamics.set_payload(case.model.link_names[0], *load)
    dynamics.clear_payload()
    assert np.array_equal(dynamics.torque(*case.state, case.base), before)
    assert np.array_equal(dynamics.base_wrench(*case.state, case.base), wrench)


@EXAMPLES
@given(TREES)
def test_friction_is_odd_and_always_takes_power(tree):
    case = Case(tree)
    dynamics, qd = case.dynamics(), case.state[1]
    forward, backward = dynamics.friction_torque(qd), dynamics.friction_torque(-qd)
    assert np.array_equal(forward, -backward)
    assert (forward * qd >= 0.0).all()
    assert not dynamics.friction_torque(np.zeros(case.model.nv)).any()
    with_it = case.dynamics(friction=True)
    assert relative_error(with_it.torque(*case.state) - dynamics.torque(*case.state),
                          forward) < 1e-10


@EXAMPLES
@given(TREES)
def test_the_mass_matrix_is_symmetric_and_gives_positive_energy(tree):
    case = Case(tree)
    M = case.dynamics().mass_matrix(case.state[0])
    assert relative_error(M, M.T) < 1e-11
    assert np.linalg.eigvalsh(M)[0] > 0.0
    zero = np.zeros(case.model.nv)
    no_gravity = BaseMotion(gravity=np.zeros(3))
    assert relative_error(
        case.dynamics().torque(case.state[0], zero, case.state[2], no_gravity),
        M @ case.state[2]) < 1e-10


@EXAMPLES
@given(TREES)
def test_a_base_in_free_fall_weighs_nothing_and_a_mount_is_a_change_of_axes(tree):
    case = Case(tree)
    q, zero, g = case.state[0], np.zeros(case.model.nv), np.array([1.0, -2.0, -9.0])
    falling = BaseMotion(linear_acceleration=g, gravity=g)
    assert np.abs(case.dynamics().torque(q, zero, zero, falling)).max() < 1e-12
    R, p = matrix_from_rpy(case.rng.uniform(-3, 3, 3)), case.rng.normal(size=3)
    there_and_back = case.base.transformed(R, p).transformed(R.T, -R.T @ p)
    assert relative_error(case.dynamics().torque(*case.state, there_and_back),
                          case.dynamics().torque(*case.state, case.base)) < 1e-10


@EXAMPLES
@given(TREES)
def test_a_wrench_is_felt_by_virtual_work_and_whole_by_the_deck(tree):
    """Newton's third law, and linearity; turned into link axes it is the same wrench."""
    case = Case(tree)
    dynamics, q = case.dynamics(), case.state[0]
    wrench = case.rng.normal(size=6)
    share = dynamics.external_torque(q, {case.link: ExternalWrench(wrench, 'base')})
    assert relative_error(dynamics.external_torque(
        q, {case.link: ExternalWrench(-2 * wrench, 'base')}), -2 * share) < 1e-11
    deck = dynamics.base_wrench(*case.state, case.base, {
        case.link: ExternalWrench(wrench, 'base')}) - dynamics.base_wrench(*case.state, case.base)
    assert np.abs(deck[:3] - wrench[:3]).max() < 1e-9


PROPERTIES = [value for name, value in list(globals().items()) if name.startswith('test_')]


@pytest.mark.slow
@MANY
@given(trees(14))
def test_all_of_this_holds_on_many_more_and_larger_trees(tree):
    for check in PROPERTIES:
        check.hypothesis.inner_test(tree)

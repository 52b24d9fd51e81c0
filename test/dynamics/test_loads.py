"""Payloads and external wrenches: put on, changed, taken off at run time."""

from dynamics_states import random_base, random_state, relative_error
import numpy as np
import pytest
from random_trees import random_model

from robot_dynamics import InverseDynamics
from robot_dynamics.core.errors import InputError, UnknownNameError
from robot_dynamics.dynamics.loads import ExternalWrench

LOAD = {'mass': 2.5, 'com': [0.05, -0.02, 0.11],
        'inertia': [[0.02, 0.001, 0.0], [0.001, 0.03, -0.002], [0.0, -0.002, 0.015]]}


@pytest.fixture(params=['newton_euler', 'lagrange_euler'])
def dynamics(pa10, request):
    return InverseDynamics(pa10, method=request.param, backend='interpreted')


def test_payload_equals_the_model_with_that_payload(dynamics, pa10, rng):
    state, base = random_state(rng, 6, 4), random_base(rng, 4)
    heavier = InverseDynamics(pa10.with_payload('tool0', **LOAD), backend='interpreted')
    dynamics.set_payload('tool0', **LOAD)
    assert relative_error(dynamics.torque(*state, base), heavier.torque(*state, base)) < 1e-11
    assert relative_error(dynamics.terms(*state, base).total,
                          heavier.torque(*state, base)) < 1e-11
    assert relative_error(dynamics.base_wrench(*state, base),
                          heavier.base_wrench(*state, base)) < 1e-11
    assert relative_error(dynamics.mass_matrix(state[0]), heavier.mass_matrix(state[0])) < 1e-11


def test_removed_payload_leaves_exactly_the_old_torques(dynamics, rng):
    state, base = random_state(rng, 6), random_base(rng)
    before = dynamics.torque(*state, base)
    dynamics.set_payload('tool0', **LOAD)
    assert not np.array_equal(dynamics.torque(*state, base), before)
    dynamics.set_payload('link4', 1.0)
    dynamics.clear_payload()
    assert np.array_equal(dynamics.torque(*state, base), before)


def test_payload_of_zero_changes_nothing(dynamics, rng):
    state = random_state(rng, 6)
    before = dynamics.torque(*state)
    dynamics.set_payload('tool0', 0.0, com=[1, 2, 3])
    assert np.array_equal(dynamics.torque(*state), before)


def test_changing_a_payload_compiles_nothing(pa10, rng):
    compiled = InverseDynamics(pa10)
    compiled.set_payload('tool0', **LOAD)
    kernel = compiled._formulation.payload(5).torque.single
    state = random_state(rng, 6)
    for mass in (0.1, 1.0, 3.0):
        compiled.set_payload('tool0', mass)
        expected = InverseDynamics(pa10.with_payload('tool0', mass, [0, 0, 0], np.zeros((3, 3))),
                                   backend='interpreted').torque(*state)
        assert relative_error(compiled.torque(*state), expected) < 1e-11
    assert len(kernel.overloads) == 1


@pytest.mark.parametrize('load, told', [
    ({'mass': -1.0}, 'mass'), ({'mass': float('nan')}, 'mass'),
    ({'mass': 1.0, 'com': [0, 0]}, 'com'),
    ({'mass': 1.0, 'inertia': -np.eye(3)}, 'inertia'),
    ({'mass': 1.0, 'inertia': [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, 'symmetric'),
    ({'mass': 0.0, 'inertia': np.eye(3)}, 'without mass')])
def test_impossible_payloads_are_refused_and_the_old_one_stays(dynamics, rng, load, told):
    state = random_state(rng, 6)
    dynamics.set_payload('tool0', **LOAD)
    before = dynamics.torque(*state)
    with pytest.raises(InputError, match=told):
        dynamics.set_payload('tool0', **load)
    assert np.array_equal(dynamics.torque(*state), before)


def test_payload_and_wrench_on_unknown_links_name_the_known_ones(dynamics, rng):
    with pytest.raises(UnknownNameError, match='tool0'):
        dynamics.set_payload('tool', 1.0)
    with pytest.raises(UnknownNameError, match='tool0'):
        dynamics.torque(*random_state(rng, 6), external_wrenches={'tol0': np.zeros(6)})


@pytest.mark.parametrize('wrenches', [
    np.zeros(6), [1.0, 2.0], [('tool0', np.zeros(6))], 'tool0', [], 0.0])
@pytest.mark.parametrize('short', [False, True])
def test_wrenches_without_the_name_of_a_link_are_refused(dynamics, rng, wrenches, short):
    state = random_state(rng, 6)
    if short:
        dynamics.torque(*state)
    for call in (dynamics.torque, dynamics.base_wrench):
        with pytest.raises(InputError, match='^external_wrenches: .*mapping'):
            call(*state, external_wrenches=wrenches)
    with pytest.raises(InputError, match='^external_wrenches: .*mapping'):
        dynamics.external_torque(state[0], wrenches)


def test_wrench_does_the_virtual_work_of_its_force(rng):
    """A force along base z on a link lifts: tau = - dz/dq f, by finite differences."""
    model = random_model(rng, joints=6)
    dynamics = InverseDynamics(model, backend='interpreted')
    body = len(model.bodies) - 1
    link = model.bodies[body].name
    q, zero = random_state(rng, model.nv)[0], np.zeros(model.nv)
    lift = {link: ExternalWrench([0, 0, 10.0, 0, 0, 0], frame='base')}
    share = dynamics.torque(q, zero, zero, external_wrenches=lift) - dynamics.torque(q, zero, zero)

    def work(at):
        """Potential of the link's origin: torque of a point mass there, over its weight."""
        probe = InverseDynamics(model, backend='interpreted')
        probe.set_payload(link, 10.0 / 9.80665)
        return probe.torque(at, zero, zero) - dynamics.torque(at, zero, zero)

    assert relative_error(share, -work(q)) < 1e-10


def test_wrench_in_link_axes_holds_against_a_payload_s_weight(dynamics, rng):
    """A support that carries the payload's weight, turned into link axes, cancels it."""
    q, zero = random_state(rng, 6)[0], np.zeros(6)
    plain = dynamics.torque(q, zero, zero)
    dynamics.set_payload('tool0', 2.0)
    in_base = {'tool0': ExternalWrench([0, 0, 2.0 * 9.80665, 0, 0, 0], 'base')}
    carried = dynamics.torque(q, zero, zero, external_wrenches=in_base)
    assert relative_error(carried, plain) < 1e-11
    twist = {'tool0': [0, 0, 0, 0, 0, 1.5]}  # moment about the last axis, in link axes
    turned = dynamics.torque(q, zero, zero, external_wrenches=twist)
    assert np.isclose(turned[5] - dynamics.torque(q, zero, zero)[5], -1.5, rtol=1e-12)


def test_deck_carries_external_wrenches(dynamics, rng):
    q, zero = random_state(rng, 6)[0], np.zeros(6)
    push = {'tool0': ExternalWrench([7.0, 0, 0, 0, 0, 0], 'base')}
    difference = dynamics.base_wrench(q, zero, zero, None, push) - dynamics.base_wrench(
        q, zero, zero)
    assert np.allclose(difference[:3], [7.0, 0, 0], atol=1e-12)


def test_wrench_series_go_with_motion_series(dynamics, rng):
    state = random_state(rng, 6, 5)
    series = rng.normal(size=(5, 6))
    together = dynamics.torque(*state, external_wrenches={'tool0': series})
    single = dynamics.torque(*(a[3] for a in state), external_wrenches={'tool0': series[3]})
    assert relative_error(together[3], single) < 1e-12
    with pytest.raises(InputError, match='samples'):
        dynamics.torque(*state, external_wrenches={'tool0': series[:3]})
    with pytest.raises(InputError, match='frame'):
        dynamics.torque(*state, external_wrenches={'tool0': ExternalWrench(series, 'world')})

"""Identities of mechanics that hold for every robot, state and base motion."""

from dataclasses import replace

from dynamics_states import random_base, random_state, relative_error
import numpy as np
import pytest
from random_trees import random_model

from robot_dynamics import BaseMotion, ForwardDynamics, InverseDynamics
from robot_dynamics.dynamics.supports.virtual_joints import on_ground
from robot_dynamics.model.elements import Inertial
from selections import some

METHODS = ('newton_euler', 'lagrange_euler')


@pytest.fixture(params=METHODS)
def method(request):
    return request.param


@pytest.fixture(params=some(2, [3, 5, 4]))
def tree(request):
    rng = np.random.default_rng(request.param)
    return random_model(rng, joints=4 + request.param)


def dynamics_of(model, method, **options):
    return InverseDynamics(model, method=method, backend='interpreted', **options)


def test_terms_sum_to_the_torque(tree, method, rng):
    dynamics = dynamics_of(tree, method, friction=True)
    state, base = random_state(rng, tree.nv, 10), random_base(rng, 10)
    assert relative_error(dynamics.terms(*state, base).total,
                          dynamics.torque(*state, base)) < 1e-12


def test_each_term_is_what_its_cause_alone_gives(tree, method, rng):
    dynamics = dynamics_of(tree, method)
    q, qd, qdd = random_state(rng, tree.nv)
    base, zero = random_base(rng), np.zeros(tree.nv)
    weightless = BaseMotion(gravity=[0, 0, 0])
    terms = dynamics.terms(q, qd, qdd, base)
    assert relative_error(terms.inertia, dynamics.mass_matrix(q) @ qdd) < 1e-11
    assert relative_error(terms.coriolis, dynamics.torque(q, qd, zero, weightless)) < 1e-12
    assert relative_error(
        terms.gravity, dynamics.torque(q, zero, zero, BaseMotion(gravity=base.gravity))) < 1e-12
    turning = BaseMotion(base.angular_velocity, base.angular_acceleration,
                         base.linear_acceleration, [0, 0, 0])
    assert relative_error(
        terms.base_inertial, dynamics.torque(q, zero, zero, turning)) < 1e-12
    halved = dynamics.terms(q, qd / 2, qdd, base)  # bilinear in joint and base rates
    assert relative_error(halved.base_coriolis, terms.base_coriolis / 2) < 1e-11


def test_gravity_term_is_the_torque_at_rest(tree, method, rng):
    dynamics = dynamics_of(tree, method)
    (q, qd, qdd), base = random_state(rng, tree.nv), random_base(rng)
    zero, tilted = np.zeros(tree.nv), BaseMotion(gravity=base.gravity)
    moving = dynamics.terms(q, qd, qdd, base)
    assert relative_error(moving.gravity, dynamics.torque(q, zero, zero, tilted)) < 1e-12
    assert relative_error(moving.gravity, moving.total) > 0.01


def test_mass_matrix_is_symmetric_positive_definite(tree, method, rng):
    for q in random_state(rng, tree.nv, 5)[0]:
        M = dynamics_of(tree, method).mass_matrix(q)
        assert np.abs(M - M.T).max() < 1e-12 * np.abs(M).max()
        assert np.linalg.eigvalsh(M)[0] > 0


def test_power_of_coriolis_torque_is_half_the_change_of_mass(tree, method, rng):
    """Say qd^T (M' - 2 C) qd = 0: with h = C qd, qd^T h = qd^T M' qd / 2."""
    dynamics = dynamics_of(tree, method)
    q, qd, _ = random_state(rng, tree.nv)
    step = 1e-6
    rate = (dynamics.mass_matrix(q + step * qd) - dynamics.mass_matrix(q - step * qd)) / step / 2
    h = dynamics.terms(q, qd, np.zeros(tree.nv)).coriolis
    assert abs(qd @ h - qd @ rate @ qd / 2) < 1e-6 * max(1.0, abs(qd @ h))


def test_forward_dynamics_inverts_inverse_dynamics(tree, method, rng):
    inverse = dynamics_of(tree, method, friction=True)
    forward = ForwardDynamics(tree, method=method, friction=True, backend='interpreted')
    q, qd, qdd = random_state(rng, tree.nv, 10)
    base = random_base(rng, 10)
    recovered = forward.acceleration(q, qd, inverse.torque(q, qd, qdd, base), base)
    assert relative_error(recovered, qdd) < 1e-7  # condition of M times rounding


def test_constant_linear_base_velocity_adds_no_torque(pa10, method, rng):
    """On rails that coast at several speeds, or brake: the arm feels the braking alone."""
    rails = dynamics_of(on_ground(pa10, np.eye(3), np.zeros(3)), method)
    (q, qd, qdd), still = random_state(rng, 6), np.zeros(3)
    at_rest = dynamics_of(pa10, method).torque(q, qd, qdd)

    def felt(velocity, acceleration):
        return rails.torque(np.concatenate([still, q]), np.concatenate([velocity, qd]),
                            np.concatenate([acceleration, qdd]))[3:]
    for velocity in ([0.5, 0.0, 0.0], [-3.0, 20.0, 0.0]):
        assert relative_error(felt(velocity, still), at_rest) < 1e-12
    braking = BaseMotion(linear_acceleration=[-4.0, 1.0, 0.0])
    assert relative_error(felt(still, [-4.0, 1.0, 0.0]),
                          dynamics_of(pa10, method).torque(q, qd, qdd, braking)) < 1e-12
    assert relative_error(felt(still, [-4.0, 1.0, 0.0]), at_rest) > 0.01


def test_base_in_free_fall_cancels_gravity(tree, method, rng):
    dynamics = dynamics_of(tree, method)
    q, zero = random_state(rng, tree.nv)[0], np.zeros(tree.nv)
    for g in ([1.0, -2.0, -9.0], [0.0, 0.0, -1.6], [-7.0, 3.0, 5.0]):
        falling, held = BaseMotion(linear_acceleration=g, gravity=g), BaseMotion(gravity=g)
        assert np.abs(dynamics.torque(q, zero, zero, falling)).max() == 0.0
        assert np.abs(dynamics.torque(q, zero, zero, held)).max() > 1e-3


def test_only_the_specific_force_matters(tree, method, rng):
    dynamics = dynamics_of(tree, method)
    state, base = random_state(rng, tree.nv), random_base(rng)
    merged = BaseMotion(base.angular_velocity, base.angular_acceleration,
                        base.specific_force, [0, 0, 0])
    assert relative_error(dynamics.torque(*state, base), dynamics.torque(*state, merged)) < 1e-12


def test_power_balance_along_a_simulated_motion(pa10):
    """Without friction, energy only changes by the torque's power: integrate and compare."""
    from scipy.integrate import solve_ivp
    forward = ForwardDynamics(pa10, backend='interpreted')
    inverse = dynamics_of(pa10, 'newton_euler')
    tau = np.array([3.0, -20.0, 4.0, 0.3, 0.2, 0.01])

    def rate(t, state):
        q, qd, _ = np.split(state, [6, 12])
        return np.concatenate([qd, forward.acceleration(q, qd, tau), [tau @ qd]])

    start = np.concatenate([[0.2, 0.4, 0.9, 0.1, 0.3, 0.0], np.zeros(6), [0.0]])
    end = solve_ivp(rate, (0, 0.4), start, rtol=1e-10, atol=1e-10).y[:, -1]

    def kinetic(state):
        return 0.5 * state[6:12] @ inverse.mass_matrix(state[:6]) @ state[6:12]

    def potential(q):
        height = 0.0
        positions, rotations = [np.zeros(3)], [np.eye(3)]
        for body in pa10.bodies:
            R, p = rotations[body.parent + 1], positions[body.parent + 1]
            angle = q[body.coordinate] * np.asarray(body.joint.axis)
            from scipy.spatial.transform import Rotation
            positions.append(p + R @ body.p_PJ)
            rotations.append(R @ body.R_PJ @ Rotation.from_rotvec(angle).as_matrix())
            center = positions[-1] + rotations[-1] @ body.inertial.com
            height += body.inertial.mass * center[2]
        return 9.80665 * height

    gained = kinetic(end) + potential(end[:6]) - potential(start[:6])
    assert abs(gained - end[12]) < 1e-6 * max(1.0, abs(end[12]))
    assert abs(end[12]) > 0.1


def test_base_wrench_of_a_still_arm_is_its_weight(tree):
    dynamics = dynamics_of(tree, 'newton_euler')
    q, zero = np.full(tree.nv, 0.3), np.zeros(tree.nv)
    mass = tree.base_inertial.mass + sum(body.inertial.mass for body in tree.bodies)
    wrench = dynamics.base_wrench(q, zero, zero)
    assert np.allclose(wrench[:3], [0, 0, -9.80665 * mass], rtol=1e-12, atol=1e-9)


def test_base_wrench_includes_the_root_link(pa10, rng):
    """Shake a base rigidly: the deck carries the root link's inertia, too."""
    base = BaseMotion(linear_acceleration=[2.0, 0, 0], gravity=[0, 0, 0])
    zero = np.zeros(6)
    for mass in (0.0, 7.0, 50.0):
        root = Inertial(mass, [0.1, 0.0, 0.3], 0.2 * mass * np.eye(3))
        dynamics = dynamics_of(replace(pa10, base_inertial=root), 'newton_euler')
        moved = mass + sum(body.inertial.mass for body in pa10.bodies)
        assert np.isclose(dynamics.base_wrench(zero, zero, zero, base)[0], -2.0 * moved,
                          rtol=1e-12)


def test_friction_is_odd_smooth_and_saturates(pa10):
    dynamics = dynamics_of(pa10, 'newton_euler')
    qd = np.full(6, 2.0)
    expected = pa10.damping * 2.0 + pa10.friction
    assert np.allclose(dynamics.friction_torque(qd), expected, rtol=1e-4)
    assert np.array_equal(dynamics.friction_torque(-qd), -dynamics.friction_torque(qd))
    assert np.array_equal(dynamics.friction_torque(np.zeros(6)), np.zeros(6))
    small = np.full(6, 1e-9)
    assert np.abs(dynamics.friction_torque(small)).max() < 1e-5


def test_friction_and_rotor_terms_add_what_they_say(pa10, method, rng):
    rotor = {'joint1': 0.75, 'joint4': 0.006}
    with_losses = dynamics_of(pa10, method, friction=True, rotor_inertia=rotor)
    without = dynamics_of(pa10, method)
    q, qd, qdd = random_state(rng, 6)
    terms = with_losses.terms(q, qd, qdd)
    assert np.allclose(terms.rotor, [0.75 * qdd[0], 0, 0, 0.006 * qdd[3], 0, 0], rtol=1e-15)
    assert np.allclose(terms.friction, without.friction_torque(qd), rtol=1e-12)
    difference = with_losses.torque(q, qd, qdd) - without.torque(q, qd, qdd)
    assert relative_error(difference, terms.friction + terms.rotor) < 1e-12
    M = with_losses.mass_matrix(q) - without.mass_matrix(q)
    assert np.allclose(M, np.diag([0.75, 0, 0, 0.006, 0, 0]), atol=1e-12)

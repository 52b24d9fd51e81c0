"""What holds for a robot on any support: bolted down, on two wheels, on four mecanum wheels."""

import functools

from dynamics_states import random_base, random_state, relative_error
from mobile_robots import (
    MECANUM, mecanum_tree, null_space_rate, projected_pinocchio, wheeled_tree)
import numpy as np
from pinocchio_peer import PinocchioPeer
import pytest
from random_trees import random_urdf

from robot_dynamics import (
    BaseMotion, BaseState, DifferentialDrive, FixedMount, ForwardDynamics, InverseDynamics,
    Omnidirectional, RobotModel)
from robot_dynamics.core.errors import InputError
from robot_dynamics.dynamics.inertial_parameters import inertial_parameters
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.dynamics.supports.platform_motion import deck_motion, platform_motion
from robot_dynamics.simulation.integration import simulate

METHODS = ('newton_euler', 'lagrange_euler')
LOAD = (1.7, (0.1, -0.2, 0.05), np.diag([0.02, 0.03, 0.04]))


class OnSupport:
    """A random robot on a support, and a state of both."""

    def __init__(self, kind, seed):
        self.rng = rng = np.random.default_rng(seed)
        joints = int(rng.integers(2, 4))
        if kind == 'fixed':
            self.urdf = random_urdf(rng, joints)
            self.given, self.support = RobotModel.from_urdf(self.urdf), FixedMount()
        elif kind == 'differential':
            signs = [(1, 1), (-1, 1)][seed % 2]
            self.given, self.urdf = wheeled_tree(rng, joints, signs)
            self.support = DifferentialDrive.from_model(self.given, 'left', 'right')
        else:
            signs = [(1, 1, 1, 1), (1, -1, 1, -1)][seed % 2]
            self.given, self.urdf = mecanum_tree(rng, joints, signs)
            right, left, rear_right, rear_left = MECANUM
            self.support = Omnidirectional.from_model(
                self.given, left, right, rear_left, rear_right)
        self.model = self.plain.model
        self.state, self.base = self.random_state(), self.random_base()
        self.link = self.model.bodies[-1].name

    @functools.cached_property
    def plain(self):
        """Dynamics that nobody puts a load on."""
        return self.dynamics()

    def dynamics(self, method='newton_euler', model=None, **options):
        return InverseDynamics(model or self.given, method, backend='interpreted',
                               support=self.support, **options)

    def forward(self, **options):
        return ForwardDynamics(self.given, backend='interpreted', support=self.support, **options)

    def random_state(self, samples=None):
        return random_state(self.rng, self.model.nv, samples)

    def random_base(self, samples=None):
        return self.placed(random_base(self.rng, samples))

    def placed(self, motion):
        size = self.support.pose_size
        if not size:
            return motion
        shape = (len(motion), size) if motion.is_series else (size,)
        return BaseState(motion, self.rng.uniform(-2, 2, shape))


@pytest.fixture(params=['fixed', 'differential', 'omnidirectional'], scope='module')
def kind(request):
    return request.param


@pytest.fixture(params=[1, pytest.param(2, marks=pytest.mark.slow)], scope='module')
def case(request, kind):
    return OnSupport(kind, request.param)


@pytest.fixture(params=['differential', 'omnidirectional'], scope='module')
def rolling(request):
    return OnSupport(request.param, 3)


def test_both_methods_agree(case):
    one, other = (case.dynamics(method, friction=True) for method in METHODS)
    assert relative_error(other.torque(*case.state, case.base),
                          one.torque(*case.state, case.base)) < 1e-10
    assert relative_error(other.mass_matrix(case.state[0]),
                          one.mass_matrix(case.state[0])) < 1e-10


def test_terms_sum_to_the_torque_of_samples_and_series(case):
    dynamics = case.dynamics(friction=True)
    state, base = case.random_state(5), case.random_base(5)
    series = dynamics.torque(*state, base)
    assert relative_error(dynamics.terms(*state, base).total, series) < 1e-11
    single = dynamics.torque(*(array[3] for array in state), base[3])
    assert relative_error(series[3], single) < 1e-12


def test_coriolis_and_mass_matrix_give_their_terms(case):
    dynamics = case.plain
    q, qd, qdd = case.state
    terms = dynamics.terms(q, qd, qdd, case.base)
    C = dynamics.coriolis_matrix(q, qd)
    assert relative_error(C @ qd, terms.coriolis) < 1e-10
    assert relative_error(dynamics.mass_matrix(q) @ qdd, terms.inertia) < 1e-11
    step = 1e-6
    rate = (dynamics.mass_matrix(q + step * qd) - dynamics.mass_matrix(q - step * qd)) / 2 / step
    assert np.abs(C).max() > 0.01 and relative_error(rate, C + C.T) < 1e-6


def test_forward_dynamics_inverts(case):
    q, qd, qdd = case.state
    push = {case.link: ExternalWrench(case.rng.normal(size=6), 'base')}
    tau = case.dynamics(friction=True).torque(q, qd, qdd, case.base, push)
    found = case.forward(friction=True).acceleration(q, qd, tau, case.base, push)
    assert relative_error(found, qdd) < 1e-8


def test_pinocchio_s_tree_projected_is_the_torque(case):
    """On wheels by the principle of virtual power, from what each contact allows."""
    dynamics = case.plain
    if case.support.pose_size == 0:
        tau, wrench = PinocchioPeer(case.urdf, case.model).torque_and_wrench(
            *case.state, case.base)
    else:
        tau, ground = projected_pinocchio(case.urdf, dynamics, *case.state, case.base.motion,
                                          case.base.pose)
        wrench = -ground
    assert relative_error(dynamics.torque(*case.state, case.base), tau) < 1e-9
    assert relative_error(dynamics.base_wrench(*case.state, case.base), wrench) < 1e-9


def test_a_payload_is_the_heavier_robot(case):
    loaded, heavier = case.dynamics(), case.dynamics(model=case.given.with_payload(
        case.link, *LOAD))
    before = loaded.torque(*case.state, case.base)
    loaded.set_payload(case.link, *LOAD)
    for name in ('torque', 'base_wrench'):
        assert relative_error(getattr(loaded, name)(*case.state, case.base),
                              getattr(heavier, name)(*case.state, case.base)) < 1e-10
    assert relative_error(loaded.mass_matrix(case.state[0]),
                          heavier.mass_matrix(case.state[0])) < 1e-10
    terms = heavier.terms(*case.state, case.base).as_dict()
    for name, value in loaded.terms(*case.state, case.base).as_dict().items():
        assert relative_error(value, terms[name]) < 1e-10, name
    assert relative_error(loaded.torque(*case.state, case.base), before) > 1e-3
    loaded.clear_payload()
    assert np.array_equal(loaded.torque(*case.state, case.base), before)


def test_a_payload_on_the_base_link_and_on_a_wheel_count(rolling):
    wheel = next(body for body in rolling.model.bodies
                 if body.joint.name == rolling.support.wheels[0])
    for link in ('base', wheel.name):
        loaded = rolling.dynamics()
        loaded.set_payload(link, *LOAD)
        heavier = rolling.dynamics(model=rolling.given.with_payload(link, *LOAD))
        assert relative_error(loaded.torque(*rolling.state, rolling.base),
                              heavier.torque(*rolling.state, rolling.base)) < 1e-10


def test_a_wrench_in_deck_axes_carries_a_load_at_its_point(case):
    """A force up the deck with the load's weight leaves the torques as they were."""
    dynamics, g = case.dynamics(), np.array([1.0, -2.0, -9.0])
    base, zero = case.placed(BaseMotion(gravity=g)), np.zeros(case.model.nv)
    q = case.state[0]
    plain, bare = dynamics.torque(q, zero, zero, base), dynamics.base_wrench(q, zero, zero, base)
    dynamics.set_payload(case.link, 2.0)
    carry = {case.link: ExternalWrench([*(-2.0 * g), 0, 0, 0], 'base')}
    assert relative_error(dynamics.base_wrench(q, zero, zero, base), bare) > 1e-3
    assert relative_error(dynamics.torque(q, zero, zero, base, carry), plain) < 1e-10
    assert relative_error(dynamics.base_wrench(q, zero, zero, base, carry), bare) < 1e-10
    assert relative_error(plain + dynamics.external_torque(q, carry, base),
                          dynamics.torque(q, zero, zero, base, carry)
                          + plain - dynamics.torque(q, zero, zero, base)) < 1e-10


def test_regressor_times_parameters_is_the_torque(case):
    for method in METHODS:
        dynamics = case.dynamics(method)
        Y = dynamics.regressor(*case.state, case.base)
        parameters = inertial_parameters(case.model, case.support)
        assert relative_error(Y @ parameters, dynamics.torque(*case.state, case.base)) < 1e-10
        bodies = len(case.model.bodies) + (case.support.pose_size > 0)
        assert Y.shape == (case.model.nv, 10 * bodies)


def test_power_of_the_torques_is_what_the_energy_gains(case):
    """Along a simulated motion: rolling does no work, and nothing is lost."""
    q, tau = case.state[0], case.rng.normal(0, 1, case.model.nv)
    run = simulate(case.given, q, 0.3 * case.state[1], tau, duration=0.1, step=1e-3,
                   backend='interpreted', support=case.support)
    assert np.ptp(run.kinetic_energy) > 1e-2
    assert run.energy_drift < 1e-5 * np.ptp(run.kinetic_energy) + 1e-9
    assert run.pose.shape == (101, case.support.pose_size)


def test_gravity_is_the_slope_of_the_potential_energy(case):
    dynamics, zero = case.plain, np.zeros(case.model.nv)
    q, base = case.state[0], case.placed(BaseMotion(gravity=[2.0, -3.0, -9.0]))

    def potential(step):
        """Move all joints and what the wheels make of it."""
        if not case.support.pose_size:
            return dynamics.energy(q + step, zero, base)[1]
        pose = np.asarray(base.pose)
        middle = pose + 0.5 * case.support.pose_rate(step, pose)
        return dynamics.energy(q + step, zero, BaseState(
            base.motion, pose + case.support.pose_rate(step, middle)))[1]

    slope = [(potential(step) - potential(-step)) / 2e-5 for step in 1e-5 * np.eye(len(q))]
    assert np.abs(slope - dynamics.torque(q, zero, zero, base)).max() < 1e-5


def test_rolling_does_no_work_whatever_the_pose_rates(rolling):
    """The wrench of the ground at the contacts times the motion there that it forbids is zero."""
    dynamics, support = rolling.plain, rolling.support
    q, qd, qdd = rolling.state
    tree = InverseDynamics(support.tree(rolling.model), backend='interpreted')
    pose = np.asarray(rolling.base.pose)
    R = support.null_space(pose[2], rolling.model.nv)
    full_rate = null_space_rate(support, pose[2], qd)
    tau_all = tree.torque(np.concatenate([pose, q]), R @ qd, R @ qdd + full_rate @ qd,
                          rolling.base.motion)
    tau = dynamics.torque(q, qd, qdd, rolling.base)
    constraint = tau_all - np.concatenate([np.zeros(3), tau])
    assert np.abs(constraint[:3]).max() > 0.1
    assert abs(constraint @ (R @ qd)) < 1e-9 * np.abs(constraint).max() * np.abs(R @ qd).max()
    assert relative_error(R.T @ tau_all, tau) < 1e-11


def test_the_deck_under_a_driving_platform_gives_the_torques_of_the_deck(rolling):
    q, qd, qdd = rolling.state
    felt = platform_motion(rolling.support, rolling.base, qd, qdd)
    seen = deck_motion(rolling.support, felt, qd, qdd)
    dynamics = rolling.plain
    assert relative_error(dynamics.torque(q, qd, qdd, seen),
                          dynamics.torque(q, qd, qdd, rolling.base)) < 1e-10
    assert relative_error(felt.packed, rolling.base.motion.packed) > 0.1


def test_coasting_on_wheels_adds_no_torque_to_the_arm(rolling):
    """Straight on at constant speed, in every direction that the wheels allow."""
    dynamics, wheels = rolling.plain, len(rolling.support.wheels)
    q, qd, qdd = (np.array(array) for array in rolling.state)
    qd[:wheels] = qdd[:wheels] = 0.0
    for direction in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])[:1 if wheels == 2 else 2]:
        rates = np.linalg.pinv(rolling.support.wheel_twists) @ direction
        moving = np.concatenate([3.0 * rates, qd[wheels:]])
        assert np.abs(rolling.support.pose_rate(moving, np.zeros(3))[:2]).max() > 2.9
        added = (dynamics.torque(q, moving, qdd) - dynamics.torque(q, qd, qdd))[wheels:]
        assert np.abs(added).max() < 1e-10


def test_rotor_inertia_of_the_model_counts_unless_left_out(case):
    name = case.given.joint_names[0]
    geared = case.given.with_rotor_inertia({name: 3.0})
    k = case.model.joint_names.index(name)
    without = case.plain.torque(*case.state, case.base)
    by_default = case.dynamics(model=geared).torque(*case.state, case.base)
    assert np.isclose(by_default[k] - without[k], 3.0 * case.state[2][k], rtol=1e-10)
    left_out = case.dynamics(model=geared, rotor_inertia=False)
    assert np.array_equal(left_out.torque(*case.state, case.base), without)


def test_a_support_that_is_none_and_a_pose_that_is_not_its_are_refused(case):
    with pytest.raises(InputError, match='^support: is a str'):
        InverseDynamics(case.given, support='wheels')
    pose = np.zeros(2)
    with pytest.raises(InputError, match='^pose: has 2 numbers'):
        case.plain.torque(*case.state, BaseState(BaseMotion(), pose))


@pytest.mark.slow
def test_compiled_kernels_agree_with_the_interpreted(rolling):
    compiled = InverseDynamics(rolling.given, support=rolling.support)
    expected = rolling.plain.torque(*rolling.state, rolling.base)
    for _ in range(2):  # the second goes the short way
        assert relative_error(compiled.torque(*rolling.state, rolling.base), expected) < 1e-11
    x = np.concatenate([rolling.base.pose, *rolling.state, rolling.base.motion.packed])
    out = np.empty(rolling.model.nv)
    assert compiled.kernel()(x, out) == 0.0 and relative_error(out, expected) < 1e-11

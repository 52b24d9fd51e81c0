"""Simulated motions: energy, order of the integrator, moving base, external forces."""

from dynamics_states import random_base, random_state, relative_error
import numpy as np
import pytest
from random_trees import random_model

from robot_dynamics import BaseMotion, ForwardDynamics, InverseDynamics, ShipMotion
from robot_dynamics.core.errors import ConfigurationError, InputError, UnknownNameError
from robot_dynamics.dynamics.inertial_parameters import inertial_parameters
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.simulation.integration import simulate

Q0, STILL = np.array([0.2, 0.5, 0.8, 0.3, 0.4, 0.1]), np.zeros(6)


def test_free_swing_keeps_its_energy(pa10):
    run = simulate(pa10, Q0, STILL, duration=0.3, step=5e-4, backend='interpreted')
    assert run.energy_drift < 1e-7 * run.kinetic_energy.max()
    assert run.kinetic_energy.max() > 10.0


@pytest.mark.slow
def test_rotor_inertia_slows_the_swing_and_keeps_its_energy(pa10):
    geared = pa10.with_rotor_inertia({'joint2': 5.0, 'joint3': 2.0})
    swing = {'duration': 0.3, 'step': 5e-4, 'backend': 'interpreted'}
    light = simulate(geared, Q0, STILL, rotor_inertia=False, **swing)
    heavy = simulate(geared, Q0, STILL, **swing)
    assert np.abs(heavy.velocity[-1, 1]) < 0.8 * np.abs(light.velocity[-1, 1])
    assert heavy.energy_drift < 1e-7 * heavy.kinetic_energy.max()


@pytest.mark.slow
def test_runge_kutta_is_of_fourth_order(pa10):
    fine = simulate(pa10, Q0, STILL, duration=0.2, step=2e-3 / 16, backend='interpreted')
    errors = [np.abs(simulate(pa10, Q0, STILL, duration=0.2, step=step, backend='interpreted')
                     .position[-1] - fine.position[-1]).max() for step in (4e-3, 2e-3)]
    assert 12 < errors[0] / errors[1] < 20


@pytest.fixture(scope='module')
def swing(pa10):
    return simulate(pa10, Q0, STILL, duration=0.1, step=5e-4, backend='interpreted')


@pytest.mark.parametrize('integrator', ['RK45', 'DOP853', 'Radau', 'BDF', 'LSODA'])
def test_scipy_s_integrators_agree_with_runge_kutta(pa10, swing, integrator):
    other = simulate(pa10, Q0, STILL, duration=0.1, step=0.05, integrator=integrator,
                     backend='interpreted')
    assert np.abs(other.position[-1] - swing.position[-1]).max() < 1e-6


@pytest.mark.slow
def test_inverse_torques_reproduce_the_motion_on_a_ship(pa10):
    """Feed the torques of a known motion on the paper's ship; the arm must follow it."""
    ship = ShipMotion.regular()
    inverse = InverseDynamics(pa10, backend='interpreted')
    amplitude, rate = np.array([0.3, 0.2, -0.2, 0.3, 0.2, 0.1]), 2.0

    def motion(t):
        return (amplitude * np.sin(rate * t), amplitude * rate * np.cos(rate * t),
                -amplitude * rate**2 * np.sin(rate * t))

    def law(t, q, qd):
        return inverse.torque(*motion(t), ship.at(t))

    run = simulate(pa10, *motion(0.0)[:2], law, ship, duration=0.5, step=1e-3,
                   backend='interpreted')
    assert np.abs(run.position[-1] - motion(0.5)[0]).max() < 1e-6
    assert np.abs(run.acceleration[-1] - motion(0.5)[2]).max() < 1e-3
    still = simulate(pa10, *motion(0.0)[:2], law, None, duration=0.5, step=1e-2,
                     backend='interpreted')
    assert np.abs(still.position[-1] - motion(0.5)[0]).max() > 1e-2


def test_forward_dynamics_feels_external_wrenches(pa10, rng):
    (q, qd, qdd), base = random_state(rng, 6), random_base(rng)
    push = {'tool0': ExternalWrench(rng.normal(size=6), 'base'), 'link3': rng.normal(size=6)}
    tau = InverseDynamics(pa10, backend='interpreted').torque(q, qd, qdd, base, push)
    forward = ForwardDynamics(pa10, backend='interpreted')
    assert relative_error(forward.acceleration(q, qd, tau, base, push), qdd) < 1e-9
    assert relative_error(forward.acceleration(q, qd, tau, base), qdd) > 1e-2


def test_regressor_times_parameters_is_torque():
    rng = np.random.default_rng(5)
    model = random_model(rng, joints=7)
    state, base = random_state(rng, 7, 4), random_base(rng, 4)
    for method in ('newton_euler', 'lagrange_euler'):
        dynamics = InverseDynamics(model, method=method, backend='interpreted')
        Y = dynamics.regressor(*state, base)
        assert Y.shape == (4, 7, 10 * len(model.bodies))
        tau = Y @ inertial_parameters(model)
        assert relative_error(tau, dynamics.torque(*state, base)) < 1e-11


def test_gravity_is_the_slope_of_potential_energy(pa10, rng):
    dynamics = InverseDynamics(pa10, backend='interpreted')
    q, zero = random_state(rng, 6)[0], np.zeros(6)
    tilted = BaseMotion(gravity=[2.0, -3.0, -9.0])
    slope = [(dynamics.energy(q + step, zero, tilted)[1]
              - dynamics.energy(q - step, zero, tilted)[1]) / 2e-5
             for step in 1e-5 * np.eye(6)]
    assert np.abs(slope - dynamics.torque(q, zero, zero, tilted)).max() < 1e-6
    qd = random_state(rng, 6)[1]
    kinetic = dynamics.energy(q, qd)[0]
    assert np.isclose(kinetic, qd @ dynamics.mass_matrix(q) @ qd / 2, rtol=1e-12)


def test_bad_simulations_say_what_is_wrong(pa10):
    with pytest.raises(ConfigurationError, match='RK4'):
        simulate(pa10, Q0, STILL, integrator='euler')
    with pytest.raises(InputError, match='q0'):
        simulate(pa10, Q0[:5], STILL)
    with pytest.raises(InputError, match='base'):
        simulate(pa10, Q0, STILL, base=3.0)
    with pytest.raises(InputError, match='torque'):
        simulate(pa10, Q0, STILL, lambda t, q, qd: [0.0], backend='interpreted')
    with pytest.raises(UnknownNameError):
        simulate(pa10, Q0, STILL, external_wrenches={'tip': STILL}, backend='interpreted')
    with pytest.raises(InputError, match='external_wrenches: is a list'):
        simulate(pa10, Q0, STILL, external_wrenches=[1.0], backend='interpreted')
    with pytest.raises(InputError, match='model: is a str'):
        simulate('pa10', Q0, STILL)
    with pytest.raises(InputError, match='beyond all bounds|index'):
        simulate(pa10, Q0, STILL, lambda t, q, qd: 1e7 * qd + 1e6, duration=5.0, step=0.1,
                 backend='interpreted')

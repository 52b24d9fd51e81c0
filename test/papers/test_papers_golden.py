"""The arms of papers 001 and 002, and sliding joints: URDF against closed forms."""

import numpy as np
from papers import anthropomorphic_equations as rods
from papers import three_link, three_link_equations as points
import pytest

from robot_dynamics import BaseMotion, ForwardDynamics, InverseDynamics, RobotModel
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.loads import ExternalWrench

METHODS = ('newton_euler', 'lagrange_euler')
STATES = range(3)


def shipped(name):
    return RobotModel.from_urdf(resource_path(f'examples/papers/{name}.urdf'))


@pytest.fixture(scope='module')
def three_link_arm():
    return shipped('three_link_arm')


@pytest.fixture(scope='module')
def rod_arm():
    return shipped('anthropomorphic_arm')


def series(state, keys):
    return [np.array([state[key]]) for key in keys]


# ---------------------------------------------------------------------- paper 001


@pytest.fixture(params=STATES)
def obasi(request, golden):
    state = golden['obasi']['states'][request.param]
    return state, points.AbsoluteState(*series(state, ('theta', 'theta_d', 'theta_dd')))


def test_the_urdf_has_the_masses_and_lengths_of_the_golden_three_link_arm(
        three_link_arm, golden):
    arm = points.PointMassArm.from_model(three_link_arm, golden['obasi']['g'])
    for name, value in golden['obasi']['parameters'].items():
        assert getattr(arm, name) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize('method', METHODS)
def test_motors_of_the_three_link_urdf_carry_the_golden_torques(
        three_link_arm, golden, obasi, method):
    state, absolute = obasi
    q, qd, qdd = (three_link.relative(values) for values in absolute)
    torque = InverseDynamics(three_link_arm, method=method, backend='interpreted').torque(
        q, qd, qdd, BaseMotion.still(golden['obasi']['g']))
    np.testing.assert_allclose(torque[0], state['motor_torque_coupled'], atol=1e-9)


def test_absolute_torques_are_motor_torques_by_virtual_work(three_link_arm, golden, obasi):
    state, absolute = obasi
    motors = three_link.motor_torque(three_link_arm, absolute, golden['obasi']['g'])
    np.testing.assert_allclose(
        three_link.absolute_torque(motors)[0], state['tau_abs_coupled'], atol=1e-9)


@pytest.mark.parametrize('equation, key', [
    (points.coupled, 'tau_abs_coupled'), (points.decoupled, 'tau_abs_decoupled_corrected'),
    (points.table_1, 'printed_table1'), (points.eqs_22_23, 'printed_eq22_23'),
    (points.eqs_19_20, 'printed_eq19_20')])
def test_equations_of_paper_001_give_the_golden_numbers(
        three_link_arm, golden, obasi, equation, key):
    state, absolute = obasi
    arm = points.PointMassArm.from_model(three_link_arm, golden['obasi']['g'])
    np.testing.assert_allclose(equation(arm, absolute)[0], state[key], atol=1e-9)


def test_without_turning_base_the_motors_carry_the_decoupled_sum(three_link_arm, golden, obasi):
    state, absolute = obasi
    still = [values.copy() for values in absolute]
    still[1][:, 0] = still[2][:, 0] = 0.0
    motors = three_link.motor_torque(
        three_link_arm, points.AbsoluteState(*still), golden['obasi']['g'])[0]
    np.testing.assert_allclose(motors[1:], state['motor_torque_decoupled'][1:], atol=1e-9)


# ---------------------------------------------------------------------- paper 002


@pytest.fixture(params=STATES)
def leohchi(request, golden):
    state = golden['leohchi']['states'][request.param]
    return state, rods.JointState(*series(state, ('q', 'qd', 'qdd')))


def test_the_urdf_has_the_masses_and_lengths_of_the_golden_rods(rod_arm, golden):
    arm = rods.RodArm.from_model(rod_arm, golden['leohchi']['g'])
    for name, value in golden['leohchi']['parameters'].items():
        assert getattr(arm, name) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize('method', METHODS)
def test_the_anthropomorphic_urdf_has_the_golden_torques_and_mass_matrix(
        rod_arm, golden, leohchi, method):
    state, joints = leohchi
    still = BaseMotion.still(golden['leohchi']['g'])
    dynamics = InverseDynamics(rod_arm, method=method, backend='interpreted')
    zero = np.zeros(3)
    np.testing.assert_allclose(dynamics.torque(*joints, still)[0], state['tau'], atol=1e-9)
    np.testing.assert_allclose(dynamics.torque(state['q'], zero, zero, still), state['gravity'],
                               atol=1e-9)
    np.testing.assert_allclose(dynamics.mass_matrix(state['q']), state['M'], atol=1e-9)


def test_golden_torques_cause_the_golden_accelerations(rod_arm, golden, leohchi):
    state, _ = leohchi
    acceleration = ForwardDynamics(rod_arm, backend='interpreted').acceleration(
        state['q'], state['qd'], state['tau'], BaseMotion.still(golden['leohchi']['g']))
    np.testing.assert_allclose(acceleration, state['qdd'], atol=1e-9)


@pytest.mark.parametrize('misprints, key', [
    ((), 'tau'), (('spin',), 'tau_with_paper_0p083_L1'), (rods.ALL, 'tau_eq17_as_printed')])
def test_eq_17_gives_the_golden_numbers(rod_arm, golden, leohchi, misprints, key):
    state, joints = leohchi
    arm = rods.RodArm.from_model(rod_arm, golden['leohchi']['g'])
    torque = rods.eq_17(arm, joints, misprints=misprints)
    np.testing.assert_allclose(torque[0], state[key], atol=1e-9)


@pytest.mark.parametrize('load', [(3.0, 0.0, 0.0), (0.0, 5.0, 0.0), (0.0, 0.0, -2.0)])
@pytest.mark.parametrize('frame', ['link', 'base'])
def test_a_force_at_the_tip_is_the_load_of_eq_17(rod_arm, leohchi, load, frame):
    state, joints = leohchi
    arm = rods.RodArm.from_model(rod_arm, 9.81)
    wrench = rods.wrench_on_the_tip(np.array(load))
    if frame == 'base':
        t1, t23 = state['q'][0], state['q'][1] + state['q'][2]
        R = rotation_z(t1) @ rotation_y(-t23)
        wrench = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
    torque = InverseDynamics(rod_arm, backend='interpreted').torque(
        *joints, BaseMotion.still(9.81), {'tool0': ExternalWrench(wrench, frame)})
    np.testing.assert_allclose(torque, rods.eq_17(arm, joints, np.array(load)), atol=1e-12)


@pytest.mark.parametrize('frame', ['link', 'base'])
def test_a_moment_at_the_tip_reaches_the_joints_along_their_axes(rod_arm, leohchi, frame):
    """M_34 of eq. 14: a pure moment M on the tip asks -z_i . M of joint i."""
    state, joints = leohchi
    moment = np.array([0.7, -1.1, 0.4])
    R = rotation_z(state['q'][0]) @ rotation_y(-(state['q'][1] + state['q'][2]))
    along = R @ moment if frame == 'link' else moment
    swing = rotation_z(state['q'][0]) @ [0.0, -1.0, 0.0]
    axes = np.array([[0.0, 0.0, 1.0], swing, swing])
    dynamics = InverseDynamics(rod_arm, backend='interpreted')
    share = dynamics.torque(*joints, None, {
        'tool0': ExternalWrench([0, 0, 0, *moment], frame)}) - dynamics.torque(*joints)
    np.testing.assert_allclose(share[0], -axes @ along, atol=1e-12)


def rotation_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rotation_y(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])

"""The simulated arm obeys the equations of motion, and behaves as ros2_control's hardware."""

import dataclasses

import numpy as np
import pytest

from robot_dynamics import InverseDynamics, RobotModel, ShipMotion
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.simulation.simulated_friction import FrictionStep
from robot_dynamics.simulation.simulated_robot import (
    LONGEST_SUBSTEP, SimulatedRobot, SimulatedRobotConfig)

MS = 1_000_000
SHIP = ShipMotion.regular()
START = np.array([0.2, -0.4, 0.6, 0.3, 0.5, -0.2])
FREE = SimulatedRobotConfig(
    initial_position=tuple(START), position_limits=False, effort_limits=False, brake=False)
EFFORT = np.array([5.0, -30.0, 4.0, 0.2, 0.1, 0.02])


def end_state(model, config, seconds=0.4, commands=True, ship=SHIP):
    """Integrate with commands that change at odd times; returns position and velocity."""
    robot = SimulatedRobot(model, ship, config)
    for k in range(int(seconds / 0.002)):
        if commands:
            robot.apply(EFFORT * np.cos(0.05 * k), robot.stamp_ns + 1 * MS + 137_000)
        robot.step_to(robot.stamp_ns + 2 * MS)
    state = robot.true_state()
    return np.concatenate([state.position, state.velocity])


def test_the_integration_converges_with_fourth_order(pa10):
    states = [end_state(pa10, dataclasses.replace(FREE, substep=h))
              for h in (0.001, 0.0005, 0.00025)]
    coarse = np.abs(states[0] - states[1]).max()
    fine = np.abs(states[1] - states[2]).max()
    assert fine < 1e-8
    assert coarse / fine > 10  # 16 in the limit


def test_with_friction_the_integration_converges(pa10):
    config = dataclasses.replace(FREE, friction=True)
    states = [end_state(pa10, dataclasses.replace(config, substep=h), 0.1)
              for h in (0.0005, 0.00025, 0.0000625)]
    coarse = np.abs(states[0] - states[2]).max()
    fine = np.abs(states[1] - states[2]).max()
    assert coarse < 2e-3
    assert coarse / fine > 1.7  # first order


def test_the_default_substep_is_within_a_microradian_of_the_exact_motion(pa10):
    exact = end_state(pa10, dataclasses.replace(FREE, substep=0.0001), 1.0)
    default = end_state(pa10, FREE, 1.0)
    assert np.abs(default - exact)[:6].max() < 1e-6


def test_the_arm_accelerates_as_forward_dynamics_of_the_moving_deck_say(pa10, pa10_dynamics):
    robot = SimulatedRobot(pa10, SHIP, FREE, start_ns=500 * MS)
    robot.apply(EFFORT, 0)
    h = 0.0001
    robot.step_to(500 * MS + int(h * 1e9))
    acceleration = robot.true_state().velocity / h
    needed = pa10_dynamics.torque(START, np.zeros(6), acceleration, SHIP.at(0.5 + h / 2))
    np.testing.assert_allclose(needed, EFFORT, atol=2e-2)


def test_power_balances_on_a_still_deck(pa10, pa10_dynamics):
    robot = SimulatedRobot(pa10, None, FREE)
    robot.apply(EFFORT, 0)
    robot.step_to(0)
    work, last = 0.0, robot.true_state().position
    for _ in range(2000):
        robot.step_to(robot.stamp_ns + MS // 4)
        position = robot.true_state().position
        work += EFFORT @ (position - last)
        last = position
    state = robot.true_state()
    kinetic = 0.5 * state.velocity @ pa10_dynamics.mass_matrix(state.position) @ state.velocity
    assert kinetic + potential(pa10, state.position) - potential(pa10, START) == pytest.approx(
        work, abs=1e-5)


def potential(model, q):
    """Potential energy of the bodies, J."""
    energy, poses = 0.0, {-1: (np.eye(3), np.zeros(3))}
    for k, body in enumerate(model.bodies):
        R, p = poses[body.parent]
        p = p + R @ body.p_PJ
        R = R @ body.R_PJ @ rotation(body.joint.axis, q[body.coordinate])
        poses[k] = (R, p)
        energy += 9.80665 * body.inertial.mass * (p + R @ body.inertial.com)[2]
    return energy


def rotation(axis, angle):
    """Rodrigues' formula."""
    x, y, z = axis
    S = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * S + (1 - np.cos(angle)) * S @ S


def test_steps_of_any_size_lead_to_the_same_state(pa10):
    whole = SimulatedRobot(pa10, SHIP, FREE)
    parts = SimulatedRobot(pa10, SHIP, FREE)
    for robot in (whole, parts):
        robot.apply(EFFORT, 0)
    whole.step_to(100 * MS)
    for stamp in range(0, 101, 2):
        parts.step_to(stamp * MS)
    np.testing.assert_allclose(
        whole.true_state().position, parts.true_state().position, atol=1e-12)


def counting(robot, monkeypatch):
    """Return a list that gets longer with every substep of a robot."""
    steps, usual = [], robot._runge_kutta
    monkeypatch.setattr(
        robot, '_runge_kutta', lambda step, *rest: (steps.append(step), usual(step, *rest)))
    return steps


@pytest.mark.parametrize('friction', [False, True])
def test_a_cycle_costs_the_same_however_late_it_is(pa10, monkeypatch, friction):
    robot = SimulatedRobot(pa10, SHIP, dataclasses.replace(
        FREE, position_limits=True, friction=friction))
    robot.apply(EFFORT, 0)
    steps = counting(robot, monkeypatch)
    for late in (2, 4, 20, 300, 10_000, 3_600_000):
        del steps[:]
        stamp = robot.stamp_ns + late * MS
        robot.catch_up(stamp, 8)
        assert len(steps) <= 8 and robot.stamp_ns == stamp
        assert sum(steps) == pytest.approx(min(1e-3 * late, 8 * LONGEST_SUBSTEP))
        assert max(steps) >= FREE.substep - 1e-12


@pytest.mark.parametrize('slowness', [0.5, 1.3, 4.0])
def test_an_arm_that_computes_slower_than_the_clock_runs_keeps_up_with_it(
        pa10, monkeypatch, slowness):
    robot = SimulatedRobot(pa10, SHIP, dataclasses.replace(FREE, position_limits=True))
    steps = counting(robot, monkeypatch)
    now, late = 300 * MS, []
    for _ in range(400):
        robot.apply(EFFORT, robot.stamp_ns + 2 * MS)
        del steps[:]
        robot.catch_up(now, 8)
        now += max(2 * MS, int(slowness * 1e9 * len(steps) * FREE.substep))
        late.append(now - robot.stamp_ns)
    assert max(late[-200:]) <= max(1.0, 2.5 * slowness) * 2 * MS


def test_what_is_caught_up_with_in_long_steps_is_the_same_motion(pa10):
    at_once, usual = (SimulatedRobot(pa10, SHIP, FREE) for _ in range(2))
    for robot in (at_once, usual):
        robot.apply(EFFORT, 0)
        robot.apply(-EFFORT, 37 * MS)
    at_once.catch_up(100 * MS, 8)
    usual.step_to(100 * MS)
    moved = np.abs(usual.true_state().position - START).max()
    np.testing.assert_allclose(
        at_once.true_state().position, usual.true_state().position, atol=1e-4 * moved)
    np.testing.assert_array_equal(at_once.true_state().effort, -EFFORT)


def test_the_brake_holds_until_the_first_valid_command_acts(pa10):
    robot = SimulatedRobot(pa10, SHIP, dataclasses.replace(FREE, brake=True))
    robot.step_to(100 * MS)
    assert robot.braked
    assert not robot.apply(np.full(6, np.nan), 100 * MS)
    assert not robot.apply(EFFORT[:5], 100 * MS)
    assert robot.apply(EFFORT, 105 * MS)
    robot.step_to(105 * MS - 1)
    np.testing.assert_array_equal(robot.true_state().position, START)
    robot.step_to(120 * MS)
    assert not robot.braked
    assert np.abs(robot.true_state().velocity).max() > 0.01


@pytest.mark.parametrize('friction', [False, True])
def test_a_warm_arm_compiles_nothing_as_its_brake_opens(pa10, monkeypatch, friction):
    robot = SimulatedRobot(pa10, SHIP, dataclasses.replace(FREE, brake=True, friction=friction))
    told = []
    robot.warm_up(told.append)
    assert told

    def compiled(*_):
        raise AssertionError('compiles while the arm falls')

    monkeypatch.setattr('robot_dynamics.dynamics.codegen.kernel.compile_entry', compiled)
    robot.true_state()
    robot.apply(EFFORT, 0)
    robot.step_to(4 * MS)
    assert not robot.braked and robot.true_state().velocity.any()


def test_while_braked_the_effort_is_what_the_brake_carries(pa10, pa10_dynamics):
    robot = SimulatedRobot(pa10, SHIP, dataclasses.replace(FREE, brake=True))
    robot.step_to(100 * MS)
    expected = pa10_dynamics.torque(START, np.zeros(6), np.zeros(6), SHIP.at(0.1))
    np.testing.assert_allclose(robot.joint_state().effort, expected, atol=1e-12)


def test_a_command_acts_at_its_instant_and_is_held_for_ever(pa10):
    robot = SimulatedRobot(pa10, SHIP, FREE)
    robot.apply(EFFORT, 3 * MS)
    robot.step_to(3 * MS - 1)
    assert not robot.joint_state().effort.any()
    robot.step_to(3 * MS)
    robot.step_to(400 * MS)
    np.testing.assert_array_equal(robot.joint_state().effort, EFFORT)


def test_no_command_overtakes_an_earlier_one(pa10):
    robot = SimulatedRobot(pa10, SHIP, FREE)
    robot.apply(EFFORT, 5 * MS)
    robot.apply(2 * EFFORT, 4 * MS)
    robot.step_to(10 * MS)
    np.testing.assert_array_equal(robot.joint_state().effort, 2 * EFFORT)


def test_commands_are_mapped_by_name(pa10):
    robot = SimulatedRobot(pa10, SHIP, FREE)
    names = tuple(reversed(robot.names))
    assert robot.apply(EFFORT[::-1], 0, names)
    assert robot.apply([9.0], 0, ['joint3'])
    assert not robot.apply([1.0], 0, ['other'])
    robot.step_to(MS)
    expected = EFFORT.copy()
    expected[2] = 9.0
    np.testing.assert_array_equal(robot.joint_state().effort, expected)


def test_efforts_are_cut_at_the_limits_of_the_description(pa10):
    robot = SimulatedRobot(pa10, SHIP, dataclasses.replace(FREE, effort_limits=True))
    robot.apply(np.full(6, 1e6), 0)
    robot.step_to(MS)
    np.testing.assert_array_equal(robot.joint_state().effort, pa10.effort_limit)


def test_joints_rest_at_their_stops(pa10):
    robot = SimulatedRobot(pa10, None, dataclasses.replace(
        FREE, position_limits=True, initial_position=(0.0,)))
    robot.apply([0.0, 200.0, 0, 0, 0, 0], 0)
    robot.step_to(3000 * MS)
    state = robot.true_state()
    assert (state.position <= pa10.upper).all() and (state.position >= pa10.lower).all()
    assert state.position[1] == pa10.upper[1]
    assert state.velocity[1] == 0.0
    robot.apply([0.0, -230.0, 0, 0, 0, 0], robot.stamp_ns)
    robot.step_to(robot.stamp_ns + 200 * MS)
    assert robot.true_state().position[1] < pa10.upper[1]


def test_heavier_arms_need_more_torque_in_proportion(pa10, pa10_dynamics):
    robot = SimulatedRobot(pa10, None, dataclasses.replace(FREE, mass_error_percent=10.0))
    holding = pa10_dynamics.torque(START, np.zeros(6), np.zeros(6))
    robot.apply(1.1 * holding, 0)
    robot.step_to(50 * MS)
    np.testing.assert_allclose(robot.true_state().velocity, 0.0, atol=1e-9)


def test_friction_alone_obeys_its_implicit_equation(pa10, pa10_dynamics):
    friction = FrictionStep(pa10_dynamics)
    random = np.random.default_rng(1)
    for _ in range(300):
        q = random.uniform(-2, 2, 6)
        qd = random.standard_normal(6) * 10.0**random.uniform(-5, 1, 6)
        new = friction.apply(q, qd, 0.0005, 1.3)
        mass = 1.3 * pa10_dynamics.mass_matrix(q)
        residual = mass @ (new - qd) + 0.0005 * pa10_dynamics.friction_torque(new)
        slope = mass + 0.0005 * np.diag(pa10.damping + pa10.friction / 0.01)
        assert np.abs(np.linalg.solve(slope, residual)).max() < 1e-10
        energy = [v @ mass @ v for v in (new, qd)]
        assert energy[0] < energy[1]


def test_position_and_velocity_agree_where_friction_balances_the_effort(pa10):
    config = dataclasses.replace(FREE, friction=True, initial_position=(0.0,))
    robot = SimulatedRobot(pa10, None, config)
    robot.apply([0, 0, 0, 0, 0, 2.0], 0)  # friction of joint 6 at about 0.56 rad/s
    robot.step_to(300 * MS)
    before = robot.true_state()
    robot.step_to(500 * MS)
    after = robot.true_state()
    assert before.velocity[5] == pytest.approx(after.velocity[5], rel=1e-3)
    mean = (after.position[5] - before.position[5]) / 0.2
    assert mean == pytest.approx(after.velocity[5], rel=2e-3)


def test_friction_holds_the_arm_under_a_small_torque(pa10):
    config = dataclasses.replace(FREE, friction=True, initial_position=(0.0,))
    robot = SimulatedRobot(pa10, None, config)
    robot.apply([10.0, 0, 0, 0, 0, 0], 0)  # below the 13.3 Nm of joint 1
    robot.step_to(1000 * MS)
    assert abs(robot.true_state().velocity[0]) < 0.02


def test_noise_is_seeded_and_leaves_the_true_state_alone(pa10):
    config = dataclasses.replace(FREE, position_noise=1e-4, velocity_noise=1e-3)
    one, other = (SimulatedRobot(pa10, SHIP, config) for _ in range(2))
    draws = []
    for robot in (one, other):
        draws.append(np.array([robot.joint_state().position for _ in range(500)]))
    assert draws[0].tobytes() == draws[1].tobytes()
    assert (draws[0] - START).std() == pytest.approx(1e-4, rel=0.1)
    np.testing.assert_array_equal(one.true_state().position, START)


def test_compiled_and_interpreted_arm_move_alike(pa10):
    ends = []
    for backend in ('numba', 'interpreted'):
        robot = SimulatedRobot(pa10, SHIP, FREE, backend=backend)
        robot.apply(EFFORT, 0)
        robot.step_to(100 * MS)
        ends.append(robot.true_state().position)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-10)


def test_an_initial_position_of_wrong_length_is_refused(pa10):
    with pytest.raises(ConfigurationError, match='initial_position'):
        SimulatedRobot(pa10, SHIP, SimulatedRobotConfig(initial_position=(0.0, 1.0)))


def test_without_a_ship_the_deck_is_level_and_still(pa10):
    still = ShipMotion.regular(roll=None, pitch=None)
    np.testing.assert_allclose(
        end_state(pa10, FREE, 0.1, ship=None), end_state(pa10, FREE, 0.1, ship=still), atol=1e-12)


def test_the_base_point_feels_the_lever_arm(pa10):
    config = dataclasses.replace(FREE, brake=True, base_point=(10.0, 0.0, 5.0))
    robot = SimulatedRobot(pa10, SHIP, config)
    robot.step_to(700 * MS)
    inverse = InverseDynamics(pa10)
    base = SHIP.at(0.7, (10.0, 0.0, 5.0))
    assert isinstance(base, BaseMotion)
    np.testing.assert_allclose(robot.joint_state().effort, inverse.torque(
        START, np.zeros(6), np.zeros(6), base), atol=1e-12)


def test_a_joint_without_limits_turns_on(pa10):
    del pa10
    model = RobotModel.from_urdf("""<robot name="r"><link name="b"/><link name="l"><inertial>
      <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="continuous"><parent link="b"/><child link="l"/><axis xyz="0 0 1"/>
      </joint></robot>""")
    robot = SimulatedRobot(model, None, SimulatedRobotConfig(brake=False))
    robot.apply([2.0], 0)
    robot.step_to(4000 * MS)
    np.testing.assert_allclose(robot.true_state().position, [16.0], atol=1e-9)

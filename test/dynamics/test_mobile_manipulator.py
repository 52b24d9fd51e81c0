"""What is particular to wheels: rolling, the ground, the paper's robot; see test_supports.py."""

from dynamics_states import random_base, random_state, relative_error
from mobile_robots import (
    constraint_matrix, on_wheels, projected_pinocchio, wheeled_tree, WHEELS)
import numpy as np
import pytest

from robot_dynamics import BaseMotion, BaseState
from robot_dynamics.dynamics.ground_contact import ground_contact
from robot_dynamics.simulation.integration import simulate

METHODS = ('newton_euler', 'lagrange_euler')


@pytest.fixture(scope='module')
def robot(wheeled):
    return on_wheels(wheeled, **WHEELS)


def random_pose(rng):
    return rng.uniform(-3, 3, 3)


@pytest.mark.parametrize('signs', [(1, 1), (1, -1), (-1, -1)])
def test_null_space_basis_satisfies_the_constraint(rng, signs):
    drive = on_wheels(wheeled_tree(rng, 3, signs=signs)[0], 'left', 'right').support
    for heading in rng.uniform(-4, 4, 5):
        A, R = constraint_matrix(drive, heading, 5), drive.null_space(heading, 5)
        assert np.abs(A @ R).max() < 1e-15
        assert np.linalg.matrix_rank(A) == 3
        assert np.array_equal(R[3:], np.eye(5))


def test_mass_matrix_is_symmetric_and_positive_definite(robot, rng):
    for q in rng.uniform(-3, 3, (20, 5)):
        M = robot.mass_matrix(q)
        assert np.abs(M - M.T).max() < 1e-14
        assert np.linalg.eigvalsh(M)[0] > 0.0


def test_both_methods_agree_where_joints_follow_others(rng):
    model, _ = wheeled_tree(rng, 4, mimics=1)
    robots = [on_wheels(model, 'left', 'right', method=method, backend='interpreted')
              for method in METHODS]
    for _ in range(5):
        state, base, pose = random_state(rng, model.nv), random_base(rng), random_pose(rng)
        first, second = (robot.torque(*state, BaseState(base, pose)) for robot in robots)
        assert relative_error(first, second) < 1e-10


@pytest.mark.parametrize('signs', [(1, 1), (-1, 1), (1, -1)])
def test_what_the_ground_bears_agrees_with_pinocchio(rng, signs):
    """Pinocchio has a free-flyer for a platform, moved by numbers and projected by numpy."""
    model, urdf = wheeled_tree(rng, int(rng.integers(1, 6)), signs=signs)
    state, base, pose = random_state(rng, model.nv), random_base(rng), random_pose(rng)
    robot = on_wheels(model, 'left', 'right', backend='interpreted')
    _, ground = projected_pinocchio(urdf, robot, *state, base, pose)
    contact = ground_contact(robot, *state, BaseState(base, pose))
    half = 0.5 * robot.support.track
    assert relative_error(contact.longitudinal.sum(), ground[0]) < 1e-9
    assert relative_error(contact.lateral, ground[1]) < 1e-9
    assert relative_error(contact.vertical, ground[2]) < 1e-9
    assert relative_error(half * (contact.longitudinal[0] - contact.longitudinal[1]),
                          ground[5]) < 1e-9


def test_the_paper_robot_agrees_with_pinocchio(robot, rng):
    from robot_dynamics.core.resources import resource_path
    urdf = resource_path('urdf/mobile_manipulator.urdf').read_text()
    for _ in range(4):
        state, base, pose = random_state(rng, 5), random_base(rng), random_pose(rng)
        tau, _ = projected_pinocchio(urdf, robot, *state, base, pose)
        assert relative_error(robot.torque(*state, BaseState(base, pose)), tau) < 1e-9


def test_one_pose_serves_a_whole_series(robot, rng):
    state, base, pose = random_state(rng, 5, 9), random_base(rng, 9), random_pose(rng)
    series = robot.torque(*state, BaseState(base, pose))
    for k in range(9):
        assert relative_error(series[k], robot.torque(
            *(a[k] for a in state), BaseState(base[k], pose))) < 1e-12


def test_motors_put_in_what_the_energy_gains(wheeled, robot, rng):
    """Power balance on level ground: the constraint forces of rolling do no work."""
    tau = np.array([0.4, -0.3, 0.8, 12.0, 2.0])
    motion = simulate(wheeled, rng.uniform(-1, 1, 5), rng.uniform(-1, 1, 5), tau,
                      step=5e-4, support=robot.support)
    q, qd = motion.position, motion.velocity
    kinetic = 0.5 * np.einsum('ti,tij,tj->t', qd, robot.mass_matrix(q), qd)
    shoulder, elbow = np.sin(q[:, 3]), np.sin(q[:, 3:].sum(axis=1))
    potential = 9.80665 * (3.436 * 0.246 * shoulder + 1.229 * (0.3 * shoulder + 0.15 * elbow))
    gained = kinetic + potential - q @ tau
    assert np.abs(motion.kinetic_energy - kinetic).max() < 1e-10
    assert np.ptp(motion.potential_energy - potential) < 1e-10
    assert np.ptp(kinetic) > 0.5 and np.ptp(potential) > 0.5
    assert np.ptp(gained) < 1e-8


def test_rolling_holds_along_a_simulated_motion(wheeled, robot, rng):
    """Nothing slides on the path: A(q) times finite differences of the coordinates is zero."""
    motion = simulate(wheeled, rng.uniform(-1, 1, 5), [3.0, -2, 1, 0, 0],
                      [0.5, -0.3, 0.2, 12.0, 1.0], step=0.0025, support=robot.support,
                      pose0=(0.2, -0.1, 0.9))
    full = np.column_stack([motion.pose, motion.position])
    rates = (full[:-4] - 8 * full[1:-3] + 8 * full[3:-1] - full[4:]) / (12 * 0.0025)
    slip = [constraint_matrix(robot.support, pose[2], 5) @ rate
            for pose, rate in zip(motion.pose[2:-2], rates)]
    assert np.abs(motion.pose[-1] - motion.pose[0]).max() > 0.1
    assert np.abs(slip).max() < 1e-6
    drive = robot.support
    turned = drive.radius / drive.track * (motion.position[:, 0] - motion.position[:, 1])
    assert np.abs(motion.pose[:, 2] - 0.9 - (turned - turned[0])).max() < 1e-12


def test_a_payload_presses_on_the_ground_as_a_heavier_link_does(wheeled, rng):
    load = 'tool0', 1.5, (0.05, 0.02, -0.03)
    loaded, heavier = (on_wheels(model, **WHEELS, backend='interpreted')
                       for model in (wheeled, wheeled.with_payload(*load)))
    state, base = random_state(rng, 5), BaseState(random_base(rng), random_pose(rng))
    without = ground_contact(loaded, *state, base).normal
    loaded.set_payload(*load)
    ours, theirs = (ground_contact(one, *state, base).normal for one in (loaded, heavier))
    assert relative_error(ours, theirs) < 1e-10
    assert relative_error(ours, without) > 1e-2


def test_a_force_at_the_tool_reaches_wheels_and_arm(robot):
    """A pull backwards on the tool straight ahead is shared by both wheels, r/2 each."""
    zero = np.zeros(5)
    free = robot.torque(zero, zero, zero)
    pulled = robot.torque(zero, zero, zero, external_wrenches={'tool0': [-10, 0, 0, 0, 0, 0]})
    assert np.allclose(pulled - free, [0.375, 0.375, 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize('method', METHODS)
def test_a_locked_arm_on_wheels_is_the_textbook_unicycle(wheeled, method):
    """Force m u' - m c n^2, moment I n' + m c u n; c: centre of mass ahead of the axle."""
    from robot_dynamics import RobotModel
    from robot_dynamics.core.resources import resource_path
    rigid = RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'),
                                 joints=('right_wheel_joint', 'left_wheel_joint'))
    robot = on_wheels(rigid, **WHEELS, method=method, backend='interpreted')
    r, L, spin, wheel, across = 0.075, 0.25, 0.003, 0.901, 0.0015
    platform = [(19.2372, 0.2268, 0.7004), (3.293, 0.437, 0.023), (3.436, 0.716, 0.0461),
                (1.229, 0.92, 0.0255)]
    mass = sum(m for m, _, _ in platform) + 2 * wheel
    first = sum(m * x for m, x, _ in platform)
    inertia = sum(i + m * x**2 for m, x, i in platform) + 2 * (across + wheel * L**2)
    rates, accelerations = np.array([3.0, 1.0]), np.array([2.0, -5.0])
    n, ud = r / (2 * L) * (rates[0] - rates[1]), r / 2 * accelerations.sum()
    u, nd = r / 2 * rates.sum(), r / (2 * L) * (accelerations[0] - accelerations[1])
    force = mass * ud - first * n**2
    moment = inertia * nd + first * u * n
    expected = spin * accelerations + r / 2 * force + r / (2 * L) * moment * np.array([1, -1])
    tau = robot.torque([0.4, 0.1], rates, accelerations)
    assert relative_error(tau, expected) < 1e-12
    contact = ground_contact(robot, [0.4, 0.1], rates, accelerations)
    assert relative_error(contact.lateral, mass * u * n + first * nd) < 1e-12


def test_friction_and_rotors_add_at_wheels_and_joints(rng):
    model = wheeled_tree(rng, 2)[0]
    plain = on_wheels(model, 'left', 'right', backend='interpreted')
    real = on_wheels(model, 'left', 'right', friction=True,
                     rotor_inertia={'left': 0.3}, backend='interpreted')
    q, qd, qdd = random_state(rng, model.nv)
    added = real.torque(q, qd, qdd) - plain.torque(q, qd, qdd)
    expected = plain.friction_torque(qd)
    expected[1] += 0.3 * qdd[1]
    assert model.joint_names != real.model.joint_names, 'wheels come first, whatever the file says'
    assert relative_error(added, expected) < 1e-11
    assert np.abs(expected[2:]).min() > 0.0


def test_level_ground_needs_no_pose_and_a_tilted_deck_does(robot):
    zero = np.zeros(5)
    level = robot.torque(zero, zero, zero, BaseMotion.still())
    assert relative_error(robot.torque(zero, zero, zero), level) < 1e-15
    uphill = robot.torque(zero, zero, zero, BaseState(
        BaseMotion.from_roll_pitch(0.0, 0.1), np.zeros(3)))
    assert np.abs(uphill - level)[:2].min() > 0.1

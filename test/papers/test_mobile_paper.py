"""Paper 004 recomputed: what is printed there against numbers from elsewhere, and the result."""

import numpy as np
from numpy.testing import assert_allclose
from papers import mobile_manipulator as paper
import pytest

from robot_dynamics import BaseMotion, BaseState, RobotModel
from robot_dynamics.control.reference import ReferenceSample
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.uncoupled import UncoupledParts


@pytest.fixture(scope='module')
def numbers(golden):
    return golden['mobile_manipulator']


@pytest.fixture(scope='module')
def result():
    return paper.compute()


@pytest.fixture(scope='module')
def robot():
    return paper.on_wheels(RobotModel.from_urdf(resource_path(paper.DESCRIPTION)))


def test_eq_38_with_energies_of_the_axle_gives_the_golden_wrong_numbers(robot, numbers):
    weightless = BaseMotion(gravity=[0, 0, 0])
    for state in numbers['states']:
        wrong = state['paper_eq38_R_with_xm_coordinates_WRONG']
        q, v = np.array(state['q']), np.array(state['v'])
        coriolis = paper.torque_with_eq_38(
            robot, ReferenceSample(q, v, np.zeros(5)), weightless)[0]
        assert np.abs(coriolis - wrong['C1v']).max() < 1e-9
        for k, unit in enumerate(np.eye(5)):
            column = paper.torque_with_eq_38(
                robot, ReferenceSample(q, np.zeros(5), unit), weightless)[0]
            assert np.abs(column - np.array(wrong['M1'])[:, k]).max() < 1e-9


def test_inertia_of_eqs_71_72_gives_the_golden_wrong_numbers(numbers):
    model = RobotModel.from_urdf(resource_path(paper.DESCRIPTION))
    robot = paper.on_wheels(paper.with_eqs_71_72(model))
    weightless = BaseMotion(gravity=[0, 0, 0])
    for state in numbers['states']:
        q, v, wrong = state['q'], state['v'], state['paper_inertia']
        assert_allclose(robot.mass_matrix(q), wrong['M1'], atol=1e-9)
        assert_allclose(robot.torque(q, v, np.zeros(5), weightless), wrong['C1v'], atol=1e-9)
    case, level = numbers['torque_case'], BaseMotion.still(numbers['parameters']['g'])
    state = numbers['states'][case['state']]
    assert_allclose(robot.torque(state['q'], state['v'], case['accel'], level),
                    case['tau_paper_inertia'], atol=1e-9)


def test_gravity_of_eqs_76_77_gives_the_golden_wrong_torque(robot, numbers):
    case, g = numbers['torque_case'], numbers['parameters']['g']
    state = numbers['states'][case['state']]
    torque = robot.torque(state['q'], state['v'], case['accel'], BaseMotion(gravity=[0, 0, g]))
    assert_allclose(torque, case['tau_paper_gravity_sign'], atol=1e-9)


def test_causes_sum_to_the_torque(result):
    total = np.sum(list(result.causes.values()), axis=0)
    assert np.abs(total - result.right).max() < 1e-12


def test_a_platform_that_stands_and_an_arm_that_rests_are_not_coupled(robot):
    parts = UncoupledParts(robot)
    q, arm = np.array([0.3, 0.1, 0.5, -0.4, 0.8]), np.array([0, 0, 0, 2.0, -1.0])
    assert np.abs(parts.torque(q, 0 * q, 0 * q) - robot.torque(q, 0 * q, 0 * q)).max() < 1e-12
    swing = parts.torque(q, arm, arm) - robot.torque(q, arm, arm)
    assert np.abs(swing[2:]).max() < 1e-12 and np.abs(swing[:2]).min() > 1e-3


def test_on_a_deck_the_arm_of_the_parts_stands_where_the_platform_is(robot):
    """At rest on a rolling deck the arm feels the same, whoever computes it."""
    deck = BaseMotion([0.3, -0.2, 0.1], [0.5, 0.4, -0.3], [1.0, 0.5, 2.0], [1.0, -2.0, -9.5])
    q, zero, pose = np.array([0, 0, 0.5, -0.4, 0.8]), np.zeros(5), np.array([3.0, -2.0, 0.7])
    whole = robot.torque(q, zero, zero, BaseState(deck, pose))
    parts = UncoupledParts(robot).torque(q, zero, zero, BaseState(deck, pose))
    assert np.abs(parts - whole)[2:].max() < 1e-12
    assert np.abs(parts - whole)[:2].min() > 0.1, 'the platform does not know of its load'


def test_the_findings_name_what_the_tables_show(result):
    text = ' '.join(result.findings())
    assert 'arm 2' in text and '27.4' in text
    names = [table.name for table in result.tables()]
    assert names == ['mobile_manipulator_torques', 'mobile_manipulator_misprints',
                     'mobile_manipulator_coupling']


def test_both_methods_agree_along_the_motion(result):
    assert np.abs(result.right - result.second).max() < 1e-12
    assert result.motion.position[0, 0] == pytest.approx(8.0)
    assert result.motion.position[-1, 0] == pytest.approx(-8.0)

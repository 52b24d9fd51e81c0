"""Choosing what moves: base link, tip link, joint list, and positions of what is held."""

import math

import numpy as np
from numpy.testing import assert_allclose
import pytest
from robot_dynamics import RobotDynamicsError, RobotModel
from robot_dynamics.core.errors import InputError, UnknownNameError
from robot_dynamics.motion.rotations import matrix_from_rpy
from urdf_snippets import joint, link, robot

# platform -> mast (prismatic) -> shoulder -> elbow, with a camera beside the shoulder and an
# IMU on a bracket of the platform
TREE = robot(
    link('platform', 50.0), link('mast', 10.0), link('upper', 3.0), link('lower', 2.0),
    link('camera', 0.5), link('bracket', 0.2), link('imu', 0), link('mount', 1.0),
    joint('lift', 'platform', 'mast', 'prismatic', xyz='0 0 1', limit='lower="0" upper="0.4"'),
    joint('weld', 'mast', 'mount', 'fixed', xyz='0.2 0 0'),
    joint('shoulder', 'mount', 'upper'),
    joint('elbow', 'upper', 'lower', xyz='0 0 0.5', axis='0 1 0'),
    joint('pan', 'mast', 'camera', xyz='0 0.3 0', limit='lower="0.5" upper="1"'),
    joint('stay', 'platform', 'bracket', 'fixed', xyz='1 0 0'),
    joint('glue', 'bracket', 'imu', 'fixed', rpy=f'0 0 {math.pi / 2}'))


def load(**choices):
    return RobotModel.from_urdf(TREE, **choices)


def test_everything_moves_by_default():
    assert load().joint_names == ('lift', 'shoulder', 'elbow', 'pan')


def test_a_base_inside_the_tree_counts_only_its_subtree():
    model = load(base_link='mast')
    assert model.joint_names == ('shoulder', 'elbow', 'pan')
    assert model.base_link == 'mast'
    assert model.base_inertial.mass == 11.0
    assert model.total_mass == 16.5
    assert set(model.contents.outside) == {'platform', 'bracket', 'imu'}


def test_frames_fixed_to_a_base_inside_the_tree_are_known_though_not_part_of_the_robot():
    model = load(base_link='bracket')
    assert model.total_mass == 0.2
    assert_allclose(model.frame('platform').p_BL, [-1, 0, 0])
    assert_allclose(model.frame('imu').R_BL, matrix_from_rpy([0, 0, math.pi / 2]))
    with pytest.raises(UnknownNameError):
        model.frame('mast')  # it moves against the base


def test_a_frame_beside_the_base_has_the_pose_of_the_way_up_and_down():
    model = RobotModel.from_urdf(robot(
        link('deck'), link('arm_base'), link('imu'), link('arm'),
        joint('a', 'deck', 'arm_base', 'fixed', xyz='1 2 3', rpy='0.1 0.2 0.3'),
        joint('b', 'deck', 'imu', 'fixed', xyz='-1 0 0.5', rpy='0 0.7 0'),
        joint('j', 'arm_base', 'arm')), base_link='arm_base')
    R_DA, R_DI = matrix_from_rpy([0.1, 0.2, 0.3]), matrix_from_rpy([0, 0.7, 0])
    frame = model.frame('imu')
    assert frame.body == -1
    assert_allclose(frame.R_BL, R_DA.T @ R_DI, atol=1e-15)
    assert_allclose(frame.p_BL, R_DA.T @ (np.array([-1, 0, 0.5]) - [1, 2, 3]), atol=1e-15)
    assert model.base_inertial.mass == 1.0


def test_only_the_joints_on_the_way_to_the_tip_move():
    assert load(tip_link='lower').joint_names == ('lift', 'shoulder', 'elbow')
    assert load(base_link='mast', tip_link='upper').joint_names == ('shoulder',)
    assert load(tip_link='imu').joint_names == ()


def test_what_is_held_keeps_its_mass():
    assert load(tip_link='upper').total_mass == load().total_mass == 66.7


def test_a_joint_list_selects_and_leaves_the_order_of_q_alone():
    assert load(joints=['elbow', 'lift']).joint_names == ('lift', 'elbow')
    assert load(joints=('pan',)).joint_names == ('pan',)
    assert load(joints=[]).joint_names == ()


def test_held_joints_stand_at_their_positions():
    model = load(joints=['elbow'], positions={'lift': 0.25, 'shoulder': 0.5, 'pan': 0.75})
    assert_allclose(model.frame('camera').p_BL, [0, 0.3, 1.25])
    assert_allclose(model.frame('camera').R_BL, matrix_from_rpy([0, 0, 0.75]), atol=1e-15)
    assert_allclose(model.bodies[0].p_PJ, [0.2, 0, 1.75])
    assert_allclose(model.bodies[0].R_PJ, matrix_from_rpy([0, 0, 0.5]), atol=1e-15)


def test_held_joints_without_a_position_stand_at_zero_and_outside_their_limits_that_is_noted():
    model = load(joints=['elbow'])
    assert_allclose(model.frame('camera').R_BL, np.eye(3))
    assert [note.element for note in model.notes if note.severity == 'warning'] == ["joint 'pan'"]
    assert model.contents.held == {'lift': 0.0, 'shoulder': 0.0, 'pan': 0.0}


def test_a_moving_tree_frozen_at_q_equals_the_held_one():
    """Forward kinematics of the moving model give the placements of the rigid one."""
    q = {'lift': 0.1, 'shoulder': -0.4, 'elbow': 0.9, 'pan': 0.6}
    held = load(joints=[], positions=q)
    R, p = np.eye(3), np.zeros(3)
    for name in ('lift', 'shoulder', 'elbow'):
        body = load().bodies[load().index(name)]
        R, p = R @ body.R_PJ, p + R @ body.p_PJ
        if body.joint.kind == 'prismatic':
            p = p + R @ body.joint.axis * q[name]
        else:
            R = R @ matrix_from_rpy(body.joint.axis * q[name])
    assert_allclose(held.frame('lower').R_BL, R, atol=1e-15)
    assert_allclose(held.frame('lower').p_BL, p, atol=1e-15)


@pytest.mark.parametrize('choices, error, message', [
    ({'base_link': 'mats'}, UnknownNameError, "unknown link 'mats'; known: mast"),
    ({'tip_link': 'lover'}, UnknownNameError, "unknown link 'lover'; known: lower"),
    ({'base_link': 'upper', 'tip_link': 'camera'}, InputError, "'camera' does not hang below"),
    ({'tip_link': 'upper', 'joints': ['lift']}, InputError, 'choose one of the two'),
    ({'joints': ['weld']}, UnknownNameError, "unknown moving joint 'weld'"),
    ({'joints': ['lift', 'lift']}, InputError, "'lift' is listed twice"),
    ({'joints': 'lift'}, InputError, 'expected a list of joint names'),
    ({'joints': 3}, InputError, 'expected a list of joint names'),
    ({'base_link': 'mast', 'joints': ['lift']}, UnknownNameError, "moving joint 'lift'"),
    ({'positions': {'lift': 0.1}}, InputError, r"positions\['lift'\]: the joint moves"),
    ({'joints': ['elbow'], 'positions': {'lyft': 1}}, UnknownNameError, "unknown joint 'lyft'"),
    ({'joints': ['elbow'], 'positions': {'weld': 1}}, UnknownNameError, "unknown joint 'weld'"),
    ({'joints': ['elbow'], 'positions': {'lift': 0.5}}, InputError, 'outside the limits'),
    ({'joints': ['elbow'], 'positions': {'lift': 'up'}}, InputError, r"positions\['lift'\]"),
    ({'joints': ['elbow'], 'positions': {'lift': math.nan}}, InputError, 'finite'),
    ({'joints': ['elbow'], 'positions': ['lift']}, InputError, 'expected a mapping'),
    ({'joints': ['elbow'], 'rotor_inertia': {'lift': 1.0}}, UnknownNameError, "joint 'lift'")])
def test_a_choice_that_makes_no_sense_is_refused(choices, error, message):
    with pytest.raises(error, match=message) as caught:
        load(**choices)
    assert isinstance(caught.value, RobotDynamicsError)


COUPLED = robot(
    *(link(name) for name in ('base', 'palm', 'left', 'right')),
    joint('wrist', 'base', 'palm'), joint('left_finger', 'palm', 'left'),
    joint('right_finger', 'palm', 'right',
          extra='<mimic joint="left_finger" multiplier="-2" offset="0.1"/>'))


@pytest.mark.parametrize('joints', [['left_finger'], ['right_finger']])
def test_choosing_a_coupled_joint_moves_the_whole_coupling(joints):
    model = RobotModel.from_urdf(COUPLED, joints=joints)
    assert model.joint_names == ('left_finger',)
    assert [body.name for body in model.bodies] == ['left', 'right']


def test_a_coupled_joint_is_held_where_its_driver_puts_it():
    model = RobotModel.from_urdf(COUPLED, joints=['wrist'], positions={'left_finger': 0.3})
    assert model.contents.held == pytest.approx({'left_finger': 0.3, 'right_finger': -0.5})
    assert_allclose(model.frame('right').R_BL, matrix_from_rpy([0, 0, -0.5]), atol=1e-15)
    with pytest.raises(InputError, match="follows joint 'left_finger'; give the position of that"):
        RobotModel.from_urdf(COUPLED, joints=['wrist'], positions={'right_finger': 0.3})


def test_a_coupled_joint_whose_driver_lies_outside_the_base_is_held_by_it():
    model = RobotModel.from_urdf(robot(
        *(link(name) for name in 'abcd'), joint('out', 'a', 'b'), joint('in', 'a', 'c'),
        joint('tied', 'c', 'd', 'prismatic', extra='<mimic joint="out" multiplier="2"/>')),
        base_link='c', positions={'out': 0.5})
    assert model.nv == 0
    assert_allclose(model.frame('d').p_BL, [0, 0, 1.0])

"""What a URDF becomes: merged bodies, their placement, the base and the order of the joints."""

import math

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
import pytest
from robot_dynamics import RobotModel
from robot_dynamics.core.errors import ModelError, UnknownNameError
from robot_dynamics.motion.rotations import matrix_from_rpy
from urdf_snippets import joint, link, robot, two_joints


def load(*parts, **choices):
    return RobotModel.from_urdf(robot(*parts), **choices)


def test_joints_come_depth_first_in_document_order():
    model = load(
        *(link(name) for name in 'zyxwv'),
        joint('second_branch', 'z', 'y'), joint('deep', 'x', 'w'),
        joint('first_in_branch', 'y', 'x'), joint('third', 'z', 'v'))
    assert model.joint_names == ('second_branch', 'first_in_branch', 'deep', 'third')
    assert [body.name for body in model.bodies] == ['y', 'x', 'w', 'v']
    assert [body.parent for body in model.bodies] == [-1, 0, 1, -1]


def test_a_fixed_link_adds_its_mass_where_it_sits():
    model = load(
        link('base'), link('arm', 2.0, '0 0 0'), link('tool', 3.0, '0.1 0 0'),
        joint('j', 'base', 'arm'),
        joint('weld', 'arm', 'tool', 'fixed', xyz='0 0 0.5', rpy=f'0 0 {math.pi / 2}'))
    arm = model.bodies[0].inertial
    assert len(model.bodies) == 1
    assert arm.mass == 5.0
    assert_allclose(arm.com, [0, 0.06, 0.3], atol=1e-15)
    # about the origin: both tensors, the tool's turned by a quarter about z, and m (d.d 1 - d d^T)
    d = np.array([0, 0.1, 0.5])
    about_origin = np.diag([0.02, 0.03, 0.04]) + np.diag([0.03, 0.02, 0.04]) \
        + 3.0 * (d @ d * np.eye(3) - np.outer(d, d))
    c = arm.com
    assert_allclose(arm.inertia + 5.0 * (c @ c * np.eye(3) - np.outer(c, c)), about_origin,
                    atol=1e-15)


def test_the_root_keeps_its_inertia_and_what_is_fixed_to_it():
    model = load(link('base', 4.0, '0 0 1'), link('plate', 1.0, '0 0 0'), link('arm'),
                 joint('weld', 'base', 'plate', 'fixed', xyz='0 0 6'), joint('j', 'plate', 'arm'))
    assert model.base_inertial.mass == 5.0
    assert_allclose(model.base_inertial.com, [0, 0, 2])
    assert_allclose(model.bodies[0].p_PJ, [0, 0, 6])


def test_a_turned_inertial_origin_turns_the_tensor():
    rpy = np.array([0.3, -0.7, 1.1])
    model = load(link('base'), link('arm', rpy='0.3 -0.7 1.1'), joint('j', 'base', 'arm'))
    R = matrix_from_rpy(rpy)
    assert_allclose(model.bodies[0].inertial.inertia, R @ np.diag([0.02, 0.03, 0.04]) @ R.T,
                    atol=1e-16)
    assert_array_equal(model.bodies[0].inertial.com, [0.1, 0.2, 0.3])


def test_fixed_joints_between_two_moving_ones_enter_the_placement():
    model = load(*(link(name) for name in 'abcd'), joint('j1', 'a', 'b'),
                 joint('weld', 'b', 'c', 'fixed', xyz='1 0 0', rpy=f'0 0 {math.pi / 2}'),
                 joint('j2', 'c', 'd', xyz='1 0 0', rpy='0 0.4 0'))
    assert_allclose(model.bodies[1].p_PJ, [1, 1, 0], atol=1e-15)
    assert_allclose(model.bodies[1].R_PJ, matrix_from_rpy([0, 0.4, math.pi / 2]), atol=1e-15)


def test_every_link_has_a_frame_also_a_merged_one():
    model = load(*(link(name) for name in 'abc'), joint('j', 'a', 'b'),
                 joint('weld', 'b', 'c', 'fixed', xyz='1 2 3', rpy='0 0 0.5'))
    assert model.link_names == ('a', 'b', 'c')
    assert model.frame('a').body == -1
    assert model.frame('c').body == 0
    assert_array_equal(model.frame('c').p_BL, [1, 2, 3])
    assert_allclose(model.frame('c').R_BL, matrix_from_rpy([0, 0, 0.5]))
    with pytest.raises(UnknownNameError, match="unknown link 'd'; known: a, b, c"):
        model.frame('d')


@pytest.mark.parametrize('written, axis', [
    ('0 0 3', [0, 0, 1]), ('1 1 0', [math.sqrt(0.5), math.sqrt(0.5), 0]),
    ('0 -1 0', [0, -1, 0]), ('3e200 0 4e200', [0.6, 0, 0.8]), ('1e-5 0 0', [1, 0, 0])])
def test_any_axis_is_scaled_to_one(written, axis):
    model = load(link('base'), link('arm'), joint('j', 'base', 'arm', axis=written))
    assert_allclose(model.bodies[0].joint.axis, axis, atol=1e-15)


def test_the_axis_is_x_where_none_is_written():
    text = robot(link('base'), link('arm'), joint('j', 'base', 'arm'))
    model = RobotModel.from_urdf(text.replace('<axis xyz="0 0 1"/>', ''))
    assert_array_equal(model.bodies[0].joint.axis, [1, 0, 0])


def test_limits_and_friction_arrive_by_joint():
    model = RobotModel.from_urdf(two_joints(second='<dynamics damping="0.5" friction="0.25"/>'))
    assert_array_equal(model.lower, [-2, -2])
    assert_array_equal(model.upper, [2, 2])
    assert_array_equal(model.velocity_limit, [3, 3])
    assert_array_equal(model.effort_limit, [40, 40])
    assert_array_equal(model.damping, [0, 0.5])
    assert_array_equal(model.friction, [0, 0.25])


def test_a_continuous_joint_has_no_position_limits():
    model = load(link('base'), link('arm'), joint('j', 'base', 'arm', 'continuous'))
    assert (model.lower[0], model.upper[0]) == (-math.inf, math.inf)
    assert model.joints[0].kind == 'continuous'


def test_one_missing_position_limit_is_zero_as_urdf_says():
    model = load(link('base'), link('arm'), joint('j', 'base', 'arm', limit='upper="1.5"'))
    assert (model.lower[0], model.upper[0]) == (0.0, 1.5)


@pytest.mark.parametrize('limit', ['', 'lower="-inf" upper="inf"'])
def test_a_revolute_joint_without_position_limits_is_unlimited_and_noted(limit):
    model = load(link('base'), link('arm'), joint('j', 'base', 'arm', limit=limit))
    assert (model.lower[0], model.upper[0]) == (-math.inf, math.inf)
    assert any('no position limits' in note.text for note in model.notes)


def test_a_missing_limit_element_leaves_everything_unlimited():
    text = two_joints().replace(
        '<limit lower="-2" upper="2" velocity="3" effort="40"/>', '', 1)
    model = RobotModel.from_urdf(text)
    assert model.velocity_limit[0] == model.effort_limit[0] == math.inf
    assert model.effort_limit[1] == 40


@pytest.mark.parametrize('kind', ['floating', 'planar'])
def test_a_free_joint_at_the_root_is_the_moving_base(kind):
    model = load(link('world', 0), link('deck', 7.0), link('arm'),
                 joint('free', 'world', 'deck', kind, xyz='5 5 5'), joint('j', 'deck', 'arm'))
    assert model.floating_base
    assert model.base_link == 'deck'
    assert model.base_inertial.mass == 7.0
    assert model.link_names == ('deck', 'arm')
    assert_array_equal(model.bodies[0].p_PJ, [0, 0, 0])


def test_fixed_joints_may_lie_above_the_free_joint_and_lost_mass_is_noted():
    model = load(link('world', 0), link('map', 2.0), link('deck'), link('arm'),
                 joint('weld', 'world', 'map', 'fixed'), joint('free', 'map', 'deck', 'floating'),
                 joint('j', 'deck', 'arm'))
    assert model.base_link == 'deck'
    assert any("link 'map'" == note.element and note.severity == 'warning'
               for note in model.notes)


@pytest.mark.parametrize('kind', ['floating', 'planar'])
def test_a_free_joint_elsewhere_is_refused(kind):
    parts = [link('base'), link('arm'), link('ball'), joint('j', 'base', 'arm'),
             joint('free', 'arm', 'ball', kind)]
    with pytest.raises(ModelError, match=f"joint 'free': is {kind} below the base 'base'"):
        load(*parts)
    beside = [link('base'), link('arm'), link('ball'), joint('j', 'base', 'arm'),
              joint('free', 'base', 'ball', kind)]
    with pytest.raises(ModelError, match="joint 'free'"):
        load(*beside)


def test_a_robot_without_moving_joints_loads_and_says_so():
    model = load(link('base', 3.0))
    assert (model.nv, model.bodies, model.total_mass) == (0, (), 3.0)
    assert any(note.text == 'no joint moves' for note in model.notes)


def test_what_does_not_enter_dynamics_is_counted_not_hidden():
    model = RobotModel.from_urdf(robot(
        '<material name="m"><color rgba="1 0 0 1"/></material>',
        '<link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual>'
        '<visual/><collision/><blob/></link>',
        link('arm'), joint('j', 'base', 'arm', extra='<safety_controller k_velocity="1"/>'),
        '<transmission name="t"/>', '<gazebo reference="arm"/>', '<made_up/>'))
    assert model.contents.unused == {
        'material': 1, 'visual': 2, 'collision': 1, 'safety_controller': 1, 'transmission': 1,
        'gazebo': 1}
    texts = [str(note) for note in model.notes]
    assert any('<blob> of <link>' in text for text in texts)
    assert any('<made_up> of <robot>' in text for text in texts)


def test_unknown_attributes_are_noted_once_with_their_number():
    model = RobotModel.from_urdf(two_joints(*['<dynamics damping="1" mu_coulomb="2"/>'] * 2))
    notes = [note for note in model.notes if 'mu_coulomb' in note.text]
    assert [note.element for note in notes] == ["joint 'shoulder'"]
    assert '2 times' in notes[0].text


def test_loading_prints_nothing(capfd):
    RobotModel.from_urdf(robot(
        link('base'), link('arm'), '<foo/>', '<transmission name="odd"><joint/></transmission>',
        joint('j', 'base', 'arm', extra='<bar x="1"/>')))
    captured = capfd.readouterr()
    assert captured.out == captured.err == ''

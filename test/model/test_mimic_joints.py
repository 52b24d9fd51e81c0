"""Mimic joints: every body says which coordinate moves it, with which multiplier and offset."""

import pytest
from robot_dynamics import RobotModel
from urdf_snippets import joint, link, robot


def gripper(*joints):
    """Load a base with one link on each joint (name, extra element)."""
    parts = [link('base')]
    for name, extra in joints:
        parts += [link(f'{name}_link'), joint(name, 'base', f'{name}_link', extra=extra)]
    return RobotModel.from_urdf(robot(*parts))


def follow(driver, **rule):
    return f'<mimic joint="{driver}" ' + ' '.join(f'{k}="{v}"' for k, v in rule.items()) + '/>'


def test_a_follower_is_no_coordinate_but_a_body():
    model = gripper(('left', ''), ('right', follow('left', multiplier=-1, offset=0.5)))
    assert model.joint_names == ('left',)
    left, right = model.bodies
    assert (left.coordinate, left.multiplier, left.offset) == (0, 1.0, 0.0)
    assert (right.coordinate, right.multiplier, right.offset) == (0, -1.0, 0.5)
    assert right.joint.mimic.joint == 'left'
    assert left.joint.mimic is None


def test_multiplier_and_offset_default_to_one_and_zero():
    body = gripper(('a', ''), ('b', follow('a'))).bodies[1]
    assert (body.multiplier, body.offset) == (1.0, 0.0)


def test_a_chain_is_multiplied_out():
    # c = 3 b + 4 and b = 2 a + 1 give c = 6 a + 7
    model = gripper(('a', ''), ('b', follow('a', multiplier=2, offset=1)),
                    ('c', follow('b', multiplier=3, offset=4)))
    assert (model.bodies[2].multiplier, model.bodies[2].offset) == (6.0, 7.0)
    assert model.bodies[2].joint.mimic.joint == 'a'


def test_a_follower_may_come_before_its_driver():
    model = gripper(('x', ''), ('b', follow('a', multiplier=2)), ('a', ''))
    assert model.joint_names == ('x', 'a')
    assert [body.coordinate for body in model.bodies] == [0, 1, 1]


@pytest.mark.slow
def test_a_long_chain_needs_no_recursion():
    joints = [('j0', '')] + [(f'j{k}', follow(f'j{k - 1}')) for k in range(1, 3000)]
    assert gripper(*reversed(joints)).joint_names == ('j0',)


def test_a_follower_of_a_fixed_joint_rests_at_its_offset():
    model = RobotModel.from_urdf(robot(
        link('base'), link('a'), link('b'), link('c'), joint('weld', 'base', 'a', 'fixed'),
        joint('j', 'a', 'b'),
        joint('slide', 'a', 'c', 'prismatic', extra=follow('weld', multiplier=3, offset=0.25))))
    assert model.joint_names == ('j',)
    assert tuple(model.frame('c').p_BL) == (0, 0, 0.25)
    assert model.frame('c').body == -1


def test_a_multiplier_of_zero_makes_the_joint_rigid_at_its_offset():
    model = RobotModel.from_urdf(robot(
        link('base'), link('a'), link('b'), joint('j', 'base', 'a'),
        joint('slide', 'a', 'b', 'prismatic', extra=follow('j', multiplier=0, offset=0.5))))
    assert len(model.bodies) == 1
    assert tuple(model.frame('b').p_BL) == (0, 0, 0.5)


def test_a_mimic_of_a_fixed_joint_element_is_noted_and_not_used():
    model = RobotModel.from_urdf(robot(
        link('base'), link('a'), link('b'), joint('j', 'base', 'a'),
        joint('weld', 'a', 'b', 'fixed', extra=follow('j'))))
    assert any(note.element == "joint 'weld'" and 'mimic' in note.text for note in model.notes)


def test_the_coupling_is_noted():
    model = gripper(('left', ''), ('right', follow('left', multiplier=-1, offset=0.5)))
    assert any(str(note) == "joint 'right': follows: -1 * 'left' +0.5" for note in model.notes)


@pytest.mark.parametrize('multiplier', ['1e200', '-1e200'])
def test_multipliers_that_overflow_along_a_chain_are_refused(multiplier):
    from robot_dynamics.core.errors import ModelError
    with pytest.raises(ModelError, match="joint 'c': <mimic>: the multipliers .* overflow"):
        gripper(('a', ''), ('b', follow('a', multiplier=multiplier)),
                ('c', follow('b', multiplier=multiplier)))

"""Parts of a robot, held joints and rotors, chosen by words of options and parameters."""

import numpy as np
from numpy.testing import assert_allclose
import pytest
from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.core.errors import ConfigurationError, InputError, UnknownNameError
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.named_values import named_numbers, named_words
from robot_dynamics.model.rotors import reflected_inertia
from urdf_snippets import joint, link, robot, two_joints

FOLLOWER = ('<dynamics damping="0.5" friction="2"/>'
            '<mimic joint="shoulder" multiplier="-3" offset="0.1"/>')


def test_a_held_joint_is_rigid_where_it_was_told_and_the_others_move():
    model = ModelChoice(held_joints=('elbow=0.3',)).load(two_joints())
    expected = RobotModel.from_urdf(two_joints(), joints=['shoulder'], positions={'elbow': 0.3})
    assert model.joint_names == ('shoulder',)
    assert model.fingerprint == expected.fingerprint


def test_a_held_joint_without_a_position_stands_at_zero():
    model = ModelChoice(held_joints=('elbow', '')).load(two_joints())
    assert model.fingerprint == RobotModel.from_urdf(two_joints(), joints=['shoulder']).fingerprint


def test_holding_is_the_torque_of_the_whole_robot_at_that_position():
    whole = InverseDynamics(RobotModel.from_urdf(two_joints()), backend='interpreted')
    part = InverseDynamics(ModelChoice(held_joints=('elbow=0.3',)).load(two_joints()),
                           backend='interpreted')
    assert_allclose(part.torque([0.4], [1.2], [2.0]),
                    whole.torque([0.4, 0.3], [1.2, 0.0], [2.0, 0.0])[:1], rtol=1e-12)


def test_who_holds_a_driver_holds_its_followers():
    text = two_joints('', '<mimic joint="shoulder" multiplier="2" offset="0.1"/>')
    text = text.replace('</robot>', link('tip') + joint('wrist', 'lower', 'tip') + '</robot>')
    model = ModelChoice(held_joints=('shoulder=0.2',)).load(text)
    assert model.joint_names == ('wrist',)
    assert model.contents.held == {'shoulder': 0.2, 'elbow': pytest.approx(0.5)}


def test_held_joints_go_with_a_tip_link_and_with_chosen_joints():
    kept = ModelChoice(tip_link='lower', held_joints=('shoulder=0.1',)).load(two_joints())
    assert kept.joint_names == ('elbow',)
    chosen = ModelChoice(joints=('elbow',), held_joints=('shoulder=0.1',)).load(two_joints())
    assert chosen.fingerprint == kept.fingerprint
    off_chain = ModelChoice(tip_link='upper', held_joints=('elbow=0.1',)).load(two_joints())
    assert off_chain.contents.held == {'elbow': 0.1}


@pytest.mark.parametrize('choice, error, told', [
    ({'held_joints': ('elbow=far',)}, ConfigurationError, "held_joints: elbow: 'far' is not a"),
    ({'held_joints': ('=1',)}, ConfigurationError, 'not of the form name=value'),
    ({'held_joints': ('elbow=1', 'elbow=2')}, ConfigurationError, 'given twice'),
    ({'held_joints': ('elbow=inf',)}, ConfigurationError, 'not a number'),
    ({'held_joints': ('elbow=9',)}, InputError, 'outside the limits'),
    ({'held_joints': ('knee=1',)}, UnknownNameError, 'knee.*elbow'),
    ({'joints': ('elbow',), 'held_joints': ('elbow=1',)}, ConfigurationError, 'as well'),
    ({'base_link': 'bse'}, UnknownNameError, 'base'),
    ({'rotors': ('knee=1',)}, UnknownNameError, 'knee.*shoulder'),
    ({'rotors': ('elbow=-1',)}, ConfigurationError, 'rotors: elbow.*negative'),
    ({'rotors': ('elbow=1@',)}, ConfigurationError, 'not a number'),
    ({'rotors': ('elbow=1@nan',)}, ConfigurationError, 'not a number'),
    ({'xacro_arguments': ('a=1',)}, ConfigurationError, 'name:=value')])
def test_a_choice_that_cannot_be_says_why(choice, error, told):
    with pytest.raises(error, match=told):
        ModelChoice(**choice).load(two_joints())


def test_xacro_arguments_may_hold_anything_after_the_sign(tmp_path):
    pytest.importorskip('xacro')
    assert named_words('x', ['a:=b:=c=d'], ':=') == {'a': 'b:=c=d'}
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                    '<xacro:arg name="base" default="b"/><link name="$(arg base)"/>'
                    + link('a') + joint('j', '$(arg base)', 'a') + '</robot>')
    assert ModelChoice(xacro_arguments=('base:=deck',)).load(file).base_link == 'deck'


def test_a_name_may_hold_the_sign():
    assert named_numbers('x', ['a=b=1.5']) == {'a=b': 1.5}


def test_a_rotor_behind_a_gear_is_felt_with_the_ratio_squared():
    model = ModelChoice(rotors=('shoulder=3e-4@50', 'elbow=0.2')).load(two_joints())
    assert_allclose(model.rotor_inertia, [0.75, 0.2], rtol=1e-15)
    torque = InverseDynamics(model, rotor_inertia=True, backend='interpreted').terms(
        [0, 0], [0, 0], [2.0, 3.0]).rotor
    assert_allclose(torque, [1.5, 0.6], rtol=1e-15)


def test_a_follower_s_rotor_is_felt_by_its_driver():
    model = RobotModel.from_urdf(two_joints('', FOLLOWER))
    assert reflected_inertia(model, ['shoulder=1', 'elbow=0.1']) == {
        'shoulder': pytest.approx(1 + 9 * 0.1)}


def test_a_follower_s_friction_is_felt_by_its_driver():
    """By virtual work: a damper at the follower takes d (k qd) k from the driver."""
    model = RobotModel.from_urdf(two_joints('<dynamics damping="1" friction="4"/>', FOLLOWER))
    assert_allclose(model.damping, [1 + 9 * 0.5])
    assert_allclose(model.friction, [4 + 3 * 2])
    assert_allclose(RobotModel.from_urdf(model.to_urdf()).damping, model.damping)
    torque = InverseDynamics(model, friction=True, backend='interpreted').terms([0], [2.0], [0])
    assert_allclose(torque.friction, [5.5 * 2 + 10], rtol=1e-5)


def notes(*parts, **choice):
    return [str(note) for note in RobotModel.from_urdf(robot(*parts), **choice).notes]


def test_notes_say_whose_friction_is_used_and_whose_is_not():
    parts = (link('base'), link('a'), link('b'), link('c'),
             joint('j', 'base', 'a', extra='<dynamics damping="1"/>'),
             joint('k', 'a', 'b', extra='<dynamics friction="1"/>'),
             joint('w', 'b', 'c', 'fixed', extra='<dynamics friction="1"/>'))
    said = notes(*parts, joints=['j'])
    assert "robot: damping and friction of 'j': used where friction is asked for" in said
    assert any("of 'k', 'w': not used, these joints do not move" in text for text in said)


def test_notes_say_that_gears_safety_and_unknown_tags_are_not_used():
    said = ' '.join(notes(
        link('base'), link('a'), joint(
            'j', 'base', 'a', extra='<safety_controller k_velocity="1"/><spring stiffness="3"/>'),
        '<transmission name="t"><joint name="j"><mechanicalReduction>50</mechanicalReduction>'
        '</joint></transmission>'))
    assert 'gear ratios of <transmission> are not used' in said
    assert '1 <safety_controller>' in said and '1 <transmission>' in said
    assert '<spring> of <joint> is not known and not used' in said


def test_any_number_of_turns_of_a_continuous_joint_gives_the_same_torque():
    text = robot(link('base'), link('a'), joint('j', 'base', 'a', 'continuous', axis='0 1 0'))
    dynamics = InverseDynamics(RobotModel.from_urdf(text), backend='interpreted')
    near = dynamics.torque([0.7], [1.0], [2.0])
    for turns in (-1, 1, 1000, -100_000):
        far = dynamics.torque([0.7 + turns * 2 * np.pi], [1.0], [2.0])
        assert_allclose(far, near, rtol=1e-9)

"""Notes: what is odd about a description that loads, and what was done with it."""

import pytest
from robot_dynamics import RobotModel
from robot_dynamics.core.errors import ModelError
from robot_dynamics.model import source
from urdf_snippets import BOX, joint, link, robot, two_joints

ARM = (link('base'), link('arm'))


def texts(*parts, severity='warning', **choices):
    notes = RobotModel.from_urdf(robot(*parts), **choices).notes
    return [str(note) for note in notes if note.severity == severity]


@pytest.mark.parametrize('parts, expected', [
    ((*ARM, joint('j', 'base', 'arm', axis='0 0 2')),
     "joint 'j': its axis has length 2: scaled to one"),
    ((*ARM, joint('j', 'base', 'arm', limit='lower="1" upper="1"')),
     "joint 'j': its lower and upper limit are both 1: it cannot move"),
    ((*ARM, joint('j', 'base', 'arm', extra='<dynamics damping="-2"/>')),
     "joint 'j': its damping -2 is negative: it would drive the joint"),
    ((*ARM, joint('j', 'base', 'arm', extra='<dynamics friction="-2"/>')),
     "joint 'j': its friction -2 is negative: it would drive the joint")])
def test_an_oddity_is_one_warning_that_says_what_was_done(parts, expected):
    assert texts(*parts) == [expected]


def test_a_sound_robot_has_no_warning():
    assert texts(*ARM, joint('j', 'base', 'arm')) == []


def test_an_inertial_without_inertia_counts_as_a_point_and_is_noted():
    point = link('arm', inertia='')
    found = texts(link('base'), point, joint('j', 'base', 'arm'))
    assert found[0] == "link 'arm': <inertial> has no <inertia>: taken as zero"


def test_a_robot_without_name_is_called_robot_and_that_is_noted():
    model = RobotModel.from_urdf(two_joints().replace(' name="test"', '', 1))
    assert model.name == 'robot'
    assert any('has no name' in note.text for note in model.notes)


def test_held_joints_and_links_outside_the_base_are_noted():
    parts = (link('base'), link('mid'), link('arm'), joint('j', 'base', 'mid'),
             joint('k', 'mid', 'arm'))
    assert "joint 'k': is held at 0.5" in texts(
        *parts, severity='info', joints=['j'], positions={'k': 0.5})
    assert any("not below it, and not used: 'base'" in text
               for text in texts(*parts, severity='info', base_link='mid'))


def test_limits_of_a_continuous_joint_are_not_compared():
    parts = (*ARM, joint('j', 'base', 'arm', 'continuous', limit='lower="2" upper="1"'))
    assert RobotModel.from_urdf(robot(*parts)).upper[0] == float('inf')


def test_friction_without_damping_survives_writing():
    model = RobotModel.from_urdf(two_joints('<dynamics friction="0.5"/>'))
    assert RobotModel.from_urdf(model.to_urdf()).friction[0] == 0.5


def test_a_free_joint_that_is_not_alone_at_the_root_is_refused():
    with pytest.raises(ModelError, match="joint 'free': is floating below the base 'base'"):
        RobotModel.from_urdf(robot(
            *ARM, link('ball'), joint('free', 'base', 'ball', 'floating'),
            joint('j', 'base', 'arm')))


def test_naming_the_link_on_the_free_joint_as_base_is_the_same_as_the_default():
    text = robot(link('world', 0), *ARM, joint('free', 'world', 'base', 'floating'),
                 joint('j', 'base', 'arm'))
    assert RobotModel.from_urdf(text, base_link='base').fingerprint == \
        RobotModel.from_urdf(text).fingerprint
    with pytest.raises(ModelError, match="choose base_link='base'"):
        RobotModel.from_urdf(text, base_link='world')


def test_a_held_slide_moves_along_its_axis_in_the_turned_joint_frame():
    model = RobotModel.from_urdf(robot(
        *ARM, joint('j', 'base', 'arm', 'prismatic', rpy='1.5707963267948966 0 0')),
        joints=[], positions={'j': 0.5})
    assert tuple(model.frame('arm').p_BL) == pytest.approx((0, -0.5, 0))


def test_masses_that_cancel_within_a_subtree_are_left_to_the_warning():
    model = RobotModel.from_urdf(robot(
        link('base'), link('plus', 1.0, inertia=BOX), link('minus', -1.0, inertia=BOX),
        joint('j', 'base', 'plus'), joint('k', 'plus', 'minus')))
    assert any('negative mass' in note.text for note in model.notes)


def test_a_text_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(source, 'MAXIMUM_BYTES', 100)
    with pytest.raises(ModelError, match='description text: has 0 MB, more than'):
        RobotModel.from_urdf(two_joints())


def test_the_summary_does_not_count_frames_beside_the_base_as_carried():
    model = RobotModel.from_urdf(robot(
        link('deck'), *ARM, joint('weld', 'deck', 'base', 'fixed'), joint('j', 'base', 'arm')),
        base_link='base')
    assert 'deck' in model.link_names
    assert model.summary()['base']['carries'] == []
    assert model.summary()['file']['outside'] == ['deck']

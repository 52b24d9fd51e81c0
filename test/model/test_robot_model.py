"""The model as a value: immutable, comparable by fingerprint, changed only by making a new one."""

import copy
import dataclasses
import pickle

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
import pytest
from robot_dynamics import RobotModel
from robot_dynamics.core.errors import InputError, UnknownNameError
from urdf_snippets import joint, link, robot, two_joints

TEXT = robot(link('base', 4.0), link('upper', 3.0), link('lower', 2.0), link('tool', 0),
             joint('shoulder', 'base', 'upper', rpy='0.1 0.2 0.3'),
             joint('elbow', 'upper', 'lower', xyz='0 0 0.5', axis='0 1 0'),
             joint('weld', 'lower', 'tool', 'fixed', xyz='0 0.1 0.4', rpy='0.5 0 0'))


@pytest.fixture
def model():
    return RobotModel.from_urdf(TEXT)


def arrays(model):
    yield from (model.lower, model.upper, model.velocity_limit, model.effort_limit,
                model.damping, model.friction, model.rotor_inertia)
    yield from (model.base_inertial.com, model.base_inertial.inertia)
    for body in model.bodies:
        yield from (body.R_PJ, body.p_PJ, body.joint.axis, body.inertial.com,
                    body.inertial.inertia)
    for frame in model.frames.values():
        yield from (frame.R_BL, frame.p_BL)


@pytest.mark.parametrize('remake', [lambda m: m, copy.deepcopy,
                                    lambda m: pickle.loads(pickle.dumps(m))],
                         ids=['loaded', 'copied', 'unpickled'])
def test_nothing_in_a_model_can_be_changed(model, remake):
    model = remake(model)
    for array in arrays(model):
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[...] = 0
    for part in (model, model.bodies[0], model.joints[0], model.base_inertial,
                 model.frame('tool')):
        field = dataclasses.fields(part)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, field, 'other')
    with pytest.raises(TypeError):
        model.frames['base'] = None


def test_arrays_given_to_a_model_are_copied():
    com = np.array([1.0, 2.0, 3.0])
    inertial = dataclasses.replace(RobotModel.from_urdf(TEXT).base_inertial, com=com)
    com[0] = 9.0
    assert inertial.com[0] == 1.0


def test_index_follows_the_names_and_unknown_ones_list_the_known(model):
    assert [model.index(name) for name in model.joint_names] == [0, 1]
    with pytest.raises(UnknownNameError, match="unknown joint 'elbwo'; known: elbow, shoulder"):
        model.index('elbwo')
    with pytest.raises(UnknownNameError):
        model.index('weld')


def test_repr_tells_the_essentials(model):
    assert repr(model) == "<RobotModel 'test': 2 joints, 2 bodies, 9 kg, on base 'base'>"


def test_copies_have_the_same_fingerprint(model):
    assert copy.deepcopy(model).fingerprint == model.fingerprint
    assert pickle.loads(pickle.dumps(model)).fingerprint == model.fingerprint
    assert RobotModel.from_urdf(TEXT.replace('"test"', '"other"')).fingerprint == model.fingerprint


@pytest.mark.parametrize('old, new', [
    ('mass value="2.0"', 'mass value="2.0000000000000004"'), ('xyz="0 0 0.5"', 'xyz="0 0 0.6"'),
    ('rpy="0.1', 'rpy="0.2'), ('axis xyz="0 1 0"', 'axis xyz="0 -1 0"'),
    ('"elbow"', '"knee"'), ('"lower"/>', '"lower"/>'), ('"revolute"', '"prismatic"'),
    ('lower="-2"', 'lower="-1"'), ('effort="40"', 'effort="50"'), ('ixx="0.02"', 'ixx="0.021"'),
    ('<axis', '<dynamics damping="1"/><axis'), ('<axis', '<dynamics friction="1"/><axis'),
    ('0 0.1 0.4', '0 0.1 0.5'), ('link="tool"', 'link="tip"')])
def test_every_change_of_content_changes_the_fingerprint(model, old, new):
    text = TEXT.replace(old, new).replace('link name="tool"', 'link name="tip"') \
        if 'tip' in new else TEXT.replace(old, new)
    assert (RobotModel.from_urdf(text).fingerprint != model.fingerprint) == (old != new)


def test_rotor_inertia_and_payload_change_the_fingerprint_and_leave_the_old_model_alone(model):
    before = model.fingerprint
    prints = {before, model.with_rotor_inertia({'elbow': 0.1}).fingerprint,
              model.with_rotor_inertia({'shoulder': 0.1}).fingerprint,
              model.with_payload('tool', 1.0).fingerprint,
              model.with_payload('base', 1.0).fingerprint}
    assert len(prints) == 5
    assert RobotModel.from_urdf(TEXT).fingerprint == before == model.fingerprint


def test_a_payload_equals_the_same_mass_welded_on_in_the_file(model):
    com, inertia = [0.02, -0.03, 0.05], np.array(
        [[0.02, 0.001, 0.002], [0.001, 0.03, 0.003], [0.002, 0.003, 0.04]])
    welded = RobotModel.from_urdf(TEXT.replace('</robot>', link(
        'load', 1.5, '0.02 -0.03 0.05',
        inertia='<inertia ixx="0.02" ixy="0.001" ixz="0.002" iyy="0.03" iyz="0.003" izz="0.04"/>')
        + joint('grip', 'tool', 'load', 'fixed') + '</robot>'))
    loaded = model.with_payload('tool', 1.5, com, inertia)
    for ours, theirs in zip(loaded.bodies, welded.bodies):
        assert ours.inertial.mass == theirs.inertial.mass
        assert_allclose(ours.inertial.com, theirs.inertial.com, atol=1e-15)
        assert_allclose(ours.inertial.inertia, theirs.inertial.inertia, atol=1e-15)


def test_a_payload_on_the_base_is_the_bases(model):
    loaded = model.with_payload('base', 4.0, [0.3, 0.4, 0.5])
    assert loaded.base_inertial.mass == 8.0
    assert_allclose(loaded.base_inertial.com, [0.2, 0.3, 0.4])
    assert loaded.bodies == model.bodies


def test_a_payload_of_zero_is_exactly_nothing(model):
    assert model.with_payload('tool', 0.0, [1, 2, 3]).fingerprint == model.fingerprint


@pytest.mark.parametrize('arguments, message', [
    (('tool', -1.0), 'mass'), (('tool', np.nan), 'mass'), (('tool', 1.0, [0, 0]), 'com'),
    (('tool', 1.0, [0, 0, 0], np.eye(2)), 'inertia'),
    (('tool', 1.0, [0, 0, 0], [[1, 2, 0], [0, 1, 0], [0, 0, 1]]), 'inertia: is not symmetric'),
    (('tool', 1.0, [0, 0, 0], -np.eye(3)), 'inertia: is not positive semidefinite')])
def test_an_impossible_payload_is_refused(model, arguments, message):
    with pytest.raises(InputError, match=message):
        model.with_payload(*arguments)
    with pytest.raises(UnknownNameError, match="unknown link 'hand'"):
        model.with_payload('hand', 1.0)


def test_rotor_inertia_goes_to_the_named_joint_and_the_others_keep_theirs(model):
    first = model.with_rotor_inertia({'elbow': 0.2})
    both = first.with_rotor_inertia({'shoulder': 0.1})
    assert_array_equal(model.rotor_inertia, [0, 0])
    assert_array_equal(both.rotor_inertia, [0.1, 0.2])


@pytest.mark.parametrize('values', [[0.1, 0.2], 0.1, np.array([0.1, 0.2]), 'elbow', []])
def test_rotor_inertia_without_names_is_refused(model, values):
    with pytest.raises(InputError, match='^rotor_inertia: .*mapping'):
        model.with_rotor_inertia(values)


def test_the_summary_tells_what_was_there_used_and_not_used():
    text = two_joints('<dynamics damping="0.5" friction="0.25"/>').replace(
        '</robot>', link('hand') + link('stand', 0) + '<gazebo/>'
        + joint('tie', 'lower', 'hand', extra='<mimic joint="elbow" multiplier="2"/>')
        + joint('weld', 'base', 'stand', 'fixed') + '</robot>')
    data = RobotModel.from_urdf(text, joints=['elbow'], positions={'shoulder': 1.0}) \
        .with_rotor_inertia({'elbow': 0.3}).summary()
    assert data['base']['carries'] == ['upper', 'stand']
    assert [row['name'] for row in data['joints']] == ['elbow']
    assert data['joints'][0]['rotor_inertia'] == 0.3
    assert data['joints'][0]['axis'] == [0.0, 1.0, 0.0]
    assert data['coupled'] == [
        {'name': 'tie', 'follows': 'elbow', 'multiplier': 2.0, 'offset': 0.0}]
    assert data['held'] == {'shoulder': 1.0}
    assert [row['link'] for row in data['bodies']] == ['lower', 'hand']
    assert [row['parent'] for row in data['bodies']] == ['base', 'lower']
    assert (data['total_mass'], data['moving_mass']) == (4.0, 2.0)
    assert data['file']['joint_types'] == {'revolute': 3, 'fixed': 1}
    assert data['file']['unused'] == {'gazebo': 1}
    assert any('gazebo' in text for text in data['remarks'])


def test_the_summary_holds_only_plain_values(model):
    def plain(value):
        if isinstance(value, dict):
            return all(isinstance(key, str) and plain(item) for key, item in value.items())
        if isinstance(value, list):
            return all(map(plain, value))
        return value is None or type(value) in (str, int, float, bool)
    assert plain(model.summary())

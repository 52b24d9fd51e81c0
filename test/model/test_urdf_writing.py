"""A model written as URDF loads back to the same model."""

from hypothesis import given, settings, strategies as st
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
import pytest
from random_trees import random_model
from robot_dynamics import RobotModel
from urdf_snippets import joint, link, robot, two_joints


def assert_same_model(ours, theirs):
    """Exact in everything but rotations, which pass through roll, pitch and yaw."""
    assert ours.name == theirs.name
    assert ours.base_link == theirs.base_link
    assert ours.floating_base == theirs.floating_base
    assert ours.joint_names == theirs.joint_names
    assert set(ours.link_names) == set(theirs.link_names)
    assert_same_inertial(ours.base_inertial, theirs.base_inertial)
    for a, b in zip(ours.bodies, theirs.bodies, strict=True):
        assert (a.name, a.parent, a.coordinate) == (b.name, b.parent, b.coordinate)
        assert (a.multiplier, a.offset) == (b.multiplier, b.offset)
        assert_allclose(a.R_PJ, b.R_PJ, atol=5e-15)
        assert_array_equal(a.p_PJ, b.p_PJ)
        assert_same_inertial(a.inertial, b.inertial)
        for key in ('name', 'kind', 'lower', 'upper', 'velocity', 'effort', 'damping', 'friction',
                    'mimic'):
            assert getattr(a.joint, key) == getattr(b.joint, key)
        assert_allclose(a.joint.axis, b.joint.axis, atol=1e-15)
    for name in ours.link_names:
        assert ours.frame(name).body == theirs.frame(name).body
        assert_allclose(ours.frame(name).R_BL, theirs.frame(name).R_BL, atol=5e-15)
        assert_array_equal(ours.frame(name).p_BL, theirs.frame(name).p_BL)


def assert_same_inertial(a, b):
    assert a.mass == b.mass
    assert_array_equal(a.com, b.com)
    assert_array_equal(a.inertia, b.inertia)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32), joints=st.integers(0, 12), branching=st.booleans(),
       mimics=st.integers(0, 3))
def test_a_random_tree_survives_writing_and_reading(seed, joints, branching, mimics):
    model = random_model(np.random.default_rng(seed), joints, branching, mimics=mimics)
    assert_same_model(model, RobotModel.from_urdf(model.to_urdf()))


@pytest.mark.parametrize('pitch', [np.pi / 2, -np.pi / 2, 1.5708, 1.57079632, -1.5707963267])
def test_rotations_next_to_the_locked_pitch_survive(pitch):
    model = RobotModel.from_urdf(robot(
        link('a'), link('b'), joint('j', 'a', 'b', rpy=f'0.4 {pitch!r} -1.2')))
    again = RobotModel.from_urdf(model.to_urdf())
    assert_allclose(again.bodies[0].R_PJ, model.bodies[0].R_PJ, atol=5e-15)


@pytest.mark.parametrize('limit', ['', 'lower="-1"', 'upper="1"', 'lower="-inf" upper="1"',
                                   'lower="-1" upper="inf"'])
def test_one_sided_and_missing_limits_survive(limit):
    model = RobotModel.from_urdf(robot(link('a'), link('b'), joint('j', 'a', 'b', limit=limit)))
    assert_same_model(model, RobotModel.from_urdf(model.to_urdf()))


def test_a_floating_base_survives():
    model = RobotModel.from_urdf(robot(
        link('a_world', 0), link('a'), link('b'), joint('free', 'a_world', 'a', 'floating'),
        joint('a_motion', 'a', 'b')))
    assert_same_model(model, RobotModel.from_urdf(model.to_urdf()))


def test_names_that_need_quoting_survive():
    name = 'a"b\'c<d>&e\u00fc'
    from xml.sax.saxutils import quoteattr
    text = two_joints().replace('"upper"', quoteattr(name)).replace('"elbow"', quoteattr(name))
    model = RobotModel.from_urdf(text)
    assert name in model.link_names
    assert_same_model(model, RobotModel.from_urdf(model.to_urdf()))


def test_names_for_merged_links_do_not_clash_with_joints():
    model = RobotModel.from_urdf(robot(
        link('a'), link('b'), link('c'), joint('c_fixed', 'a', 'b'),
        joint('weld', 'b', 'c', 'fixed')))
    assert_same_model(model, RobotModel.from_urdf(model.to_urdf()))


def test_a_selection_and_a_payload_are_written_as_they_are():
    model = RobotModel.from_urdf(two_joints(), joints=['elbow'], positions={'shoulder': 0.5})
    loaded = model.with_payload('lower', 2.0, [0.1, 0, 0])
    assert_same_model(loaded, RobotModel.from_urdf(loaded.to_urdf()))


def test_rotor_inertia_survives_in_a_transmission():
    text = RobotModel.from_urdf(two_joints()).with_rotor_inertia({'elbow': 0.25}).to_urdf()
    assert_array_equal(RobotModel.from_urdf(text).rotor_inertia, [0.0, 0.25])
    assert 'rotor' not in RobotModel.from_urdf(two_joints()).to_urdf()

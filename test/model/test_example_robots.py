"""Robots that nobody here wrote: every URDF of example-robot-data against Pinocchio's reading."""

import importlib.metadata

import numpy as np
from numpy.testing import assert_allclose
import pytest

from robot_dynamics import RobotModel
from robot_dynamics.app.load_doubts import doubts_of_limits
from robot_dynamics.core.errors import ModelError
from robot_dynamics.model.doubts import doubts
from selections import some

pin = pytest.importorskip('pinocchio')

REFUSED = {
    'alex_description/urdf/alex_psyonic_hands.urdf': "unknown joint 'index_q1'",
    'ur_description/urdf/ur3.urdf': 'has no <link>',
}
"""What cannot be compared: a mimic of a missing joint, an empty robot."""


def _files():
    try:
        distribution = importlib.metadata.distribution('example-robot-data')
    except importlib.metadata.PackageNotFoundError:
        return {}
    return {str(file).split('/robots/', 1)[1]: distribution.locate_file(file)
            for file in distribution.files or [] if file.suffix == '.urdf'}


FILES = _files()
ROBOTS = sorted(set(FILES) - set(REFUSED))
SOME = some(len(ROBOTS[::3]), ROBOTS[::3] + ROBOTS[1::3] + ROBOTS[2::3])
pytestmark = pytest.mark.skipif(not FILES, reason='needs the package example-robot-data')


def test_the_set_is_as_large_as_expected_and_few_are_refused():
    assert len(FILES) >= 65
    assert set(REFUSED) <= set(FILES)


@pytest.mark.parametrize('name', sorted(REFUSED))
def test_a_file_with_a_mistake_is_refused_with_its_reason(name):
    with pytest.raises(ModelError, match=REFUSED[name]):
        RobotModel.from_urdf(FILES[name])


@pytest.mark.parametrize('name', SOME)
def test_bodies_placements_and_frames_equal_pinocchios(name):
    ours = RobotModel.from_urdf(FILES[name])
    theirs = pin.buildModelFromUrdf(str(FILES[name]), pin.JointModelFreeFlyer())
    ids = {theirs.names[index]: index for index in range(2, theirs.njoints)}
    free = [joint for joint in ids if theirs.joints[ids[joint]].nv > 1]
    assert bool(free) == ours.floating_base
    base = ids.pop(free[0]) if free else 1
    assert ids.keys() == {body.joint.name for body in ours.bodies}
    joint_of = [ids[body.joint.name] for body in ours.bodies] + [base]  # -1 is the base
    _assert_inertial(ours.base_inertial, theirs.inertias[base])
    for body, index in zip(ours.bodies, joint_of):
        assert theirs.parents[index] == joint_of[body.parent]
        placement = theirs.jointPlacements[index]
        assert_allclose(body.R_PJ, placement.rotation, atol=1e-12)
        assert_allclose(body.p_PJ, placement.translation, atol=1e-12)
        _assert_inertial(body.inertial, theirs.inertias[index])
        for ours_limit, theirs_limit in (
                (body.joint.velocity, theirs.upperVelocityLimit),
                (body.joint.effort, theirs.upperEffortLimit)):
            assert ours_limit == theirs_limit[theirs.idx_vs[index]]
    for link in ours.link_names:
        if not (link == ours.base_link and free):
            frame = theirs.frames[theirs.getFrameId(link, pin.FrameType.BODY)]
            assert frame.parentJoint == joint_of[ours.frame(link).body]
            assert_allclose(ours.frame(link).R_BL, frame.placement.rotation, atol=1e-12)
            assert_allclose(ours.frame(link).p_BL, frame.placement.translation, atol=1e-12)
    moving = sum(theirs.inertias[index].mass for index in joint_of)
    assert ours.total_mass == pytest.approx(moving, rel=1e-12)


TRULY_ODD = {
    'double_pendulum_description/urdf/double_pendulum.urdf': 'has effort limit 0 Nm',
    'double_pendulum_description/urdf/double_pendulum_continuous.urdf': 'has effort limit 0 Nm',
    'double_pendulum_description/urdf/double_pendulum_simple.urdf': 'has effort limit 0 Nm',
    'icub_description/robots/icub.urdf': 'would be nearly a point',  # a leg and the head
    'icub_description/robots/icub_reduced.urdf': 'would be nearly a point',
    'iris_description/robots/iris.urdf': 'has effort limit 0 Nm',
    'pr2_description/urdf/pr2.urdf': 'gravity alone asks',  # it has springs
    'romeo_description/urdf/romeo.urdf': 'has effort limit 0 Nm',
    'simple_humanoid_description/urdf/simple_humanoid.urdf': 'gravity alone asks',
    'simple_humanoid_description/urdf/simple_humanoid_classical.urdf': 'gravity alone asks',
    'tiago_description/robots/tiago_dual.urdf': 'gravity alone asks',
}


@pytest.mark.slow
def test_few_published_robots_are_doubted_and_each_with_reason():
    found = {}
    for name in set(FILES) - set(REFUSED):
        model = RobotModel.from_urdf(FILES[name])
        found[name] = [str(note) for note in (*doubts(model), *doubts_of_limits(model))]
    assert {name for name in found if found[name]} == set(TRULY_ODD)
    for name, says in TRULY_ODD.items():
        assert all(any(reason in text for reason in ('effort limit', 'velocity limit', 'a point'))
                   for text in found[name])
        assert any(says in text for text in found[name])


def _assert_inertial(ours, theirs):
    assert ours.mass == pytest.approx(theirs.mass, rel=1e-12)
    assert_allclose(ours.mass * ours.com, theirs.mass * theirs.lever, atol=1e-12)
    assert_allclose(ours.inertia, theirs.inertia, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize('name', SOME)
def test_what_is_written_as_urdf_is_the_same_robot_to_pinocchio(name):
    text = RobotModel.from_urdf(FILES[name]).to_urdf()
    written = pin.buildModelFromXML(text, pin.JointModelFreeFlyer())
    original = pin.buildModelFromUrdf(str(FILES[name]), pin.JointModelFreeFlyer())
    q = pin.neutral(original)
    v = np.random.default_rng(0).uniform(-1, 1, original.nv)
    order = [original.getJointId(joint) for joint in written.names]
    tau = pin.rnea(original, original.createData(), q, v, v)
    v_written = np.concatenate([_of(original, v, index) for index in order[1:]])
    tau_written = pin.rnea(written, written.createData(), pin.neutral(written), v_written,
                           v_written)
    expected = np.concatenate([_of(original, tau, index) for index in order[1:]])
    assert_allclose(tau_written, expected, rtol=1e-9, atol=1e-9)


def _of(model, vector, index):
    return vector[model.idx_vs[index]:model.idx_vs[index] + model.nvs[index]]

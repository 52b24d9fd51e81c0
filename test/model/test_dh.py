"""Denavit-Hartenberg tables: both conventions describe the arm that the URDF describes."""

import math

import numpy as np
from numpy.testing import assert_allclose
import pytest

from robot_dynamics import BaseMotion, InverseDynamics, RobotModel
from robot_dynamics.core.errors import InputError, ModelError
from robot_dynamics.model.inertia import placed
from robot_dynamics.model.robot_model import DHRow, Inertial
from robot_dynamics.motion.rotations import exp, matrix_from_rpy

H = math.pi / 2
# alpha, a, d, theta of Sadraei and Moghaddam
TABLES = {
    'standard': [(H, 0, 0.317, math.pi), (0, 0.45, 0, H), (H, 0, 0, H), (H, 0, 0.48, math.pi),
                 (H, 0, 0, math.pi), (0, 0, 0.07, 0)],
    'modified': [(0, 0, 0.317, math.pi), (H, 0, 0, H), (0, 0.45, 0, H), (H, 0, 0.48, math.pi),
                 (H, 0, 0, math.pi), (H, 0, 0.07, 0)]}
LINK = Inertial(1.0, [0.1, 0.2, 0.3], np.eye(3))


@pytest.fixture(scope='module')
def pa10(request):
    return RobotModel.from_urdf(request.config.rootpath / 'urdf' / 'pa10.urdf')


def transform(row, convention, q=0.0, slides=False):
    """Write A_i out as printed: (14) of Craig for modified, Spong for standard."""
    alpha, a, d, theta = row
    theta, d = (theta, d + q) if slides else (theta + q, d)
    ct, st, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
    if convention == 'standard':
        return np.array([[ct, -st * ca, st * sa, a * ct], [st, ct * ca, -ct * sa, a * st],
                         [0, sa, ca, d], [0, 0, 0, 1]])
    return np.array([[ct, -st, 0, a], [st * ca, ct * ca, -sa, -d * sa],
                     [st * sa, ct * sa, ca, d * ca], [0, 0, 0, 1]])


def pose(model, q, link):
    """Forward kinematics: the 4 x 4 pose of a link's frame in the base frame."""
    frame = model.frame(link)
    T, body = _matrix(frame.R_BL, frame.p_BL), frame.body
    while body >= 0:
        part = model.bodies[body]
        value = q[part.coordinate]
        motion = _matrix(np.eye(3), value * part.joint.axis) if part.joint.kind == 'prismatic' \
            else _matrix(exp(value * part.joint.axis), np.zeros(3))
        T = _matrix(part.R_PJ, part.p_PJ) @ motion @ T
        body = part.parent
    return T


def _matrix(R, p):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def axis_in_base(model, q, index):
    body = model.bodies[index]
    T = pose(model, q, body.name)
    return T[:3, :3] @ body.joint.axis, T[:3, 3]


def dh_frames(convention, q):
    """Poses of the table's own frames 1..n in the base frame."""
    T, frames = np.eye(4), []
    for row, value in zip(TABLES[convention], q):
        T = T @ transform(row, convention, value)
        frames.append(T)
    return frames


def pa10_from_table(pa10, convention, **options):
    """Build the PA10 from a table, its inertials turned into the DH frames at q = 0."""
    q = np.zeros(6)
    rows = []
    for body, row, frame in zip(pa10.bodies, TABLES[convention], dh_frames(convention, q)):
        T = np.linalg.inv(frame) @ pose(pa10, q, body.name)
        rows.append(DHRow(*row, inertial=placed(body.inertial, T[:3, :3], T[:3, 3])))
    return RobotModel.from_dh(rows, convention, **options)


@pytest.mark.parametrize('convention', TABLES)
def test_the_tables_of_the_pa10_have_the_flange_and_the_axes_of_its_urdf(pa10, convention):
    model = pa10_from_table(pa10, convention)
    for q in np.random.default_rng(3).uniform(-2, 2, (5, 6)):
        assert_allclose(pose(model, q, 'tool0'), pose(pa10, q, 'tool0'), atol=1e-12)
        for index in range(6):
            ours, theirs = axis_in_base(model, q, index), axis_in_base(pa10, q, index)
            assert_allclose(ours[0], theirs[0], atol=1e-12)
            assert_allclose(np.cross(ours[1] - theirs[1], theirs[0]), np.zeros(3), atol=1e-12)


@pytest.mark.parametrize('convention', TABLES)
def test_the_inertials_of_the_table_sit_where_those_of_the_urdf_do(pa10, convention):
    model = pa10_from_table(pa10, convention)
    q = np.random.default_rng(4).uniform(-2, 2, 6)
    for ours, theirs in zip(model.bodies, pa10.bodies):
        seen = [placed(body.inertial, *_split(pose(of, q, body.name)))
                for body, of in ((ours, model), (theirs, pa10))]
        assert seen[0].mass == seen[1].mass
        assert_allclose(seen[0].com, seen[1].com, atol=1e-12)
        assert_allclose(seen[0].inertia, seen[1].inertia, atol=1e-12)


def _split(T):
    return T[:3, :3], T[:3, 3]


@pytest.mark.parametrize('convention', TABLES)
def test_the_tables_give_the_torques_of_the_urdf(pa10, convention):
    rng = np.random.default_rng(5)
    ours = InverseDynamics(pa10_from_table(pa10, convention), backend='interpreted')
    theirs = InverseDynamics(pa10, backend='interpreted')
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, 6))
        base = BaseMotion(*rng.uniform(-1, 1, (3, 3)), gravity=[1.0, -2.0, -9.5])
        assert_allclose(ours.torque(q, qd, qdd, base), theirs.torque(q, qd, qdd, base),
                        rtol=0, atol=1e-10)


@pytest.mark.parametrize('convention', TABLES)
@pytest.mark.parametrize('kind', ['revolute', 'continuous', 'prismatic'])
def test_any_row_moves_as_its_printed_transform(convention, kind):
    rng = np.random.default_rng(6)
    table = rng.uniform(-1, 1, (4, 4))
    kinds = [kind, 'revolute', 'prismatic', kind]
    model = RobotModel.from_dh(
        [DHRow(*row, kind=kind, inertial=LINK) for row, kind in zip(table, kinds)], convention)
    q = rng.uniform(-1, 1, 4)
    T = np.eye(4)
    for row, value, kind in zip(table, q, kinds):
        T = T @ transform(row, convention, value, kind == 'prismatic')
    assert_allclose(pose(model, q, 'tool0'), T, atol=1e-14)


@pytest.mark.parametrize('convention', TABLES)
def test_base_and_tool_transforms_stand_before_and_after_the_table(convention):
    base = _matrix(matrix_from_rpy([0.1, 0.2, 0.3]), [1, 2, 3])
    tool = _matrix(matrix_from_rpy([-0.4, 0.5, 0.6]), [0.1, 0, 0.2])
    rows = [DHRow(0.3, 0.2, 0.1, 0.4, inertial=LINK)]
    plain = RobotModel.from_dh(rows, convention)
    model = RobotModel.from_dh(rows, convention, base=base, tool=tool)
    assert_allclose(pose(model, [0.7], 'tool0'), base @ pose(plain, [0.7], 'tool0') @ tool,
                    atol=1e-15)


def test_names_limits_and_friction_come_from_the_rows():
    model = RobotModel.from_dh(
        [{'alpha': 0.1, 'inertial': (2.0, [0.1, 0, 0], np.eye(3)), 'name': 'hip', 'link': 'thigh',
          'lower': -1.0, 'upper': 2.0, 'velocity': 3.0, 'effort': 4.0, 'damping': 5.0,
          'friction': 6.0}, DHRow(a=0.3, inertial=LINK)],
        name='leg', base_link='pelvis', tool_link='foot', base_inertial=LINK,
        rotor_inertia={'hip': 0.5})
    assert model.name == 'leg'
    assert model.joint_names == ('hip', 'joint2')
    assert model.link_names == ('pelvis', 'thigh', 'link2', 'foot')
    assert [values[0] for values in (
        model.lower, model.upper, model.velocity_limit, model.effort_limit, model.damping,
        model.friction, model.rotor_inertia)] == [-1, 2, 3, 4, 5, 6, 0.5]
    assert model.total_mass == 4.0


def test_a_plain_table_takes_its_inertials_from_a_list():
    table = np.random.default_rng(7).uniform(-1, 1, (2, 4))
    listed = RobotModel.from_dh(table, inertials=[LINK, (1.0, [0.1, 0.2, 0.3], np.eye(3))])
    inline = RobotModel.from_dh([DHRow(*row, inertial=LINK) for row in table.tolist()])
    assert listed.fingerprint == inline.fingerprint


def test_a_model_from_a_table_survives_writing_as_urdf(pa10):
    model = pa10_from_table(pa10, 'standard', tool=_matrix(np.eye(3), [0, 0, 0.1]))
    again = RobotModel.from_urdf(model.to_urdf())
    q = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    assert_allclose(pose(again, q, 'tool0'), pose(model, q, 'tool0'), atol=1e-14)


@pytest.mark.parametrize('rows, options, error, message', [
    ([], {}, InputError, 'rows: is empty'),
    ([LINK], {}, InputError, r'rows\[0\]'),
    (None, {}, InputError, 'rows: is None'),
    ([DHRow()], {'inertials': 3}, InputError, 'inertials: is 3'),
    ([DHRow()], {'inertials': [3]}, InputError, r'inertials\[0\]: is 3'),
    ([DHRow(inertial=LINK, damping='x')], {}, InputError, r"rows\[0\].damping: is 'x'"),
    ([DHRow(inertial=LINK, lower=None)], {}, InputError, r'rows\[0\].lower: is None'),
    ([DHRow(inertial=LINK)], {'rotor_inertia': [0.1]}, InputError, 'rotor_inertia: is a list'),
    ([(1, 2, 3)], {}, InputError, r'rows\[0\]: expected shape \(4,\)'),
    ([DHRow(alpha=math.nan)], {}, InputError, r'rows\[0\].alpha'),
    ([DHRow(kind='screw')], {}, InputError, r"rows\[0\].kind: is 'screw'"),
    ([{'beta': 1}], {}, InputError, r"rows\[0\]: has the unknown entry 'beta'"),
    ([DHRow(inertial=(1.0,))], {}, InputError, r'rows\[0\].inertial: is \(1.0,\), expected mass'),
    ([DHRow(inertial=(-1.0, [0, 0, 0], np.eye(3)))], {}, InputError, r'rows\[0\].inertial.mass'),
    ([DHRow(lower=2, upper=1, inertial=LINK)], {}, InputError, 'is above upper'),
    ([DHRow(inertial=LINK)], {'inertials': [LINK]}, InputError, 'leave one out'),
    ([DHRow()], {'inertials': []}, InputError, 'inertials: holds 0, expected one for each'),
    ([DHRow(inertial=LINK)], {'convention': 'craig'}, InputError, "'standard' or 'modified'"),
    ([DHRow(inertial=LINK)], {'base': np.eye(3)}, InputError, 'base: expected shape'),
    ([DHRow(inertial=LINK)], {'tool': 2 * np.eye(4)}, InputError, 'tool: '),
    ([DHRow(inertial=LINK)], {'tool_link': 'link1'}, InputError, "link name 'link1' occurs twice"),
    ([DHRow(inertial=LINK, name='a')] * 2, {}, InputError, "joint name 'a' occurs twice"),
    ([DHRow()], {}, ModelError, "link 'link1': nothing that joint 'joint1' moves has inertia")])
def test_a_wrong_table_is_refused_with_its_row(rows, options, error, message):
    with pytest.raises(error, match=message):
        RobotModel.from_dh(rows, **options)

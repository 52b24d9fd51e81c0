"""Physical checks: on merged bodies, warnings by default, errors when strict or singular."""

import numpy as np
import pytest
from robot_dynamics import ForwardDynamics, InverseDynamics, RobotModel
from robot_dynamics.core.errors import InputError, ModelError
from urdf_snippets import joint, link, robot

SWING = joint('j', 'base', 'arm')


def diagonal(ixx, iyy, izz, ixy=0.0):
    return f'<inertia ixx="{ixx}" ixy="{ixy}" ixz="0" iyy="{iyy}" iyz="0" izz="{izz}"/>'


def warnings(*parts):
    model = RobotModel.from_urdf(robot(*parts))
    return [str(note) for note in model.notes if note.severity == 'warning']


ODD = {
    'negative mass': (link('arm', -1.0), "link 'arm': has the negative mass -1 kg"),
    'negative moment': (link('arm', inertia=diagonal(1, 1, -0.1)), 'not positive definite'),
    'indefinite by products': (link('arm', inertia=diagonal(1, 1, 1, 2.0)),
                               'not positive definite'),
    'point': (link('arm', inertia=diagonal(0, 0, 0)), 'not positive definite .*point or a thin'),
    'rod': (link('arm', inertia=diagonal(0, 1, 1)), 'not positive definite .*point or a thin'),
    'triangle': (link('arm', inertia=diagonal(1, 1, 2.1)), 'against the triangle inequality'),
}


@pytest.mark.parametrize('arm, message', ODD.values(), ids=ODD.keys())
def test_an_impossible_body_warns_with_its_link_and_strict_raises(arm, message):
    found = warnings(link('base'), arm, SWING)
    assert len(found) == 1
    assert found[0].startswith("link 'arm': ")
    with pytest.raises(ModelError, match=message):
        RobotModel.from_urdf(robot(link('base'), arm, SWING), strict=True)


@pytest.mark.parametrize('inertia', [diagonal(1, 1, 2), diagonal(0.3, 0.4, 0.69)])
def test_a_possible_body_passes_strictly(inertia):
    parts = (link('base'), link('arm', inertia=inertia), SWING)
    assert warnings(*parts) == []
    RobotModel.from_urdf(robot(*parts), strict=True)


def test_odd_links_that_merge_into_a_sound_body_are_in_order():
    parts = (link('base'), link('arm', 5.0), link('odd', -0.1, inertia=diagonal(0, 0, 0)), SWING,
             joint('weld', 'arm', 'odd', 'fixed', xyz='0.3 0 0'))
    assert warnings(*parts) == []
    RobotModel.from_urdf(robot(*parts), strict=True)


def test_a_base_without_mass_is_in_order_and_an_impossible_one_is_not():
    assert warnings(link('base', 0), link('arm'), SWING) == []
    found = warnings(link('base', -2), link('arm'), SWING)
    assert "link 'base': has the negative mass" in found[0]


def test_a_link_without_mass_between_joints_only_warns():
    parts = (link('base'), link('cross', 0), link('arm'), joint('j', 'base', 'cross'),
             joint('k', 'cross', 'arm', axis='1 0 0'))
    assert warnings(*parts) == ["link 'cross': has no mass"]


@pytest.mark.parametrize('kind', ['revolute', 'prismatic'])
def test_a_massless_end_is_noted_and_refused_where_its_acceleration_counts(kind):
    parts = (link('base'), link('arm'), link('tip', 0), link('tool', 0), SWING,
             joint('k', 'arm', 'tip', kind), joint('weld', 'tip', 'tool', 'fixed'))
    told = "nothing that joint 'k' moves has inertia"
    model = RobotModel.from_urdf(robot(*parts))
    assert any(note.element == "link 'tip'" and told in note.text for note in model.notes)
    torque = InverseDynamics(model, backend='interpreted').torque([0.3, 0.2], [1, 1], [1, 1])
    assert torque[0] != 0 and torque[1] == 0
    with pytest.raises(ModelError, match=f"link 'tip': {told}"):
        ForwardDynamics(model, backend='interpreted')
    with pytest.raises(ModelError, match='tip'):
        RobotModel.from_urdf(robot(*parts), strict=True)
    ForwardDynamics(model, rotor_inertia={'k': 0.01}, backend='interpreted')


def test_a_point_on_the_joint_axis_is_refused_and_one_beside_it_is_not():
    on_axis = link('arm', com='0 0 0.7', inertia=diagonal(0, 0, 0))
    with pytest.raises(ModelError, match="link 'arm': nothing that joint 'j' moves"):
        RobotModel.from_urdf(robot(link('base'), on_axis, SWING))
    beside = link('arm', com='0.01 0 0.7', inertia=diagonal(0, 0, 0))
    assert RobotModel.from_urdf(robot(link('base'), beside, SWING)).nv == 1


def test_a_thin_rod_along_a_skew_axis_is_still_recognised():
    text = robot(link('base'), link('rod', rpy='0.3 0.4 0.5', com='0 0 0',
                                    inertia=diagonal(0, 1, 1)),
                 joint('j', 'base', 'rod', axis=' '.join(
                     repr(float(v)) for v in _first_column(0.3, 0.4, 0.5))))
    with pytest.raises(ModelError, match='undetermined'):
        RobotModel.from_urdf(text)


def _first_column(*rpy):
    from robot_dynamics.motion.rotations import matrix_from_rpy
    return matrix_from_rpy(rpy)[:, 0]


def test_a_massless_follower_is_in_order_where_its_driver_moves_mass():
    parts = (link('base'), link('arm'), link('tip', 0), SWING,
             joint('k', 'arm', 'tip', extra='<mimic joint="j"/>'))
    assert RobotModel.from_urdf(robot(*parts)).nv == 1


def test_a_massless_driver_is_in_order_where_its_follower_moves_mass():
    parts = (link('base'), link('arm', 0), link('tip'), SWING,
             joint('k', 'base', 'tip', extra='<mimic joint="j" multiplier="-1"/>'))
    assert RobotModel.from_urdf(robot(*parts)).nv == 1


def test_coupled_joints_that_cancel_each_other_are_refused():
    point = link('arm', com='0 0 0', inertia=diagonal(0, 0, 0))
    parts = (link('base'), link('carrier', 0), point,
             joint('j', 'base', 'carrier', 'prismatic'),
             joint('k', 'carrier', 'arm', 'prismatic', extra='<mimic joint="j" multiplier="-1"/>'))
    with pytest.raises(ModelError, match="joint 'j' moves has inertia"):
        RobotModel.from_urdf(robot(*parts))


def test_all_undetermined_joints_are_named_at_once():
    parts = (link('base'), link('a', 0), link('b', 0), joint('j', 'base', 'a'),
             joint('k', 'base', 'b'))
    with pytest.raises(ModelError, match=r"joint 'j' moves .*\(likewise 'k'\)"):
        RobotModel.from_urdf(robot(*parts))


def test_rotor_inertia_or_holding_the_joint_makes_a_massless_end_acceptable():
    text = robot(link('base'), link('arm'), link('tip', 0), SWING, joint('k', 'arm', 'tip'))
    model = RobotModel.from_urdf(text, rotor_inertia={'k': 0.01})
    assert np.array_equal(model.rotor_inertia, [0, 0.01])
    assert RobotModel.from_urdf(text, joints=['j']).nv == 1


@pytest.mark.parametrize('value', [-1.0, np.nan, 'big'])
def test_an_impossible_rotor_inertia_is_refused(value):
    model = RobotModel.from_urdf(robot(link('base'), link('arm'), SWING))
    with pytest.raises(InputError, match=r"rotor_inertia\['j'\]"):
        model.with_rotor_inertia({'j': value})

"""For which links the equations of a payload are compiled when none is named."""

import pytest
from robot_dynamics.core.resources import resource_path
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.nodes.payload_parameters import usual_places

LINK = '<link name="{0}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" ' \
    'iyz="0" izz="1"/></inertial></link>'
JOINT = '<joint name="{0}_{1}" type="continuous"><parent link="{0}"/><child link="{1}"/></joint>'


def tree(**parents):
    links = {'base': None, **parents}
    return RobotModel.from_urdf('<robot name="tree">' + ''.join(
        [LINK.format(name) for name in links]
        + [JOINT.format(parent, name) for name, parent in parents.items()]) + '</robot>')


@pytest.mark.parametrize('parents, places', [
    ({'upper': 'base', 'lower': 'upper'}, ['lower']),
    ({'upper': 'base', 'hand': 'upper', 'thumb': 'hand', 'finger': 'hand'}, ['hand']),
    ({'left_wheel': 'base', 'right_wheel': 'base', 'upper': 'base', 'lower': 'upper'}, ['lower']),
    ({'left': 'base', 'left_hand': 'left', 'right': 'base', 'right_hand': 'right'},
     ['left_hand', 'right_hand']),
    ({'one': 'base', 'other': 'base'}, ['one', 'other'])],
    ids=['arm', 'gripper', 'wheels', 'two arms', 'nothing else'])
def test_a_payload_is_expected_at_the_end_or_in_the_hand(parents, places):
    assert sorted(usual_places(tree(**parents))) == places


def test_the_mobile_manipulator_carries_at_the_end_of_its_arm():
    model = RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))
    place, = usual_places(model)
    assert model.index('arm3') == model.frame(place).body

"""A description is rewritten where its numbers stand, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.model.identified import Identified, IdentifiedJoint
from robot_dynamics.model.rewriting import with_numbers
from robot_dynamics.model.robot_model import Inertial, RobotModel

URDF = """<?xml version="1.0" encoding="{encoding}"?>
<!-- mine: é > "quoted" <mass value="1"/> -->
<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
  <material name="a>b"/>
  <link name="base"/>
  <link name="arm">
    <inertial> <!-- measured -->
      <origin rpy="0.3 -0.2 0.1" xyz="0 0 1"/>
      <mass value='2' />
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
    </inertial>
    <visual><origin xyz="9 9 9"/><geometry><mesh filename="package://a/b.dae"/></geometry></visual>
  </link>
  <link name="bare"/>
  <joint name="j1" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="j2" type="continuous">
    <parent link="arm"/>
    <child link="bare"/>
    <dynamics friction="0.5"/>
  </joint>
</robot>
"""
TENSOR = np.array([[0.3, 0.01, -0.02], [0.01, 0.25, 0.03], [-0.02, 0.03, 0.2]])
NEW = {'arm': Inertial(3.5, [0.1, 0.2, 0.3], TENSOR), 'bare': Inertial(1.0, [0, 0, 0.1], TENSOR)}


@pytest.mark.parametrize('encoding', ['utf-8', 'latin-1', 'utf-16'])
def test_new_numbers_are_read_back_whatever_the_encoding(encoding):
    document = URDF.format(encoding=encoding).encode(encoding)
    changed = with_numbers(document, NEW, {'j1': (1.5, 2.5), 'j2': (3.0, 4.0)})
    model = RobotModel.from_urdf(changed)
    for body in model.bodies:
        assert body.inertial.mass == NEW[body.name].mass
        assert np.allclose(body.inertial.com, NEW[body.name].com, atol=1e-12)
        assert np.allclose(body.inertial.inertia, TENSOR, atol=1e-12)
    assert list(model.damping) == [1.5, 3.0] and list(model.friction) == [2.5, 4.0]


def test_everything_else_stays_to_the_byte():
    document = URDF.format(encoding='utf-8').encode()
    changed = with_numbers(document, {'arm': NEW['arm']}, {'j2': (3.0, 4.0)})
    before, after = document.decode().splitlines(), changed.decode().splitlines()
    assert len(before) == len(after)
    different = [a.strip() for a, b in zip(before, after) if a != b]
    assert different == ['<origin rpy="0.3 -0.2 0.1" xyz="0 0 1"/>', "<mass value='2' />",
                         before[9].strip(), '<dynamics friction="0.5"/>']
    assert 'rpy="0.3 -0.2 0.1"' in changed.decode()
    same = RobotModel.from_urdf(document)
    kept = with_numbers(document, {'arm': same.bodies[0].inertial}, {})
    assert np.allclose(RobotModel.from_urdf(kept).bodies[0].inertial.inertia,
                       same.bodies[0].inertial.inertia, atol=1e-12)


def test_a_name_that_the_file_has_not_is_said():
    with pytest.raises(UnknownNameError, match='arm'):
        with_numbers(URDF.format(encoding='utf-8').encode(), {'amr': NEW['arm']}, {})


def identified() -> Identified:
    """Return numbers for the arm above."""
    return Identified('r', NEW, {'j1': IdentifiedJoint(0.2, 1.0, 2.0, 0.5, 0.08, 0.1, -0.3)},
                      ('bare', Inertial(0.5, [0, 0, 0.2], 0.01 * np.eye(3))))


def test_a_file_of_identified_numbers_is_read_back_and_applied(tmp_path):
    path = identified().write(tmp_path / 'identified.yaml', 'two\nlines')
    assert path.read_text().startswith('# two\n# lines\n')
    model = Identified.read(path).apply(
        RobotModel.from_urdf(URDF.format(encoding='utf-8').encode()))
    assert list(model.rotor_inertia) == [0.2, 0.0]
    joint = model.joints[0]
    assert (joint.damping, joint.friction, joint.stribeck, joint.stribeck_speed, joint.asymmetry,
            joint.torque_offset) == (1.0, 2.0, 0.5, 0.08, 0.1, -0.3)
    assert model.joints[1].friction == 0.5  # not in the file
    assert model.bodies[1].inertial.mass == pytest.approx(1.5)
    assert model.bodies[0].joint is joint


@pytest.mark.parametrize('text, said', [
    ('[1, 2]', 'names and values'), ('a: [', 'not YAML'), ('robot: x', 'version'),
    ('{version: 1, joints: {j1: {viscos: 1}}}', 'viscos'),
    ('{version: 1, joints: {j1: {viscous: -1}}}', 'negative'),
    ('{version: 1, joints: {j1: {viscous: much}}}', 'expected a number'),
    ('{version: 1, bodies: {arm: {mass: 1, com: [0, 0], inertia: [1, 0, 0, 1, 0, 1]}}}', 'com'),
    ('{version: 1, bodies: {arm: {mass: 1, com: [0, 0, 0], inertia: [1, 0, 0, -1, 0, 1]}}}',
     'positive')])
def test_a_file_that_is_wrong_says_where(tmp_path, text, said):
    path = tmp_path / 'wrong.yaml'
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=said) as told:
        Identified.read(path)
    assert str(path) in str(told.value)


def test_a_file_for_another_arm_names_what_it_does_not_have():
    with pytest.raises(UnknownNameError, match='bare'):
        Identified('x', {'elbow': Inertial()}, {}).apply(
            RobotModel.from_urdf(URDF.format(encoding='utf-8').encode()))

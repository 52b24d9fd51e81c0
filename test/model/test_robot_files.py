"""The URDFs of this package: the papers' numbers, and arms with sliding joints."""

import json
import xml.etree.ElementTree as ElementTree

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
import pytest

from robot_dynamics import BaseMotion, InverseDynamics, RobotModel

OURS = ('pa10', 'three_link_arm', 'anthropomorphic_arm', 'scara', 'gantry')
# stated idealisations of the papers: points and thin rods
IDEAL = {'three_link_arm': {'link1', 'link2'},
         'anthropomorphic_arm': {'column', 'upper_arm', 'forearm'}}


def description(request, name):
    folder = 'examples/papers' if name in IDEAL else 'urdf'
    return request.config.rootpath / folder / f'{name}.urdf'


@pytest.fixture(scope='module')
def load(request):
    return lambda name: RobotModel.from_urdf(description(request, name))


@pytest.fixture(scope='module')
def golden(request):
    return json.loads((request.config.rootpath / 'test' / 'data' / 'golden.json').read_text())


@pytest.mark.parametrize('name', OURS)
def test_only_the_papers_idealisations_are_suspicious(load, name):
    model = load(name)
    suspects = {note.element for note in model.notes if note.severity == 'warning'}
    assert suspects == {f"link '{link}'" for link in IDEAL.get(name, ())}
    assert 'tool0' in model.link_names
    assert np.isfinite([model.lower, model.upper]).all() or name == 'scara'


@pytest.mark.parametrize('name', OURS)
def test_every_visual_has_one_shape_and_a_known_material(request, name):
    root = ElementTree.parse(description(request, name)).getroot()
    materials = {material.get('name') for material in root.findall('material')}
    visuals = list(root.iter('visual'))
    assert len(visuals) >= 3
    for visual in visuals:
        shape, = visual.find('geometry')
        sizes = ' '.join(shape.attrib.values()).split()
        assert all(float(size) > 0 for size in sizes)
        assert visual.find('material').get('name') in materials


def test_the_pa10_has_the_golden_links(load, golden):
    model = load('pa10')
    for body, row in zip(model.bodies, golden['pa10_6ce']['links'], strict=True):
        xx, xy, xz, yy, yz, zz = row['inertia_com_xx_xy_xz_yy_yz_zz']
        assert body.name == row['name']
        assert body.inertial.mass == row['mass']
        assert_array_equal(body.inertial.com, row['com'])
        assert_array_equal(body.inertial.inertia, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert_array_equal(body.R_PJ, np.eye(3))
        assert_array_equal(body.p_PJ, row['origin_xyz'])
        assert_array_equal(body.joint.axis, [float(letter == row['axis']) for letter in 'xyz'])
    assert model.total_mass == pytest.approx(32.78)


def test_the_pa10_has_its_limits_and_friction(load):
    model = load('pa10')
    assert_array_equal(model.upper, [3.089233, 2.164208, 2.75762, 4.45059, 2.879793, 4.45059])
    assert_array_equal(model.lower, [-3.089233, -1.117011, -1.867502, -4.45059, -2.879793,
                                     -4.45059])
    assert_array_equal(model.velocity_limit, [1, 1, 2, 6.283185, 6.283185, 6.283185])
    assert_allclose(model.effort_limit, 50 * np.array([4.64, 4.64, 2.0, 0.29, 0.29, 0.29]))
    assert_array_equal(model.damping, [11.1567, 14.7005, 9.3913, 1.1269, 1.8392, 0.8135])
    assert_array_equal(model.friction, [13.3363, 23.1356, 10.8851, 2.3005, 5.5115, 1.5465])


def test_the_gantry_carries_what_hangs_on_each_sliding_joint(load):
    model = load('gantry')
    masses = np.array([65.0, 22.0, 14.0, 3.5])
    qdd = np.array([0.7, -0.4, 0.3, 0.0])
    torque = InverseDynamics(model, backend='interpreted').torque(
        np.array([0.5, 0.2, 0.4, 0.0]), np.array([0.1, 0.2, -0.3, 0.0]), qdd,
        BaseMotion.still(9.81))
    assert torque[0] == pytest.approx(masses.sum() * qdd[0])
    assert torque[1] == pytest.approx(masses[1:].sum() * qdd[1])
    assert torque[2] == pytest.approx(masses[2:].sum() * (qdd[2] - 9.81))  # its axis points down


def test_the_scara_needs_no_torque_against_gravity_but_a_force(load):
    model = load('scara')
    torque = InverseDynamics(model, backend='interpreted').torque(
        [0.3, -0.8, 0.1, 2.0], np.zeros(4), np.zeros(4), BaseMotion.still(9.81))
    assert_allclose(torque, [0, 0, -1.5 * 9.81, 0], atol=1e-12)
    assert model.joints[3].kind == 'continuous'

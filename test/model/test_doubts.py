"""What is possible but not plausible: each doubt names link, value and likely unit."""

import struct

import pytest
from robot_dynamics import RobotModel
from robot_dynamics.model.doubts import doubts
from robot_dynamics.model.mesh_size import mesh_bounds
from urdf_snippets import BOX, joint, link, robot

CUBE = '<collision><geometry><box size="{0} {0} {0}"/></geometry></collision></link>'


def shaped(name, mass, inertia, size=0.04, com='0 0 0'):
    tensor = f'<inertia ixx="{inertia}" ixy="0" ixz="0" iyy="{inertia}" iyz="0" izz="{inertia}"/>'
    return link(name, mass, com, inertia=tensor).replace('</link>', CUBE.format(size))


def told(*links, joints=None):
    names = [part.split('"')[1] for part in links]
    chain = joints or [joint(f'j_{b}', a, b) for a, b in zip(['base', *names], names)]
    return [str(note) for note in doubts(RobotModel.from_urdf(robot(
        link('base', 0), *links, *chain)))]


@pytest.mark.parametrize('mass, inertia, size, says', [
    (0.008, 1.0, 0.04, "link 'hand': 0.008 kg with 1 kg m^2 has a radius of gyration of 11.2 m, "
     'and its geometry measures 0.069 m; in kg mm^2 it would be 0.011 m'),
    (1.0, 3000.0, 0.1, 'in kg mm^2 it would be 0.055 m'),
    (2.0, 3e6, 0.1, 'in g mm^2 it would be 0.039 m'),
    (1.0, 30.0, 0.1, 'in kg cm^2 it would be 0.055 m')])
def test_an_inertia_that_its_geometry_cannot_have_is_doubted_with_its_likely_unit(
        mass, inertia, size, says):
    found, = told(shaped('hand', mass, inertia, size))
    assert says in found


def test_an_inertia_without_geometry_is_compared_with_two_metres():
    found, = told(link('hand', 1.0, '0 0 0', inertia=BOX.replace('0.0', '20.')))
    assert 'has a radius of gyration of' in found
    assert told(link('hand', 1.0, '0 0 0')) == []


def test_a_mass_in_grams_is_doubted():
    found, = told(shaped('hand', 800.0, 0.2))
    assert "link 'hand': 800 kg in a geometry of 0.069 m would be 1.2e+07 kg/m^3" in found
    assert 'in g it would be 0.8 kg' in found
    tonnes = told(shaped('hand', 264e3, 1e5, 3.0))
    assert tonnes == ["link 'hand': has a mass of 264000 kg; in g it would be 264 kg"]


def test_a_centre_of_mass_in_millimetres_is_doubted():
    found, = told(shaped('hand', 1.0, 1e-3, com='12 0 35'))
    assert 'its centre of mass is 37 m away from its geometry' in found
    assert 'in mm it would be 0.037 m' in found
    bare, = told(link('hand', 1.0, '12 0 35'))
    assert 'its centre of mass is 37 m away from its origin; in mm it would be 0.037 m' in bare


def test_left_and_right_that_differ_are_doubted():
    pair = (link('left_hand', 1.0), link('right_hand', 2.0))
    fork = [joint('a', 'base', 'left_hand'), joint('b', 'base', 'right_hand')]
    assert told(*pair, joints=fork) == [
        "link 'left_hand': has 1 kg, and 'right_hand' on the other side has 2 kg"]
    assert told(pair[0], pair[1].replace('"2.0"', '"1.1"'), joints=fork) == []


def test_sides_are_told_apart_by_whole_words_and_letters():
    for names in (('l_arm', 'r_arm'), ('arm_L', 'arm_R'), ('LeftArm', 'RightArm')):
        fork = [joint('a', 'base', names[0]), joint('b', 'base', names[1])]
        assert len(told(link(names[0], 1.0), link(names[1], 2.0), joints=fork)) == 1
    fork = [joint('a', 'base', 'lift'), joint('b', 'base', 'rift')]
    assert told(link('lift', 1.0), link('rift', 2.0), joints=fork) == []


def test_a_sound_body_of_any_shape_is_not_doubted():
    shapes = ('<box size="0.2 0.2 0.5"/>', '<sphere radius="0.2"/>',
              '<cylinder radius="0.1" length="0.5"/>', '<capsule radius="0.1" length="0.5"/>')
    for shape in shapes:
        body = link('arm', 5.0, '0 0 0.05').replace(
            '</link>', f'<visual><origin quat_xyzw="0 0 0 1"/><geometry>{shape}</geometry>'
                       '</visual></link>')
        assert told(body) == []
        assert told(body.replace('"5.0"', '"0.005"')) != []


@pytest.mark.parametrize('mass, inertia, size, says', [
    (0.009, 1e-3, 0.4, "link 'hand': with all that is fixed to it 0.009 kg in a geometry of 0.69 "
     'm would be 0.14 kg/m^3, about as light as air; in t it would be 9 kg'),
    (9.0, 1e-6, 0.4, '9 kg with 1e-06 kg m^2 would be nearly a point, and its geometry measures '
     '0.69 m: a solid of that size has about 0.27 kg m^2'),
    (9.0, 1e-30, 0.4, '9 kg with 1e-30 kg m^2 would be nearly a point')])
def test_a_body_too_light_or_too_compact_for_its_geometry_is_doubted(mass, inertia, size, says):
    found, = told(shaped('hand', mass, inertia, size))
    assert says in found
    assert told(shaped('hand', 9.0, 0.24, size)) == []


def test_a_light_cover_on_a_body_that_is_not_is_no_doubt():
    cover = shaped('cover', 1e-4, 1e-9, 0.4)
    fixed = joint('f', 'hand', 'cover', kind='fixed')
    hand = shaped('hand', 9.0, 0.24, 0.4)
    assert told(hand, cover, joints=[joint('j', 'base', 'hand'), fixed]) == []
    found, = told(shaped('hand', 0.01, 1e-6, 0.02), cover,
                  joints=[joint('j', 'base', 'hand'), fixed])
    assert 'about as light as air' in found


def stl(size):
    corner = struct.pack('<12f', 0, 0, 1, 0, 0, 0, size, 0, 0, 0, size, size) + b'\0\0'
    return b'\0' * 80 + struct.pack('<I', 1) + corner


ASCII = 'solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex {0} 0 0\nvertex 0 {0} {0}\nendsolid\n'
OBJ = 'v 0 0 0\nv {0} 0 0\nv 0 {0} {0}\nf 1 2 3\n'


DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset>
<unit name="u" meter="{unit}"/></asset><library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="12">0 0 0 7 0 0 0 7 7 9e9 9e9 9e9</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="1">
<input semantic="NORMAL" source="#n" offset="0"/><input semantic="VERTEX" source="#v" offset="1"/>
<p>0 0 0 1 0 2</p></triangles></mesh></geometry></library_geometries>
<library_nodes><node id="inner"><scale>2 2 2</scale><instance_geometry url="#g"/>{more}</node>
</library_nodes><library_visual_scenes><visual_scene id="w"><node><translate>0 0 5</translate>
<rotate>0 0 1 90</rotate><node><matrix>5 0 0 0 0 5 0 0 0 0 5 0 0 0 0 1</matrix>
<instance_node url="#inner"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>"""


def test_a_collada_file_is_as_large_as_its_scene_shows_it(tmp_path):
    file = tmp_path / 'hand.dae'
    file.write_text(DAE.format(unit=0.01, more=''))
    low, high = mesh_bounds(file)
    assert low == pytest.approx([-0.7, 0, 0.05]) and high == pytest.approx([0, 0.7, 0.75])


@pytest.mark.parametrize('old, new', [
    ('<p>0', '<p>x'), ('meter="1"', 'meter="m"'), ('5 0 0 0 0 5', '5 0 0 0 5'), ('</mesh>', ''),
    ('9e9 9e9', '1e999 9e9'), ('</COLLADA>', '<!DOCTYPE a></COLLADA>'),
    ('</node></node>', '</node></node><instance_node url="#inner"/>')])
def test_a_collada_file_that_is_none_has_no_size(tmp_path, old, new):
    file = tmp_path / 'hand.dae'
    file.write_text(DAE.format(unit=1, more='').replace('1 0 2', '1 0 3').replace(old, new))
    assert mesh_bounds(file) is None or old.startswith('</node>')


def test_a_collada_file_whose_node_shows_itself_has_no_size(tmp_path):
    file = tmp_path / 'hand.dae'
    file.write_text(DAE.format(unit=1, more=''))
    assert mesh_bounds(file) is not None
    file.write_text(DAE.format(unit=1, more='<instance_node url="#inner"/>'))
    assert mesh_bounds(file) is None


@pytest.mark.parametrize('name, data', [
    ('hand.stl', stl(70.0)), ('hand.dae', DAE.format(unit=1, more='').encode()),
    ('hand.STL', ASCII.format(70).encode()),
    ('hand.obj', OBJ.format(70).encode())])
@pytest.mark.parametrize('uri', ['meshes/', 'package://my_arm/urdf/meshes/', 'file://meshes/'])
def test_a_mesh_in_millimetres_without_a_scale_is_doubted(tmp_path, name, data, uri):
    folder = tmp_path / 'my_arm' / 'urdf'
    (folder / 'meshes').mkdir(parents=True)
    (folder / 'meshes' / name).write_bytes(data)
    mesh = f'<visual><geometry><mesh filename="{uri}{name}"/></geometry></visual></link>'
    text = robot(link('base', 0), link('hand', 1.0, '0 0 0').replace('</link>', mesh),
                 joint('j', 'base', 'hand'))
    file = folder / 'arm.urdf'
    file.write_text(text)
    found, = doubts(RobotModel.from_urdf(file))
    assert f'its mesh {name} measures 70 m; if its file is in mm, give scale="0.001' in str(found)
    file.write_text(text.replace('<mesh', '<mesh scale="0.001 -0.001 0.001"'))
    assert doubts(RobotModel.from_urdf(file)) == []
    assert doubts(RobotModel.from_urdf(text)) == []  # a text has no files beside it
    (folder / 'meshes' / name).write_bytes(b'rubbish')
    assert doubts(RobotModel.from_urdf(file)) == []

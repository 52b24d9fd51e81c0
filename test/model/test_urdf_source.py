"""Where a description comes from: paths, texts, other formats, xacro, hostile XML."""

import builtins
import os
import sys

from hypothesis import given, settings, strategies as st
import pytest
from robot_dynamics import RobotDynamicsError, RobotModel
from robot_dynamics.core.errors import ModelError
from robot_dynamics.model import source
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.model.source import Document
from urdf_snippets import joint, link, robot, two_joints

TEXT = two_joints()
XACRO = """<?xml version="1.0"?>
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="load" default="2"/>
  <xacro:property name="half" value="${0.5 * 3}"/>
  <link name="base"/>
  <link name="tip"><inertial><origin xyz="0 0 ${half}"/><mass value="$(arg load)"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="tip"/></joint>
</robot>
"""


def test_path_text_and_bytes_give_the_same_model(tmp_path):
    file = tmp_path / 'arm.urdf'
    file.write_text(TEXT)
    prints = {RobotModel.from_urdf(given).fingerprint
              for given in (file, str(file), TEXT, TEXT.encode(), '\ufeff \n' + TEXT,
                            f'<?xml version="1.0" encoding="utf-8"?>\n{TEXT}')}
    assert len(prints) == 1


def test_a_declared_encoding_is_honoured_in_bytes_and_ignored_in_text():
    text = '<?xml version="1.0" encoding="latin-1"?>' + robot(link('b\u00e4r'))
    assert RobotModel.from_urdf(text.encode('latin-1')).base_link == 'b\u00e4r'
    assert RobotModel.from_urdf(text).base_link == 'b\u00e4r'
    utf16 = '<?xml version="1.0" encoding="utf-16"?>' + robot(link('b\u00e4r'))
    assert RobotModel.from_urdf(utf16.encode('utf-16')).base_link == 'b\u00e4r'


@pytest.mark.parametrize('given, message', [
    ('', 'description text: is empty'), ('  \n', 'is empty'), (b'', 'is empty'),
    ('nothing/here.urdf', 'nothing/here.urdf: no such file'), ('hello world', 'no such file'),
    ('a\0b', 'no such file|cannot be read'), ('x' * 5000, 'cannot be read|no such file'),
    ('<robot', r'is not XML \(line 1, column'), ('<robot name="a"><link></robot>', 'is not XML'),
    (b'\xff\xfe\x00', 'is not XML'), ('<robot name="\ud800"/>', 'is not XML'),
    ('<?xml version="1.0" encoding="klingon"?><robot/>'.encode(), 'is not XML'),
    (42, 'is a int; give a path'), (None, 'is a NoneType')])
def test_what_cannot_be_read_is_refused_with_the_reason(given, message):
    with pytest.raises(ModelError, match=message):
        RobotModel.from_urdf(given)


def test_a_directory_an_empty_file_and_a_device_are_refused(tmp_path):
    empty = tmp_path / 'empty.urdf'
    empty.touch()
    with pytest.raises(ModelError, match='is a directory; give the .urdf file in it'):
        RobotModel.from_urdf(tmp_path)
    with pytest.raises(ModelError, match=r'empty\.urdf: is empty'):
        RobotModel.from_urdf(empty)
    with pytest.raises(ModelError, match='is not a regular file'):
        RobotModel.from_urdf(os.devnull)


def test_an_unreadable_file_is_refused(tmp_path, monkeypatch):
    file = tmp_path / 'arm.urdf'
    file.write_text(TEXT)

    def refuse(*_):
        raise PermissionError(13, 'Permission denied')
    monkeypatch.setattr(type(file), 'read_bytes', refuse)
    with pytest.raises(ModelError, match=r'cannot be read \(Permission denied\)'):
        RobotModel.from_urdf(file)


@pytest.mark.parametrize('text, message', [
    ('<mujoco model="a"/>', r'is MJCF \(MuJoCo\), not URDF; export a URDF'),
    ('<sdf version="1.9"><model name="a"/></sdf>', r'is SDF \(Gazebo\), not URDF; .*sdf2urdf'),
    ('<model name="a"/>', 'SDF'), ('<html><body/></html>', r'root element is <html>, not <robot>'),
    (XACRO, r'contains <xacro:arg>: it is xacro, not URDF; convert it: xacro'),
    (robot(link('b', com='0 0 ${h}')), 'not a number; expand it first: xacro'),
    (robot(link('${prefix}base')), 'is a xacro expression; expand it first')])
def test_another_format_is_named_and_the_way_to_urdf_told(text, message):
    with pytest.raises(ModelError, match=message):
        RobotModel.from_urdf(text)


@pytest.mark.parametrize('head', [
    '<!DOCTYPE robot>', '<!DOCTYPE robot SYSTEM "file:///etc/hostname">',
    '<!DOCTYPE robot [<!ENTITY x "1">]>',
    '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'])
def test_document_types_and_entities_are_refused(head, tmp_path):
    with pytest.raises(ModelError, match=r': declares a document type or entities .*remove') as no:
        RobotModel.from_urdf(head + TEXT)
    assert 'is not XML' not in str(no.value)
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(head + XACRO.split('\n', 1)[1])
    with pytest.raises(ModelError, match='declares a document type or entities'):
        RobotModel.from_urdf(file)


def test_an_undefined_entity_is_refused():
    with pytest.raises(ModelError, match='is not XML'):
        RobotModel.from_urdf(robot(link('&secret;')))


def test_endless_nesting_is_refused():
    with pytest.raises(ModelError, match='nests more than 200 elements deep'):
        RobotModel.from_urdf('<robot name="a">' + '<a>' * 100_000 + '</a>' * 100_000 + '</robot>')


def test_a_huge_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    file = tmp_path / 'huge.urdf'
    with open(file, 'wb') as stream:
        stream.truncate(source.MAXIMUM_BYTES + 1)  # sparse: takes no room
    monkeypatch.setattr(type(file), 'read_bytes', lambda _: pytest.fail('was read'))
    with pytest.raises(ModelError, match='more than 100 MB'):
        RobotModel.from_urdf(file)


@pytest.mark.slow
def test_ten_thousand_links_load_and_one_more_is_refused():
    names = [f'l{index}' for index in range(10_001)]
    chain = [link(names[0], 0)] + [
        link(name, 1.0) + joint(f'j{index}', names[index], name, 'fixed')
        for index, name in enumerate(names[1:])]
    model = RobotModel.from_urdf(robot(*chain[:-1]))
    assert model.total_mass == 9_999
    with pytest.raises(ModelError, match='more than 10000 links'):
        RobotModel.from_urdf(robot(*chain))


def test_a_xacro_file_is_expanded_with_its_arguments(tmp_path):
    pytest.importorskip('xacro')
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(XACRO)
    model = RobotModel.from_urdf(file)
    assert model.bodies[0].inertial.mass == 2.0
    assert model.bodies[0].inertial.com[2] == 1.5
    loaded = RobotModel.from_urdf(file, xacro_arguments={'load': 5})
    assert loaded.bodies[0].inertial.mass == 5.0


@pytest.mark.parametrize('broken, message', [
    ('${half}', r'xacro cannot expand it \(.*half'),
    ('$(arg lode)', "its argument 'lode' has no default"),
    ('$(find no_such_package_at_all)', "finds no package 'no_such_package_at_all'")])
def test_a_xacro_file_that_does_not_expand_gives_one_line(tmp_path, broken, message):
    pytest.importorskip('xacro')
    file = tmp_path / 'arm.xacro'
    file.write_text(f'<robot name="a" xmlns:xacro="http://x"><link name="{broken}"/></robot>')
    with pytest.raises(ModelError, match=message) as caught:
        RobotModel.from_urdf(file)
    assert '\n' not in str(caught.value)


def test_xml_from_a_topic_opens_no_file_and_expands_no_xacro(tmp_path):
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(XACRO)
    with pytest.raises(ModelError, match='robot_description: is not XML.*not opened here'):
        Document.from_xml(str(file), 'robot_description')
    with pytest.raises(ModelError, match='contains <xacro:arg>: it is xacro'):
        Document.from_xml(XACRO, 'robot_description')
    assert RobotModel.from_urdf(Document.from_xml(TEXT)).nv == 2


@pytest.mark.parametrize('choice', [ModelChoice(), ModelChoice(held_joints=('elbow=0.1',))])
def test_a_pipe_is_read_once(choice):
    reading, writing = os.pipe()
    with os.fdopen(writing, 'w') as stream:
        stream.write(TEXT)
    try:
        assert choice.load(f'/dev/fd/{reading}').joint_names[0] == 'shoulder'
    finally:
        os.close(reading)


def package(directory, name):
    (directory / 'urdf').mkdir(parents=True)
    (directory / 'package.xml').write_text(f'<package><name>{name}</name></package>')
    (directory / 'urdf' / 'part.xacro').write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">' + link('b') + link('a')
        + joint('j', 'b', 'a') + '</robot>')


FINDING = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
           '<xacro:include filename="$(find some_sim)/urdf/part.xacro"/></robot>')


@pytest.mark.parametrize('place, paths', [
    ('.', ()), ('parts', ()), ('../some_sim', ()), ('../src/parts', ('../src',)),
    ('../far/deep/parts', ('../far/deep/parts',)), ('../install/share/some_sim', ('../install',)),
    ('../install/some_sim/share/some_sim', ('../install',))])
def test_a_package_is_found_around_the_file_and_in_given_paths(tmp_path, place, paths):
    pytest.importorskip('xacro')
    home = tmp_path / 'robot'
    home.mkdir()
    package(home / place, 'some_sim')
    (home / 'robots').mkdir()
    file = home / 'robots' / 'arm.urdf.xacro'
    file.write_text(FINDING)
    given = tuple(str(home / path) for path in paths)
    assert ModelChoice(package_paths=given).load(file).joint_names == ('j',)


def test_a_package_that_is_nowhere_is_named_with_what_to_do(tmp_path):
    pytest.importorskip('xacro')
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(FINDING)
    with pytest.raises(ModelError, match="finds no package 'some_sim'.*source the ROS workspace"):
        RobotModel.from_urdf(file)


def test_without_the_xacro_module_the_error_says_so(tmp_path, monkeypatch):
    file = tmp_path / 'arm.xacro'
    file.write_text(XACRO)
    real = builtins.__import__

    def without_xacro(name, *arguments, **options):
        if name == 'xacro':
            raise ImportError(name)
        return real(name, *arguments, **options)
    monkeypatch.delitem(sys.modules, 'xacro', raising=False)
    monkeypatch.setattr(builtins, '__import__', without_xacro)
    with pytest.raises(ModelError, match='module xacro is not installed; pip install xacro'):
        RobotModel.from_urdf(file)


def test_xacro_arguments_for_a_plain_urdf_are_refused():
    with pytest.raises(ModelError, match='takes no xacro_arguments'):
        RobotModel.from_urdf(TEXT, xacro_arguments={'a': '1'})


@settings(deadline=None, max_examples=100)
@given(st.one_of(st.text(), st.binary(), st.text().map('<robot name="a">{}</robot>'.format)))
def test_arbitrary_input_is_refused_or_loads_but_never_crashes(given):
    try:
        RobotModel.from_urdf(given)
    except RobotDynamicsError as error:
        assert str(error)


@settings(deadline=None, max_examples=100)
@given(st.data())
def test_a_text_with_changed_bytes_is_refused_or_loads_but_never_crashes(data):
    text = bytearray(TEXT.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    try:
        RobotModel.from_urdf(bytes(text))
    except RobotDynamicsError:
        pass

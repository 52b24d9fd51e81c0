"""Descriptions as users bring them, on the command line: pipes, stdin, packages, hints."""

import io
import json
import os
import sys

import pytest
from robot_dynamics.app.cli import main
from robot_dynamics.core.resources import resource_path

PA10 = resource_path('urdf/pa10.urdf')


def stdin_of(data):
    return io.TextIOWrapper(io.BytesIO(data))


def test_a_description_comes_through_a_pipe(capsys):
    reading, writing = os.pipe()
    with os.fdopen(writing, 'wb') as stream:
        stream.write(PA10.read_bytes())
    assert main(['torque', f'/dev/fd/{reading}']) == 0
    os.close(reading)
    assert 'joint6' in capsys.readouterr().out


def test_what_comes_from_stdin_is_not_taken_for_a_path(capsys, monkeypatch):
    monkeypatch.setattr(sys, 'stdin', stdin_of(str(PA10).encode()))
    assert main(['check', '-']) == 2
    error = capsys.readouterr().err
    assert 'standard input: is not XML' in error and error.count('\n') == 1


def test_stdin_keeps_its_declared_encoding(capsys, monkeypatch):
    text = '<?xml version="1.0" encoding="latin-1"?>' + PA10.read_text().split('?>')[-1]
    text = text.replace('name="pa10_6ce"', 'name="b\u00e4r"', 1)
    monkeypatch.setattr(sys, 'stdin', stdin_of(text.encode('latin-1')))
    assert main(['check', '-']) == 0
    assert 'b\u00e4r' in capsys.readouterr().out


@pytest.mark.parametrize('words, hint', [
    (['--xacro-arg', 'a:=1'], 'takes no --xacro-arg'),
    (['--held-joints', 'joint1=99'], '--held-joints joint1: is 99'),
    (['--held-joints', 'joint1=x'], "--held-joints: joint1: 'x' is not a number"),
    (['--rotor-inertia', 'joint1'], "--rotor-inertia: 'joint1' is not of the form"),
    (['--base-link', 'link2', '--tip-link', 'link1'], "--tip-link: 'link1' does not hang")])
def test_a_hint_names_options(capsys, words, hint):
    assert main(['torque', 'pa10', *words]) == 2
    assert hint in capsys.readouterr().err


def test_a_package_that_is_nowhere_is_named_with_the_option(capsys, tmp_path):
    pytest.importorskip('xacro')
    file = tmp_path / 'uvms.urdf.xacro'
    file.write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="uvms">'
        '<xacro:arg name="vehicle_name" default="uvms"/>'
        '<xacro:include filename="$(find some_sim)/models/rov/urdf/rov_macro.xacro"/></robot>')
    assert main(['check', str(file)]) == 2
    error = capsys.readouterr().err
    assert "finds no package 'some_sim'" in error and error.endswith('--package-path DIR\n')
    assert 'source the ROS workspace' in error


def test_names_do_not_steer_the_terminal(capsys, tmp_path):
    file = tmp_path / 'arm.urdf'
    file.write_text(PA10.read_text().replace('"joint6"', '"joint6&#10;&#x9b;2J"'))
    assert main(['check', str(file)]) == 0
    out = capsys.readouterr().out
    assert r'joint6\n\x9b2J' in out and '\x9b' not in out


def arm(*, inertia='ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"',
        origin='<origin xyz="0.3 0 0"/>', mass='2', limit='effort="100" velocity="2"',
        more=''):
    return (f'<robot name="r"><link name="w"/><link name="a"><inertial>{origin}'
            f'<mass value="{mass}"/><inertia {inertia}/></inertial><collision><geometry>'
            '<box size="0.6 0.1 0.1"/></geometry></collision></link><joint name="j" '
            'type="revolute"><parent link="w"/><child link="a"/><axis xyz="0 1 0"/>'
            f'<limit lower="-3" upper="3" {limit}/></joint>{more}</robot>')


MESS = {
    'unit of the inertia': (
        {'mass': '0.008', 'inertia': 'ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"'},
        "link 'a': 0.008 kg with 1 kg m^2 has a radius of gyration of 11.2 m"),
    'effort limit 0': ({'limit': 'effort="0" velocity="1"'}, "joint 'j': has effort limit 0 Nm"),
    'no effort limit': ({'limit': 'effort="1e300" velocity="1"'},
                        "joint 'j': has effort limit 1e+300 Nm, above 1e+06"),
    'velocity limit 0': ({'limit': 'effort="9" velocity="0"'}, 'has velocity limit 0 rad/s'),
    'too weak': ({'limit': 'effort="1" velocity="1"'},
                 'has effort limit 1 Nm, and gravity alone asks more than'),
    'pose': ({'origin': '<pose>0.3 0 0 0 0 0</pose>'}, '<pose> of <inertial> is not known'),
    'typo': ({'origin': '<orgin xyz="0.3 0 0"/>'}, '<orgin> of <inertial> is not known'),
    'too light': (
        {'mass': '0.002', 'inertia': 'ixx="1e-5" iyy="2e-5" izz="2e-5" ixy="0" ixz="0" iyz="0"'},
        'in t it would be 2 kg'),
    'too compact': ({'inertia': 'ixx="1e-8" iyy="2e-8" izz="2e-8" ixy="0" ixz="0" iyz="0"'},
                    'would be nearly a point'),
    'limit in kN m': ({'limit': 'effort="0.05" velocity="2"'}, 'in kNm it would be 50 Nm'),
    'limit in kgf m': ({'limit': 'effort="2" velocity="2"'}, 'in kgf m it would be 19.61 Nm'),
    'degrees': ({'origin': '<origin xyz="0.3 0 0" rpy="0 0 90"/>'}, 'in deg it would be 1.571'),
    'rotor nowhere': ({'more': '<mujoco><joint armature="0.2"/></mujoco>'},
                      'states a rotor inertia, which is not read'),
    'loop': ({'more': '<gazebo><joint name="bar"><parent>a</parent><child>w</child></joint>'
                      '</gazebo>'}, "'bar' ties 'a' to 'w'"),
}


@pytest.mark.parametrize('how, says', MESS.values(), ids=MESS.keys())
def test_check_strict_fails_on_a_wrong_description_and_names_what_is_wrong(
        capsys, tmp_path, how, says):
    file = tmp_path / 'arm.urdf'
    file.write_text(arm(**how))
    assert main(['check', str(file), '--strict']) == 1
    suspicious = capsys.readouterr().out.split('suspicious:')[1]
    assert says in suspicious


RIGHT = {
    'as it is': {},
    'a fixed axis that is not used': {'more': '<link name="p"/><joint name="f" type="fixed">'
                                              '<parent link="a"/><child link="p"/>'
                                              '<axis xzy="0 0 1"/></joint>'},
    'quaternion': {'origin': '<origin xyz="0.3 0 0" quat_xyzw="1 0 0 0"/>'},
    'rotor': {'more': '<transmission name="t"><joint name="j"/><actuator name="m">'
                      '<rotor_inertia value="3e-4"/><gear_ratio value="50"/></actuator>'
                      '</transmission>'},
    'gazebo': {'more': '<gazebo reference="a"><material>Gazebo/Red</material></gazebo>'}}


@pytest.mark.parametrize('how', RIGHT.values(), ids=RIGHT.keys())
def test_check_strict_passes_the_right_description_beside_it(capsys, tmp_path, how):
    file = tmp_path / 'arm.urdf'
    file.write_text(arm(**how))
    assert main(['check', str(file), '--strict']) == 0
    assert main(['torque', str(file), '--json']) == 0
    assert '-5.88' in capsys.readouterr().out


WRONG_CASES = ('03-unit-inertia/arm.urdf', '05-effort-zero/arm.urdf',
               '10-unknown-inside-inertial/arm.urdf', '10-unknown-inside-inertial/typo.urdf')
RIGHT_CASES = (  # with the torque of the first joint, as worked out by hand and Pinocchio
    ('01-quat-xyzw/arm.urdf', [], 38.2459), ('01-quat-xyzw/same_in_rpy.urdf', [], 38.2459),
    ('09-drake-rotor/arm.urdf', ['--qdd', '1'], 3.2), ('14-fixed-axis/arm.urdf', [], -5.8840))


@pytest.fixture
def cases(repository):
    folder = repository.parent / 'shared' / 'cases'
    if not folder.is_dir():
        pytest.skip('the descriptions of others are not beside this checkout (../shared/cases)')
    return folder


@pytest.mark.parametrize('name', WRONG_CASES)
def test_check_strict_fails_on_what_others_brought_wrong(capsys, cases, name):
    assert main(['check', str(cases / name), '--strict']) == 1


@pytest.mark.parametrize('name, state, torque', RIGHT_CASES)
def test_check_strict_passes_what_others_brought_right(capsys, cases, name, state, torque):
    assert main(['check', str(cases / name), '--strict']) == 0
    capsys.readouterr()
    assert main(['torque', str(cases / name), '--json', *state]) == 0
    found = json.loads(capsys.readouterr().out)['torque'][0]
    assert found == pytest.approx(torque, abs=1e-4)


@pytest.mark.parametrize('command', [['torque'], ['simulate', '--backend', 'interpreted',
                                                  '--duration', '0.01']])
def test_every_command_says_once_what_is_unknown_in_an_inertial(capsys, tmp_path, command):
    file = tmp_path / 'arm.urdf'
    file.write_text(arm(origin='<pose>0.3 0 0 0 0 0</pose>'))
    assert main([command[0], str(file), *command[1:]]) == 0
    assert capsys.readouterr().err.count('<pose> of <inertial> is not known') == 1


def test_a_rotor_that_the_file_states_is_in_the_torque_and_in_check(capsys, tmp_path):
    file = tmp_path / 'arm.urdf'
    file.write_text(arm(more=(
        '<transmission name="t"><joint name="j"/><actuator name="m">'
        '<drake:gear_ratio value="100"/><drake:rotor_inertia value="0.0003"/></actuator>'
        '</transmission>')))
    assert main(['torque', str(file), '--qdd', '1', '--json']) == 0
    report = json.loads(capsys.readouterr().out)
    assert report['terms']['rotor'] == pytest.approx([3.0])
    assert main(['check', str(file)]) == 0
    assert 'no reflected rotor inertia' not in capsys.readouterr().out


def test_limits_of_acceleration_and_jerk_are_reported(capsys, tmp_path):
    file = tmp_path / 'arm.urdf'
    file.write_text(arm(limit='effort="100" velocity="2" acceleration="7" jerk="80"'))
    assert main(['check', str(file), '--strict']) == 0
    assert 'j                  7             -    80' in capsys.readouterr().out


@pytest.mark.parametrize('command', ['check', 'torque', 'simulate'])
def test_a_description_without_inertial_says_so_and_what_to_do(capsys, tmp_path, command):
    file = tmp_path / 'arm.urdf'
    text = arm()
    start, end = text.index('<inertial>'), text.index('<collision>')
    file.write_text(text[:start] + text[end:])
    assert main([command, str(file)]) == 2
    error = capsys.readouterr().err
    assert 'has no <inertial> at all (so have those of ABB, Fanuc, Motoman and MoveIt)' in error
    assert 'data sheet' in error and 'from_dh' in error and 'identify' in error


CHAIN = (
    '<robot name="pal"><link name="base"/>' + ''.join(
        f'<link name="l{i}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="1" '
        'iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>' for i in range(4))
    + ''.join(
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="l{i}"/>'
        f'<axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="60" velocity="1"/>{mimic}</joint>'
        for i, (name, parent, mimic) in enumerate([
            ('j2', 'base', ''), ('jv', 'l0', '<mimic joint="j2" multiplier="-1" offset="0.2"/>'),
            ('j4', 'l1', '<mimic joint="j4b" multiplier="0.5" offset="-0.1"/>'),
            ('j4b', 'l2', '<mimic joint="jv" multiplier="2"/>')])) + '</robot>')


def test_the_value_of_a_follower_is_refused_with_its_drivers(capsys, tmp_path):
    file = tmp_path / 'arm.urdf'
    file.write_text(CHAIN)
    assert main(['torque', str(file), '--q', 'j4=0.2']) == 2
    error = capsys.readouterr().err
    assert "--q: joint 'j4' follows joint 'j4b' (<mimic>), and that joint 'j2'" in error
    assert 'j4 = -1 * j2 +0.1; give j2' in error
    assert main(['torque', str(file), '--held-joints', 'j2=0.5', '--qd', 'j2=1']) == 2
    assert "--qd: joint 'j2' is held at 0.5 and does not move" in capsys.readouterr().err

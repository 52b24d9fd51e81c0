"""What of a robot a command takes, and what acts on it: parts, rotors, mounts, loads, xacro."""

import json
import sys

import numpy as np
import pytest
from robot_dynamics import BaseMotion, InverseDynamics, RobotModel
from robot_dynamics.app.cli import main
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.motion.rotations import matrix_from_rpy

Q = ['--q', '0', '0.5', '0', '1.2', '0', '0']
POSTURE, ZERO = [0, 0.5, 0, 1.2, 0, 0], np.zeros(6)
ARM = ('<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro">'
       '<xacro:arg name="mass" default="1"/><link name="b"/><link name="l"><inertial>'
       '<origin xyz="1 0 0"/><mass value="$(arg mass)"/>'
       '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
       '<joint name="j" type="continuous"><parent link="b"/><child link="l"/><axis xyz="0 1 0"/>'
       '</joint></robot>')


def run_json(capsys, *words):
    assert main([*words, '--json']) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope='module')
def dynamics(repository):
    return InverseDynamics(RobotModel.from_urdf(repository / 'urdf/pa10.urdf'),
                           backend='interpreted')


@pytest.mark.parametrize('frame', ['link', 'base'])
def test_torque_takes_wrenches_in_link_and_base_axes(capsys, dynamics, frame):
    push = ['--wrench', 'tool0', '1', '2', '-20', '0', '0.5', '0', '--wrench-frame', frame]
    report = run_json(capsys, 'torque', 'pa10', *Q, *push, '--base-wrench')
    wrenches = {'tool0': ExternalWrench([1, 2, -20, 0, 0.5, 0], frame)}
    np.testing.assert_allclose(
        report['torque'], dynamics.torque(POSTURE, ZERO, ZERO, None, wrenches), atol=1e-12)
    np.testing.assert_allclose(
        report['terms']['external'], dynamics.external_torque(POSTURE, wrenches), atol=1e-12)
    wrench = dynamics.base_wrench(POSTURE, ZERO, ZERO, None, wrenches)
    np.testing.assert_allclose(report['base_wrench']['force'], wrench[:3], atol=1e-12)


def test_torque_stands_the_arm_on_a_wall_of_a_ship(capsys, dynamics):
    report = run_json(
        capsys, 'torque', 'pa10', *Q, '--base-rpy-deg', '0', '90', '0', '--base-xyz', '1,2,3',
        '--roll-deg', '10', '--roll-rate', '0.2', '--roll-acceleration', '-0.3')
    deck = BaseMotion.from_roll_pitch(np.deg2rad(10), 0, 0.2, 0, -0.3)
    base = deck.transformed(matrix_from_rpy((0, np.pi / 2, 0)), (1, 2, 3))
    np.testing.assert_allclose(report['torque'], dynamics.torque(POSTURE, ZERO, ZERO, base),
                               atol=1e-12)


def test_torque_takes_a_payload_and_rotors(capsys, repository):
    report = run_json(
        capsys, 'torque', 'pa10', *Q, '--qdd', 'joint2=2', '--payload', 'tool0', '3', '0', '0',
        '0.1', '--rotor-inertia', 'joint1=0.5', 'joint2=3e-4@50')
    model = RobotModel.from_urdf(repository / 'urdf/pa10.urdf').with_payload(
        'tool0', 3, [0, 0, 0.1])
    loaded = InverseDynamics(model, backend='interpreted', rotor_inertia={'joint2': 0.75})
    np.testing.assert_allclose(
        report['torque'], loaded.torque(POSTURE, ZERO, [0, 2, 0, 0, 0, 0]), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(report['terms']['rotor'], [0, 1.5, 0, 0, 0, 0])


def test_held_joints_and_chosen_joints_leave_the_others(capsys):
    held = run_json(capsys, 'torque', 'pa10', '--held-joints', 'joint6,joint5=0.2')
    assert held['joints'] == ['joint1', 'joint2', 'joint3', 'joint4']
    chosen = run_json(capsys, 'torque', 'pa10', '--joints', 'joint1', 'joint2', 'joint3',
                      'joint4', '--held-joints', 'joint5=0.2')
    assert chosen['torque'] == held['torque']


def test_check_shows_friction_and_rotors_and_says_what_is_missing(capsys):
    report = run_json(capsys, 'check', 'pa10', '--rotor-inertia', 'joint2=3e-4@50')
    assert report['rotor_inertia'] == pytest.approx([0, 0.75, 0, 0, 0, 0])
    assert report['friction'][1] > 0 and report['damping'][1] > 0
    assert main(['check', 'pa10', '--rotor-inertia', 'joint2=3e-4@50']) == 0
    with_rotor = capsys.readouterr().out
    assert 'rotor inertia' in with_rotor and '0.75' in with_rotor
    assert 'used where friction is asked for' in with_rotor
    assert main(['check', 'pa10']) == 0
    assert 'no reflected rotor inertia' in capsys.readouterr().out


def test_a_xacro_file_takes_its_arguments(capsys, tmp_path):
    pytest.importorskip('xacro')
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(ARM)
    report = run_json(capsys, 'torque', str(file), '--xacro-arg', 'mass:=3')
    assert report['torque'] == pytest.approx([-3 * 9.80665])


def test_without_xacro_the_error_is_one_line_that_says_so(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, 'xacro', None)
    file = tmp_path / 'arm.urdf.xacro'
    file.write_text(ARM)
    assert main(['torque', str(file)]) == 2
    error = capsys.readouterr().err
    assert 'the Python module xacro is not installed' in error and error.count('\n') == 1


@pytest.mark.parametrize('words, told', [
    (['--wrench', 'tol0', *'000000'], 'tool0'), (['--wrench', 'tool0', *'00000', 'x'], '--wrench'),
    (['--payload', 'tool0', '-1', '0', '0', '0'], 'mass'),
    (['--payload', 'tol0', '1', '0', '0', '0'], 'tool0'),
    (['--base-rpy-deg', '0', '90'], '--base-rpy-deg'),
    (['--held-joints', 'joint9'], 'joint9'), (['--joints', 'joint9'], 'joint9'),
    (['--joints', 'joint1', '--tip-link', 'link2'], 'not allowed'),
    (['--rotor-inertia', 'joint1'], 'name=value'), (['--xacro-arg', 'a:=1'], '.xacro file')])
def test_what_cannot_be_is_one_line_and_2(capsys, words, told):
    assert main(['torque', 'pa10', *words]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count('\n') == 1

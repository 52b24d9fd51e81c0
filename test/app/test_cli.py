import json
from pathlib import Path
import subprocess
import sys

import numpy as np
import pytest

from robot_dynamics import __version__, BaseMotion, InverseDynamics, RobotModel
from robot_dynamics.app import cli
from robot_dynamics.app.cli import main
from robot_dynamics.core.resources import resource_path

STATE = ['--q', '0.1', '0.5', '-0.3', '1.2', '0', '0.4', '--qd=-0.5,0.2,0,1,-1e-1,0',
         '--qdd', 'joint2=-1.5', '--roll-deg', '10', '--pitch', '-0.05', '--roll-rate', '0.1',
         '--pitch-acceleration-deg', '-3', '--linear-acceleration', '0', '0.2', '-0.7']


@pytest.fixture(scope='module')
def pa10() -> RobotModel:
    return RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))


def run_json(capsys, *words: str) -> dict:
    """Run a command with --json in this process and return what it printed."""
    assert main([*words, '--json']) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize('method', ['newton_euler', 'lagrange_euler'])
def test_torque_prints_what_the_library_computes(capsys, pa10, method):
    report = run_json(capsys, 'torque', 'pa10', *STATE, '--method', method, '--base-wrench')
    state = ([0.1, 0.5, -0.3, 1.2, 0, 0.4], [-0.5, 0.2, 0, 1, -0.1, 0], [0, -1.5, 0, 0, 0, 0])
    base = BaseMotion.from_roll_pitch(
        np.deg2rad(10), -0.05, 0.1, 0.0, 0.0, np.deg2rad(-3), linear_acceleration=[0, 0.2, -0.7])
    dynamics = InverseDynamics(pa10, method=method, backend='interpreted')
    np.testing.assert_allclose(report['torque'], dynamics.torque(*state, base), atol=1e-12)
    wrench = report['base_wrench']
    np.testing.assert_allclose(
        wrench['force'] + wrench['moment'], dynamics.base_wrench(*state, base), atol=1e-12)


def test_terms_sum_to_the_torque(capsys):
    report = run_json(capsys, 'torque', 'pa10', *STATE, '--friction')
    assert report['terms']['friction'] != [0.0] * 6
    np.testing.assert_allclose(
        np.sum(list(report['terms'].values()), axis=0), report['torque'], atol=1e-12)


def test_what_is_asked_for_has_a_column_also_where_it_is_zero(capsys):
    assert main(['torque', 'pa10']) == 0
    plain = capsys.readouterr().out.splitlines()[0]
    assert main(['torque', 'pa10', '--friction', '--rotor-inertia', 'joint2=0.75']) == 0
    asked = capsys.readouterr().out.splitlines()[0]
    assert 'friction' not in plain and 'rotor' not in plain
    assert 'friction' in asked and 'rotor' in asked


def test_the_table_has_a_row_per_joint_and_a_column_per_cause(capsys):
    assert main(['torque', 'pa10', *STATE]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [f'joint{i}' for i in range(1, 7)]
    assert 'base inertial' in lines[0] and 'of limit' in lines[0]


def test_gravity_scales_the_torque_at_rest(capsys):
    earth = run_json(capsys, 'torque', 'pa10', '--q', 'joint2=0.5')
    moon = run_json(capsys, 'torque', 'pa10', '--q', 'joint2=0.5', '--gravity', '1.62')
    np.testing.assert_allclose(
        moon['torque'], np.array(earth['torque']) * 1.62 / 9.80665, atol=1e-12)


def test_check_says_what_the_model_has_and_that_both_methods_agree(capsys):
    report = run_json(capsys, 'check', 'pa10')
    assert report['joint_names'] == [f'joint{i}' for i in range(1, 7)]
    assert report['agreement']['holds'] and report['agreement']['largest'] > 1.0
    assert report['bodies'][0]['parent'] == 'base_link'


def suspicious_urdf(folder: Path) -> Path:
    """Write a robot whose link has an impossible inertia."""
    path = folder / 'odd.urdf'
    path.write_text("""
<robot name="odd">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/>
    <axis xyz="1 0 0"/></joint>
</robot>""", encoding='utf-8')
    return path


def test_check_reports_what_is_suspicious_and_fails_only_when_strict(capsys, tmp_path):
    path = str(suspicious_urdf(tmp_path))
    assert main(['check', path]) == 0
    suspicious = capsys.readouterr().out.split('suspicious:')[1]
    assert "'arm'" in suspicious
    assert main(['check', path, '--strict']) == 1


@pytest.mark.parametrize('command', [['torque'], ['simulate', '--backend', 'interpreted',
                                                  '--duration', '0.01']])
def test_an_impossible_robot_is_computed_with_a_warning_that_names_the_link(
        capsys, tmp_path, command):
    assert main([command[0], str(suspicious_urdf(tmp_path)), *command[1:]]) == 0
    assert "warning: link 'arm': its inertia is against" in capsys.readouterr().err


def test_check_fails_when_the_methods_disagree(capsys, monkeypatch):
    from robot_dynamics.app.agreement import Agreement
    monkeypatch.setattr('robot_dynamics.app.commands.check.compare_methods',
                        lambda model, states: Agreement(states, 0.1, 100.0))
    assert main(['check', 'pa10']) == 1
    assert 'DISAGREE' in capsys.readouterr().out


def test_a_description_may_come_from_stdin(capsys, monkeypatch):
    with open(resource_path('urdf/pa10.urdf'), encoding='utf-8') as file:
        monkeypatch.setattr(sys, 'stdin', file)
        assert main(['check', '-']) == 0
    assert '6 joints' in capsys.readouterr().out


@pytest.mark.parametrize('words, complaint', [
    (['torque', 'pa11'], "'pa11'; known: pa10"),
    (['torque', 'no/such.urdf'], 'no/such.urdf'),
    (['torque', 'pa10', '--q', '1', '2'], '--q: expected shape (6,)'),
    (['torque', 'pa10', '--qd', 'joint9=1'], "unknown joint 'joint9'"),
    (['torque', 'pa10', '--tip-link', 'hand'], "'hand'"),
    (['torque', 'pa10', '--roll', 'much'], '--roll'),
    (['torque', 'pa10', '--roll', '1', '--roll-deg', '1'], 'not allowed with'),
    (['torque', 'pa10', '--gravity', 'nan'], 'gravity'),
    (['torque', 'pa10', '--qd', 'joint1=1e200'], 'overflows'),
    (['check', 'pa10', '--states', '0'], '--states'),
    (['check', 'pa10', '--states', 'many'], '--states'),
    (['lift', 'pa10'], "invalid choice: 'lift'"),
    ([], 'COMMAND'),
])
def test_bad_input_exits_with_2_and_one_line_that_names_it(capsys, words, complaint):
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ''
    assert complaint in captured.err
    assert len(captured.err.splitlines()) == 1 and 'error: ' in captured.err


@pytest.mark.parametrize('command', cli.COMMANDS)
def test_every_command_has_help_with_a_worked_example(capsys, command):
    assert main([command, '--help']) == 0
    text = capsys.readouterr().out
    assert f'  robot-dynamics {command} ' in text.split('example')[-1]


def test_help_and_version_load_nothing_heavy():
    script = ('import sys\nfrom robot_dynamics.app.cli import main\n'
              'code = main(["--help"])\n'
              'assert not {"casadi", "numba", "matplotlib"} & set(sys.modules)\n'
              'sys.exit(code)')
    assert subprocess.run([sys.executable, '-c', script], capture_output=True).returncode == 0


def test_ctrl_c_exits_with_130(monkeypatch):
    def interrupted(args):
        raise KeyboardInterrupt
    monkeypatch.setattr('robot_dynamics.app.commands.check.run', interrupted)
    assert main(['check', 'pa10']) == 130


def test_an_output_that_cannot_be_written_is_bad_input(capsys, monkeypatch):
    def full(args):
        raise PermissionError(13, 'Permission denied', 'results/summary.json')
    monkeypatch.setattr('robot_dynamics.app.commands.check.run', full)
    assert main(['check', 'pa10']) == 2
    assert capsys.readouterr().err == (
        'robot-dynamics: error: results/summary.json: permission denied\n')


def test_as_a_process_it_says_its_version_and_a_reader_that_leaves_is_no_error():
    program = [sys.executable, '-m', 'robot_dynamics.app.cli']
    version = subprocess.run([*program, '--version'], capture_output=True, text=True)
    assert version.stdout == f'robot-dynamics {__version__}\n'
    piped = subprocess.Popen([*program, 'torque', 'pa10'], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    assert piped.stdout is not None and piped.stderr is not None
    piped.stdout.close()
    assert 'error' not in piped.stderr.read().lower()
    assert piped.wait() == 141

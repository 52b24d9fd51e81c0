"""``robot-dynamics analyze``, as a user types it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
import json
from pathlib import Path
from typing import Any, List, Optional, Tuple

import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.resources import resource_path
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.replay import analyze_bag

PA10 = resource_path('urdf/pa10.urdf')


@pytest.fixture(scope='module')
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six seconds of an arm on a still deck; joint 1 has friction."""
    model = RobotModel.from_urdf(PA10)
    t = np.arange(0, 6, 0.01)
    w = 2 * np.pi * (0.2 + 0.05 * np.arange(model.nv))
    angle = t[:, None] * w
    q, qd, qdd = 0.4 * np.sin(angle), 0.4 * w * np.cos(angle), -0.4 * w**2 * np.sin(angle)
    effort = InverseDynamics(model, backend='interpreted').torque(q, qd, qdd)
    effort[:, 0] += np.tanh(qd[:, 0] / 0.02)
    stamps = np.rint(1.7e18 + t * 1e9).astype(np.int64)
    path = tmp_path_factory.mktemp('command') / 'run.mcap'
    with RecordingWriter(path) as bag:
        bag.joint_states(stamps, model.joint_names, q, qd, effort)
        bag.imu(stamps, np.zeros(3), [0.0, 0.0, 9.80665], [0.0, 0.0, 0.0, 1.0])
    return path


def run(*words: object) -> int:
    """Run the command."""
    return main(['analyze', *map(str, words)])


def test_one_recording_prints_a_table_and_writes_files(recording: Path, tmp_path: Path,
                                                       capsys: Any) -> None:
    assert run(recording, '--robot', 'pa10', '--output', tmp_path / 'out',
               '--formats', 'json,csv') == 0
    text = capsys.readouterr().out
    assert 'joint6' in text and 'Newton-Euler' in text
    assert sorted(path.name for path in (tmp_path / 'out').iterdir()) == [
        'series.csv', 'summary.json']


def test_json_goes_to_stdout_alone(recording: Path, tmp_path: Path, capsys: Any) -> None:
    assert run(recording, '--robot', PA10, '--json', '--formats', 'none', '--output',
               tmp_path / 'out') == 0
    assert json.loads(capsys.readouterr().out)['samples'] == 600
    assert not (tmp_path / 'out').exists()


@pytest.mark.parametrize('limits, code', [
    (['2'], 0), (['0.5'], 1), (['0.5', 'joint1=2'], 0), (['0.01%', 'joint1=2'], 0)])
def test_fail_above_is_the_exit_code(recording: Path, tmp_path: Path, capsys: Any, limits: list,
                                     code: int) -> None:
    options = [word for limit in limits for word in ('--fail-above', limit)]
    assert run(recording, '--robot', 'pa10', '--formats', 'none', *options) == code
    errors = capsys.readouterr().err
    assert ('joint1' in errors) == bool(code)


@pytest.mark.parametrize('words, says', [
    (['absent.mcap', '--robot', 'pa10'], 'no such file'),
    (['RUN'], '--robot'),
    (['RUN', '--robot', 'absent.urdf'], 'no such file'),
    (['RUN', '--robot', 'pa10', '--formats', 'pdf'], 'choose from'),
    (['RUN', '--robot', 'pa10', '--joint-map', 'a'], '--joint-map'),
    (['RUN', '--robot', 'pa10', '--joint-topic', '/x'], '/joint_states'),
    (['RUN', '--robot', 'pa10', '--fail-above', 'much'], '--fail-above'),
    (['RUN', '--robot', 'pa10', '--bandwidth', '-1'], 'bandwidth'),
    (['RUN', '--robot', 'pa10', '--max-gap', '-1'], 'max_gap: is -1 s'),
    (['RUN', '--robot', 'pa10', '--max-gap', 'nan'], '--max-gap'),
    (['RUN', '--robot', 'pa10', '--jobs', '0'], '--jobs'),
    (['RUN', '--robot', 'pa10', '--rotor-inertia', 'joint1'], '--rotor-inertia'),
    (['RUN', '--robot', 'pa10', '--rotor-inertia', 'joint9=1'], 'joint9'),
    (['RUN', '--robot', 'pa10', '--without-link', 'hand'], 'unknown link')])
def test_bad_input_is_one_line_and_exit_code_two(recording: Path, capsys: Any, words: list,
                                                 says: str) -> None:
    assert run(*[recording if word == 'RUN' else word for word in words]) == 2
    error = capsys.readouterr().err
    assert error.count('\n') == 1 and says in error


@pytest.mark.slow
def test_several_recordings_give_a_fleet_report_and_the_bad_one_the_exit_code(
        recording: Path, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / 'empty.mcap').write_bytes(b'')
    assert run(recording, tmp_path / 'empty.mcap', '--robot', 'pa10', '--formats', 'json',
               '--output', tmp_path / 'out', '--jobs', 2) == 1
    text = capsys.readouterr().out
    assert 'run.mcap' in text and 'the file is empty' in text
    assert sorted(path.name for path in (tmp_path / 'out').iterdir()) == [
        'fleet.html', 'fleet.json', 'run']


@pytest.mark.parametrize('count', [1, 2])
def test_packages_of_a_xacro_file_are_found_for_each_recording(
        recording: Path, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch,
        count: int) -> None:
    pytest.importorskip('xacro')
    (tmp_path / 'packages/arms').mkdir(parents=True)
    (tmp_path / 'packages/arms/pa10.urdf').write_text(PA10.read_text())
    (tmp_path / 'place').mkdir()
    file = tmp_path / 'place/arm.urdf.xacro'
    file.write_text('<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="arm">'
                    '<xacro:include filename="$(find arms)/pa10.urdf"/></robot>')
    monkeypatch.setattr('robot_dynamics.replay.executors.ProcessPool', ThreadPoolExecutor)
    words = (*[recording] * count, '--robot', file, '--formats', 'none', '--output',
             tmp_path / 'out', '--jobs', count)
    assert run(*words, '--package-path', tmp_path / 'packages') == 0
    out = capsys.readouterr().out
    assert 'joint6' in out if count == 1 else out.count('run.mcap') == count
    assert run(*words) == 2
    assert "finds no package 'arms'" in capsys.readouterr().err


def test_the_share_that_progress_shows_is_that_of_its_step(recording: Path) -> None:
    told: List[Tuple[str, Optional[float]]] = []
    analyze_bag(recording, PA10, progress=lambda step, share: told.append((step, share))).close()
    steps = list(dict.fromkeys(step for step, _ in told))
    assert steps == ['compiling the dynamics', 'computing torques',
                     'looking for what explains the rest']
    shares = {step: [share for name, share in told if name == step] for step in steps}
    assert shares['compiling the dynamics'] == [None]  # nobody knows how long
    assert shares['computing torques'][-1] == 1.0


def test_the_help_has_an_example(capsys: Any) -> None:
    assert run('--help') == 0
    assert 'robot-dynamics analyze demo.mcap --robot pa10' in capsys.readouterr().out


@pytest.mark.parametrize('content', [b'hello\n', b'', b'\x00\xff\xfe', b'<robot name="a">'])
def test_a_file_that_is_no_description_is_named(recording: Path, tmp_path: Path, capsys: Any,
                                                content: bytes) -> None:
    path = tmp_path / 'notes.txt'
    path.write_bytes(content)
    assert run(recording, '--robot', path, '--formats', 'none') == 2
    error = capsys.readouterr().err
    assert 'notes.txt' in error and error.count('\n') == 1 and 'no such file' not in error


@pytest.mark.parametrize('encoding', ['utf-16', 'iso-8859-1'])
def test_a_description_in_another_encoding_is_read(recording: Path, tmp_path: Path,
                                                   encoding: str) -> None:
    body = PA10.read_text(encoding='utf-8').split('?>', 1)[1]
    path = tmp_path / 'arm.urdf'
    path.write_bytes((f'<?xml version="1.0" encoding="{encoding}"?><!-- \xe4 -->'
                      + body.encode('ascii', 'ignore').decode()).encode(encoding))
    assert run(recording, '--robot', path, '--formats', 'none') == 0


def test_a_link_of_a_description_with_namespaces_is_left_out(recording: Path, tmp_path: Path,
                                                             capsys: Any) -> None:
    """Two passes wrote the declaration of a namespace twice once."""
    robot = tmp_path / 'arm.urdf'
    robot.write_text(PA10.read_text().replace(
        '<robot ', '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ', 1).replace(
            '</robot>', '<drake:note/></robot>'))
    assert run(recording, '--robot', robot, '--without-link', 'tool0', '--formats', 'none') == 0
    assert 'joint6' in capsys.readouterr().out


def test_what_is_unknown_in_the_description_is_a_finding(recording: Path, tmp_path: Path,
                                                         capsys: Any) -> None:
    robot = tmp_path / 'arm.urdf'
    robot.write_text(PA10.read_text().replace('<inertial>', '<inertial><pose/><orgin/>', 1))
    log = tmp_path / 'run.csv'
    log.write_text('time,joint1/position\n' + '\n'.join(f'{0.01 * i},0.1' for i in range(200)))
    for path in (recording, log):
        assert run(path, '--robot', robot, '--formats', 'none') == 0
        out = ' '.join(capsys.readouterr().out.split())
        assert '<pose> of <inertial> is not known and not used' in out
        assert '<orgin> of <inertial> is not known and not used' in out


def test_the_robot_may_be_a_xacro_file_with_arguments(recording: Path, tmp_path: Path,
                                                      capsys: Any) -> None:
    pytest.importorskip('xacro')
    robot = tmp_path / 'arm.urdf.xacro'
    robot.write_text(PA10.read_text().replace(
        '<robot ', '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ', 1).replace(
            'name="joint6"', 'name="$(arg last)"'))
    assert run(recording, '--robot', robot, '--formats', 'none') == 2
    assert capsys.readouterr().err.endswith('give one with --xacro-arg last:=VALUE\n')
    assert run(recording, '--robot', robot, '--xacro-arg', 'last:=joint6', '--formats',
               'none') == 0

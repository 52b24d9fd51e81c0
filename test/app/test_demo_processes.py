import importlib.util
from pathlib import Path
import signal
import subprocess
import sys
import time

import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.app.demo.processes import command_line, ProcessFailure, ProcessGroup
from robot_dynamics.app.graph import NodeProcess
from robot_dynamics.app.scenarios import ShipPa10

needs_ros = pytest.mark.skipif(
    importlib.util.find_spec('rclpy') is None, reason='rclpy is not installed')


def test_every_word_of_a_process_ends_up_on_its_command_line(tmp_path):
    process = NodeProcess('feedforward_node', 'feedforward', {'method': 'lagrange_euler'},
                          [('~/commands', 'effort')], 'port', parameter_file='common.yaml')
    words = ' '.join(command_line(process, tmp_path))
    assert words.startswith(f'{sys.executable} -m robot_dynamics.nodes.feedforward_node')
    for part in ('__node:=feedforward', '__ns:=/port', '~/commands:=effort',
                 '--params-file common.yaml'):
        assert part in words
    assert '/port/feedforward' in (tmp_path / 'feedforward.yaml').read_text()


@needs_ros
def test_a_node_that_dies_ends_the_run_with_its_own_words(tmp_path, ros_domain):
    processes = list(ShipPa10(lockstep=True).processes())
    bad = NodeProcess('reference_trajectory_node', 'reference_trajectory', {'joints': ['a']})
    with pytest.raises(ProcessFailure, match='reference_trajectory: ended with exit code 2: '
                                             'parameter joints') as caught:
        with ProcessGroup([processes[0], bad], {}, tmp_path) as group:
            group.wait_for('ship_motion_publisher', 60.0, lambda: None)
    assert caught.value.name == 'reference_trajectory'
    assert all(running.poll() is not None for running in group._running.values())


@needs_ros
def test_a_run_that_takes_too_long_is_ended(tmp_path, ros_domain):
    ship = ShipPa10().processes()[0]
    with pytest.raises(ProcessFailure, match='has not finished within 0.5 s'):
        with ProcessGroup([ship], {}, tmp_path) as group:
            group.wait_for('ship_motion_publisher', 0.5, lambda: None)


@pytest.mark.parametrize('said, works', [('ended at t = 2', True), ('[FATAL] [a]: no', False)])
def test_a_node_that_its_alarm_kills_as_it_leaves_has_done_its_work(tmp_path, said, works):
    (tmp_path / 'a.log').write_text(said)
    with ProcessGroup([], {}, tmp_path) as group:
        group._running['a'] = subprocess.Popen(
            [sys.executable, '-c', 'import os; os.kill(os.getpid(), 14)'])
        if works:
            group.wait_for('a', 60.0, lambda: None)
        else:
            with pytest.raises(ProcessFailure, match='signal 14'):
                group.wait_for('a', 60.0, lambda: None)


def test_without_rclpy_the_demo_says_what_to_install(monkeypatch, capsys):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, 'find_spec', lambda name, *rest: None if name == 'rclpy' else real(name))
    assert main(['demo', 'pa10']) == 2
    assert 'robot_dynamics[ros]' in capsys.readouterr().err


KILLED = """
import os, signal, sys
from pathlib import Path
from robot_dynamics.app.demo.processes import ProcessGroup
from robot_dynamics.app.scenarios import ShipPa10
with ProcessGroup(ShipPa10(lockstep=True).processes()[:1], {}, Path(sys.argv[1])) as group:
    running, = group._running.values()
    while not Path(f'/proc/{running.pid}/fd').is_dir():
        pass
    print(running.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_ros
@pytest.mark.skipif(not Path('/proc').is_dir(), reason='looks at /proc')
def test_nodes_end_when_the_demo_is_killed(tmp_path, ros_domain):
    script = subprocess.run([sys.executable, '-c', KILLED, str(tmp_path)], capture_output=True,
                            text=True, timeout=60)
    assert script.returncode == -signal.SIGKILL, script.stderr
    node = Path('/proc') / script.stdout.strip()
    deadline = time.monotonic() + 30.0
    while node.is_dir() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not node.is_dir()


@needs_ros
@pytest.mark.parametrize('words, says', [
    (['--mass-error', 'nan'], '--mass-error'), (['--mass-error', '-200'], 'from -90 to 900'),
    (['--record', 'absent/demo.mcap'], 'there is no directory absent'),
    (['--record', '.'], 'exists already')])
def test_what_cannot_work_is_refused_before_anything_runs(tmp_path, monkeypatch, capsys, words,
                                                          says):
    monkeypatch.chdir(tmp_path)
    assert main(['demo', 'pa10', *words]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count('\n') == 1
    assert not (tmp_path / 'demo_output').exists()

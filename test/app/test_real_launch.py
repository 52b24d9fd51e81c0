"""The launch files with the real ``ros2 launch``, where it is found: start, end, mistakes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

from launch_api import REAL
import pytest

from robot_dynamics.nodes import start

NODES = ('ship_motion_publisher', 'reference_trajectory_node', 'feedforward_node',
         'simulated_robot_node', 'effort_guard_node')
SCRIPT = """#!{python}
import sys
from robot_dynamics.nodes.start import {node}
sys.exit({node}())
"""
PATIENCE = 90.0  # s

pytestmark = pytest.mark.skipif(
    not REAL or shutil.which('ros2') is None, reason='ros2 launch is not installed')


@pytest.fixture(scope='module')
def prefix(tmp_path_factory, repository):
    """Return what a colcon installation of this checkout looks like to launch."""
    prefix = tmp_path_factory.mktemp('prefix')
    (prefix / 'share/ament_index/resource_index/packages').mkdir(parents=True)
    (prefix / 'share/ament_index/resource_index/packages/robot_dynamics').touch()
    (prefix / 'share/robot_dynamics').symlink_to(repository)
    scripts = prefix / 'lib/robot_dynamics'
    scripts.mkdir(parents=True)
    for node in NODES:
        assert getattr(start, node)
        (scripts / node).write_text(SCRIPT.format(python=sys.executable, node=node))
        (scripts / node).chmod(0o755)
    return prefix


class Launch:
    """One ``ros2 launch`` as in a terminal: Ctrl-C reaches all of its processes."""

    def __init__(self, prefix, log, words):
        self._log = log
        with open(log, 'wb') as output:
            self.process = subprocess.Popen(
                ['ros2', 'launch', 'robot_dynamics', *words], stdout=output,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                env={**os.environ, 'PYTHONUNBUFFERED': '1', 'AMENT_PREFIX_PATH': os.pathsep.join(
                    [str(prefix), os.environ.get('AMENT_PREFIX_PATH', '')])})

    @property
    def log(self):
        return self._log.read_text(errors='replace')

    def until(self, words):
        """Wait for words in the log."""
        end = time.monotonic() + PATIENCE
        while words not in self.log:
            assert self.process.poll() is None and time.monotonic() < end, self.log
            time.sleep(0.05)

    def interrupt(self):
        os.killpg(self.process.pid, signal.SIGINT)

    def pids(self):
        """Return the process of each node."""
        return {name.rpartition('-')[0]: int(pid) for name, pid in re.findall(
            r'\[INFO\] \[([\w-]+)\]: process started with pid \[(\d+)\]', self.log)}

    def end(self):
        """Return the exit code; nothing that it has started still runs."""
        code = self.process.wait(PATIENCE)
        for pid in self.pids().values():
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
        return code


def catches_sigterm(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as status:
        caught = next(line for line in status if line.startswith('SigCgt')).split()[1]
    return int(caught, 16) >> (signal.SIGTERM - 1) & 1


@pytest.fixture
def launch(prefix, tmp_path, ros_domain):
    made = []

    def begin(*words):
        made.append(Launch(prefix, tmp_path / f'{len(made)}.log', words))
        return made[-1]

    yield begin
    for one in made:
        if one.process.poll() is None:
            os.killpg(one.process.pid, signal.SIGKILL)
        one.process.wait()


@pytest.mark.parametrize('words, says', [
    (['ship_pa10.launch.py', 'sea_state:=9'], 'sea_state: is 9.0, expected a whole number from 0'),
    (['ship_pa10.launch.py', 'friction:=perhaps'], 'friction'),
    (['mobile_manipulator.launch.py', 'mass_error_percent:=much'], 'mass_error_percent'),
    (['replay.launch.py', 'bag:=nowhere'], 'bag:=nowhere: there is no such file')])
def test_what_cannot_work_ends_with_1_before_anything_is_started(launch, words, says):
    refused = launch(*words)
    assert refused.end() == 1
    assert says in refused.log and not refused.pids() and 'Traceback' not in refused.log


@pytest.mark.slow
@pytest.mark.parametrize('scenario', ['ship_pa10', 'mobile_manipulator'])
def test_the_reference_follows_the_feedforward_and_ctrl_c_ends_all_in_order(launch, scenario):
    running = launch(f'{scenario}.launch.py', 'friction:=True' if scenario == 'ship_pa10'
                     else 'deck:=True')
    running.until('motion of ')
    before = running.log[:running.log.index('motion of ')]
    assert '-> active' in before or 'ramping_in' in before
    running.interrupt()
    running.end()
    for word in ('Traceback', 'process has died', 'SIGTERM'):
        assert word not in running.log, running.log
    assert running.log.count('process has finished cleanly') == len(running.pids())


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith('linux'), reason='looks at /proc')
def test_ctrl_c_while_nodes_load_or_compile_leaves_no_traceback(launch):
    for wait in (0.0, 1.0, 3.0):
        running = launch('ship_pa10.launch.py')
        for node in NODES:
            running.until(f'{node}-')
        for pid in running.pids().values():
            while not catches_sigterm(pid):  # before that Python itself is starting
                time.sleep(0.01)
        time.sleep(wait)
        running.interrupt()
        running.end()
        assert 'Traceback' not in running.log and 'SIGTERM' not in running.log, running.log


@pytest.mark.slow
def test_a_node_that_dies_ends_the_launch_with_1(launch):
    running = launch('ship_pa10.launch.py', 'still_deck:=true')
    running.until('motion of ')
    os.kill(running.pids()['simulated_robot_node'], signal.SIGKILL)
    assert running.end() == 1
    assert 'simulated_robot ended with exit code -9' in running.log


@pytest.mark.slow
def test_a_player_that_dies_ends_the_replay_with_1(launch, tmp_path):
    """Which ``ros2 bag play`` does at once on a directory without a recording."""
    replay = launch('replay.launch.py', f'bag:={tmp_path}')
    assert replay.end() == 1
    assert 'player ended with exit code' in replay.log

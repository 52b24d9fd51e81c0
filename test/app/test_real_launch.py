"""The launch files with the real ``ros2 launch``, where it is found: start, end, mistakes."""

import os
from pathlib import Path
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time

import pytest

from robot_dynamics.nodes import start
from selections import some

NODES = ('ship_motion_publisher', 'reference_trajectory_node', 'feedforward_node',
         'simulated_robot_node', 'effort_guard_node')
SCRIPT = """#!{python}
import sys
from robot_dynamics.nodes.start import {node}
sys.exit({node}())
"""
PATIENCE = 90.0  # s
TRIPPED = 'stopped until the trip is cleared'
ARCHIVE = 'shared/ros2_control/ros2_launch_kilted_py311.tar.gz'


def prepend(environment, name, *parts):
    """Put places before those that a path has."""
    environment[name] = os.pathsep.join(
        [*map(str, parts), *filter(None, [environment.get(name)])])


@pytest.fixture(scope='module')
def ros2(tmp_path_factory, repository):
    """Return the environment in which ``ros2 launch`` is found; skips where it is not."""
    environment = dict(os.environ)
    if shutil.which('ros2') is None:
        archive, place = repository.parent / ARCHIVE, tmp_path_factory.mktemp('ros')
        if not archive.exists():
            pytest.skip(f'ros2 launch is not installed, and no {ARCHIVE} is beside the checkout')
        with tarfile.open(archive) as tar:
            tar.extractall(place, filter='data')
        for name, parts in (
                ('PATH', [place / 'bin', Path(sys.executable).parent]),
                ('PYTHONPATH', place.glob('lib/python*/site-packages')),
                ('AMENT_PREFIX_PATH', [place, sys.prefix])):
            prepend(environment, name, *parts)
    prepend(environment, 'PYTHONPATH', repository)
    tried = subprocess.run(
        ['ros2', 'launch', '--help'], env=environment, capture_output=True, text=True)
    if tried.returncode:
        pytest.skip(f'ros2 launch cannot be used here: {tried.stderr[-500:]}')
    return environment


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

    def __init__(self, prefix, log, words, environment):
        self._log = log
        with open(log, 'wb') as output:
            self.process = subprocess.Popen(
                ['ros2', 'launch', 'robot_dynamics', *words], stdout=output,
                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                env={**environment, 'PYTHONUNBUFFERED': '1', 'AMENT_PREFIX_PATH': os.pathsep.join(
                    [str(prefix), environment.get('AMENT_PREFIX_PATH', '')])})

    @property
    def log(self):
        return self._log.read_text(errors='replace')

    def until(self, words):
        """Wait for words in the log; skips where the machine cannot keep the arm's pace."""
        end = time.monotonic() + PATIENCE
        while words not in self.log:
            for line in re.findall(TRIPPED + '.*', self.log):
                pytest.skip(f'too busy to simulate the arm: {line}')
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
def launch(ros2, prefix, tmp_path, ros_domain):
    made = []
    own = {name: value for name, value in os.environ.items()
           if name.startswith(('ROS_', 'FASTDDS_', 'FASTRTPS_', 'RMW_'))}

    def begin(*words):
        made.append(Launch(prefix, tmp_path / f'{len(made)}.log', words, {**ros2, **own}))
        return made[-1]

    yield begin
    for one in made:
        if one.process.poll() is None:
            os.killpg(one.process.pid, signal.SIGKILL)
        one.process.wait()


@pytest.mark.parametrize('words, says', some(2, [
    (['ship_pa10.launch.py', 'sea_state:=9'], 'sea_state: is 9.0, expected a whole number from 0'),
    (['replay.launch.py', 'bag:=nowhere'], 'bag:=nowhere: there is no such file'),
    (['ship_pa10.launch.py', 'friction:=perhaps'], 'friction'),
    (['mobile_manipulator.launch.py', 'mass_error_percent:=much'], 'mass_error_percent')]))
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
    assert 'Traceback' not in running.log, running.log
    # one whose middleware does not let it leave in time is ended by its own alarm, or by launch
    late = re.findall(r'process has died \[pid \d+, exit code -1[45],', running.log)
    finished = running.log.count('process has finished cleanly')
    assert finished + len(late) == len(running.pids()) and len(late) < 3, running.log


@pytest.mark.slow
@pytest.mark.parametrize('stopped', ['feedforward_node', 'simulated_robot_node'])
def test_a_process_that_stands_still_as_the_arm_is_taken_over_does_not_end_the_run(
        launch, stopped):
    running = launch('ship_pa10.launch.py', 'friction:=True')
    running.until('waiting -> ramping_in')
    pid = running.pids()[stopped]
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.3)  # is what is tested
    os.kill(pid, signal.SIGCONT)
    running.until('motion of ')
    running.interrupt()
    running.end()
    assert 'Traceback' not in running.log, running.log


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

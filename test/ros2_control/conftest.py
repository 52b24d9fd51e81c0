"""
The real controller manager: of a ROS installation, or of an archive beside the checkout.

Its messages need a library path that a running Python cannot get any more, so each scenario is a
process of its own (manager_rig.py, scenarios.py) that writes what it has seen as JSON.
"""

import contextlib
import json
import os
from pathlib import Path
import signal
import subprocess
import sys

import pytest

from robot_dynamics.core.parent import bound_to_this_process

HERE = Path(__file__).resolve().parent
ARCHIVE = Path('shared/ros2_control/env.sh')
NODE = 'lib/controller_manager/ros2_control_node'
LONGEST = 400.0  # s


def _prefixes(environment):
    return [Path(prefix) for prefix in environment.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
            if prefix]


def _from_archive(script):
    """Return the environment in which the archive's libraries are found."""
    printed = subprocess.run(
        ['bash', '-c', f'. "{script}" >&2 && env -0'], capture_output=True, check=True,
        env={**os.environ, 'VENV': sys.prefix}).stdout.decode()
    return dict(line.split('=', 1) for line in printed.split('\0') if '=' in line)


@pytest.fixture(scope='session')
def ros2_control(repository):
    """Return the environment of processes that find ros2_control; skips where there is none."""
    environment = dict(os.environ)
    if not any((prefix / NODE).exists() for prefix in _prefixes(environment)):
        script = repository.parent / ARCHIVE
        if not script.exists():
            pytest.skip(f'no controller manager in the ament index, and no {ARCHIVE} beside the '
                        'checkout')
        environment = _from_archive(script)
    environment['PYTHONPATH'] = os.pathsep.join(
        [str(repository), str(HERE), str(HERE.parent), environment.get('PYTHONPATH', '')])
    tried = subprocess.run(
        [sys.executable, '-c',
         'from controller_manager_msgs.srv import SwitchController; SwitchController.Request()'],
        env=environment, capture_output=True, text=True)
    [node, *_] = [prefix / NODE for prefix in _prefixes(environment) if (prefix / NODE).exists()]
    missing = [line for line in subprocess.run(
        ['ldd', str(node)], env=environment, capture_output=True, text=True).stdout.splitlines()
        if 'not found' in line]
    if tried.returncode or missing:
        pytest.skip(f'the controller manager cannot be used here: {missing or tried.stderr}')
    return environment


@pytest.fixture
def scenario(ros2_control, ros_domain, repository, tmp_path):
    """Return what runs a scenario and returns what it has seen; skips where it says so."""

    def run(name):
        own = {key: os.environ[key] for key in os.environ
               if key.startswith(('ROS_', 'FASTDDS_', 'FASTRTPS_', 'RMW_'))}
        with open(tmp_path / 'scenario.log', 'wb') as log:
            process = subprocess.Popen(
                [sys.executable, str(HERE / 'scenarios.py'), name, str(repository),
                 str(tmp_path)], stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                env={**ros2_control, **own, **bound_to_this_process(),
                     'ROS_DISTRO': ros2_control['ROS_DISTRO']})
        try:
            code = process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            code = 'it takes too long'
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with all that it has started
            process.wait()
        logs = '\n'.join(f'--- {path.name}\n' + path.read_text(errors='replace')[-4000:]
                         for path in sorted(tmp_path.glob('*.log')))
        assert code == 0, logs
        print(logs)
        seen = json.loads((tmp_path / 'seen.json').read_text())
        if 'skip' in seen:
            pytest.skip(seen['skip'])
        return seen

    return run


@pytest.fixture
def followed(scenario):
    """Return what runs a scenario that follows, again where an input was stale: up to twice."""

    def run(name):
        for _ in range(3):
            seen = scenario(name)
            if not seen['fell_back']:  # as where the machine has paused, which is another case
                break
        return seen

    return run

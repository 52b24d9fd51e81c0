"""The package as pip and colcon install it, used from somewhere else."""

import os
from pathlib import Path
import shutil
import subprocess
import sys
from typing import Dict, List, Optional

from house import our_files, ROOT
import pytest

pytestmark = pytest.mark.slow

SCRIPTS = {'robot-dynamics', 'effort_guard_node', 'feedforward_node', 'reference_trajectory_node',
           'ship_motion_publisher', 'simulated_robot_node'}
SHARED = ('package.xml', 'urdf/pa10.urdf', 'examples/papers/three_link.py')
SITE = f'lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages'


def run(command: List[str], cwd: Path, environment: Optional[Dict[str, str]] = None) -> str:
    """Run a command that has to succeed; return what it printed."""
    done = subprocess.run(command, cwd=cwd, env={**os.environ, **(environment or {})},
                          capture_output=True, text=True)
    assert done.returncode == 0, f'{command}\n{done.stdout}\n{done.stderr}'
    return done.stdout


@pytest.fixture(scope='module')
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what git tracks, as a fresh clone has it."""
    folder = tmp_path_factory.mktemp('clone') / 'robot_dynamics'
    for path in our_files():
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    return folder


def check_use(prefix: Path, program: List[str], environment: Dict[str, str], cwd: Path) -> None:
    """Check that an installed program works, out of the installation and not the checkout."""
    assert '6 joints' in run([*program, 'check', 'pa10'], cwd, environment)
    assert 'Table I' in run([*program, 'paper', 'three_link', '--duration', '1'], cwd, environment)
    where = run([sys.executable, '-c',
                 'import robot_dynamics, robot_dynamics.core.resources as r\n'
                 'print(robot_dynamics.__file__)\nprint(r.resource_path("urdf/pa10.urdf"))'],
                cwd, environment)
    assert all(line.startswith(str(prefix)) for line in where.splitlines()), where


def test_a_wheel_installs_scripts_types_and_shared_files(source, tmp_path):
    pip = [sys.executable, '-m', 'pip', '--disable-pip-version-check']
    run([*pip, 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '-w', str(tmp_path),
         str(source)], tmp_path)
    wheel, = tmp_path.glob('robot_dynamics-*.whl')
    prefix = tmp_path / 'prefix'
    run([*pip, 'install', '--quiet', '--no-deps', '--ignore-installed',
         '--no-warn-script-location', '--prefix', str(prefix), str(wheel)], tmp_path)
    assert SCRIPTS <= {path.name for path in (prefix / 'bin').iterdir()}
    assert (prefix / SITE / 'robot_dynamics/py.typed').is_file()
    assert (prefix / 'share/ament_index/resource_index/packages/robot_dynamics').is_file()
    for name in SHARED:
        assert (prefix / 'share/robot_dynamics' / name).is_file()
    check_use(prefix, [str(prefix / 'bin/robot-dynamics')],
              {'PYTHONPATH': str(prefix / SITE)}, tmp_path)


@pytest.fixture(scope='module')
def colcon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install colcon in an environment of its own: it brings pytest plug-ins along."""
    folder = tmp_path_factory.mktemp('colcon')
    run([sys.executable, '-m', 'venv', str(folder)], folder)
    install = subprocess.run(
        [str(folder / 'bin/python'), '-m', 'pip', 'install', '--quiet',
         'colcon-common-extensions'], capture_output=True, text=True)
    if install.returncode:
        pytest.skip('colcon cannot be installed here: ' + install.stderr.strip()[-300:])
    return folder / 'bin/colcon'


@pytest.mark.parametrize('options', [[], ['--symlink-install']], ids=['copied', 'symlinked'])
def test_colcon_builds_a_workspace_that_runs(source, colcon, options, tmp_path):
    (tmp_path / 'src').mkdir()
    (tmp_path / 'src/robot_dynamics').symlink_to(source)
    run([str(colcon), 'build', *options], tmp_path,
        {'PATH': f'{colcon.parent}{os.pathsep}{os.environ["PATH"]}'})
    prefix = tmp_path / 'install/robot_dynamics'
    scripts = prefix / 'lib/robot_dynamics'
    assert SCRIPTS <= {path.name for path in scripts.iterdir()}
    listing = run(['bash', '-c', '. install/setup.bash && env'], tmp_path)
    sourced = dict(line.split('=', 1) for line in listing.splitlines()
                   if line.startswith(('PYTHONPATH=', 'AMENT_PREFIX_PATH=')))
    assert str(prefix) in sourced['AMENT_PREFIX_PATH']
    program = [sys.executable, str(scripts / 'robot-dynamics')]
    if options:  # the code lies in the source, as is the point of --symlink-install
        assert '6 joints' in run([*program, 'check', 'pa10'], tmp_path, sourced)
    else:
        check_use(prefix, program, sourced, tmp_path)

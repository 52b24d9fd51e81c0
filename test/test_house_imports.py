"""The rooms of the house, and who may import whom."""

import ast
from pathlib import Path
import re
import subprocess
import sys

from house import imports, PACKAGE, python_files, relative, ROOT
import pytest

# From the ground up: a room may import the rooms before it.
ROOMS = ('core', 'motion', 'model', 'ship', 'imu', 'estimation', 'dynamics', 'control',
         'simulation', 'bags', 'replay', 'identification', 'operability', 'app', 'nodes')

# Only nodes/ may know these.
ROS = ('rclpy', 'rcl_interfaces', 'builtin_interfaces', 'ament_index_python', 'launch',
       'launch_ros', 'tf2_ros')

# Slow to import, so they load with the first computation and not with the package.
HEAVY = ('numba', 'llvmlite', 'casadi', 'matplotlib', 'scipy', 'pyarrow', 'rosbags')


def forbidden(source: str, module: str, is_package: bool = False) -> list:
    """Return 'line: complaint' for each import that the rules of the house do not allow."""
    found = []
    room = module.split('.')[1] if '.' in module else ''
    allowed = ROOMS if room not in ROOMS else ROOMS[:ROOMS.index(room) + 1]
    for line, name in imports(ast.parse(source), module, is_package):
        parts = name.split('.')
        if parts[0] == PACKAGE and len(parts) > 1 and parts[1] in ROOMS:
            if parts[1] not in allowed:
                found.append(f'{line}: {room}/ may not import {parts[1]}/, which lies above it')
        elif room != 'nodes' and (parts[0] in ROS or parts[0].endswith('_msgs')):
            found.append(f'{line}: only nodes/ may import {parts[0]}')
    return found


def modules() -> list:
    """Return (path, dotted module name) of the package's files."""
    result = []
    for path in python_files():
        parts = path.relative_to(ROOT).with_suffix('').parts
        if parts[0] == PACKAGE:
            result.append((path, '.'.join(parts[:-1] if parts[-1] == '__init__' else parts)))
    return result


def test_no_room_imports_a_room_above_it_and_only_nodes_know_ros():
    complaints = []
    for path, module in modules():
        source = path.read_text(encoding='utf-8')
        complaints += [f'{relative(path)}:{complaint}'
                       for complaint in forbidden(source, module, path.name == '__init__.py')]
    assert not complaints, '\n' + '\n'.join(complaints)


def test_every_package_directory_is_a_room():
    found = {path.parent.name for path in (ROOT / PACKAGE).glob('*/__init__.py')}
    assert found <= set(ROOMS)


def test_every_room_says_what_lives_there():
    for path in (ROOT / PACKAGE).glob('*/__init__.py'):
        text = ast.get_docstring(ast.parse(path.read_text(encoding='utf-8'))) or ''
        assert len(text.split()) > 15, f'{relative(path)}: one paragraph on what lives there'


def test_the_ways_that_contributing_walks_lead_through_files_that_exist():
    named = re.findall(r'`((?:\w+/)+\w+\.(?:py|html))`',
                       (ROOT / 'CONTRIBUTING.md').read_text(encoding='utf-8'))
    assert len(named) > 60
    missing = [name for name in named
               if not (ROOT / PACKAGE / name).exists() and not (ROOT / name).exists()]
    assert not missing


@pytest.mark.parametrize('source, module', [
    ('from robot_dynamics.nodes import x', 'robot_dynamics.app.cli'),
    ('from robot_dynamics import control', 'robot_dynamics.model.urdf'),
    ('import robot_dynamics.model', 'robot_dynamics.motion.frames'),
    ('def f():\n    from ..bags import reading', 'robot_dynamics.control.feedforward'),
    ('from ...nodes import x', 'robot_dynamics.dynamics.codegen.cache'),
    ('import rclpy', 'robot_dynamics.control.feedforward'),
    ('from sensor_msgs.msg import Imu', 'robot_dynamics.imu.sample'),
])
def test_the_import_rule_catches(source, module):
    assert forbidden(source, module)


@pytest.mark.parametrize('source, module', [
    ('from robot_dynamics.core.errors import InputError', 'robot_dynamics.app.cli'),
    ('from .gate import as_vector', 'robot_dynamics.core.resources'),
    ('from sensor_msgs.msg import Imu', 'robot_dynamics.nodes.feedforward_node'),
])
def test_the_import_rule_lets_pass(source, module):
    assert not forbidden(source, module)


def test_importing_the_package_loads_nothing_heavy():
    script = ('import sys, robot_dynamics\n'
              f'print([name for name in {HEAVY!r} if name in sys.modules])')
    loaded = subprocess.check_output([sys.executable, '-c', script], text=True, cwd=Path.home())
    assert loaded.strip() == '[]'

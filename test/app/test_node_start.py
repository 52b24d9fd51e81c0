"""The scripts of the nodes: which node they run, and what they say where a package is missing."""

import re
import subprocess
import sys

from house import ROOT
import pytest

from robot_dynamics.nodes import start

NODES = sorted(path.stem for path in (ROOT / 'robot_dynamics/nodes').glob('*.py')
               if '\ndef main(' in path.read_text(encoding='utf-8'))

BLOCKED = """
import sys
from importlib.abc import MetaPathFinder
import importlib.util

class Blocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {names!r}:
            raise ModuleNotFoundError(f'No module named {{name!r}}', name=name)

found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in {names!r} else found(name, *rest)
sys.meta_path.insert(0, Blocked())
from robot_dynamics.nodes.start import {node}
{node}()
"""


def started_without(names, node):
    return subprocess.run([sys.executable, '-c', BLOCKED.format(names=names, node=node)],
                          capture_output=True, text=True, timeout=60)


def test_every_node_has_a_script():
    setup = (ROOT / 'setup.py').read_text(encoding='utf-8')
    assert NODES == sorted(re.findall(r"'(\w+)',", setup.split('\nNODES = [')[1].split(']')[0]))
    assert 'robot_dynamics.nodes.start:{name}' in setup


@pytest.mark.parametrize('node', NODES)
def test_without_ros_a_node_says_in_one_line_how_to_get_it(node):
    done = started_without(('rclpy', 'diagnostic_msgs', 'std_msgs', 'sensor_msgs'), node)
    assert done.returncode == 2
    assert done.stderr.startswith(f'{node}: error: rclpy is missing: ')
    assert 'robot_dynamics[ros]' in done.stderr and done.stderr.count('\n') == 1


def test_another_missing_package_is_named_with_where_it_belongs():
    pytest.importorskip('rclpy')
    done = started_without(('yaml',), 'ship_motion_publisher')
    assert done.returncode == 2
    assert 'no module named yaml' in done.stderr.splitlines()[-1]
    assert 'python3 -m colcon' in done.stderr and 'Traceback' not in done.stderr


def test_what_is_no_node_has_no_script():
    with pytest.raises(AttributeError, match='no attribute'):
        start.balance_node

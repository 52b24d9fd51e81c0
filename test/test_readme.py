"""What README.md and the other pages show is what happens."""

import ast
from pathlib import Path
import re

from house import our_files, relative, ROOT
import numpy as np
import pytest
from readme import blocks, console_of_the_readme, README

from robot_dynamics import __version__
from robot_dynamics.app.cli import COMMANDS, main
import yaml


def test_the_python_of_the_readme_runs_and_its_terms_sum_to_the_torque(monkeypatch):
    monkeypatch.chdir(ROOT)
    code, = blocks('python')
    names: dict = {}
    exec(compile(code, 'README.md', 'exec'), names)
    np.testing.assert_allclose(names['terms'].total, names['tau'], atol=1e-9)
    assert names['taus'].shape == (60000, 6)
    assert np.isfinite(names['taus']).all()


def test_the_python_of_the_page_on_wheels_runs(monkeypatch):
    monkeypatch.chdir(ROOT)
    page = (ROOT / 'docs/mobile_manipulator.md').read_text(encoding='utf-8')
    code, = re.findall(r'```python\n(.*?)```', page, re.DOTALL)
    names: dict = {}
    exec(compile(code.replace('support=drive', "support=drive, backend='interpreted'"),
                 'docs/mobile_manipulator.md', 'exec'), names)
    assert np.isfinite(names['torque']).all() and names['torque'].any()


def test_the_console_of_the_readme_shows_what_the_command_prints(capsys):
    torque, _ = console_of_the_readme()  # the other needs the demo: test_demo_figures.py
    assert main(torque[0]) == 0
    assert capsys.readouterr().out == torque[1]


def test_the_nodes_and_files_of_both_ways_into_ros2_control_are_installed():
    code, = [block for block in blocks('bash') if 'CONFIG=' in block]
    setup = (ROOT / 'setup.py').read_text(encoding='utf-8')
    runs = re.findall(
        r'ros2 run robot_dynamics (\w+) --ros-args --params-file \$CONFIG/(\w+)\.yaml', code)
    assert [(node, file.rpartition('_')[2]) for node, file in runs] == [
        ('effort_guard_node', 'forward'), ('feedforward_node', 'forward'),
        ('feedforward_node', 'trajectory')]
    for node, file in runs:
        assert f"'{node}'" in setup
        parameters = yaml.safe_load((ROOT / f'config/{file}.yaml').read_text(encoding='utf-8'))
        assert f'/**/{node[:-len("_node")]}' in parameters
    controllers = parameters['controller_manager']['ros__parameters']
    (topic, target), = re.findall(r'-r (\S+):=(\S+)', code)
    assert topic == 'feedforward/joint_trajectory' and target.partition('/')[0] in controllers


def test_in_a_workspace_the_command_is_called_where_colcon_has_put_it():
    built, = [block for block in blocks('bash') if 'colcon build' in block]
    calls = [line for line in built.splitlines() if 'robot-dynamics' in line]
    assert calls and all(
        line.startswith('ros2 run robot_dynamics robot-dynamics ') for line in calls)


def test_every_command_has_its_row():
    for command in COMMANDS:
        assert f'| `{command} ' in README


@pytest.mark.parametrize('page', [path for path in our_files() if path.suffix == '.md'],
                         ids=relative)
def test_links_within_the_repository_lead_somewhere(page):
    targets = re.findall(r'\]\((?!https?:|#)([^)#]+)', page.read_text(encoding='utf-8'))
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing


def test_the_version_is_the_same_everywhere():
    package = (ROOT / 'package.xml').read_text(encoding='utf-8')
    setup = ast.parse((ROOT / 'setup.py').read_text(encoding='utf-8'))
    versions = [keyword.value.value for node in ast.walk(setup) if isinstance(node, ast.Call)
                for keyword in node.keywords if keyword.arg == 'version']
    assert versions == [__version__]
    assert re.findall(r'<version>(.*)</version>', package) == [__version__]
    assert Path(ROOT / 'CHANGELOG.rst').read_text(encoding='utf-8').count(__version__)

"""What ``launch/replay.launch.py`` declares and starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from launch_api import ExecuteProcess, Node, REAL, started_nodes, walk
import pytest

from robot_dynamics.app.replay_graph import Replay, REPLAY_ARGUMENTS


@pytest.fixture
def launch_file(repository: Path) -> Path:
    """Give the path of the launch file."""
    return repository / 'launch' / 'replay.launch.py'


def players(path: Path, arguments: dict) -> list:
    """Return the processes that are no nodes."""
    return [entity for entity, _ in walk(path, arguments)
            if isinstance(entity, ExecuteProcess) and not isinstance(entity, Node)]


def test_the_bag_has_to_be_given(launch_file: Path) -> None:
    with pytest.raises(RuntimeError, match='bag'):
        list(walk(launch_file, {}))


def test_the_recording_is_played_with_its_clock_into_the_feedforward(launch_file: Path) -> None:
    arguments = {'bag': 'sea_trial', 'reference_topic': '/arm/desired'}
    node, = started_nodes(launch_file, arguments)
    assert node['executable'] == 'feedforward_node'
    assert ('reference', '/arm/desired') in [tuple(rule) for rule in node['remappings']]
    assert len(players(launch_file, arguments)) == 1
    if not REAL:
        values: Any = {k: v for part in node['parameters'] if isinstance(part, dict)
                       for k, v in part.items()}
        assert values['use_sim_time'] is True
        assert 'robot_description' not in values


def test_the_player_publishes_the_clock_of_the_recording() -> None:
    words = Replay('sea_trial', rate='2.0').player()
    assert words[:4] == ('ros2', 'bag', 'play', 'sea_trial')
    assert '--clock' in words and words[words.index('--rate') + 1] == '2.0'


def test_every_argument_reaches_the_scenario() -> None:
    texts = {argument.name: argument.default for argument in REPLAY_ARGUMENTS}
    texts.update(bag='b', robot='r.urdf', parameters='p.yaml', base_motion='fixed')
    node = Replay.from_texts(texts).feedforward()
    assert node.parameters['robot_description'] == 'r.urdf'
    assert node.parameters['base_motion'] == 'fixed'
    assert node.parameter_file == 'p.yaml'

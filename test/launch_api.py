"""
Read launch files in tests: with ROS 2's launch where it is installed, else with a stand-in.

Importing this module makes ``launch`` and ``launch_ros`` importable either way.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
import sys
from types import ModuleType
from typing import Any, Dict, Iterator, List

try:
    import launch_ros.actions  # PyPI has an unrelated package called launch, so not that
    REAL = 'launch_standin' not in str(launch_ros.__file__)
except ImportError:
    REAL = False
    sys.path.insert(0, str(Path(__file__).with_name('launch_standin')))
    sys.modules.pop('launch', None)

from launch import LaunchContext  # noqa: E402
from launch.actions import (  # noqa: E402, F401
    DeclareLaunchArgument, EmitEvent, ExecuteProcess, LogInfo)
from launch_ros.actions import Node  # noqa: E402


def load_launch_file(path: Path) -> ModuleType:
    """Import a launch file as ``ros2 launch`` does."""
    spec = importlib.util.spec_from_file_location(path.name.replace('.', '_'), path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def walk(path: Path, arguments: Dict[str, str]) -> Iterator[Any]:
    """
    Yield every entity of a launch file in the order of execution, and execute it.

    Processes are yielded and not started; where a condition does not hold, nothing is yielded.

    Parameters
    ----------
    path : Path
        The launch file.
    arguments : dict of str to str
        As given on the command line: ``name:=value``.

    Yields
    ------
    (entity, context)
    """
    context = LaunchContext()
    context.launch_configurations.update(arguments)
    waiting = [load_launch_file(path).generate_launch_description()]
    while waiting:
        entity = waiting.pop(0)
        condition = getattr(entity, 'condition', None)
        if condition is not None and not condition.evaluate(context):
            continue
        yield entity, context
        if not isinstance(entity, ExecuteProcess):  # a Node is one too
            waiting = list(entity.visit(context) or ()) + waiting


def declared_arguments(path: Path) -> Dict[str, str]:
    """Return the arguments that a launch file declares, with their descriptions."""
    return {entity.name: entity.description.split(' Valid choices are')[0]  # added by the real one
            for entity, _ in walk(path, {}) if isinstance(entity, DeclareLaunchArgument)}


def started_nodes(path: Path, arguments: Dict[str, str]) -> List[Dict[str, Any]]:
    """
    Describe the nodes that a launch file starts.

    Returns
    -------
    list of dict
        ``package``, ``executable``, ``name``, ``namespace``, ``parameters`` (dicts, or paths of
        files), ``remappings`` (pairs) and ``arguments``.  With the real launch only the first
        two and the remappings, which is what it lets see without starting anything.
    """
    return [_describe(entity, context) for entity, context in walk(path, arguments)
            if isinstance(entity, Node)]


def _describe(node: Any, context: Any) -> Dict[str, Any]:
    if not REAL:
        return dict(node.describe(context))
    node._perform_substitutions(context)
    return {'package': _text(node.node_package, context),
            'executable': _text(node.node_executable, context),
            'remappings': [tuple(rule) for rule in node.expanded_remapping_rules or ()]}


def _text(value: Any, context: Any) -> str:
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, (list, tuple)) else [value]
    return ''.join(part if isinstance(part, str) else context.perform_substitution(part)
                   for part in parts)

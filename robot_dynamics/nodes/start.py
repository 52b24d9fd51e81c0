"""
What the scripts of the nodes call: run the node's file, or say in one line what is missing.

``robot_dynamics.nodes.start:feedforward_node`` runs ``main`` of ``nodes/feedforward_node.py``, and
so for every other file of a node.  Without ROS, or with packages that the Python of the script
does not see, loading that file would end in a traceback.
"""

from __future__ import annotations

from functools import partial
import importlib
import importlib.util
import os
import signal
import sys
from typing import Any

from robot_dynamics.core.ros_hint import ROS_MISSING

OTHER_MISSING = (
    'install it with pip into the environment of this Python, and under ros2 run build the '
    'workspace with its python3 -m colcon')


def start(name: str) -> None:
    """
    Run one node, as the process that it is.

    Parameters
    ----------
    name : str
        Of the file, for example 'feedforward_node'.

    Raises
    ------
    SystemExit
        With 2 if a package is missing; otherwise with the node's exit code.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # until the node's own handlers: nothing to end
        signal.signal(number, lambda *_: os._exit(0))
    try:
        importlib.import_module(f'robot_dynamics.nodes.{name}').main()
    except ModuleNotFoundError as error:
        missing = (error.name or '').partition('.')[0]
        if missing in ('', 'robot_dynamics'):
            raise
        if importlib.util.find_spec('rclpy') is None:
            why = ROS_MISSING
        else:
            why = f'no module named {missing}: {OTHER_MISSING}'
        print(f'{name}: error: {why}', file=sys.stderr)
        sys.exit(2)


def __getattr__(name: str) -> Any:
    if importlib.util.find_spec(f'robot_dynamics.nodes.{name}') is None or name.startswith('_'):
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return partial(start, name)

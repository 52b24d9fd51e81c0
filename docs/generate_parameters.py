"""
Write docs/parameters.md from the declarations of the nodes.

Run: python docs/generate_parameters.py
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Iterator, Mapping

from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.guard import GuardConfig
from robot_dynamics.core.parameters import parameter_specs, ParameterSpec
from robot_dynamics.nodes.effort_guard_node import GuardNodeConfig
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.reference_trajectory_node import ReferenceConfig
from robot_dynamics.nodes.ship_motion_publisher import ShipPublisherConfig
from robot_dynamics.nodes.ship_parameters import simulation_defaults
from robot_dynamics.nodes.simulated_robot_node import RobotNodeConfig

PAGE = Path(__file__).with_name('parameters.md')

# A node, its configuration classes, and the defaults that it changes.
NODES = (
    ('feedforward_node', (FeedforwardConfig, FeedforwardNodeConfig), {}),
    ('effort_guard_node', (GuardConfig, GuardNodeConfig), {}),
    ('ship_motion_publisher', (ShipPublisherConfig,), simulation_defaults()),
    ('simulated_robot_node', (RobotNodeConfig,), simulation_defaults()),
    ('reference_trajectory_node', (ReferenceConfig,), {}),
)

HEAD = """\
# Parameters of the nodes

Written by `python docs/generate_parameters.py` from what the nodes declare; `ros2 param describe`
shows the same. Those marked *live* may change at run time; the others are refused with a reason.
Every node also has ROS's own `use_sim_time`.
"""


TABLE = """\
| parameter | default | range | meaning |
|---|---|---|---|"""


def page() -> str:
    """Return the page."""
    lines = [HEAD]
    for node, kinds, defaults in NODES:
        lines += [f'## {node}', '', TABLE]
        lines += [row for kind in kinds for row in rows(kind, defaults)]
        lines.append('')
    return '\n'.join(lines)


def rows(kind: Any, defaults: Mapping[str, Any]) -> Iterator[str]:
    """Yield one line of the table for each parameter of a configuration class."""
    for spec in parameter_specs(kind):
        meaning = spec.description + (f' [{spec.unit}]' if spec.unit else '')
        default = shown(defaults.get(spec.name, spec.default))
        live = ' *live*' if spec.live else ''
        yield f'| `{spec.name}` | {default} | {limits(spec)} | {meaning}{live} |'


def shown(value: Any) -> str:
    """Return a default as it would stand in YAML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return '[' + ', '.join(shown(item) for item in value) + ']'
    if isinstance(value, str):
        return value or "''"
    return repr(value)


def limits(spec: ParameterSpec) -> str:
    """Return what values a parameter may have."""
    if spec.choices:
        return ', '.join(spec.choices)
    if spec.minimum is None or spec.maximum is None or math.isinf(spec.maximum):
        return ''
    return f'{spec.minimum:g} ... {spec.maximum:g}'


if __name__ == '__main__':
    PAGE.write_text(page(), encoding='utf-8')

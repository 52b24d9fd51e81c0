"""
Parameters that were given to a node under a name that it does not have.

Files give parameters to many nodes at once (``/**``), so a name that means nothing to one of them
is no mistake; one that is almost a parameter of the node is.
"""

from __future__ import annotations

import difflib
from typing import Any, Collection, Dict, Iterable, List, Tuple

from rclpy.node import Node
from robot_dynamics.core.parameters import parameter_specs

ALIKE = 0.85  # of 1: 'natural_frequncy' and 'natural_frequency' are 0.97


def unknown_parameters(node: Node) -> List[Tuple[str, str]]:
    """Return each name that was given and is not declared, with the declared one it is like."""
    return _unknown(given_parameters(node), list(node.get_parameters_by_prefix('')))


def unknown_before_the_start(name: str, kinds: Iterable[Any]) -> List[Tuple[str, str]]:
    """Return the same for a node that has refused to start, perhaps before it had declared all."""
    declared = [spec.name for kind in kinds for spec in parameter_specs(kind)]
    if not declared:
        return []
    stand_in = Node(name, enable_rosout=False, start_parameter_services=False)  # is given the same
    try:
        return _unknown(given_parameters(stand_in), ['use_sim_time', *declared])
    finally:
        stand_in.destroy_node()


def given_parameters(node: Node) -> Dict[str, Any]:
    """Return what a node was given at its start, as rclpy's Parameter by name."""
    return dict(getattr(node, '_parameter_overrides', {}))  # rclpy has no public way to them


def _unknown(given: Iterable[str], declared: Collection[str]) -> List[Tuple[str, str]]:
    found = []
    for name in given:
        if name in declared or name.startswith('qos_overrides.'):
            continue
        alike = difflib.get_close_matches(name, declared, 1, ALIKE)
        if alike:
            found.append((name, alike[0]))
    return found

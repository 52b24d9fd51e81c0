"""
Parameters that were given to a node under a name that it does not have.

Files give parameters to many nodes at once (``/**``), so a name that means nothing to one of them
is no mistake; one that is almost a parameter of the node is.
"""

from __future__ import annotations

import difflib
from typing import List, Tuple

from rclpy.node import Node

ALIKE = 0.85  # of 1: 'natural_frequncy' and 'natural_frequency' are 0.97


def misspelt_parameters(node: Node) -> List[Tuple[str, str]]:
    """Return each name that was given and is not declared, with the declared one it is like."""
    declared = list(node.get_parameters_by_prefix(''))
    found = []
    for name in getattr(node, '_parameter_overrides', {}):  # rclpy has no public way to them
        if name in declared or name.startswith('qos_overrides.'):
            continue
        alike = difflib.get_close_matches(name, declared, 1, ALIKE)
        if alike:
            found.append((name, alike[0]))
    return found

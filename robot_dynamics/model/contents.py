"""What a description held, for reports: also what did not become a part of the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Tuple

from robot_dynamics.model.round_shapes import RoundShape


@dataclass(frozen=True)
class Contents:
    """
    What the description held.

    Attributes
    ----------
    links, joints : int
        How many of them.
    joint_types : dict of str to int
    held : dict of str to float
        Joints that could move and are held, with their value in rad or m.
    outside : tuple of str
        Links that do not hang below the base.
    unused : dict of str to int
        Elements that do not enter dynamics, such as ``visual``, and how often they occur.
    round_shapes : dict of str to tuple of RoundShape
        Cylinders and spheres by link.
    """

    links: int
    joints: int
    joint_types: Dict[str, int]
    held: Dict[str, float]
    outside: Tuple[str, ...]
    unused: Dict[str, int]
    round_shapes: Dict[str, Tuple[RoundShape, ...]] = field(default_factory=dict)

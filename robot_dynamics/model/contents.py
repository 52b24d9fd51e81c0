"""What a description held, for reports: also what did not become a part of the model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, Optional, Tuple

from robot_dynamics.model.elements import Inertial
from robot_dynamics.model.geometry import Shape
from robot_dynamics.model.round_shapes import RoundShape


@dataclass(frozen=True)
class Contents:
    """What the description held."""

    #: How many of them
    links: int
    joints: int
    joint_types: Dict[str, int]
    held: Dict[str, float]  #: Joints that could move and are held, with their value in rad or m
    outside: Tuple[str, ...]  #: Links that do not hang below the base
    #: Elements that do not enter dynamics, such as ``visual``, and how often they occur
    unused: Dict[str, int]
    #: Cylinders and spheres by link
    round_shapes: Dict[str, Tuple[RoundShape, ...]] = field(default_factory=dict)
    shapes: Dict[str, Tuple[Shape, ...]] = field(default_factory=dict)  #: All shapes by link
    #: Of each link that has an ``<inertial>``, in its own frame, before anything is merged
    inertials: Dict[str, Inertial] = field(default_factory=dict)
    #: The joint that each ``<mimic>`` names, before chains are multiplied out
    followed: Dict[str, str] = field(default_factory=dict)
    path: Optional[Path] = None  #: The file, if it was one: what it refers to stands beside it
    package_paths: Tuple[Path, ...] = ()  #: Where its packages were looked for

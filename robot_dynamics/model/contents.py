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
    shapes : dict of str to tuple of Shape
        All shapes by link.
    inertials : dict of str to Inertial
        Of each link that has an ``<inertial>``, in its own frame, before anything is merged.
    followed : dict of str to str
        The joint that each ``<mimic>`` names, before chains are multiplied out.
    path : Path or None
        The file, if it was one: what it refers to stands beside it.
    package_paths : tuple of Path
        Where its packages were looked for.
    """

    links: int
    joints: int
    joint_types: Dict[str, int]
    held: Dict[str, float]
    outside: Tuple[str, ...]
    unused: Dict[str, int]
    round_shapes: Dict[str, Tuple[RoundShape, ...]] = field(default_factory=dict)
    shapes: Dict[str, Tuple[Shape, ...]] = field(default_factory=dict)
    inertials: Dict[str, Inertial] = field(default_factory=dict)
    followed: Dict[str, str] = field(default_factory=dict)
    path: Optional[Path] = None
    package_paths: Tuple[Path, ...] = ()

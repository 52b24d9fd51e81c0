"""The data of a robot model, without what is made of it: what writing and hashing look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Mapping, Optional, Tuple

import numpy as np

from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.contents import Contents
from robot_dynamics.model.elements import (
    Body, Inertial, Joint, LinkFrame, Note, read_only, Rebuilt)


@dataclass(frozen=True, eq=False, repr=False)
class BodyTree(Rebuilt):
    """A tree of rigid bodies on a base, each moved by one joint; nothing in it can change."""

    name: str
    base_link: str  #: The link that stands on the moving base; its frame is the base frame
    base_inertial: Inertial  #: Of the base link and everything fixed to it, in the base frame
    bodies: Tuple[Body, ...]  #: Depth first in document order; a parent comes before its children
    joints: Tuple[Joint, ...]  #: The independent ones, in the order of q
    #: Where each link sits, also one that is merged into another
    frames: Mapping[str, LinkFrame] = field(repr=False)
    #: Whether the description lets its first link float, which here is the motion of the base
    floating_base: bool = False
    notes: Tuple[Note, ...] = ()  #: What was merged or not used, and what is suspicious
    #: (nv,), rotor inertia reflected to the joint (gear ratio squared times rotor), kg m^2 or kg
    rotor_inertia: FloatArray = field(default_factory=lambda: np.zeros(0))
    #: What the description held; None for a model that no file describes
    contents: Optional[Contents] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, 'frames', MappingProxyType(dict(self.frames)))
        rotor = self.rotor_inertia if len(self.rotor_inertia) else np.zeros(self.nv)
        object.__setattr__(self, 'rotor_inertia', read_only(rotor, (self.nv,)))

    def __reduce__(self) -> Tuple[Any, ...]:
        kind, values = super().__reduce__()
        return kind, tuple(dict(v) if isinstance(v, MappingProxyType) else v for v in values)

    @property
    def nv(self) -> int:
        """Number of independent coordinates."""
        return len(self.joints)

    @cached_property
    def joint_names(self) -> Tuple[str, ...]:
        """Names of the independent joints: the order of q."""
        return tuple(joint.name for joint in self.joints)

    @property
    def link_names(self) -> Tuple[str, ...]:
        """All links that belong to the robot, also those merged into others."""
        return tuple(self.frames)

    @property
    def total_mass(self) -> float:
        """Mass of the base and all bodies, kg."""
        return self.base_inertial.mass + sum(body.inertial.mass for body in self.bodies)

    def index(self, joint_name: str) -> int:
        """
        Return the index of an independent joint in q.

        Raises
        ------
        UnknownNameError
            If no independent joint has this name.
        """
        if joint_name not in self.joint_names:
            raise UnknownNameError('joint', joint_name, self.joint_names)
        return self.joint_names.index(joint_name)

    def frame(self, link: str) -> LinkFrame:
        """
        Return where a link's frame sits, also that of a link merged into another.

        Raises
        ------
        UnknownNameError
            If the model has no such link.
        """
        if link not in self.frames:
            raise UnknownNameError('link', link, self.frames)
        return self.frames[link]

    def __repr__(self) -> str:
        base = 'floating ' if self.floating_base else ''
        return (f'<{type(self).__name__} {self.name!r}: {self.nv} joints, {len(self.bodies)} '
                f'bodies, {self.total_mass:.4g} kg, on {base}base {self.base_link!r}>')

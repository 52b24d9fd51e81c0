"""
The parts of a robot model: inertia, joint, body, frame, note.

All of them are frozen, and their arrays are read-only copies.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
import math
from typing import Any, Literal, Optional, Tuple

import numpy as np

from robot_dynamics.core.formatting import printable
from robot_dynamics.core.gate import FloatArray

BASE = -1
"""Index that stands for the base wherever the index of a body is expected."""


def read_only(values: Any, shape: Tuple[int, ...]) -> FloatArray:
    """Copy numbers into a read-only float64 array of the given shape."""
    array = np.array(values, dtype=np.float64, order='C').reshape(shape)
    array.setflags(write=False)
    return array


class Rebuilt:
    """Copied and unpickled through the constructor, so that arrays stay read-only."""

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), tuple(getattr(self, item.name) for item in fields(self))  # type: ignore


@dataclass(frozen=True, eq=False)
class Inertial(Rebuilt):
    """Mass, centre of mass and rotational inertia of a rigid body."""

    mass: float = 0.0  #: In kg
    #: (3,), centre of mass in m, body frame
    com: FloatArray = field(default_factory=lambda: np.zeros(3))
    #: (3, 3), inertia tensor about the centre of mass in kg m^2, body axes
    inertia: FloatArray = field(default_factory=lambda: np.zeros((3, 3)))

    def __post_init__(self) -> None:
        object.__setattr__(self, 'mass', float(self.mass))
        object.__setattr__(self, 'com', read_only(self.com, (3,)))
        object.__setattr__(self, 'inertia', read_only(self.inertia, (3, 3)))

    @property
    def is_zero(self) -> bool:
        """Whether the body has neither mass nor inertia."""
        return self.mass == 0.0 and not self.inertia.any()


@dataclass(frozen=True)
class Mimic:
    """
    A joint that follows another: value = multiplier * (value of ``joint``) + offset.

    In a model, ``joint`` is always an independent joint: chains are multiplied out.
    """

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Joint(Rebuilt):
    """A joint that moves."""

    name: str
    kind: str  #: 'revolute', 'continuous' or 'prismatic'
    axis: FloatArray  #: (3,), unit vector in the joint frame, which is the child link's frame
    #: Position limits in rad or m; infinite where the description has none
    lower: float = -math.inf
    upper: float = math.inf
    #: Limits in rad/s or m/s and in N m or N; infinite where the description has none
    velocity: float = math.inf
    effort: float = math.inf
    #: Viscous (N m s/rad or N s/m) and Coulomb (N m or N) friction; 0 where absent
    damping: float = 0.0
    friction: float = 0.0
    mimic: Optional[Mimic] = None  #: What the joint follows, or None if it is independent
    #: Breakaway above Coulomb friction (N m or N), and the speed at which it has fallen to 37 %
    #: (rad/s or m/s); not a part of URDF
    stribeck: float = 0.0
    stribeck_speed: float = 0.1
    #: What friction is larger by in the positive than in the negative direction, halved, and what
    #: is always there (N m or N); not a part of URDF
    asymmetry: float = 0.0
    torque_offset: float = 0.0
    #: Limits of URDF 1.2 in rad/s^2 or m/s^2 and per s^3; kept and reported, not applied
    acceleration: float = math.inf
    deceleration: float = math.inf
    jerk: float = math.inf

    def __post_init__(self) -> None:
        object.__setattr__(self, 'axis', read_only(self.axis, (3,)))


@dataclass(frozen=True, eq=False)
class Body(Rebuilt):
    """A link with everything that fixed joints attach to it; its frame is that link's frame."""

    name: str  #: Name of the link that ``joint`` carries
    joint: Joint
    #: Index into the model's bodies, always smaller than the own index; -1 is the base
    parent: int
    #: (3, 3), orientation of the joint frame at zero joint value in the parent body's frame
    R_PJ: FloatArray
    p_PJ: FloatArray  #: (3,), its origin there, in m
    inertial: Inertial  #: Of everything merged, in the body's frame
    coordinate: int  #: Index into q of the coordinate that drives the joint
    #: Joint value = multiplier * q[coordinate] + offset (1 and 0 unless the joint is a mimic)
    multiplier: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, 'R_PJ', read_only(self.R_PJ, (3, 3)))
        object.__setattr__(self, 'p_PJ', read_only(self.p_PJ, (3,)))


@dataclass(frozen=True, eq=False)
class LinkFrame(Rebuilt):
    """Where the frame of a link sits: on which body, and with which constant pose."""

    body: int  #: Index into the model's bodies; -1 is the base
    R_BL: FloatArray  #: (3, 3), orientation of the link's frame in the body's frame
    p_BL: FloatArray  #: (3,), its origin there, in m

    def __post_init__(self) -> None:
        object.__setattr__(self, 'R_BL', read_only(self.R_BL, (3, 3)))
        object.__setattr__(self, 'p_BL', read_only(self.p_BL, (3,)))


@dataclass(frozen=True)
class Note:
    """Something that a user should know about a description that loads."""

    #: 'info' (what was merged or not used) or 'warning' (what is suspicious)
    severity: Literal['info', 'warning']
    element: str  #: For example ``link 'hand'``
    text: str

    def __str__(self) -> str:
        return printable(f'{self.element}: {self.text}')

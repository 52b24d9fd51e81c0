"""
A robot description in URDF's own words: links, joints and nothing merged or resolved yet.

What the file says is kept as it is said; the rooms above never see this, only the tree made of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
import math
from typing import Dict, List, Optional, Tuple

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import Inertial, Mimic, Note
from robot_dynamics.model.inertia import placed
from robot_dynamics.motion.rotations import matrix_from_rpy

MOVING_TYPES = ('revolute', 'continuous', 'prismatic')
BASE_TYPES = ('floating', 'planar')
_SMALLEST_AXIS = 1e-9
JOINT_TYPES = MOVING_TYPES + BASE_TYPES + ('fixed',)


@dataclass(frozen=True)
class Origin:
    """``<origin xyz rpy>``: m, and rad about fixed axes."""

    xyz: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    rpy: Tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def R(self) -> FloatArray:
        """Orientation, (3, 3), exactly the identity for a zero rpy."""
        return matrix_from_rpy(self.rpy) if any(self.rpy) else np.eye(3)

    @property
    def p(self) -> FloatArray:
        """Position, (3,), m."""
        return np.array(self.xyz)


@dataclass(frozen=True, eq=False)
class LinkDescription:
    """``<link>``: its mass properties, if it has an ``<inertial>``."""

    name: str
    mass: Optional[float] = None
    inertia: FloatArray = field(default_factory=lambda: np.zeros((3, 3)))
    origin: Origin = Origin()

    @property
    def inertial(self) -> Inertial:
        """The mass properties in the link's frame; zero without an ``<inertial>``."""
        if self.mass is None:
            return Inertial()
        return placed(Inertial(self.mass, np.zeros(3), self.inertia),
                      self.origin.R, self.origin.p)


@dataclass(frozen=True)
class JointDescription:
    """``<joint>``: as written, with the defaults of the URDF specification."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Origin = Origin()
    axis: Tuple[float, float, float] = (1.0, 0.0, 0.0)
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf
    damping: float = 0.0
    friction: float = 0.0
    mimic: Optional[Mimic] = None
    acceleration: float = math.inf
    deceleration: float = math.inf
    jerk: float = math.inf


@dataclass(frozen=True)
class Description:
    """``<robot>``: links and joints in document order."""

    name: str
    links: Dict[str, LinkDescription]
    joints: Dict[str, JointDescription]
    notes: List[Note] = field(default_factory=list)  #: What the reader found worth saying
    #: How often each element occurs that plays no part in dynamics, for example ``visual``
    unused: Dict[str, int] = field(default_factory=dict)
    #: Rotor inertia reflected to a joint, where the file states it, kg m^2 or kg
    rotors: Dict[str, float] = field(default_factory=dict)


def unit_axis(joint: JointDescription) -> FloatArray:
    """
    Return the axis scaled to length one, (3,), joint frame.

    Raises
    ------
    ModelError
        If it is zero.
    """
    axis = np.array(joint.axis)
    largest = np.abs(axis).max()
    if largest < _SMALLEST_AXIS:
        raise ModelError(f"joint '{joint.name}'", 'its axis is zero',
                         'give a direction, for example <axis xyz="0 0 1"/>')
    scaled = axis / largest  # so that huge components do not overflow
    length = np.linalg.norm(axis) if largest < 1e100 else np.inf
    return axis if length == 1.0 else np.asarray(scaled / np.linalg.norm(scaled))

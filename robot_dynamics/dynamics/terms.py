"""Torque by cause."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Dict, Tuple

from robot_dynamics.core.gate import FloatArray


@dataclass(frozen=True)
class Terms:
    """
    Joint torques by what causes them, each (nv,) or (T, nv) in N m (N for prismatic joints).

    Notes
    -----
    The first five are the terms of Sadraei & Moghaddam eq. 19.  Their sum, ``total``, is the
    torque.
    """

    inertia: FloatArray  #: D qdd: the arm's own acceleration
    coriolis: FloatArray  #: h: Coriolis and centrifugal torque of the joint velocities alone
    gravity: FloatArray  #: c: gravity, in the axes of the tilted base
    base_inertial: FloatArray  #: B_mi: acceleration and rotation of the base, joints at rest
    #: B_mc qd: what the rotation of the base and the joint velocities cause together
    base_coriolis: FloatArray
    #: Of the joints themselves; zero where they were not asked for
    friction: FloatArray
    rotor: FloatArray

    @property
    def total(self) -> FloatArray:
        """Sum of all terms: the joint torque."""
        return (self.inertia + self.coriolis + self.gravity + self.base_inertial
                + self.base_coriolis + self.friction + self.rotor)

    @classmethod
    def names(cls) -> Tuple[str, ...]:
        """Names of the terms, in the order of the attributes."""
        return tuple(field.name for field in fields(cls))

    def as_dict(self) -> Dict[str, FloatArray]:
        """Return the terms by name."""
        return {name: getattr(self, name) for name in self.names()}

"""
Paper 003 as it is printed, each deviation for itself: what torques it would give.

The paper is Sadraei & Moghaddam, "On a Moving Base Robotic Manipulator Dynamics", 2015.  Each
function of :data:`VARIANTS` takes a :class:`Scene` and returns torques, (T, nv) N m.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Callable, NamedTuple, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.terms import Terms
from robot_dynamics.motion.base_motion import BaseMotion


@dataclass(frozen=True)
class Scene:
    """
    The arm's motion and the ship's, T samples.

    Attributes
    ----------
    dynamics : InverseDynamics
        By Lagrange-Euler, whose terms eqs. 13 to 18 print.
    q, qd, qdd : ndarray, (T, nv)
        Joint positions, velocities, accelerations: rad, rad/s, rad/s^2.
    angles, rates, accelerations : ndarray, (T, 2)
        Roll and pitch of the ship with their derivatives.
    gravity : float
        Magnitude, m/s^2.
    """

    dynamics: InverseDynamics
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    angles: FloatArray
    rates: FloatArray
    accelerations: FloatArray
    gravity: float

    @cached_property
    def base(self) -> BaseMotion:
        """The right base motion: R = Ry(pitch) Rx(roll), all four vectors in base axes."""
        return BaseMotion.from_roll_pitch(
            *self.angles.T, *self.rates.T, *self.accelerations.T, gravity_magnitude=self.gravity)

    @cached_property
    def right(self) -> FloatArray:
        """The right torques, (T, nv)."""
        return self.torque(self.base)

    @cached_property
    def terms(self) -> Terms:
        """The right torques by cause."""
        return self.dynamics.terms(self.q, self.qd, self.qdd, self.base)

    def torque(self, base: BaseMotion) -> FloatArray:
        """Return the torques of the arm's motion on this base, (T, nv)."""
        return self.dynamics.torque(self.q, self.qd, self.qdd, base)

    def turned_by(self, w: FloatArray, wd: FloatArray, level: bool = False) -> FloatArray:
        """Return the torques for these angular velocities, with gravity turned or level."""
        still = BaseMotion.still(self.gravity).gravity
        gravity = np.broadcast_to(still, w.shape) if level else self.base.gravity
        return self.torque(BaseMotion(w, wd, gravity=gravity))


def in_the_plane(pair: FloatArray) -> FloatArray:
    """Return [roll's, pitch's, 0], the form in which eq. 35 gives its vectors."""
    return np.column_stack([pair, np.zeros(len(pair))])


def eq35_as_printed(scene: Scene, level: bool = False) -> FloatArray:
    """Eq. 35 to the letter: w0 = [a, b, 0], w0' = [a', b', 0], angles in place of rates."""
    return scene.turned_by(in_the_plane(scene.angles), in_the_plane(scene.rates), level)


def eq35_dotted(scene: Scene, level: bool = False) -> FloatArray:
    """Eq. 35 with the dots that it lacks: w0 = [a', b', 0], w0' = [a'', b'', 0]."""
    return scene.turned_by(in_the_plane(scene.rates), in_the_plane(scene.accelerations), level)


def world_axes(scene: Scene) -> FloatArray:
    """Take the right angular velocity, but in world axes, for one in base axes."""
    sine, cosine = np.sin(scene.angles[:, 1]), np.cos(scene.angles[:, 1])
    (a1, b1), (a2, b2) = scene.rates.T, scene.accelerations.T
    w = np.column_stack([a1 * cosine, b1, -a1 * sine])
    wd = np.column_stack([a2 * cosine - a1 * b1 * sine, b2, -a2 * sine - a1 * b1 * cosine])
    return scene.turned_by(w, wd)


def level_gravity(scene: Scene) -> FloatArray:
    """Turn the base, but not gravity with it: g = [0, 0, -9.8062] in base axes."""
    return scene.turned_by(scene.base.angular_velocity, scene.base.angular_acceleration, True)


def gravity_reversed(scene: Scene) -> FloatArray:
    """Eqs. 13 and 16: the gravity term with plus, although P = -m g A R (eq. 10)."""
    return scene.right - 2 * scene.terms.gravity


def half_the_coupling(scene: Scene) -> FloatArray:
    """Eq. 18 without the factor 2 that eq. 13 has."""
    return scene.right - 0.5 * scene.terms.base_coriolis


def no_base_motion(scene: Scene) -> FloatArray:
    """Leave the ship out altogether."""
    return scene.torque(BaseMotion.still(scene.gravity))


class Variant(NamedTuple):
    """A way to deviate from what is right."""

    key: str
    printed: str
    right: str
    torque: Callable[[Scene], FloatArray]


VARIANTS: Tuple[Variant, ...] = (
    Variant('eq35_as_printed', 'eq. 35: w0 = [a, b, 0]', "[a', b' cos a, -b' sin a]",
            eq35_as_printed),
    Variant('eq35_dotted', 'eq. 35, dots restored', "[a', b' cos a, -b' sin a]", eq35_dotted),
    Variant('eq35_dotted_level', 'the same, gravity not turned', 'g turned into base axes',
            lambda scene: eq35_dotted(scene, level=True)),
    Variant('eq35_as_printed_level', 'eq. 35, gravity not turned', 'g turned into base axes',
            lambda scene: eq35_as_printed(scene, level=True)),
    Variant('level_gravity', 'eq. 36 in base axes', 'g turned into base axes', level_gravity),
    Variant('world_axes', 'w0 in world axes', 'w0 in base axes', world_axes),
    Variant('half_the_coupling', 'eq. 18: no factor 2', '2 Tr(...), as in eq. 13',
            half_the_coupling),
    Variant('gravity_reversed', 'eqs. 13, 16: + m g A U R', '- m g A U R, from eq. 10',
            gravity_reversed),
    Variant('no_base_motion', 'ship left out', 'ship included', no_base_motion),
)

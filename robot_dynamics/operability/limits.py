"""
What a robot on a deck must not exceed, as linear functions of its loads.

Joint efforts, force and moment on the deck, the tension of deck bolts, tipping and slipping of a
robot on wheels: each is one or several rows with ``rows @ loads <= bound``, so that one theory
holds for all.  Loads are the joint efforts (nv), then the wrench on what carries the robot (6).
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Mapping, Optional, Sequence

import numpy as np

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.dynamics.ground_contact import convex_hull
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.model.robot_model import RobotModel

_FAN = 16  # directions that stand for a circle: a magnitude is short by at most 2 %


@dataclass(frozen=True, eq=False)
class Limit:
    """One limit."""

    #: For tables
    name: str
    unit: str
    rows: FloatArray  #: What must stay below the bound, as linear functions of the m loads
    bound: float  #: In the unit
    #: Whether the rows are exceeded at different times, as the two signs of a torque are; their
    #: exceedances add.  Else they are views of one magnitude, and the worst counts.
    disjoint: bool = False


def effort_limits(model: RobotModel, overrides: Optional[Mapping[str, float]] = None
                  ) -> list[Limit]:
    """
    Return the effort limits of the description, or those given in their place.

    Parameters
    ----------
    overrides : mapping, optional
        Joint name to limit, N m or N.

    Raises
    ------
    ConfigurationError
        If a limit is not positive.
    UnknownNameError
        If a joint does not exist.
    """
    given = dict(overrides or {})
    for name in given:
        if name not in model.joint_names:
            raise UnknownNameError('joint', name, model.joint_names)
    limits = []
    for k, (name, described) in enumerate(zip(model.joint_names, model.effort_limit)):
        bound = given.get(name, float(described))
        if name in given or bound == 0.0:
            _positive(f'limit of {name}', bound)
        if not math.isfinite(bound):
            continue
        row = np.zeros(model.nv + 6)
        row[k] = 1.0
        unit = 'N' if model.joints[k].kind == 'prismatic' else 'N m'
        limits.append(Limit(name, unit, np.array([row, -row]), bound, disjoint=True))
    return limits


def deck_limits(nv: int, force: Optional[float] = None, moment: Optional[float] = None
                ) -> list[Limit]:
    """
    Bound the magnitudes of force [N] and moment [N m] of the robot on the deck at its base.

    Every direction of a sphere is looked at in steps, so that a magnitude is taken as at most 2 %
    too small.
    """
    sphere = _directions()
    limits = []
    for name, unit, bound, start in (('deck force', 'N', force, nv),
                                     ('deck moment', 'N m', moment, nv + 3)):
        if bound is not None:
            rows = np.zeros((len(sphere), nv + 6))
            rows[:, start:start + 3] = sphere
            limits.append(Limit(name, unit, rows, _positive(name, bound)))
    return limits


def bolt_limit(nv: int, count: int, radius: float, tension: float) -> Limit:
    """
    Bound the tension of bolts on a circle around the robot's base, in its x-y plane.

    A rigid flange hands the robot's wrench on the deck to n bolts by statics: the one at angle a
    carries F_z / n + 2 (M_x sin a - M_y cos a) / (n r).  A robot that stands presses (F_z < 0);
    preload is not counted.

    Parameters
    ----------
    nv : int
        Joints of the robot.
    count : int
        Number of bolts, at least 3.
    radius, tension : float
        Of the circle [m], and what one bolt may carry [N].
    """
    if count < 3:
        raise ConfigurationError(f'bolts: {count} cannot carry a moment; give 3 or more')
    _positive('radius of the bolts', radius)
    rows = np.zeros((count, nv + 6))
    angle = 2 * math.pi * np.arange(count) / count
    rows[:, nv + 2] = 1.0 / count
    rows[:, nv + 3] = 2.0 * np.sin(angle) / (count * radius)
    rows[:, nv + 4] = -2.0 * np.cos(angle) / (count * radius)
    return Limit('bolt tension', 'N', rows, _positive('bolt tension', tension))


def tipping_limit(nv: int, corners: FloatArray) -> Limit:
    """
    Bound the moment about each edge of the support polygon: the robot stays on its wheels.

    Parameters
    ----------
    nv : int
        Coordinates of the robot.
    corners : ndarray, (k, 2)
        Of the support polygon, counter-clockwise, m.  The wrench among the loads is that of the
        ground on the robot, about the polygon's origin.
    """
    edges = np.roll(corners, -1, axis=0) - corners
    inward = np.stack([-edges[:, 1], edges[:, 0]], axis=-1)
    inward /= np.linalg.norm(inward, axis=-1, keepdims=True)
    rows = np.zeros((len(corners), nv + 6))
    # (zmp - corner) . inward >= 0 with zmp = (-m_y, m_x) / f_z, times f_z
    rows[:, nv + 2] = (corners * inward).sum(axis=-1)
    rows[:, nv + 3] = -inward[:, 1]
    rows[:, nv + 4] = inward[:, 0]
    return Limit('tipping', 'N m', rows, 0.0)


def slip_limit(nv: int, friction: float) -> Limit:
    """
    Bound the ground's horizontal force by friction: mu f_z - |f_xy| stays positive.

    All contacts are taken together, as if each carried load and friction in the same share.

    Parameters
    ----------
    nv : int
        Coordinates of the robot.
    friction : float
        Coefficient mu between wheels and deck.
    """
    _positive('friction coefficient', friction)
    angle = 2 * math.pi * np.arange(_FAN) / _FAN
    rows = np.zeros((_FAN, nv + 6))
    rows[:, nv] = np.cos(angle)
    rows[:, nv + 1] = np.sin(angle)
    rows[:, nv + 2] = -friction
    return Limit('slip', 'N', rows, 0.0)


def wheel_limits(nv: int, support: RollingPlatform, friction: Optional[float] = None
                 ) -> list[Limit]:
    """
    Return the limits of a robot that stands on wheels: it does not tip, and does not slip.

    Parameters
    ----------
    nv : int
        Coordinates of the robot.
    friction : float, optional
        Coefficient between wheels and deck; None leaves slipping out.

    Raises
    ------
    ConfigurationError
        If the contacts span no area, so that the robot balances.
    """
    corners = convex_hull(support.contacts)
    if len(corners) < 3:
        raise ConfigurationError('the robot touches the ground on one line only and tips at once; '
                                 'its description lacks casters as round shapes')
    limits = [tipping_limit(nv, corners)]
    if friction is not None:
        limits.append(slip_limit(nv, friction))
    return limits


def require_limits(limits: Sequence[Limit]) -> None:
    """Refuse to judge a robot that has no limit at all."""
    if not limits:
        raise ConfigurationError(
            'no limit is known: the description has no finite effort limit; give --limit '
            'joint=N m, --deck-force, --deck-moment or --bolts')


def _positive(name: str, value: float) -> float:
    number = as_scalar(name, value)
    if number <= 0.0:
        raise ConfigurationError(f'{name} is {number:g}; a limit has to be positive')
    return number


def _directions() -> FloatArray:
    """Spread unit vectors over the sphere, (k, 3), at most 11 deg from any direction."""
    count = 162
    k = np.arange(count) + 0.5
    z = 1.0 - 2.0 * k / count
    angle = k * math.pi * (3.0 - math.sqrt(5.0))  # the golden angle
    ring = np.sqrt(1.0 - z * z)
    return np.stack([ring * np.cos(angle), ring * np.sin(angle), z], axis=-1)

"""What the ground carries: friction at the wheels, loads under them, and how near tipping is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.samples import AnyBase
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform


@dataclass(frozen=True, eq=False)
class GroundContact:
    """
    Forces of the ground on the robot; a leading axis T for T samples.

    Notes
    -----
    Convention: wheels and supports touch the ground in points, supports without friction, so
    that friction acts at the wheels alone.
    """

    #: (T,), to the left, along the axle, of all wheels together [N].  How they share it statics
    #: cannot tell.
    lateral: FloatArray
    #: (2,) or (T, 2), forward, at the right and at the left wheel of a differential drive [N]
    longitudinal: Optional[FloatArray]
    #: (3,) or (T, 3), under right wheel, left wheel and the one support [N]; None where the robot
    #: has none or several, so that statics cannot tell.  A negative load means that the robot
    #: tips.
    normal: Optional[FloatArray]
    vertical: FloatArray  #: (T,), sum of all normal loads [N]
    #: (2,) or (T, 2), where the resultant of the normal loads acts, x forward and y left of the
    #: platform's frame O [m]; NaN where nothing presses on the ground
    zero_moment_point: FloatArray
    #: (T,), distance of that point from the edge of the support polygon, positive inside [m];
    #: minus infinity where nothing presses on the ground, None for a robot that balances on two
    #: wheels
    tipping_margin: Optional[FloatArray]


def ground_contact(dynamics: InverseDynamics, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                   base: AnyBase = None) -> GroundContact:
    """
    Return forces at the wheels, loads under them and the margin against tipping.

    Parameters
    ----------
    dynamics : InverseDynamics
        Of a robot on a :class:`RollingPlatform`.
    q, qd, qdd, base
        As for ``dynamics.torque``.

    Raises
    ------
    InputError
        Also if the robot is on no wheels.

    Notes
    -----
    Lateral and longitudinal forces are those that keep the wheels rolling, A qd = 0: the
    multipliers of paper 004, eq. 8.
    """
    support = dynamics.support
    if not isinstance(support, RollingPlatform):
        raise InputError('dynamics', f'is of a robot on a {type(support).__name__}, which touches '
                                     'the ground in no points')
    return shared(support, -dynamics.base_wrench(q, qd, qdd, base))


def shared(support: RollingPlatform, wrench: FloatArray) -> GroundContact:
    """
    Share the ground's wrench between the contacts.

    Parameters
    ----------
    wrench : ndarray, (6,) or (T, 6)
        Force and moment on the robot about the platform's frame O, in its axes [N, N m].
    """
    _, fy, fz, mx, my, _ = np.moveaxis(wrench, -1, 0)
    pressed = fz > 0.0
    with np.errstate(divide='ignore', invalid='ignore'):
        zmp = np.where(pressed[..., None], np.stack([-my, mx], axis=-1) / fz[..., None], np.nan)
    longitudinal, normal = support.shares(wrench)
    margin = None
    if len(support.contacts) > 2:
        inside = _margin(convex_hull(support.contacts), np.where(pressed[..., None], zmp, 0.0))
        margin = np.where(pressed, inside, -np.inf)
    return GroundContact(fy, longitudinal, normal, fz, zmp, margin)


def convex_hull(points: FloatArray) -> FloatArray:
    """Corners of the convex hull of points (k, 2), counter-clockwise (monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})

    def chain(sequence: list[tuple[float, float]]) -> list[tuple[float, float]]:
        corners: list[tuple[float, float]] = []
        for point in sequence:
            while len(corners) > 1 and _cross(corners[-2], corners[-1], point) <= 0.0:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1])).reshape(-1, 2)


def _cross(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _margin(corners: FloatArray, point: FloatArray) -> FloatArray:
    """Least distance of points (..., 2) from the lines through the edges, positive inside."""
    edges = np.roll(corners, -1, axis=0) - corners
    inward = np.stack([-edges[:, 1], edges[:, 0]], axis=-1)
    inward /= np.linalg.norm(inward, axis=-1, keepdims=True)
    distances = ((point[..., None, :] - corners) * inward).sum(axis=-1)
    return np.asarray(distances.min(axis=-1))

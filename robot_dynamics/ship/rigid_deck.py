"""
A rigid deck from six degrees of freedom: attitude, velocities and accelerations at any point.

The six numbers are the position of the rotation centre in the world (surge, sway, heave: x
forward, y left, z up) and roll, pitch, yaw about fixed axes, R = Rz(yaw) Ry(pitch) Rx(roll).
Angles are composed, never added, so that everything holds at any amplitude.  The scalar functions
are plain Python on purpose: a simulated robot calls them thousands of times a second.
"""

from __future__ import annotations

from math import cos, sin
from typing import Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion import attitude, rotations


def base_motion_at(numbers: Sequence[float], point: Sequence[float], gravity: float
                   ) -> FloatArray:
    """
    Pack the base motion of one instant at a point of the deck.

    Parameters
    ----------
    numbers : sequence of 18 float
        Values, rates and accelerations of surge, sway, heave, roll, pitch, yaw.
    point : sequence of 3 float
        From the rotation centre, deck axes, m.
    gravity : float, m/s^2

    Returns
    -------
    ndarray, (12,)
        Angular velocity and acceleration, linear acceleration of the point, gravity; all in
        deck axes.
    """
    (_, _, _, a, b, c, _, _, _, ad, bd, cd, xdd, ydd, zdd, add, bdd, cdd) = numbers
    sa, ca, sb, cb, sc, cc = sin(a), cos(a), sin(b), cos(b), sin(c), cos(c)
    # w and its derivative in deck axes (motion.attitude)
    wx, wy, wz = ad - cd * sb, bd * ca + cd * sa * cb, cd * ca * cb - bd * sa
    ux = add - cdd * sb - cd * cb * bd
    uy = bdd * ca - bd * sa * ad + cdd * sa * cb + cd * (ca * cb * ad - sa * sb * bd)
    uz = cdd * ca * cb - cd * (sa * cb * ad + ca * sb * bd) - bdd * sa - bd * ca * ad
    # acceleration of the rotation centre: world -> deck, by yaw, pitch, roll in turn
    fx, fy = cc * xdd + sc * ydd, cc * ydd - sc * xdd
    ax, fz = cb * fx - sb * zdd, sb * fx + cb * zdd
    ay, az = ca * fy + sa * fz, ca * fz - sa * fy
    px, py, pz = point
    # w' x p + w x (w x p), the latter as w (w . p) - p |w|^2
    along, square = wx * px + wy * py + wz * pz, wx * wx + wy * wy + wz * wz
    return np.array((
        wx, wy, wz, ux, uy, uz,
        ax + uy * pz - uz * py + wx * along - px * square,
        ay + uz * px - ux * pz + wy * along - py * square,
        az + ux * py - uy * px + wz * along - pz * square,
        gravity * sb, -gravity * sa * cb, -gravity * ca * cb))


def base_motion_series(values: FloatArray, point: FloatArray, gravity: float) -> FloatArray:
    """Do as :func:`base_motion_at` for series: (T, 18) -> (T, 12)."""
    rpy, rate, acceleration = values[:, 3:6], values[:, 9:12], values[:, 15:18]
    R = rotations.matrix_from_rpy(rpy)
    w, wd = attitude.angular_motion_from_rpy(rpy, rate, acceleration)
    a = (rotations.rotate_back(R, values[:, 12:15]) + rotations.cross(wd, point)
         + rotations.cross(w, rotations.cross(w, point)))
    return np.hstack([w, wd, a, -gravity * R[:, 2, :]])

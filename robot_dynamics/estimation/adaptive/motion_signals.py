"""
Between an IMU's vectors and scalar signals that filters can treat one by one.

The signals are roll and pitch with their rates, the yaw rate, and the acceleration in a level
frame that turns with the ship (x forward, y left, z up).  They are exact at any tilt: the ship's
angles are filtered, and composed again afterwards.
"""

from __future__ import annotations

from math import asin, atan2, cos, sin
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.ship.rigid_deck import base_motion_at


_ENTERING = (*((c, order) for c in (0, 1) for order in range(3)),
             (2, 1), (2, 2), (3, 1), (4, 1), (5, 1))
_NAN = float('nan')


def roll_pitch(quat: Sequence[float]) -> tuple[float, float]:
    """Roll and pitch of a unit quaternion (x, y, z, w), rad."""
    x, y, z, w = quat
    return (atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))))


def signals(roll: float, pitch: float, w: Optional[Sequence[float]],
            force: Optional[Sequence[float]], gravity: float) -> list[float]:
    """
    Return rates of roll, pitch and yaw, and accelerations ahead, left and up; NaN where unknown.

    Parameters
    ----------
    roll, pitch : float
        In rad.
    w, force : sequence of 3 float, or None
        Angular velocity, rad/s, and specific force, m/s^2, in base axes.
    gravity : float
        Magnitude, m/s^2.
    """
    sa, ca, sb, cb = sin(roll), cos(roll), sin(pitch), cos(pitch)
    roll_rate = pitch_rate = yaw_rate = ahead = left = up = _NAN
    if w is not None:
        turning = sa * w[1] + ca * w[2]
        yaw_rate = turning / max(cb, 1e-3)
        roll_rate, pitch_rate = w[0] + sb * yaw_rate, ca * w[1] - sa * w[2]
    if force is not None:
        lifted = sa * force[1] + ca * force[2]
        ahead, left = cb * force[0] + sb * lifted, ca * force[1] - sa * force[2]
        up = cb * lifted - sb * force[0] - gravity
    return [roll_rate, pitch_rate, yaw_rate, ahead, left, up]


def packed_motion(said: FloatArray, point: Sequence[float], gravity: float) -> FloatArray:
    """
    Compose the packed base motion, (12,), at a point of the base.

    Parameters
    ----------
    said : ndarray, (6, 3)
        Of each signal: the angle whose rate it is (roll and pitch), itself, its derivative.
    point : sequence of 3 float
        From the sensor, base axes, m.
    gravity : float
        Magnitude, m/s^2.
    """
    ((a, ad, add), (b, bd, bdd), (_, cd, cdd), (_, ax, _), (_, ay, _), (_, az, _)) = said.tolist()
    return base_motion_at((0.0, 0.0, 0.0, a, b, 0.0, 0.0, 0.0, 0.0, ad, bd, cd, ax, ay, az, add,
                           bdd, cdd), point, gravity)


def packed_covariance(said: FloatArray, variances: FloatArray, point: Sequence[float],
                      gravity: float) -> FloatArray:
    """
    Carry the variances of what is said, (6, 3), to the covariance of the packed motion, (12, 12).

    First order, by central differences of :func:`packed_motion`.
    """
    columns = []
    for c, order in _ENTERING:
        step = np.zeros((6, 3))
        step[c, order] = np.sqrt(variances[c, order])
        columns.append(0.5 * (packed_motion(said + step, point, gravity)
                              - packed_motion(said - step, point, gravity)))
    J = np.array(columns).reshape(-1, 12)
    return J.T @ J

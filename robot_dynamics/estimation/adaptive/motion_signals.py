"""
Between an IMU's vectors and scalar signals that filters can treat one by one.

The signals are roll and pitch with their rates, the yaw rate, and the acceleration in a level
frame that turns with the ship (x forward, y left, z up).  They are exact at any tilt: the ship's
angles are filtered, and composed again afterwards.
"""

from __future__ import annotations

from math import asin, atan2, cos, sin
from typing import Sequence


def roll_pitch(quat: Sequence[float]) -> tuple[float, float]:
    """Roll and pitch of a unit quaternion (x, y, z, w), rad."""
    x, y, z, w = quat
    return (atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))))


def signals(roll: float, pitch: float, wx: float, wy: float, wz: float, fx: float, fy: float,
            fz: float, gravity: float) -> tuple[float, float, float, float, float, float]:
    """
    Return rates of roll, pitch and yaw, and accelerations ahead, left and up.

    Compiled as it stands here (see ``attitude_filter``).

    Parameters
    ----------
    roll, pitch : float
        In rad.
    wx, wy, wz, fx, fy, fz : float
        Angular velocity, rad/s, and specific force, m/s^2, in base axes; NaN where unknown.
    gravity : float
        Magnitude, m/s^2.
    """
    sa, ca, sb, cb = sin(roll), cos(roll), sin(pitch), cos(pitch)
    yaw_rate, lifted = (sa * wy + ca * wz) / max(cb, 1e-3), sa * fy + ca * fz
    return (wx + sb * yaw_rate, ca * wy - sa * wz, yaw_rate,
            cb * fx + sb * lifted, ca * fy - sa * fz, cb * lifted - sb * fx - gravity)

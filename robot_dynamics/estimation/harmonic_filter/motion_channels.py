"""
Between an IMU's vectors and scalar signals that filters can treat one by one.

The signals are roll and pitch with their rates, the yaw rate, and the acceleration in a level
frame that turns with the ship (x forward, y left, z up).  They are exact at any tilt: the ship's
angles are filtered, and composed again afterwards.
"""

from __future__ import annotations

from math import asin, atan2, cos, sin
from typing import Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.harmonic_filter.bank_channels import BROAD, Channel
from robot_dynamics.ship.rigid_deck import base_motion_at


ROLL, PITCH, YAW_RATE, AHEAD, LEFT, UP = range(6)

# falls of the first guess, least noise of value and rate, constant part, bias of the rate
CHANNELS = (
    Channel('roll', 9.0, (2e-5, 1e-5), 0.3, 0.02), Channel('pitch', 9.0, (2e-5, 1e-5), 0.3, 0.02),
    Channel('yaw rate', 5.0, (1e-5, 1.0), 0.1, band=BROAD),
    Channel('acceleration ahead', 3.0, (1e-3, 1.0), 0.5, band=BROAD),
    Channel('acceleration left', 3.0, (1e-3, 1.0), 0.5, band=BROAD),
    Channel('acceleration up', 3.0, (1e-3, 1.0), 0.5, band=BROAD))

_NAN = float('nan')


def roll_pitch(quat: Sequence[float]) -> tuple[float, float]:
    """Roll and pitch of a unit quaternion (x, y, z, w), rad."""
    x, y, z, w = quat
    return (atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))))


def signals(roll: float, pitch: float, w: Sequence[float], force: Sequence[float], gravity: float,
            has_rate: bool, has_force: bool) -> list[tuple[float, float]]:
    """
    Return measured values and rates of the six channels; NaN where there is none.

    Parameters
    ----------
    roll, pitch : float
        In rad.
    w, force : sequence of 3 float
        Angular velocity, rad/s, and specific force, m/s^2, in base axes.
    gravity : float
        Magnitude, m/s^2.
    has_rate, has_force : bool
        Whether the sensor reports them.
    """
    sa, ca, sb, cb = sin(roll), cos(roll), sin(pitch), cos(pitch)
    roll_rate = pitch_rate = yaw_rate = ahead = left = up = _NAN
    if has_rate:
        turning = sa * w[1] + ca * w[2]
        yaw_rate = turning / max(cb, 1e-3)
        roll_rate, pitch_rate = w[0] + sb * yaw_rate, ca * w[1] - sa * w[2]
    if has_force:
        lifted = sa * force[1] + ca * force[2]
        ahead, left = cb * force[0] + sb * lifted, ca * force[1] - sa * force[2]
        up = cb * lifted - sb * force[0] - gravity
    return [(roll, roll_rate), (pitch, pitch_rate), (yaw_rate, _NAN), (ahead, _NAN),
            (left, _NAN), (up, _NAN)]


def packed_motion(state: FloatArray, point: Sequence[float], gravity: float) -> FloatArray:
    """
    Compose the packed base motion, (12,), at a point of the base.

    Parameters
    ----------
    state : ndarray, (6, 3)
        Value, rate and acceleration of each channel.
    point : sequence of 3 float
        From the sensor, base axes, m.
    gravity : float
        Magnitude, m/s^2.
    """
    ((a, ad, add), (b, bd, bdd), (cd, cdd, _), (ax, _, _), (ay, _, _), (az, _, _)) = state.tolist()
    return base_motion_at((0.0, 0.0, 0.0, a, b, 0.0, 0.0, 0.0, 0.0, ad, bd, cd, ax, ay, az, add,
                           bdd, cdd), point, gravity)


def packed_covariance(state: FloatArray, covariances: FloatArray, point: Sequence[float],
                      gravity: float) -> FloatArray:
    """
    Carry the channels' covariances, (6, 3, 3), to that of the packed motion, (12, 12).

    First order, by central differences of :func:`packed_motion`.
    """
    scale = np.sqrt(np.maximum(np.diagonal(covariances, axis1=1, axis2=2), 1e-18))
    total = np.zeros((12, 12))
    for c in range(6):
        columns = []
        for order in range(3):
            step = np.zeros((6, 3))
            step[c, order] = scale[c, order]
            difference = (packed_motion(state + step, point, gravity)
                          - packed_motion(state - step, point, gravity))
            columns.append(difference / (2 * scale[c, order]))
        J = np.stack(columns, axis=1)
        total += J @ covariances[c] @ J.T
    return total

"""
Roll, pitch, yaw and their rates against angular velocity and acceleration in the body frame.

With R = Rz(yaw) Ry(pitch) Rx(roll), abbreviated (a, b, c) = (roll, pitch, yaw):

    w = [a' - c' sin b,  b' cos a + c' sin a cos b,  -b' sin a + c' cos a cos b]

and its time derivative.  For yaw = 0 this is the base of the ship-mounted arm in Sadraei &
Moghaddam, whose eq. 35 omits the rotation of the pitch rate into the body.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.gate import FloatArray


def rate_matrix(rpy: ArrayLike) -> FloatArray:
    """
    Build E(rpy) with w = E rpy', w the angular velocity in the body frame.

    Parameters
    ----------
    rpy : array_like, (..., 3)
        Roll, pitch, yaw in rad.

    Returns
    -------
    ndarray, (..., 3, 3)
    """
    a, b = _first_two(rpy)
    E = np.zeros(a.shape + (3, 3))
    E[..., 0, 0], E[..., 0, 2] = 1.0, -np.sin(b)
    E[..., 1, 1], E[..., 1, 2] = np.cos(a), np.sin(a) * np.cos(b)
    E[..., 2, 1], E[..., 2, 2] = -np.sin(a), np.cos(a) * np.cos(b)
    return E


def rate_matrix_derivative(rpy: ArrayLike, rpy_rate: ArrayLike) -> FloatArray:
    """Build dE/dt, (..., 3, 3), from roll-pitch-yaw and its rate, (..., 3) each."""
    a, b = _first_two(rpy)
    ad, bd = _first_two(rpy_rate)
    sa, ca, sb, cb = np.sin(a), np.cos(a), np.sin(b), np.cos(b)
    Ed = np.zeros(np.broadcast(a, ad).shape + (3, 3))
    Ed[..., 0, 2] = -cb * bd
    Ed[..., 1, 1], Ed[..., 1, 2] = -sa * ad, ca * cb * ad - sa * sb * bd
    Ed[..., 2, 1], Ed[..., 2, 2] = -ca * ad, -sa * cb * ad - ca * sb * bd
    return Ed


def angular_motion_from_rpy(rpy: ArrayLike, rpy_rate: ArrayLike, rpy_acceleration: ArrayLike
                            ) -> tuple[FloatArray, FloatArray]:
    """
    Angular velocity and acceleration in the body frame.

    Parameters
    ----------
    rpy, rpy_rate, rpy_acceleration : array_like, (..., 3)
        Roll, pitch, yaw in rad with first and second time derivatives.

    Returns
    -------
    w, wd : ndarray, (..., 3)
        In rad/s and rad/s^2, body frame.
    """
    rate = np.asarray(rpy_rate, dtype=np.float64)[..., None]
    acceleration = np.asarray(rpy_acceleration, dtype=np.float64)[..., None]
    E, Ed = rate_matrix(rpy), rate_matrix_derivative(rpy, rpy_rate)
    return (E @ rate)[..., 0], (E @ acceleration + Ed @ rate)[..., 0]


def _first_two(vector: ArrayLike) -> tuple[FloatArray, FloatArray]:
    values = np.asarray(vector, dtype=np.float64)
    return values[..., 0], values[..., 1]

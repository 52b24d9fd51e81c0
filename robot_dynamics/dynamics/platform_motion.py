"""
From the motion of a driving platform to that of the deck under it, and back.

An IMU on the platform feels deck and wheels together.  The dynamics take the deck's motion and
add the wheels' themselves, so the part that the wheels cause has to be removed first.
"""

from __future__ import annotations

from typing import Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.differential_drive import DifferentialDrive
from robot_dynamics.motion.base_motion import BaseMotion

ORIGIN = np.zeros(3)


def deck_under_platform(drive: DifferentialDrive, platform: BaseMotion, qd: FloatArray,
                        qdd: FloatArray) -> BaseMotion:
    """
    Remove what the wheels cause from the motion of the platform.

    Parameters
    ----------
    drive : DifferentialDrive
    platform : BaseMotion
        Of the base link's frame, as measured.
    qd, qdd : ndarray, (..., nv)
        Rates [rad/s] and accelerations [rad/s^2] at that instant, right and left wheel first.

    Returns
    -------
    BaseMotion
        Of the deck, at its point under the middle of the axle and in the drive's axes: a deck
        frame in which the platform's pose is (0, 0, 0).

    Notes
    -----
    With forward speed u and turning rate n of the platform on the deck:
    w_D = w - n z, w_D' = w' - n' z - w_D x n z, a_D = a - 2 w_D x u x - (u', u n, 0).
    """
    at_axle = platform.transformed(drive.R_BO, drive.p_BO)
    speed, turning, relative = _relative(drive, qd, qdd)
    w = at_axle.angular_velocity - turning[0]
    wd = at_axle.angular_acceleration - turning[1] - np.cross(w, turning[0])
    a = at_axle.linear_acceleration - 2.0 * np.cross(w, speed) - relative
    return _motion(w, wd, a, at_axle)


def platform_on_deck(drive: DifferentialDrive, deck: BaseMotion, pose: FloatArray,
                     qd: FloatArray, qdd: FloatArray) -> BaseMotion:
    """
    Add what the wheels cause: the motion of the base link that an IMU on it feels.

    Parameters
    ----------
    drive : DifferentialDrive
    deck : BaseMotion
        Of the deck's frame.
    pose : ndarray, (3,)
        Of the drive's frame O on the deck: x, y [m], heading [rad].
    qd, qdd : ndarray, (..., nv)
        As for :func:`deck_under_platform`.
    """
    x, y, heading = pose
    c, s = np.cos(heading), np.sin(heading)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    here = deck.transformed(R, (x, y, 0.0))
    speed, turning, relative = _relative(drive, qd, qdd)
    w = here.angular_velocity
    wd = here.angular_acceleration + turning[1] + np.cross(w, turning[0])
    a = here.linear_acceleration + 2.0 * np.cross(w, speed) + relative
    at_axle = _motion(w + turning[0], wd, a, here)
    return at_axle.transformed(drive.R_BO.T, -drive.R_BO.T @ drive.p_BO)


def _relative(drive: DifferentialDrive, qd: FloatArray, qdd: FloatArray
              ) -> Tuple[FloatArray, Tuple[FloatArray, FloatArray], FloatArray]:
    """Velocity, (angular velocity, its derivative) and acceleration of O on the deck."""
    r = drive.radius
    signs = np.asarray(drive.signs)
    rates, accelerations = (np.asarray(value)[..., :2] * signs for value in (qd, qdd))
    u, ud = (0.5 * r * value.sum(axis=-1) for value in (rates, accelerations))
    n, nd = (r / drive.track * (value[..., 0] - value[..., 1])
             for value in (rates, accelerations))
    zero = np.zeros_like(u)
    return (np.stack([u, zero, zero], axis=-1),
            (np.stack([zero, zero, n], axis=-1), np.stack([zero, zero, nd], axis=-1)),
            np.stack([ud, u * n, zero], axis=-1))


def _motion(w: FloatArray, wd: FloatArray, a: FloatArray, like: BaseMotion) -> BaseMotion:
    g = np.broadcast_to(like.gravity, w.shape)
    packed = np.ascontiguousarray(np.concatenate([w, wd, a, g], axis=-1))
    packed.setflags(write=False)
    return BaseMotion.from_packed(packed, like.specific_force_only)

"""
From the motion of a driving platform to that of the deck under it, and back.

An IMU on the platform feels deck and wheels together.  The dynamics take the deck's motion and
add the wheels' themselves, so the part that the wheels cause has to be removed first.
"""

from __future__ import annotations

from typing import NamedTuple, Tuple

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, FloatArray
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.motion import rotations
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState


def deck_motion(support: RollingPlatform, platform: BaseMotion, qd: ArrayLike, qdd: ArrayLike
                ) -> BaseState:
    """
    Remove what the wheels cause from the motion of the platform.

    Parameters
    ----------
    platform : BaseMotion
        Of the base link's frame, as measured (``BaseMotion.from_imu`` brings an IMU's readings
        there).
    qd, qdd : array_like, (nv,) or (T, nv)
        Rates [rad/s] and accelerations [rad/s^2] at that instant, in the order of the dynamics:
        wheels first.

    Returns
    -------
    BaseState
        The deck at its point below O and in O's axes, so that the platform's pose is (0, 0, 0).

    Notes
    -----
    With the platform's twist (u, l, n) on the deck, v = (u, l, 0):
    w_D = w - n z, w_D' = w' - n' z - w_D x n z, a_D = a - 2 w_D x v - (u' - n l, l' + n u, 0).
    """
    at_O = platform.transformed(support.R_BO, support.p_BO)
    relative = _relative(support, qd, qdd)
    w = at_O.angular_velocity - relative.turning
    wd = at_O.angular_acceleration - relative.turning_rate - rotations.cross(w, relative.turning)
    a = (at_O.linear_acceleration - 2.0 * rotations.cross(w, relative.velocity)
         - relative.acceleration)
    return BaseState(_motion(w, wd, a, at_O), np.zeros(3))


def platform_motion(support: RollingPlatform, deck: BaseState, qd: ArrayLike, qdd: ArrayLike
                    ) -> BaseMotion:
    """
    Add what the wheels cause: the motion of the base link that an IMU on it feels.

    Parameters
    ----------
    deck : BaseState
        Motion of the deck, and one pose (3,) of the platform on it.
    qd, qdd : array_like, (nv,) or (T, nv)
        As for :func:`deck_motion`.

    Raises
    ------
    InputError
        If there is no pose, or more than one.
    """
    if deck.pose is None or np.shape(deck.pose) not in ((3,), (1, 3)):
        raise InputError('pose', 'must be one pose, (3,)')
    x, y, heading = np.asarray(deck.pose).reshape(3)
    c, s = np.cos(heading), np.sin(heading)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    here = deck.motion.transformed(R, (x, y, 0.0))
    relative = _relative(support, qd, qdd)
    w = here.angular_velocity
    wd = here.angular_acceleration + relative.turning_rate + rotations.cross(w, relative.turning)
    a = (here.linear_acceleration + 2.0 * rotations.cross(w, relative.velocity)
         + relative.acceleration)
    at_O = _motion(w + relative.turning, wd, a, here)
    return at_O.transformed(support.R_BO.T, -support.R_BO.T @ support.p_BO)


class _Relative(NamedTuple):
    """Motion of O on the deck, in O's axes, (..., 3) each."""

    velocity: FloatArray
    acceleration: FloatArray
    turning: FloatArray
    turning_rate: FloatArray


def _relative(support: RollingPlatform, qd: ArrayLike, qdd: ArrayLike) -> _Relative:
    (u, left, n), (ud, leftd, nd) = (
        _twist(support, name, value) for name, value in (('qd', qd), ('qdd', qdd)))
    zero = np.zeros_like(u)
    return _Relative(np.stack([u, left, zero], axis=-1),
                     np.stack([ud - n * left, leftd + n * u, zero], axis=-1),
                     np.stack([zero, zero, n], axis=-1), np.stack([zero, zero, nd], axis=-1))


def _twist(support: RollingPlatform, name: str, rates: ArrayLike) -> Tuple[FloatArray, ...]:
    series = np.ndim(rates) == 2
    array = as_array(name, rates, (None, None) if series else (None,), 'rad/s or rad/s^2')
    twist = array[..., :len(support.wheels)] @ support.wheel_twists.T
    return twist[..., 0], twist[..., 1], twist[..., 2]


def _motion(w: FloatArray, wd: FloatArray, a: FloatArray, like: BaseMotion) -> BaseMotion:
    g = np.broadcast_to(like.gravity, w.shape)
    packed = np.ascontiguousarray(np.concatenate([w, wd, a, g], axis=-1))
    packed.setflags(write=False)
    return BaseMotion.from_packed(packed, like.specific_force_only)

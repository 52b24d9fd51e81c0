"""
Loads of a robot as a linear map of the small motion of the deck it stands on.

With the base's angular velocity at zero, inverse dynamics are affine in angular acceleration,
linear acceleration and gravity, so a step in each gives that map exactly.  Of what the angular
velocity adds, the even part (centrifugal) is of second order in the wave height and left out; the
odd part (Coriolis, of joints that move) is kept.  The second derivatives of the whole nonlinear
function are there as well: they make loads skewed, which counts in their largest values (a roll
times the heave that comes with it).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np

from robot_dynamics.core.gate import as_rotation, as_vector, FloatArray
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.motion.rotations import skew
from robot_dynamics.ship.rigid_deck import base_motion_series

LoadFunction = Callable[[FloatArray, FloatArray, FloatArray, BaseMotion], FloatArray]

CAUSES = ('tilt', 'linear acceleration', 'angular acceleration', 'angular velocity')
ACTIVE = (3, 4, 5, 9, 10, 11, 12, 13, 14, 15, 16, 17)  # of the 18 numbers, what a body feels
_STEP = 1e-2  # rad, rad/s, rad/s^2, m/s^2: of the second differences
_UNIT = np.eye(12)
_COLUMNS_OF_CAUSE = (slice(9, 12), slice(6, 9), slice(3, 6), slice(0, 3))


@dataclass(frozen=True, eq=False)
class LinearLoads:
    """Loads of P states, linearised in the base's motion about a level base at rest."""

    still: FloatArray  #: (P, m), loads on the level base at rest, the robot's own motion included
    #: (P, m, 12), derivative by ``BaseMotion.packed``: angular velocity, angular acceleration,
    #: linear acceleration, gravity, in base axes
    by_base: FloatArray
    #: (P, m, 12, 12), of :func:`second_derivatives`; None leaves second order out
    second: Optional[FloatArray] = None

    def one(self, index: int) -> LinearLoads:
        """Return those of one state."""
        pick = slice(index, index + 1)
        return LinearLoads(self.still[pick], self.by_base[pick],
                           None if self.second is None else self.second[pick])


def linear_loads(loads: LoadFunction, q: FloatArray, qd: FloatArray, qdd: FloatArray,
                 level: BaseMotion) -> LinearLoads:
    """
    Linearise loads in the motion of the base.

    Parameters
    ----------
    loads : callable
        ``loads(q, qd, qdd, base)`` -> (T, m), of T samples each.
    q, qd, qdd : ndarray, (P, nv)
        States of the robot.
    level : BaseMotion
        Of one instant: the base at rest, in the axes of the robot's base.
    """
    states, rest = len(q), level.packed
    # one batch: the rest, 9 unit steps of what enters linearly, +-1 of the angular velocity
    steps = np.concatenate([np.zeros((1, 12)), _UNIT[3:], _UNIT[:3], -_UNIT[:3]])
    samples = [np.repeat(value, len(steps), axis=0) for value in (q, qd, qdd)]
    packed = np.tile(rest + steps, (states, 1))
    values = loads(samples[0], samples[1], samples[2], BaseMotion.from_packed(packed))
    values = values.reshape(states, len(steps), -1)
    by_base = np.empty((states, values.shape[-1], 12))
    by_base[..., 3:] = np.swapaxes(values[:, 1:10] - values[:, :1], 1, 2)
    by_base[..., :3] = 0.5 * np.swapaxes(values[:, 10:13] - values[:, 13:16], 1, 2)
    return LinearLoads(values[:, 0], by_base)


def second_derivatives(loads: LoadFunction, q: FloatArray, qd: FloatArray, qdd: FloatArray,
                       R_DB: FloatArray, p_DB: FloatArray, gravity: float = STANDARD_GRAVITY
                       ) -> FloatArray:
    """
    Return the second derivatives of loads by the ship's motion, by central differences.

    Parameters
    ----------
    loads, q, qd, qdd
        As for :func:`linear_loads`, P states.
    R_DB, p_DB, gravity
        As for :func:`base_from_deck`.

    Returns
    -------
    ndarray, (P, m, 12, 12)
        Of the numbers :data:`ACTIVE` of ``ShipMotion.degrees_of_freedom``: angles, angular rates
        and all accelerations.
    """
    size = len(ACTIVE)
    i, j = np.triu_indices(size)
    pairs = len(i)
    motion = np.zeros((4, pairs, 18))
    columns = np.array(ACTIVE)
    for k, (a, b) in enumerate(((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0))):
        np.add.at(motion[k], (np.arange(pairs), columns[i]), a * _STEP)
        np.add.at(motion[k], (np.arange(pairs), columns[j]), b * _STEP)
    packed = base_motion_series(motion.reshape(-1, 18), p_DB, gravity).reshape(-1, 4, 3) @ R_DB
    packed = packed.reshape(-1, 12)
    samples = [np.repeat(value, len(packed), axis=0) for value in (q, qd, qdd)]
    values = loads(samples[0], samples[1], samples[2],
                   BaseMotion.from_packed(np.tile(packed, (len(q), 1))))
    plus, left, right, minus = np.moveaxis(values.reshape(len(q), 4, pairs, -1), 1, 0)
    second = (plus - left - right + minus) / (4.0 * _STEP**2)  # (P, pairs, m)
    Q = np.empty((len(q), second.shape[-1], size, size))
    Q[:, :, i, j] = Q[:, :, j, i] = np.swapaxes(second, 1, 2)
    return Q


def base_from_deck(R_DB: FloatArray, p_DB: FloatArray, gravity: float = STANDARD_GRAVITY
                   ) -> FloatArray:
    """
    Return the packed base motion per unit of the ship's small motion, to first order.

    Parameters
    ----------
    R_DB : ndarray, (3, 3)
        From the robot's base to deck axes.
    p_DB : ndarray, (3,)
        Place of the robot's base, from the rotation centre, deck axes, m.
    gravity : float, m/s^2

    Returns
    -------
    ndarray, (12, 18)
        Columns as in :meth:`ShipMotion.degrees_of_freedom`: surge, sway, heave, roll, pitch, yaw,
        their rates, their accelerations.  Gravity tilts by (g pitch, -g roll, 0).
    """
    R = as_rotation('R_DB', R_DB).T
    place = as_vector('p_DB', p_DB, 3, 'm')
    L = np.zeros((12, 18))
    L[0:3, 9:12] = R
    L[3:6, 15:18] = R
    L[6:9, 12:15] = R
    L[6:9, 15:18] = -R @ skew(place)  # w' x p
    L[9:12, 3] = -gravity * R[:, 1]
    L[9:12, 4] = gravity * R[:, 0]
    return L


def transfer(by_base: FloatArray, base_by_deck: FloatArray, hull: np.ndarray,
             encounter: FloatArray) -> np.ndarray:
    """
    Chain the hull's answer to waves with the robot's to the deck, by cause.

    Parameters
    ----------
    by_base : ndarray, (P, m, 12)
        Of :class:`LinearLoads`.
    base_by_deck : ndarray, (12, 18)
        Of :func:`base_from_deck`.
    hull : ndarray of complex, (6, K)
        Surge, sway, heave [m/m], roll, pitch, yaw [rad/m].
    encounter : ndarray, (K,)
        Frequency of encounter, rad/s.

    Returns
    -------
    ndarray of complex, (4, P, m, K)
        Load per metre of wave amplitude, one each of :data:`CAUSES`; their sum is the whole.
    """
    base = base_in_waves(base_by_deck, hull, encounter)
    return np.stack([by_base[..., columns] @ base[columns] for columns in _COLUMNS_OF_CAUSE])


def base_in_waves(base_by_deck: FloatArray, hull: np.ndarray, encounter: FloatArray
                  ) -> np.ndarray:
    """Return the packed base motion per metre of wave amplitude, complex, (12, K)."""
    iw = 1j * encounter
    return np.asarray(base_by_deck @ np.concatenate([hull, iw * hull, iw * iw * hull]))

"""What the size of a specific force suggests, where it is not that of gravity."""

from __future__ import annotations

from typing import Optional

from robot_dynamics.imu.mistakes import Mistake

SCALE = (0.55, 1.6)  # of gravity: the mean specific force of a ship in any sea


def force_mistake(size: float, gravity: float) -> Optional[tuple[Mistake, str]]:
    """
    Say what the size of a specific force suggests.

    It serves a live sample, a mean over first samples, and a mean over a recording alike.

    Parameters
    ----------
    size : float
        Of the force, or of its mean, in the unit of the messages.
    gravity : float, m/s^2

    Returns
    -------
    (Mistake, str) or None
        What is suspected and what to do; None where the size is that of gravity in a sea.
    """
    if SCALE[0] * gravity <= size <= SCALE[1] * gravity:
        return None
    if SCALE[0] <= size <= SCALE[1]:
        return Mistake.UNITS_OF_G, (
            'it is probably in units of g; a driver must publish m/s^2')
    if size < 0.35 * gravity:
        return Mistake.GRAVITY_REMOVED, (
            'the driver has probably removed gravity; REP-145 wants +g up at rest, so let it '
            'publish the raw specific force')
    if 1.8 * gravity < size < 2.2 * gravity:
        return Mistake.GRAVITY_TWICE, (
            'gravity is probably in it twice; a driver must publish the raw specific force')
    return Mistake.FORCE_SCALE, 'a driver must publish m/s^2'

"""Reference motions of the mobile manipulator of paper 004."""

from __future__ import annotations

import numpy as np

from robot_dynamics.ship.regular_motion import PAPER_PITCH, PAPER_ROLL
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.motions import PointToPoint

MOBILE_JOINTS = ('right_wheel_joint', 'left_wheel_joint', 'arm1', 'arm2', 'arm3')
WHEEL_RADIUS = 0.075  # m, Table 2

# Table 3: wheels in m of ground, arm in degrees.
TABLE_3_WHEELS = (0.6, -0.6)
TABLE_3_ARM = ((0.0, -90.0, 90.0), (90.0, 90.0, -90.0))

# Table 3 gives neither duration nor profile.  In 4 s the quintic peaks at 7.5 rad/s at the wheels
# (0.56 m/s) and at 1.5 rad/s at the arm, half of the limits of the description.
TABLE_3_DURATION = 4.0  # s

# The ship of paper 003 rolls and pitches by 0.3 rad; there this robot would tip on Table 3.
DECK_AMPLITUDE = 0.1  # rad


def table_3_motion(duration: float = TABLE_3_DURATION) -> PointToPoint:
    """
    Return the motion of Table 3 with a quintic profile: back by 1.2 m while the arm sweeps.

    Parameters
    ----------
    duration : float
        In s.
    """
    start, goal = (
        np.concatenate([np.full(2, way / WHEEL_RADIUS), np.deg2rad(arm)])
        for way, arm in zip(TABLE_3_WHEELS, TABLE_3_ARM))
    return PointToPoint(MOBILE_JOINTS, start, goal, duration)


def gentle_ship(amplitude: float = DECK_AMPLITUDE) -> ShipMotion:
    """Return the ship of paper 003 with its roll and pitch at the amplitude given [rad]."""
    return ShipMotion.regular(roll=PAPER_ROLL._replace(amplitude=amplitude),
                              pitch=PAPER_PITCH._replace(amplitude=amplitude))

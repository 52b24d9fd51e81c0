"""The ship on whose deck the mobile manipulator of paper 004 drives."""

from robot_dynamics.ship.regular_motion import PAPER_PITCH, PAPER_ROLL
from robot_dynamics.ship.ship_motion import ShipMotion

# The ship of paper 003 rolls and pitches by 0.3 rad; there this robot would tip on Table 3.
DECK_AMPLITUDE = 0.1  # rad


def gentle_ship(amplitude=DECK_AMPLITUDE):
    """Return the ship of paper 003 with its roll and pitch at the amplitude given [rad]."""
    return ShipMotion.regular(roll=PAPER_ROLL._replace(amplitude=amplitude),
                              pitch=PAPER_PITCH._replace(amplitude=amplitude))

"""
What a ship does to things on its deck: acceleration and tilt at three places.

Run: python examples/ship_motion.py
"""

import numpy as np

from robot_dynamics import ShipMotion

# (amplitude [rad or m], period [s], phase [rad]) for any of the six degrees of freedom.
ship = ShipMotion.regular(
    roll=(np.deg2rad(8.0), 9.0, 0.0),
    pitch=(np.deg2rad(2.0), 6.5, 0.7),
    heave=(0.8, 7.0, 0.2))

t = np.arange(0.0, 120.0, 0.02)
print('point of the deck [m]     acceleration [m/s^2]   specific force, least and most [m/s^2]')
for point in ((0.0, 0.0, 0.0), (15.0, 0.0, 5.0), (-20.0, 6.0, 3.0)):
    base = ship.at(t, point)  # vectors in deck axes, one row a sample
    acceleration = np.linalg.norm(base.linear_acceleration, axis=1)
    felt = np.linalg.norm(base.specific_force, axis=1)  # what an accelerometer reads
    print(f'{point!s:25} rms {np.sqrt(np.mean(acceleration**2)):.3f}, '
          f'max {acceleration.max():.3f}   {felt.min():.3f} ... {felt.max():.3f}')

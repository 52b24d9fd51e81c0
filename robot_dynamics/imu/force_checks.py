"""
Whether the specific force can be that of a base which moves as bases do.

What of the force is not gravity accelerates the base: f - g u, with up u of the orientation.  Its
size is bounded, and in the long run the velocity that it adds up to.  That closes a whole kind at
once: another unit, gravity removed or added, a sign, another frame, an orientation that is askew.
"""

from __future__ import annotations

import math
from typing import Optional, Sequence

from robot_dynamics.core.checks import Credit, Finding
from robot_dynamics.core.gate import as_scalar
from robot_dynamics.imu.mistakes import Mistake, Suspicion
from robot_dynamics.imu.sample import ImuSample

SCALE = (0.55, 1.6)  # of gravity: the mean specific force of a ship in any sea
FORGETS = 10.0       # s, within which a velocity is forgotten


def force_mistake(size: float, gravity: float) -> Optional[tuple[Mistake, str]]:
    """
    Say what the size of a specific force suggests.

    It serves a live sample, a mean over first samples, and a mean over a recording alike.

    Parameters
    ----------
    size : float
        Of the force, or of its mean, in the unit of the messages.
    gravity : float
        Magnitude, m/s^2.

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


class AccelerationCheck:
    """
    What of the specific force is not gravity is no larger than the base accelerates.

    Without an orientation only its size is compared with gravity.

    Parameters
    ----------
    gravity : float
        Magnitude, m/s^2.
    bound : float
        m/s^2.
    """

    signal = 'linear_acceleration'

    def __init__(self, gravity: float, bound: float) -> None:
        self._gravity = as_scalar('gravity_magnitude', gravity, 0.0)
        self._bound = bound

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Compare a sample in base axes."""
        if not sample.has_linear_acceleration:
            return None
        value = _size(acceleration(sample, self._gravity))
        if value <= self._bound:
            return None
        size = _size(sample.linear_acceleration)
        suspected = force_mistake(size, self._gravity)
        return Suspicion(
            'acceleration', self.signal, 'the specific force and the orientation say that the '
            f'base accelerates by {value:.3g} m/s^2, more than {self._bound:g} m/s^2'
            + ('' if suspected is None else
               f': the force is {size:.3g} m/s^2, {suspected[1]}'),
            value, self._bound, 'm/s^2',
            mistakes=() if suspected is None else (suspected[0],))


class VelocityCheck:
    """
    What of the specific force is not gravity adds up to no more than the base drives.

    It finds what is too small for :class:`AccelerationCheck` but stays: an orientation that is
    askew by 6 deg, a force that is wrong by a tenth, with the usual bound within half a minute.

    Parameters
    ----------
    gravity : float
        Magnitude, m/s^2.
    bound : float
        m/s, of a velocity that is forgotten within :data:`FORGETS`.
    """

    signal = 'linear_acceleration'

    def __init__(self, gravity: float, bound: float) -> None:
        self._gravity, self._bound = gravity, bound
        self._credit = Credit()
        self.reset()

    def reset(self) -> None:
        """Begin at rest."""
        self._credit.reset()
        self._velocity = (0.0, 0.0, 0.0)

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Add a sample in base axes, which turn: v' = a - w x v - v / T."""
        if not sample.has_linear_acceleration:
            return None
        step = self._credit.seconds(sample.stamp_ns)
        self._credit.accept(sample.stamp_ns)
        if step is None:
            return None
        a, b, c = acceleration(sample, self._gravity)
        x, y, z = self._velocity
        wx, wy, wz = (sample.angular_velocity if sample.has_angular_velocity
                      else (0.0, 0.0, 0.0))
        step = min(step, 0.1)
        kept = 1.0 - step / FORGETS
        x, y, z = (kept * x + step * (a - wy * z + wz * y),
                   kept * y + step * (b - wz * x + wx * z),
                   kept * z + step * (c - wx * y + wy * x))
        value = _size((x, y, z))
        if value <= self._bound:
            self._velocity = x, y, z
            return None
        return Finding(
            'velocity', self.signal, 'the specific force and the orientation say that the base '
            f'has gained {value:.3g} m/s, more than {self._bound:g} m/s: one of them is wrong by '
            'a part of gravity', value, self._bound, 'm/s')


def acceleration(sample: ImuSample, gravity: float) -> tuple[float, float, float]:
    """
    Return what of the specific force is not gravity, (3,), m/s^2, in the sample's axes.

    Without an orientation the force is taken to point up.
    """
    x, y, z = sample.linear_acceleration
    if sample.has_orientation:
        ux, uy, uz = sample.up
        return x - gravity * ux, y - gravity * uy, z - gravity * uz
    size = _size((x, y, z))
    share = 1.0 - gravity / size if size > 1e-9 else 0.0
    return (share * x, share * y, share * z) if size > 1e-9 else (0.0, 0.0, gravity)


def _size(v: Sequence[float]) -> float:
    x, y, z = v
    return math.sqrt(x * x + y * y + z * z)

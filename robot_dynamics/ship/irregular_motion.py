"""
A ship in an irregular sea: many waves, each answered by the hull, added phase by phase.

Energy is cut into bands; each becomes one wave with the band's exact energy, at a random place
within the band and with a random phase, so that the motion never repeats.  The ship's speed shifts
each wave to its frequency of encounter w - w^2 U cos(direction) / g.  Motions are linear in the
waves and composed as rotations afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_scalar, as_seed, FloatArray
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY
from robot_dynamics.ship.harmonics import Harmonics
from robot_dynamics.ship.rao import Hull
from robot_dynamics.ship.spectra import WaveSpectrum

_BAND = (0.45, 6.0)  # of the peak frequency: holds all but a thousandth of the energy
_FINE = 64           # points within a band for its energy
_MINIMUM_COMPONENTS = 60


@dataclass(frozen=True)
class Seaway:
    """The waves that a ship meets."""

    spectrum: WaveSpectrum  #: At a fixed point
    #: Where the waves travel to, counter-clockwise from the world's x axis, rad
    wave_direction: float = math.pi / 2
    #: Where the bow points to, likewise, rad.  The sea is following when the two are equal, a head
    #: sea when they differ by pi.
    heading: float = 0.0
    ship_speed: float = 0.0  #: In m/s
    #: Exponent s of the spreading cos^(2 s)(half the angle from the mean direction); None is a
    #: long-crested sea
    spreading: Optional[float] = None
    components: int = 120  #: Number of waves, at least 60
    seed: int = 0  #: Of phases, frequencies within the bands and directions

    def __post_init__(self) -> None:
        as_scalar('wave_direction', self.wave_direction, unit='rad')
        as_scalar('heading', self.heading, unit='rad')
        as_scalar('ship_speed', self.ship_speed, 0.0, 60.0, 'm/s')
        if self.spreading is not None:
            as_scalar('spreading', self.spreading, 1.0, 100.0)
        if not _MINIMUM_COMPONENTS <= self.components <= 5000:
            raise ConfigurationError(f'components is {self.components}, expected '
                                     f'{_MINIMUM_COMPONENTS} to 5000')
        as_seed(self.seed)


@dataclass(frozen=True, eq=False)
class WaveComponents:
    """The waves one by one."""

    #: (K,), in m, rad/s, rad from the bow (where they travel to), rad, rad/s
    amplitude: FloatArray
    frequency: FloatArray
    direction: FloatArray
    phase: FloatArray
    encounter_frequency: FloatArray


def encounter_frequency(frequency: ArrayLike, direction: ArrayLike, speed: float) -> FloatArray:
    """
    Return w - w^2 U cos(direction) / g, negative where the ship overtakes the waves.

    Parameters
    ----------
    frequency : array_like, (K,)
        Of the waves at a fixed point, rad/s.
    direction : array_like, (K,)
        0 following, pi head, rad.
    speed : float
        Of the ship, m/s.
    """
    w = np.asarray(frequency, dtype=np.float64)
    return w - w * w * speed * np.cos(direction) / STANDARD_GRAVITY


def wave_components(sea: Seaway) -> WaveComponents:
    """Cut a seaway into its waves; the same seed gives the same waves."""
    random = np.random.default_rng(sea.seed)
    count, wp = sea.components, sea.spectrum.peak_frequency
    edges = _band_edges(count) * wp
    width = np.diff(edges)
    inner = edges[:-1, None] + width[:, None] * (np.arange(_FINE) + 0.5) / _FINE
    energy = sea.spectrum.density(inner).mean(axis=1) * width
    frequency = edges[:-1] + width * random.random(count)
    direction = np.full(count, sea.wave_direction - sea.heading)
    phase = random.uniform(0.0, 2 * math.pi, count)
    if sea.spreading is not None:
        direction = direction + _spread_angles(random, sea.spreading, count)
    return WaveComponents(np.sqrt(2 * energy), frequency, direction, phase,
                          encounter_frequency(frequency, direction, sea.ship_speed))


def harmonics(sea: Seaway, hull: Hull) -> Harmonics:
    """Let the hull answer each wave of a seaway."""
    waves = wave_components(sea)
    H = hull.transfer(waves.frequency, waves.direction, sea.ship_speed) * waves.amplitude
    # Re(H exp(i theta)) = Re(H) cos(theta) - Im(H) sin(theta)
    return Harmonics(waves.encounter_frequency, waves.phase, -H.imag, H.real)


def _band_edges(count: int) -> FloatArray:
    """Bands over the peak frequency, fine around it and wider towards short waves."""
    low, high = _BAND
    # half of the bands lie below 1.6 times the peak, where hulls resonate
    knee, share = 1.6, 0.6
    lower = int(count * share)
    return np.concatenate([np.linspace(low, knee, lower, endpoint=False),
                           np.geomspace(knee, high, count - lower + 1)])


def _spread_angles(random: np.random.Generator, exponent: float, count: int) -> FloatArray:
    """Draw one angle a wave from cos^(2 s)(angle / 2), evenly through the distribution."""
    angle = np.linspace(-math.pi, math.pi, 2001)
    density = np.cos(angle / 2)**(2 * exponent)
    cumulative = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]))])
    quantile = (random.permutation(count) + random.random(count)) / count
    return np.interp(quantile, cumulative / cumulative[-1], angle)

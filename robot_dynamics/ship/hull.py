"""
A hull given by a handful of numbers: closed forms for its response to waves.

Heave and pitch follow Jensen, Mansour & Olsen, "Estimation of ship motions using closed-form
expressions", Ocean Engineering 31 (2004) 61-85, for a box of the hull's length, draught and
breadth times block coefficient.  Roll is one oscillator driven by the effective wave slope: its
long-wave limit is right, while the paper derives the moment from a regression of the sections'
wave damping, whose range (1 <= B/T <= 6) and scatter dominate the result.  Surge, sway and yaw,
which the paper does not give, follow the orbital motion of the water averaged over the hull.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Optional

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY

ComplexArray = NDArray[np.complex128]

_ROLL_GYRADIUS = 0.4  # of the breadth, added mass included: the usual estimate


@dataclass(frozen=True)
class ClosedFormHull:
    """A conventional monohull; the defaults are a beamy work vessel of 65 m."""

    #: At the waterline, m
    length: float = 65.0
    beam: float = 16.0
    draught: float = 4.6
    block_coefficient: float = 0.87  #: Displaced volume over length times beam times draught
    #: Transverse GM, m; gives the roll period where that is not stated
    metacentric_height: float = 1.85
    roll_period: Optional[float] = 9.5  #: Natural period of roll, s
    roll_damping: float = 0.085  #: Fraction of critical damping in roll

    def __post_init__(self) -> None:
        for name in ('length', 'beam', 'draught'):
            as_scalar(name, getattr(self, name), 0.1, 600.0, 'm')
        as_scalar('block_coefficient', self.block_coefficient, 0.2, 1.0)
        as_scalar('metacentric_height', self.metacentric_height, 0.01, 100.0, 'm')
        as_scalar('roll_damping', self.roll_damping, 0.005, 2.0)
        if self.roll_period is not None:
            as_scalar('roll_period', self.roll_period, 0.5, 60.0, 's')

    @property
    def natural_roll_period(self) -> float:
        """The roll period as stated, or 2 pi k / sqrt(g GM) with gyradius k = 0.4 beam, s."""
        if self.roll_period is not None:
            return self.roll_period
        return (2 * math.pi * _ROLL_GYRADIUS * self.beam
                / math.sqrt(STANDARD_GRAVITY * self.metacentric_height))

    def transfer(self, frequency: FloatArray, direction: FloatArray, speed: float
                 ) -> ComplexArray:
        """Return complex amplitudes, (6, K); see :class:`robot_dynamics.ship.rao.Hull`."""
        w, g = frequency, STANDARD_GRAVITY
        k = w * w / g
        along, across = _exact(np.cos(direction)), _exact(np.sin(direction))
        alpha = _away_from_zero(1 - w * speed * along / g)  # frequency of encounter over w
        heave, slope = self._heave_and_slope(k, along, alpha)
        # averages of the orbital motion over length and beam, at half draught
        sigma, cross = 0.5 * k * along * self.length, 0.5 * k * across * self.beam
        orbit = np.sinc(sigma / np.pi) * np.sinc(cross / np.pi) * np.exp(-0.5 * k * self.draught)
        # displacement along the waves lags the crest by a quarter: A sin(w t) = Re(-i A e^(i w t))
        surge, sway = -1j * along * orbit, -1j * across * orbit
        yaw = -k * along * across * _first_moment(sigma) * np.exp(-0.5 * k * self.draught)
        # the surface's slope to port is k sin(direction) sin(w t)
        r = alpha * w * self.natural_roll_period / (2 * math.pi)
        roll = -1j * k * across * orbit / (1 - r * r + 2j * self.roll_damping * r)
        pitch = 1j * np.sign(along) * slope  # bow down is positive: against the slope ahead
        return np.stack([surge, sway, heave.astype(complex), roll, pitch, yaw.astype(complex)])

    def _heave_and_slope(self, k: FloatArray, along: FloatArray, alpha: FloatArray
                         ) -> tuple[ComplexArray, ComplexArray]:
        """Heave F and pitch G of the paper over its common oscillator."""
        B, T, L = self.beam * self.block_coefficient, self.draught, self.length
        ke = np.abs(k * along)
        A = 2 * np.sin(0.5 * k * B * alpha**2) * np.exp(-k * T * alpha**2)
        f = np.sqrt((1 - k * T)**2 + (A**2 / (k * B * alpha**3))**2)
        kappa = np.exp(-ke * T)  # Smith's correction
        sigma = 0.5 * ke * L
        F = kappa * f * np.sinc(sigma / np.pi)
        G = kappa * f * ke * _first_moment(sigma)
        oscillator = 1 - 2 * k * T * alpha**2 + 1j * A**2 / (k * B * alpha**2)
        return F / oscillator, G / oscillator


def _first_moment(sigma: FloatArray) -> FloatArray:
    """Return 3 (sin s - s cos s) / s^3: the mean slope over the hull, 1 for long waves."""
    s = np.where(np.abs(sigma) < 1e-2, 1.0, sigma)
    return np.where(np.abs(sigma) < 1e-2, 1 - sigma**2 / 10,
                    3 * (np.sin(s) - s * np.cos(s)) / s**3)


def _exact(component: FloatArray) -> FloatArray:
    """Make a beam sea's cosine and a head sea's sine exactly zero."""
    return np.where(np.abs(component) < 1e-12, 0.0, component)


def _away_from_zero(alpha: FloatArray) -> FloatArray:
    """Keep a ship that rides with the waves from dividing by zero."""
    return np.where(np.abs(alpha) < 1e-3, 1e-3, alpha)

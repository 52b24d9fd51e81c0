"""
Loads in waves by linear theory: moments of every limit's response, all headings and seas at once.

A load's transfer function is (load by deck) times (deck by wave); its spectrum is that squared
times the wave spectrum.  A short-crested sea adds the energy of its directions.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.operability.limits import Limit
from robot_dynamics.operability.small_motion import (
    ACTIVE, base_in_waves, CAUSES, LinearLoads, transfer)
from robot_dynamics.ship.irregular_motion import encounter_frequency
from robot_dynamics.ship.rao import Hull
from robot_dynamics.ship.spectra import WaveSpectrum

_SPREAD_ANGLES = 24  # directions that stand for a short-crested sea


@dataclass(frozen=True, eq=False)
class Ship:
    """The hull and how it meets the waves."""

    hull: Hull  #: Its answer to waves
    speed: float = 0.0  #: In m/s
    #: Exponent s of cos^(2 s)(half the angle from the mean direction); None: long-crested
    spreading: Optional[float] = None

    def directions(self, heading: float) -> tuple[FloatArray, FloatArray]:
        """Return directions of the waves from the bow, (D,), rad, and their shares of energy."""
        if self.spreading is None:
            return np.array([heading]), np.ones(1)
        angle = 2 * math.pi * (np.arange(_SPREAD_ANGLES) + 0.5) / _SPREAD_ANGLES - math.pi
        share = np.cos(angle / 2)**(2 * self.spreading)
        return heading + angle, share / share.sum()


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of responses: H headings, S spectra, P states, R responses."""

    #: (H, S, P, R), variance, and variance of the time derivative
    m0: FloatArray
    m2: FloatArray
    #: (H, S, P, R), what second order adds to the mean, and the third cumulant; zero without
    #: second order
    shift: FloatArray
    third: FloatArray

    def scaled(self, factor: FloatArray) -> Moments:
        """Return those in waves ``factor`` as high (it broadcasts)."""
        square = factor * factor
        return Moments(self.m0 * square, self.m2 * square, self.shift * square,
                       self.third * square * square)

    @property
    def skewness(self) -> FloatArray:
        """Third cumulant over the deviation's cube, (H, S, P, R)."""
        with np.errstate(divide='ignore', invalid='ignore'):
            value = self.third / self.m0**1.5
        return np.where(self.m0 > 0.0, value, 0.0)


def response_moments(rows: FloatArray, loads: LinearLoads, base_by_deck: FloatArray, ship: Ship,
                     headings: FloatArray, spectra: Sequence[WaveSpectrum],
                     grid: tuple[FloatArray, FloatArray]) -> Moments:
    """
    Return the moments of ``rows @ loads`` for all headings, spectra and states.

    Parameters
    ----------
    rows : ndarray, (R, m)
    loads : LinearLoads
        Of P states.
    base_by_deck : ndarray, (12, 18)
        Of :func:`~robot_dynamics.operability.small_motion.base_from_deck`.
    headings : ndarray, (H,)
        Where the waves travel to, from the bow, rad.
    grid : tuple of ndarray, (K,)
        Frequencies and weights of the waves, rad/s.
    """
    w, weight = grid
    # the two signs of a torque differ in those of shift and third cumulant alone
    sign = np.where(np.take_along_axis(
        rows, np.argmax(rows != 0.0, axis=1)[:, None], axis=1)[:, 0] < 0.0, -1.0, 1.0)
    rows, which = np.unique(rows * sign[:, None], axis=0, return_inverse=True)
    which = which.reshape(-1)
    by_base = rows @ loads.by_base  # (P, R, 12)
    energy = np.stack([spectrum.density(w) * weight for spectrum in spectra], axis=-1)  # (K, S)
    shape = (len(headings), len(spectra), *by_base.shape[:2])
    m0, m2, shift, third = (np.zeros(shape) for _ in range(4))
    gradient = (by_base @ base_by_deck)[..., ACTIVE]  # (P, R, 12)
    Q = None if loads.second is None else np.tensordot(rows, loads.second, (1, 1)).swapaxes(0, 1)
    for h, heading in enumerate(headings):
        covariance = np.zeros((len(spectra), len(ACTIVE), len(ACTIVE)))
        for direction, share in zip(*ship.directions(float(heading))):
            along = np.full(len(w), direction)
            encounter = encounter_frequency(w, along, ship.speed)
            hull = ship.hull.transfer(w, along, ship.speed)
            covariance += share * deck_covariance(hull, encounter, energy)
            response = by_base @ base_in_waves(base_by_deck, hull, encounter)
            power = response.real**2 + response.imag**2  # (P, R, K)
            m0[h] += share * np.moveaxis(power @ energy, -1, 0)
            m2[h] += share * np.moveaxis(power @ (energy * encounter[:, None]**2), -1, 0)
        if Q is not None:
            for s, C in enumerate(covariance):
                # of y = b x + x Q x / 2 with x Gaussian: E y = tr(Q C) / 2, k3 = 3 b C Q C b
                shift[h, s] = 0.5 * np.tensordot(Q, C, 2)
                toward = gradient @ C
                third[h, s] = 3.0 * ((Q @ toward[..., None])[..., 0] * toward).sum(axis=-1)
    return Moments(m0[..., which], m2[..., which], sign * shift[..., which],
                   sign * third[..., which])


def deck_covariance(hull: np.ndarray, encounter: FloatArray, energy: FloatArray) -> FloatArray:
    """
    Return the covariance of what a body on the deck feels, at one instant.

    Parameters
    ----------
    hull : ndarray of complex, (6, K)
        Per metre of wave amplitude.
    encounter : ndarray, (K,), rad/s
    energy : ndarray, (K, S)
        Variance of the surface in each band [m^2].

    Returns
    -------
    ndarray, (S, 12, 12)
        Of the numbers :data:`~robot_dynamics.operability.small_motion.ACTIVE`.
    """
    iw = 1j * encounter
    x = np.concatenate([hull, iw * hull, iw * iw * hull])[list(ACTIVE)]
    return np.stack([(x * column) @ x.conj().T for column in energy.T]).real


def cause_shares(row: FloatArray, loads: LinearLoads, base_by_deck: FloatArray, ship: Ship,
                 heading: float, spectrum: WaveSpectrum, grid: tuple[FloatArray, FloatArray]
                 ) -> dict[str, float]:
    """
    Share a response's variance among what causes it: tilt, linear and angular acceleration.

    Parameters
    ----------
    row : ndarray, (m,)
    loads : LinearLoads
        Of one state.
    base_by_deck, ship, heading, spectrum, grid
        As for :func:`response_moments`.

    Returns
    -------
    dict
        By cause; they sum to one.  Causes in phase with the whole count positive, against it
        negative (tilt and sway acceleration of a long wave partly cancel).
    """
    w, weight = grid
    by_base = (row @ loads.by_base)[:, None]
    shares = np.zeros(len(CAUSES))
    for direction, share in zip(*ship.directions(heading)):
        along = np.full(len(w), direction)
        encounter = encounter_frequency(w, along, ship.speed)
        parts = transfer(by_base, base_by_deck, ship.hull.transfer(w, along, ship.speed),
                         encounter)[:, 0, 0]
        whole = parts.sum(axis=0)
        shares += share * (parts * whole.conj()).real @ (spectrum.density(w) * weight)
    total = shares.sum()
    return {cause: float(value / total) if total > 0.0 else 0.0
            for cause, value in zip(CAUSES, shares)}


def all_rows(limits: Sequence[Limit]) -> tuple[FloatArray, FloatArray, list[slice]]:
    """Stack the rows and bounds of limits; the slices say which rows are whose."""
    rows = np.concatenate([limit.rows for limit in limits])
    bounds = np.concatenate([np.full(len(limit.rows), limit.bound) for limit in limits])
    ends = np.cumsum([len(limit.rows) for limit in limits]).tolist()
    return rows, bounds, [slice(end - len(limit.rows), end) for end, limit in zip(ends, limits)]

"""
Wave spectra: how a sea's energy spreads over frequency.

All are written S(w) in m^2 s/rad over angular frequency, so that the zeroth moment is the variance
of the surface and the significant height is 4 sqrt(m0).
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY

SPECTRA = ('bretschneider', 'pierson_moskowitz', 'jonswap')

# Sea state: significant height in m (the middle of the WMO range) and usual modal period in s.
SEA_STATES = {1: (0.05, 5.0), 2: (0.3, 6.9), 3: (0.88, 7.5), 4: (1.88, 8.8), 5: (3.25, 9.7),
              6: (5.0, 12.4), 7: (7.5, 15.0), 8: (11.5, 16.4)}

_PHILLIPS = 0.0081                 # of a fully developed sea
_PEAK_OVER_ZERO_CROSSING = 1.4049  # periods of the Bretschneider spectrum
_GRID = np.linspace(0.05, 30.0, 20000)  # w / w_peak for moments of the JONSWAP shape


@dataclass(frozen=True)
class WaveSpectrum:
    """A long-crested sea at one point."""

    significant_wave_height: float  #: Hs, m
    peak_period: float  #: Modal period, s
    kind: str = 'bretschneider'  #: One of ``SPECTRA``
    gamma: float = 3.3  #: Peak enhancement, of JONSWAP only

    def __post_init__(self) -> None:
        if self.kind not in SPECTRA:
            raise UnknownNameError('wave spectrum', self.kind, SPECTRA)
        as_scalar('significant_wave_height', self.significant_wave_height, 0.0, 40.0, 'm')
        as_scalar('peak_period', self.peak_period, 0.5, 60.0, 's')
        as_scalar('gamma', self.gamma, 1.0, 20.0)

    @property
    def peak_frequency(self) -> float:
        """Modal frequency, rad/s."""
        return 2 * math.pi / self.peak_period

    def density(self, frequency: ArrayLike) -> FloatArray:
        """
        Return S(w).

        Parameters
        ----------
        frequency : array_like, (K,)
            In rad/s, positive.

        Returns
        -------
        ndarray, (K,)
            In m^2 s/rad.
        """
        w = np.asarray(frequency, dtype=np.float64)
        wp = self.peak_frequency
        # Bretschneider (ITTC 1978 two-parameter): 5/16 Hs^2 wp^4 / w^5 exp(-5/4 (wp / w)^4)
        S = (0.3125 * self.significant_wave_height**2 * wp**4 / w**5
             * np.exp(-1.25 * (wp / w)**4))
        if self.kind == 'jonswap':
            S = S * _peak_enhancement(w / wp, self.gamma) / _excess_energy(self.gamma)
        return S

    def moment(self, order: int) -> float:
        """Return the spectral moment m_n, the integral of w^n S(w), numerically."""
        w = _GRID * self.peak_frequency
        return float((w**order * self.density(w)).sum() * (w[1] - w[0]))


def wave_spectrum(sea_state: Optional[int] = None,
                  significant_wave_height: Optional[float] = None,
                  peak_period: Optional[float] = None,
                  zero_crossing_period: Optional[float] = None,
                  spectrum: str = 'bretschneider', gamma: float = 3.3) -> WaveSpectrum:
    """
    Build a spectrum from what users state.

    Parameters
    ----------
    sea_state : int, optional
        1 to 8: the middle of the WMO range of heights with its usual modal period.
    significant_wave_height : float, optional
        In m, instead of a sea state; needs one of the two periods, except for
        ``pierson_moskowitz``, whose period follows from the height.
    peak_period, zero_crossing_period : float, optional
        In s; one of them also replaces the usual period of a sea state.
    spectrum : str
        One of ``SPECTRA``.
    gamma : float
        Of JONSWAP.

    Raises
    ------
    ConfigurationError
        If too little or too much is stated.
    """
    if (sea_state is None) == (significant_wave_height is None):
        raise ConfigurationError('give either sea_state or significant_wave_height')
    if peak_period is not None and zero_crossing_period is not None:
        raise ConfigurationError('give peak_period or zero_crossing_period, not both')
    if sea_state is not None:
        if sea_state not in SEA_STATES:
            raise UnknownNameError('sea state', str(sea_state), map(str, SEA_STATES))
        height, usual = SEA_STATES[sea_state]
    else:
        height, usual = as_scalar('significant_wave_height', significant_wave_height, 0.0), None
    if spectrum == 'pierson_moskowitz':
        if peak_period is not None or zero_crossing_period is not None:
            raise ConfigurationError('the period of a pierson_moskowitz sea follows from its '
                                     'height; leave it out, or take the bretschneider spectrum')
        return WaveSpectrum(height, _fully_developed_period(height), spectrum)
    if zero_crossing_period is not None:
        ratio = _PEAK_OVER_ZERO_CROSSING
        if spectrum == 'jonswap':
            unit = WaveSpectrum(1.0, 2 * math.pi, spectrum, gamma)
            ratio = math.sqrt(unit.moment(2) / unit.moment(0))
        peak_period = ratio * as_scalar('zero_crossing_period', zero_crossing_period, 0.0)
    period = peak_period if peak_period is not None else usual
    if period is None:
        raise ConfigurationError('significant_wave_height needs peak_period or '
                                 'zero_crossing_period beside it')
    return WaveSpectrum(height, period, spectrum, gamma)


def _fully_developed_period(height: float) -> float:
    """Modal period of Pierson & Moskowitz (1964): Hs^2 / 16 = 0.0081 g^2 / (5 wp^4)."""
    if height <= 0:
        return 1.0
    wp = (_PHILLIPS * 16 / 5)**0.25 * math.sqrt(STANDARD_GRAVITY / height)
    result: float = 2 * math.pi / wp
    return result


def _peak_enhancement(ratio: FloatArray, gamma: float) -> FloatArray:
    """Give gamma^exp(-(r - 1)^2 / (2 s^2)) with s = 0.07 below the peak and 0.09 above."""
    width = np.where(ratio <= 1, 0.07, 0.09)
    return np.asarray(gamma**np.exp(-0.5 * ((ratio - 1) / width)**2))


def _excess_energy(gamma: float) -> float:
    """Energy of the enhanced shape over that of Bretschneider, so that Hs stays what it is."""
    shape = _GRID**-5.0 * np.exp(-1.25 * _GRID**-4.0)
    return float((shape * _peak_enhancement(_GRID, gamma)).sum() / shape.sum())

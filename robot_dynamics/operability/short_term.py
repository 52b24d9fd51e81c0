"""
Short-term statistics of a linear response in a stationary sea.

The response is Gaussian about its mean; peaks follow Rayleigh's law (Longuet-Higgins 1952) and
exceedances of a high level a Poisson process at Rice's rate (Rice 1944).  Terms as in DNV-RP-C205
and Ochi, "Ocean Waves" (1998), ch. 3 and 4: the significant value is the mean of the highest third
of the peaks, the most probable maximum is the mode of the largest peak of the given time.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.gate import FloatArray

SIGNIFICANT = 2.0  # of the standard deviation: the mean of the highest third of Rayleigh's peaks


def zero_crossing_rate(m0: ArrayLike, m2: ArrayLike) -> FloatArray:
    """Return the rate of upward crossings of the mean, 1/s; 0 where nothing moves."""
    m0, m2 = np.asarray(m0, float), np.asarray(m2, float)
    with np.errstate(divide='ignore', invalid='ignore'):
        rate = np.sqrt(m2 / m0) / (2 * math.pi)
    return np.where(m0 > 0.0, rate, 0.0)


def exceedances(mean: ArrayLike, deviation: ArrayLike, rate: ArrayLike, limit: ArrayLike,
                duration: float, skewness: ArrayLike = 0.0) -> FloatArray:
    """
    Return the expected number of upward crossings of a limit; infinite where the mean is beyond.

    Parameters
    ----------
    mean, deviation, limit : array_like
        Of the response, and what it must stay below, in one unit.
    rate : array_like
        Of :func:`zero_crossing_rate`, 1/s.
    duration : float, s
    skewness : array_like
        Third cumulant over the deviation's cube; 0 for a Gaussian response.
    """
    room = np.asarray(limit, float) - np.asarray(mean, float)
    with np.errstate(divide='ignore', invalid='ignore', over='ignore'):
        u = _gaussian_level(room / np.asarray(deviation), skewness)
        number = np.asarray(rate) * duration * np.exp(-0.5 * u**2)
    number = np.where(np.asarray(deviation) > 0.0, number, 0.0)
    return np.where(room > 0.0, number, np.inf)


def exceedance_probability(number: ArrayLike) -> FloatArray:
    """Return the probability of at least one crossing where ``number`` are expected (Poisson)."""
    return np.asarray(-np.expm1(-np.asarray(number, float)))


def most_probable_maximum(mean: ArrayLike, deviation: ArrayLike, rate: ArrayLike,
                          duration: float, skewness: ArrayLike = 0.0) -> FloatArray:
    """
    Return the mode of the largest value in a time: mean + deviation sqrt(2 ln(rate T)).

    A skewed response follows Winterstein's Hermite model (1988): a level u of a Gaussian process
    is k (u + h (u^2 - 1)) of this one, h = skewness / 6, k = 1 / sqrt(1 + 2 h^2).

    Parameters
    ----------
    rate : array_like
        Of upward crossings of the mean, 1/s.
    duration : float
        T in s.
    skewness : array_like
        As for :func:`exceedances`.
    """
    cycles = np.maximum(np.asarray(rate, float) * duration, 1.0)
    u = np.sqrt(2.0 * np.log(cycles))
    h = np.asarray(skewness, float) / 6.0
    level = (u + h * (u * u - 1.0)) / np.sqrt(1.0 + 2.0 * h * h)
    return np.asarray(mean) + np.asarray(deviation) * np.where(cycles > 1.0, level, 0.0)


def _gaussian_level(level: FloatArray, skewness: ArrayLike) -> FloatArray:
    """Return u of Winterstein's model for a level in deviations; infinite beyond its reach."""
    h = np.asarray(skewness, float) / 6.0
    target = h + level * np.sqrt(1.0 + 2.0 * h * h)
    inside = 1.0 + 4.0 * h * target
    u = 2.0 * target / (1.0 + np.sqrt(np.maximum(inside, 0.0)))
    return np.where(inside >= 0.0, u, np.inf)

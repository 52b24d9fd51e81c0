r"""
Zero-phase smoothing and differentiation of series with real stamps.

Around each instant a cubic is fitted to the samples of a window :math:`[t-h, t+h]`, weighted
by :math:`(1-u^2)^2`, :math:`u = (t_k-t)/h`; value and derivatives are those of the cubic
(Savitzky & Golay 1964 on an even grid; Cleveland 1979 for the weights).  It needs no even grid,
so jittered stamps are used as they are and no resampling error arises; the window is symmetric,
so nothing is delayed; and the support is finite, so that a long series can be treated in
overlapping blocks with the very same result.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.kernel_cache import cached_kernel

ORDER = 3
_TERMS = ORDER + 1


def derivatives(time: FloatArray, values: FloatArray, at: FloatArray, half_width: float
                ) -> FloatArray:
    """
    Fit the local cubics and return value, first and second derivative.

    Parameters
    ----------
    time : (M,) array
        Increasing stamps of the samples, s.
    values : (M, C) array
        The samples; a row with a NaN is not used.
    at : (N,) array
        Increasing instants at which to evaluate, s.
    half_width : float
        Half the window h, s.

    Returns
    -------
    (3, N, C) array
        Value, first (1/s) and second (1/s^2) derivative; NaN where a window holds too few
        samples.
    """
    out = np.full((3, len(at), values.shape[1]), np.nan)
    if len(at) and len(time):
        compiled()(np.ascontiguousarray(time), np.ascontiguousarray(values),
                   np.ascontiguousarray(at), float(half_width), out)
    return out


def half_width_for(bandwidth_hz: float, period: float) -> float:
    """
    Return the half window (s) that passes the first derivative up to a bandwidth.

    Parameters
    ----------
    bandwidth_hz : float
        Frequency at which a differentiated sine has lost 3 dB, Hz.
    period : float
        Distance of the samples, s.

    Notes
    -----
    The window always spans at least three samples to each side; ``bandwidth_of`` tells which
    bandwidth is then left.
    """
    if not bandwidth_hz > 0:
        raise ConfigurationError(f'bandwidth: is {bandwidth_hz:g} Hz, expected a positive number')
    return max(_continuous_cutoff() / bandwidth_hz, 3.2 * period)


def bandwidth_of(half_width: float) -> float:
    """Return the -3 dB frequency (Hz) of the first derivative for a half window (s)."""
    return _continuous_cutoff() / half_width


def gain(frequency_hz: FloatArray, half_width: float, samples: int = 2001) -> FloatArray:
    """Return the ratio of the fitted to the true first derivative of a sine, for each Hz."""
    u = np.linspace(-1, 1, samples)
    weight = (1 - u**2)**2
    powers = u[:, None]**np.arange(_TERMS)
    solution = np.linalg.solve(powers.T @ (weight[:, None] * powers), (weight[:, None] * powers).T)
    phase = 2 * np.pi * np.asarray(frequency_hz)[:, None] * half_width
    with np.errstate(invalid='ignore'):
        ratio: FloatArray = (np.sin(phase * u) @ solution[1]) / phase[:, 0]
    return ratio


@functools.lru_cache(maxsize=1)
def _continuous_cutoff() -> float:
    """Product of bandwidth and half window at which the first derivative has lost 3 dB."""
    frequency = np.linspace(0.05, 2.0, 4000)
    return float(frequency[np.argmax(gain(frequency, 1.0) < np.sqrt(0.5))])


@functools.lru_cache(maxsize=1)
def compiled() -> Any:
    """Compile the loop over instants, or take it from the cache."""
    from numba import float64
    kernel: Any = cached_kernel(_fit_all, error_model='numpy')
    kernel.compile((float64[::1], float64[:, ::1], float64[::1], float64, float64[:, :, ::1]))
    return kernel


def _fit_all(time: FloatArray, values: FloatArray, at: FloatArray, half_width: float,
             out: FloatArray) -> None:
    """Fit one cubic for each instant; see :func:`derivatives`."""
    samples, channels = values.shape
    moments = np.empty(7)
    normal = np.empty((4, 4))
    right = np.empty((4, channels))
    first = 0
    for n in range(at.shape[0]):
        while first < samples and time[first] <= at[n] - half_width:
            first += 1
        moments[:] = 0.0
        right[:, :] = 0.0
        used = 0
        k = first
        while k < samples and time[k] < at[n] + half_width:
            total = 0.0
            for c in range(channels):
                total += values[k, c]
            if total == total:
                u = (time[k] - at[n]) / half_width
                w = 1.0 - u * u
                w0 = w * w
                w1 = w0 * u
                w2 = w1 * u
                w3 = w2 * u
                moments[0] += w0
                moments[1] += w1
                moments[2] += w2
                moments[3] += w3
                moments[4] += w3 * u
                moments[5] += w3 * u * u
                moments[6] += w3 * u * u * u
                for c in range(channels):
                    y = values[k, c]
                    right[0, c] += w0 * y
                    right[1, c] += w1 * y
                    right[2, c] += w2 * y
                    right[3, c] += w3 * y
                used += 1
            k += 1
        if used < 6:
            continue
        # Cholesky of the Hankel matrix of moments, then two triangular solves
        singular = False
        for i in range(4):
            for j in range(i + 1):
                s = moments[i + j]
                for m in range(j):
                    s -= normal[i, m] * normal[j, m]
                if i == j:
                    if s <= 1e-13 * moments[2 * i]:
                        singular = True
                        s = 1.0
                    normal[i, i] = np.sqrt(s)
                else:
                    normal[i, j] = s / normal[j, j]
        if singular:
            continue
        for c in range(channels):
            for i in range(4):
                s = right[i, c]
                for m in range(i):
                    s -= normal[i, m] * right[m, c]
                right[i, c] = s / normal[i, i]
            for i in range(3, -1, -1):
                s = right[i, c]
                for m in range(i + 1, 4):
                    s -= normal[m, i] * right[m, c]
                right[i, c] = s / normal[i, i]
            out[0, n, c] = right[0, c]
            out[1, n, c] = right[1, c] / half_width
            out[2, n, c] = 2.0 * right[2, c] / (half_width * half_width)

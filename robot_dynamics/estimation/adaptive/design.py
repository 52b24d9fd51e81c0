"""
What does not depend on the samples: blocks of the past, filters of the targets, polynomials.

Made once for each step of the grid.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.estimation.adaptive import settings

IntArray = NDArray[np.int64]


class Design(NamedTuple):
    """Constants of the kernels, for one step of the grid; variances are for noise of 1."""

    edges: IntArray      # block i: mean of points edges[i] to edges[i + 1] - 1 ago, (B + 1,)
    knots: IntArray      # horizons in steps, (H,)
    # around an instant M steps ago, older first: the value, the value in the widest band, its
    # derivative in each band, (5, 2 M + 1)
    filters: FloatArray
    powers: FloatArray   # sums of squares of the filters: variance of targets, (5,)
    overlap: FloatArray  # covariance of a target so much later and a block, (5, H, B)
    fixed: FloatArray    # weights of predictors that learn nothing, (F, 3, H, B + 2)
    # of those that know seas of any period: without and with an angle, by how many blocks are
    # filled, by the ratio of signal and noise, (S, 2, A, L, 3, H, B + 2)
    prior: FloatArray
    metric: FloatArray   # covariance of regressors in the first sea, (2, B + 2, B + 2)
    filled: IntArray     # points that there must be for each age, (A,)
    left: FloatArray     # what the widest band leaves out, as filters, and its derivative
    shake: FloatArray
    apart: FloatArray    # of noise of 1, between derivatives of each band and the wider one, (3,)
    probes: FloatArray   # cosine, sine, noise gain of resonators that measure noise, (P, 3)
    # step in s, steps between two learned, M, decay of resonators, what noise of 1 is above the
    # widest band, of the signal and of its derivative, (6,)
    scalars: FloatArray


def design(dt: float) -> Design:
    """Return the constants for a step of the grid, s."""
    every = max(1, round(settings.PHASE / dt))
    edges = _edges(dt)
    knots = _knots(dt, every)
    half = [every * max(1, round(length / (dt * every))) for _, _, length in settings.BANDS]
    reach = max(half)
    filters = np.zeros((2 + len(half), 2 * reach + 1))
    filters[0, reach] = 1.0
    for band, ((passed, stopped, _), m) in enumerate(zip(settings.BANDS, half)):
        smooth, derivative = _band_filters(m, dt, min(passed, 0.2 / dt), min(stopped, 0.42 / dt))
        if band == 0:
            filters[1, reach - m:reach + m + 1] = smooth
        filters[2 + band, reach - m:reach + m + 1] = derivative
    near = slice(reach - half[0], reach + half[0] + 1)
    left = filters[0, near] - filters[1, near]
    shake = _band_filters(half[0], dt, 0.46 / dt, 0.5 / dt)[1] - filters[2, near]
    filled = edges[np.searchsorted(edges * dt, settings.AGES)]
    return Design(edges, knots, filters, (filters**2).sum(axis=1),
                  _overlap(filters, edges, knots, reach), _fixed(edges, knots, dt),
                  *_prior(edges, knots, filled, dt), filled,
                  left, shake,
                  (np.diff(filters[2:], axis=0, prepend=filters[2:3])**2).sum(axis=1), _probes(dt),
                  np.array([dt, every, reach, math.exp(-6.0 * dt), left @ left, shake @ shake]))


def _edges(dt: float) -> IntArray:
    edges, width = [0], 1
    while edges[-1] * dt < settings.SPAN:
        for _ in range(settings.PER_OCTAVE):
            if edges[-1] * dt < settings.SPAN:
                edges.append(edges[-1] + width)
        width *= 2
    return np.array(edges, dtype=np.int64)


def _knots(dt: float, every: int) -> IntArray:
    knots = [0]
    for horizon in settings.HORIZONS[1:]:
        knots.append(max(knots[-1] + every, every * round(horizon / (dt * every))))
    return np.array(knots, dtype=np.int64)


def _band_filters(half: int, dt: float, passed: float, stopped: float
                  ) -> tuple[FloatArray, FloatArray]:
    """Fit symmetric filters to a pass and a stop band: the value and its derivative."""
    f = np.concatenate([np.linspace(0.0, passed, 80), np.linspace(stopped, 0.5 / dt, 160)])
    w = 2 * math.pi * f * dt
    j = np.arange(1, half + 1)
    inside = f <= passed
    even = np.hstack([np.ones((len(f), 1)), 2 * np.cos(w[:, None] * j)])
    exact = 1e3 * np.hstack([[[1.0]], np.full((1, half), 2.0)])
    weight = np.where(inside, 1.0, settings.STOPPED)[:, None]
    s = _least_squares(np.vstack([even * weight, exact]), np.append(weight[:, 0] * inside, 1e3))
    edge = 2 * math.pi * passed * dt
    weight = np.where(inside, 1.0 / np.maximum(w, 0.1 * edge),
                      settings.STOPPED / edge * f / stopped)[:, None]
    g = _least_squares(
        np.vstack([2 * np.sin(w[:, None] * j) * weight, 1e2 * 2 * j[None]]),
        np.append(weight[:, 0] * np.where(inside, w, 0.0), 1e2)) / dt
    return np.concatenate([s[:0:-1], s]), np.concatenate([-g[::-1], [0.0], g])


def _least_squares(A: FloatArray, b: FloatArray) -> FloatArray:
    gram = A.T @ A
    loaded = gram + 1e-10 * np.trace(gram) / len(gram) * np.eye(len(gram))
    return np.asarray(np.linalg.solve(loaded, A.T @ b))


def _overlap(filters: FloatArray, edges: IntArray, knots: IntArray, reach: int) -> FloatArray:
    out = np.zeros((len(filters), len(knots), len(edges) - 1))
    for h, knot in enumerate(knots):
        for b, (first, end) in enumerate(zip(edges[:-1], edges[1:])):
            place = -np.arange(first, end) - knot + reach
            place = place[(place >= 0) & (place <= 2 * reach)]
            out[1:, h, b] = filters[1:, place].sum(axis=1) / (end - first)
    return out


def _fixed(edges: IntArray, knots: IntArray, dt: float) -> FloatArray:
    """Hold, mean (its constant is filled in later) and polynomials through the last blocks."""
    blocks, ahead = len(edges) - 1, knots * dt
    simple = 2 + len(settings.WINDOWS)  # and those that know seas, which follow the noise
    out = np.zeros((simple + len(settings.SEAS), 3, len(knots), blocks + 2))
    out[0, 1, :, 0] = 1.0
    out[1, 0, :, blocks] = -1.0
    middle, size = -0.5 * (edges[:-1] + edges[1:] - 1) * dt, np.diff(edges)
    for k, window in enumerate(settings.WINDOWS, start=2):
        used = edges[1:] * dt <= max(window, edges[4] * dt) * (1 + 1e-9)
        powers = np.arange(min(settings.DEGREE, used.sum() - 1) + 1)
        root = np.sqrt(size[used])[:, None]
        fit = np.linalg.pinv((middle[used, None] / window)**powers * root) * root.T
        u = ahead[:, None] / window
        slope = powers * u**np.maximum(powers - 1, 0) / window
        for row, basis in enumerate((window * u**(powers + 1) / (powers + 1), u**powers, slope)):
            out[k, row][:, np.flatnonzero(used)] = basis @ fit
    return out


def _prior(edges: IntArray, knots: IntArray, filled: IntArray, dt: float
           ) -> tuple[FloatArray, FloatArray]:
    """Wiener's predictors for seas whose period is not known, and their covariance."""
    blocks, w = len(edges) - 1, np.geomspace(0.1, 60.0, 400)
    seen = np.zeros((blocks + 1, len(w)), dtype=complex)  # of exp(i w t): block means, angle
    for b, (first, end) in enumerate(zip(edges[:-1], edges[1:])):
        seen[b] = np.exp(-1j * w * dt * np.arange(first, end)[:, None]).mean(axis=0)
    seen[blocks] = 1.0 / (1j * w)
    later = np.exp(1j * w * dt * knots[:, None])
    asked = np.stack([(later - 1.0) / (1j * w), later, 1j * w * later]).reshape(-1, len(w))
    seas = len(settings.SEAS)
    out = np.zeros((seas, 2, len(filled), len(settings.RATIOS), len(asked), blocks + 2))
    metric = np.zeros((2, blocks + 2, blocks + 2))
    for sea, (first, last, *falls) in enumerate(settings.SEAS):
        for kind, fall in enumerate(falls):
            density = _sea_density(w, first, last, fall)
            gram = (seen * density @ seen.conj().T).real
            cross = (asked * density @ seen.conj().T).real
            gram[blocks, blocks] *= 1.0 + settings.HEEL
            if sea == 0:  # with the second, regressions cost 10 % on ships
                metric[kind, :blocks + kind, :blocks + kind] = gram[:blocks + kind, :blocks + kind]
            for age, points in enumerate(filled):
                used = np.append(edges[1:] <= points, kind == 1)
                for level, ratio in enumerate(settings.RATIOS):
                    noise = np.append(1.0 / (ratio**2 * np.diff(edges)), 0.0)
                    A = (gram + np.diag(noise))[np.ix_(used, used)]
                    out[sea, kind, age, level][:, np.flatnonzero(used)] = np.linalg.solve(
                        A + 1e-9 * np.diag(np.diag(A)), cross[:, used].T).T
    return out.reshape(*out.shape[:4], 3, len(knots), blocks + 2), metric


def _sea_density(w: FloatArray, first: float, last: float, fall: float) -> FloatArray:
    """Shares of a variance of 1 at frequencies, rad/s, that lie evenly on a logarithmic scale."""
    density = np.zeros(len(w))
    for period in np.geomspace(first, last, 12):
        wp = 2 * math.pi / period
        shape = w**(1.0 - fall) * np.exp(-fall / 4 * (wp / w)**4)
        density += shape / shape.sum()
    return np.asarray(density / density.sum())


def _probes(dt: float) -> FloatArray:
    """Resonators between a fifth of the sampling rate and nearly its half, on differences."""
    turn = 2 * math.pi * np.linspace(0.16, 0.47, settings.PROBES)
    decay = math.exp(-6.0 * dt)
    n = np.arange(round(4.0 / (6.0 * dt)) + 3)
    gains = []
    for angle in turn:
        response = (n + 1) * (decay * np.exp(1j * angle))**n  # two poles
        gains.append((np.abs(np.convolve(response, (1.0, -2.0, 1.0)))**2).sum())
    return np.stack([np.cos(turn), np.sin(turn), np.array(gains)], axis=1)

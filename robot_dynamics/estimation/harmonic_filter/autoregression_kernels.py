"""
The loops of the autoregression, compiled by numba when the first one is built.

Arrays: ring (C, 2, R) holds the last R values and rates of C channels, sample i in place i mod R,
NaN where one is missing.  A row of regressors x (C, P) holds T values, T rates (newest first,
``spacing`` samples apart) and one constant; targets (C, 3 K) the value, rate and acceleration at K
nodes ahead of the row's end.
"""

from __future__ import annotations

import functools
from typing import Any, Callable, NamedTuple

import numpy as np

from robot_dynamics.estimation.harmonic_filter.compiling import compile_kernel

REACH = 3  # spacings on either side that a target's derivatives look at

# central differences of sixth order: first and second derivative
FIRST = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
SECOND = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0


class Kernels(NamedTuple):
    """The compiled functions."""

    gather: Callable[..., Any]
    aim: Callable[..., Any]
    accumulate: Callable[..., Any]
    solve: Callable[..., Any]
    blend: Callable[..., Any]


@functools.lru_cache(maxsize=1)
def compiled() -> Kernels:
    """Compile all of them (some seconds, once a machine)."""
    return Kernels(*(compile_kernel(kernel) for kernel in (
        _gather, _aim, _accumulate, _solve, _blend)))


def _gather(ring, end, spacing, x):  # type: ignore[no-untyped-def]
    """Write the regressors of the sample ``end``; those of a channel with gaps hold NaN."""
    channels, _, size = ring.shape
    taps = (x.shape[1] - 1) // 2
    for c in range(channels):
        for k in range(taps):
            i = (end - k * spacing) % size
            x[c, k] = ring[c, 0, i]
            x[c, taps + k] = ring[c, 1, i]
        x[c, 2 * taps] = 1e-2


def _aim(  # type: ignore[no-untyped-def]
        ring, end, spacing, interval, nodes, first, second, targets, roughness):
    """
    Write what came ``nodes`` spacings after the sample ``end``.

    roughness (C,): square of the sixth difference of the samples up to there, over that of unit
    noise.
    """
    channels, _, size = ring.shape
    h = spacing * interval
    for c in range(channels):
        for n in range(len(nodes)):
            centre = end + nodes[n] * spacing
            rate = 0.0
            acceleration = 0.0
            for j in range(7):
                value = ring[c, 0, (centre + (j - 3) * spacing) % size]
                rate += first[j] * value
                acceleration += second[j] * value
            targets[c, 3 * n] = ring[c, 0, centre % size]
            targets[c, 3 * n + 1] = rate / h
            targets[c, 3 * n + 2] = acceleration / (h * h)
        d = (ring[c, 0, end % size] - 6 * ring[c, 0, (end - 1) % size]
             + 15 * ring[c, 0, (end - 2) % size] - 20 * ring[c, 0, (end - 3) % size]
             + 15 * ring[c, 0, (end - 4) % size] - 6 * ring[c, 0, (end - 5) % size]
             + ring[c, 0, (end - 6) % size])
        roughness[c] = d * d / 924.0


def _accumulate(A, B, x, targets, keep):  # type: ignore[no-untyped-def]
    """Add a row to the normal equations, A (C, P, P) lower half and B (C, P, 3 K)."""
    channels, size = x.shape
    for c in range(channels):
        whole = True
        for i in range(size):
            if np.isnan(x[c, i]):
                whole = False
        for k in range(targets.shape[1]):
            if np.isnan(targets[c, k]):
                whole = False
        if not whole:
            continue
        for i in range(size):
            f = x[c, i]
            for j in range(i + 1):
                A[c, i, j] = keep * A[c, i, j] + f * x[c, j]
            for k in range(targets.shape[1]):
                B[c, i, k] = keep * B[c, i, k] + f * targets[c, k]


def _solve(A, B, ridge, weights):  # type: ignore[no-untyped-def]
    """Write the weights (3 K, P) of one channel; say whether A was positive definite."""
    size, aims = B.shape
    scale = np.zeros(size)
    for i in range(size):
        scale[i] = 1.0 / np.sqrt(A[i, i]) if A[i, i] > 0.0 else 0.0
    L = np.zeros((size, size))
    for i in range(size):
        for j in range(i + 1):
            s = A[i, j] * scale[i] * scale[j]
            if i == j:
                s = 1.0 + ridge
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i > j:
                L[i, j] = s / L[j, j]
            elif s > 0.0:
                L[i, i] = np.sqrt(s)
            else:
                return False
    for a in range(aims):
        for i in range(size):
            s = B[i, a] * scale[i]
            for k in range(i):
                s -= L[i, k] * weights[a, k]
            weights[a, i] = s / L[i, i]
        for i in range(size - 1, -1, -1):
            s = weights[a, i]
            for k in range(i + 1, size):
                s -= L[k, i] * weights[a, k]
            weights[a, i] = s / L[i, i]
        for i in range(size):
            weights[a, i] *= scale[i]
    return True


def _blend(weights, x, times, ahead, share, limit, state):  # type: ignore[no-untyped-def]
    """
    Move value, rate and acceleration of each channel towards the regression's, in place.

    weights (C, 3 K, P); times (K,) of the nodes, s; share, limit (C, K, 3): how much of the
    difference is taken at the nodes, and the largest one that is believed; state (>= C, 3).
    """
    channels, size = x.shape
    n = 0
    while n < len(times) - 2 and times[n + 1] <= ahead:
        n += 1
    h = times[n + 1] - times[n]
    u = min((ahead - times[n]) / h, 1.0)
    part = max(u, 0.0)  # a sample between two points of the grid may lie just before the newest
    node = np.zeros(6)
    for c in range(channels):
        if (share[c, n] + share[c, n + 1]).sum() == 0.0:
            continue
        for k in range(6):
            node[k] = 0.0
            for i in range(size):
                node[k] += weights[c, 3 * n + k, i] * x[c, i]
        # quintic through value, rate and acceleration of both nodes
        p0, v0, a0 = node[0], node[1] * h, node[2] * h * h
        p1, v1, a1 = node[3], node[4] * h, node[5] * h * h
        d = p1 - p0 - v0 - 0.5 * a0
        e = v1 - v0 - a0
        f = a1 - a0
        c3 = 10 * d - 4 * e + 0.5 * f
        c4 = -15 * d + 7 * e - f
        c5 = 6 * d - 3 * e + 0.5 * f
        value = p0 + u * (v0 + u * (0.5 * a0 + u * (c3 + u * (c4 + u * c5))))
        rate = (v0 + u * (a0 + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / h
        acceleration = (a0 + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (h * h)
        for k in range(3):
            found = value if k == 0 else (rate if k == 1 else acceleration)
            most = (1 - part) * limit[c, n, k] + part * limit[c, n + 1, k]
            taken = (1 - part) * share[c, n, k] + part * share[c, n + 1, k]
            difference = found - state[c, k]
            if not np.isnan(difference):
                state[c, k] += taken * min(max(difference, -most), most)

"""
The slow loops of the blend: regressions, and how predictors are mixed.

Compiled together with :mod:`~robot_dynamics.estimation.blend.kernels`, whose functions and letters
they use.
"""
# mypy: ignore-errors
# flake8: noqa: D103,F821

import math

import numpy as np


def choose_band(d, m, c, s):
    """Learn the derivative in the band that leaves out least and lets least noise in."""
    best, chosen = 1e300, 0
    for k in range(len(m.outside[c])):
        apart = 0.0  # of both filters, for noise of 1
        for i in range(d.filters.shape[1]):
            apart += (d.filters[2 + k, i] - d.filters[2, i])**2
        left_out = max(0.0, m.outside[c, k] - s.detail * m.noise[c, 0] * apart)
        cost = left_out + s.leaking * m.noise[c, 0] * d.powers[2 + k]
        if cost < best:
            best, chosen = cost, k
    if chosen != m.band[c]:
        m.band[c] = chosen
        first = 2 * len(d.knots)
        m.errors[c, :, first:] = 0.0
        m.own[c, :, first:] = 0.0


def young_ridge(d, m, c, ridge, s):
    """Trust the prior while there are few samples for so many weights."""
    return ridge + min(1e3, (s.many * len(d.edges) / max(m.weight[c], 1.0))**8)


def factorise(d, m, c, ridge, s):
    """Cholesky factor of the scaled covariance of the regressors."""
    n = len(d.edges) + 1
    low, scale = m.factor, m.scale
    ridge = young_ridge(d, m, c, ridge, s)
    for i in range(n):
        scale[i] = 1.0 / math.sqrt(m.gram[c, i, i]) if m.gram[c, i, i] > 1e-30 else 0.0
    for i in range(n):
        for k in range(i + 1):
            a = m.gram[c, i, k] * scale[i] * scale[k]
            if i == k:
                a = a + ridge if scale[i] > 0.0 else 1.0
            for j in range(k):
                a -= low[i, j] * low[k, j]
            if i == k:
                low[i, i] = math.sqrt(max(a, 0.1 * ridge))
            else:
                low[i, k] = a / low[k, k]


def solve_rows(d, m, c, predictor, first, end, s):
    """
    Solve for some rows of a regression's weights, without the noise that both sides share.

    The ridge draws them to the weights of the simple predictor that has erred least.
    """
    ridge = young_ridge(d, m, c, s.ridges[predictor - len(d.fixed)], s)
    n, horizons, blocks = len(d.edges) + 1, len(d.knots), len(d.edges) - 1
    low, scale = m.factor, m.scale
    x = np.zeros(n)
    for r in range(first, end):
        q, h = r // horizons, r % horizons
        if q == 2:
            q += m.band[c]
        for i in range(n):
            a = m.cross[c, q * horizons + h, i]
            if i < blocks:
                a -= m.weight[c] * m.noise[c, 0] * d.overlap[q, h, i]
            a *= scale[i]
            if scale[i] > 0.0:
                a += ridge * m.fir[c, m.best[c, r], r, i] / scale[i]
            for k in range(i):
                a -= low[i, k] * x[k]
            x[i] = a / low[i, i]
        for i in range(n - 1, -1, -1):
            a = x[i]
            for k in range(i + 1, n):
                a -= low[k, i] * x[k]
            x[i] = a / low[i, i]
        for i in range(n):
            m.fir[c, predictor, r, i] = x[i] * scale[i]


def mix_row(d, m, c, r, s):
    """Weigh the predictors of a row by their errors, and say how far their blend errs."""
    horizons, blocks, count = len(d.knots), len(d.edges) - 1, m.fir.shape[1]
    judged = m.own[c, 0, r, 1] + m.own[c, 1, r, 1]
    if judged < s.fewest:
        return
    q, h = r // horizons, r % horizons
    if q == 2:
        q += m.band[c]
    noise = m.noise[c, 0] if q > 0 else 0.0
    apart = max(1.0, s.apart / (d.scalars[0] * d.scalars[1]))
    shared = np.zeros(count)
    Q = np.zeros((count, count))
    for k in range(count):
        spread = 0.0
        for i in range(blocks):
            w = m.fir[c, k, r, i]
            shared[k] += w * d.overlap[q, h, i]
            spread += w * w / (d.edges[i + 1] - d.edges[i])
        for i in range(k + 1):
            # the target's own noise is no error of the predictors
            Q[k, i] = (m.errors[c, 0, r, k, i] + m.errors[c, 1, r, k, i]) / judged - noise * (
                d.powers[q] - shared[k] - shared[i])
            Q[i, k] = Q[k, i]
        # what is left of it after so few errors is uncertain
        Q[k, k] = max(Q[k, k], noise * spread, 1e-16) + noise * d.powers[q] * math.sqrt(
            2.0 * apart / judged)
    least = 1e300
    for k in range(count):
        least = min(least, Q[k, k])
    for k in range(len(d.fixed)):
        if Q[k, k] < Q[m.best[c, r], m.best[c, r]]:
            m.best[c, r] = k
    on = np.zeros(count, dtype=np.bool_)
    for k in range(count):
        on[k] = Q[k, k] <= s.hopeless * least
    weight = np.zeros(count)
    for _ in range(count):
        left = 0
        for k in range(count):
            left += on[k]
        A = np.eye(count)
        b = np.zeros(count)
        for k in range(count):
            if on[k]:
                b[k] = 1.0
                for i in range(count):
                    if on[i]:
                        A[k, i] = Q[k, i] / least
                A[k, k] *= 1.0 + s.shrink
        eliminate(A, b)
        worst, place = 0.0, -1
        for k in range(count):
            weight[k] = b[k] if on[k] else 0.0
            if weight[k] < worst:
                worst, place = weight[k], k
        if place < 0 or left == 1:
            break
        on[place] = False
    total = 0.0
    for k in range(count):
        total += abs(weight[k])
    spread = 0.0
    mixed = 0.0
    for k in range(count):
        m.mix[c, r, k] = abs(weight[k]) / total
        mixed += m.mix[c, r, k] * shared[k]
    for i in range(blocks + 2):
        w = 0.0
        for k in range(count):
            w += m.mix[c, r, k] * m.fir[c, k, r, i]
        m.blend[c, r, i] = w
        if i < blocks:
            spread += w * w / (d.edges[i + 1] - d.edges[i])
    errors = m.own[c, 0, r, 0] + m.own[c, 1, r, 0]
    count = m.own[c, 0, r, 1] + m.own[c, 1, r, 1]
    measured = errors / count - noise * (d.powers[q] - 2 * mixed)
    # judged errors overlap: as many count as follow each other
    n = count / max(apart, d.knots[h] / d.scalars[1])
    n = max(n, 1.0)
    m.variance[c, r] = max(measured, noise * spread, 1e-2 * errors / count) * (
        1.0 + s.doubt[0] / n + s.doubt[1] / n**3)


def guess_errors(d, m, c, s):
    """State errors before any was judged: the motion may do again what it did."""
    horizons, every = len(d.knots), d.scalars[1]
    for r in range(3 * horizons):
        if m.own[c, 0, r, 1] + m.own[c, 1, r, 1] >= s.fewest:
            continue
        q, ahead = r // horizons, d.knots[r % horizons] * d.scalars[0]
        signal, slope = 2.0 * m.peak[c, 0, 0], m.peak[c, 0, 1]
        if q == 2:
            guess = slope
        else:
            guess = min(signal, slope * (ahead + d.scalars[0] * every))
            if q == 0:
                guess *= ahead
        m.variance[c, r] = guess * guess + m.noise[c, 0] * (q == 1)
        if m.count[c, 0] * d.scalars[0] > s.first and ahead < 0.21 and m.mix[c, r, 0] == 1.0:
            m.mix[c, r, 0], m.mix[c, r, 3] = 0.0, 1.0
            m.blend[c, r] = m.fir[c, 3, r]


def eliminate(A, b):
    """Solve A x = b in place, with pivots."""
    n = len(b)
    for i in range(n):
        p = i
        for k in range(i + 1, n):
            if abs(A[k, i]) > abs(A[p, i]):
                p = k
        if p != i:
            for k in range(n):
                A[i, k], A[p, k] = A[p, k], A[i, k]
            b[i], b[p] = b[p], b[i]
        pivot = A[i, i] if abs(A[i, i]) > 1e-12 else 1e-12
        for k in range(i + 1, n):
            f = A[k, i] / pivot
            for j in range(i, n):
                A[k, j] -= f * A[i, j]
            b[k] -= f * b[i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            b[i] -= A[i, k] * b[k]
        b[i] /= A[i, i] if abs(A[i, i]) > 1e-12 else 1e-12


def work(d, m, c, stage, s):
    """Do one of the pieces of work on a signal; returns the next one, 0 when all are done."""
    rows = 3 * len(d.knots)
    fixed = len(d.fixed)
    piece = 7
    pieces = 1 + (rows + piece - 1) // piece
    regressions = m.fir.shape[1] - fixed
    if stage < pieces * regressions:
        k, part = stage // pieces, stage % pieces
        if m.weight[c] < 20.0:
            return pieces * regressions
        if part == 0:
            if k == 0:
                choose_band(d, m, c, s)
            factorise(d, m, c, s.ridges[k], s)
        else:
            solve_rows(d, m, c, fixed + k, (part - 1) * piece, min(part * piece, rows), s)
        return stage + 1
    first = (stage - pieces * regressions) * piece
    for r in range(first, min(first + piece, rows)):
        mix_row(d, m, c, r, s)
    return 0 if first + piece >= rows else stage + 1

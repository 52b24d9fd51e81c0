"""
The slow loops: regressions, and how predictors are mixed.

Compiled together with :mod:`~robot_dynamics.estimation.adaptive.kernels`, whose functions and letters
they use.
"""
# mypy: ignore-errors
# flake8: noqa: D103,F821

import math

import numpy as np


def choose_band(d, m, c, s):
    """Learn the derivative in the band that leaves out least and lets least noise in."""
    best, chosen, left_out = 1e300, 0, 0.0
    for k in range(len(m.outside[c])):
        left_out += detail(d, m, c, k, s)
        cost = left_out + s.leaking * m.noise[c, 0] * d.powers[2 + k]
        if cost < best:
            best, chosen = cost, k
    if chosen != m.band[c]:
        m.band[c] = chosen
        first = 2 * len(d.knots)
        m.errors[c, :, first:] = 0.0
        m.own[c, :, first:] = 0.0


def believe(d, m, c, believed, s):
    """Scale the covariance of the seas that were thought of to the signal, with its noise."""
    n, blocks = len(d.edges) + 1, len(d.edges) - 1
    believed += s.many * n * (s.many * n / max(m.weight[c, 0], 1.0))**s.fading
    power = max(m.gram[c, 1, 1] / max(m.weight[c, 0], 1.0) - m.noise[c, 0], 1e-16)
    for i in range(n):
        for k in range(n):
            m.metric[i, k] = believed * power * d.metric[m.prior[c, 0], i, k]
        if i < blocks:
            # and what the noise is now beyond what it was in the samples
            more = max(0.0, m.weight[c, 0] * m.noise[c, 0] - m.weight[c, 1])
            m.metric[i, i] += (believed * m.noise[c, 0] + more) / (d.edges[i + 1] - d.edges[i])
        else:
            m.metric[i, i] += believed * power * 1e-2


def factorise(d, m, c, believed, s):
    """Cholesky factor of the scaled covariance of the regressors."""
    n, blocks, horizons = len(d.edges) + 1, len(d.edges) - 1, len(d.knots)
    low, scale = m.factor, m.scale
    believe(d, m, c, believed, s)
    # rows are solved while samples come: what they are to explain is that of this instant
    for r in range(len(m.asked)):
        for i in range(n):
            m.asked[r, i] = m.cross[c, r, i]
            if i < blocks:
                m.asked[r, i] -= m.weight[c, 1] * d.overlap[r // horizons, r % horizons, i]
    for i in range(n):
        a = m.gram[c, i, i] + m.metric[i, i]
        scale[i] = 1.0 / math.sqrt(a) if a > 1e-30 else 0.0
    for i in range(n):
        for k in range(i + 1):
            a = (m.gram[c, i, k] + m.metric[i, k]) * scale[i] * scale[k]
            if i == k:
                a = a + s.ridge if scale[i] > 0.0 else 1.0
            for j in range(k):
                a -= low[i, j] * low[k, j]
            if i == k:
                low[i, i] = math.sqrt(max(a, 0.1 * s.ridge))
            else:
                low[i, k] = a / low[k, k]


def solve_rows(d, m, c, predictor, first, end, s):
    """
    Solve for some rows of a regression's weights, without the noise that both sides share.

    What is believed draws them to the weights of the simple predictor that has erred least.
    """
    n, horizons = len(d.edges) + 1, len(d.knots)
    low, scale = m.factor, m.scale
    x = np.zeros(n)
    for r in range(first, end):
        q, h = r // horizons, r % horizons
        if q == 2:
            q += m.band[c]
        for i in range(n):
            a = m.asked[q * horizons + h, i]
            near = m.fir[c, m.best[c, r], r]
            for k in range(n):
                a += m.metric[i, k] * near[k]
            a *= scale[i]
            if scale[i] > 0.0:
                a += s.ridge * near[i] / scale[i]
            for k in range(i):
                a -= low[i, k] * x[k]
            x[i] = a / low[i, i]
        for i in range(n - 1, -1, -1):
            a = x[i]
            for k in range(i + 1, n):
                a -= low[k, i] * x[k]
            x[i] = a / low[i, i]
        m.fir[c, predictor, r] = x * scale


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
        shared[k] = dot(d.overlap[q, h], m.fir[c, k, r])
        for i in range(k + 1):
            # the target's own noise is no error of the predictors
            Q[k, i] = (m.errors[c, 0, r, k, i] + m.errors[c, 1, r, k, i]) / judged - noise * (
                d.powers[q] - shared[k] - shared[i])
            Q[i, k] = Q[k, i]
        # what is left of it after so few errors is uncertain
        Q[k, k] = max(Q[k, k], noise * spread(d, m.fir[c, k, r]), 1e-16)
        Q[k, k] += 2.0 * math.sqrt(Q[k, k] * noise * d.powers[q] * apart / judged)
    # holding still seems right wherever a motion turns: a young filter does not believe it
    young = 1.0 / (1.0 + (m.count[c, 0] * d.scalars[0] / s.grown)**3)
    moved = max(m.peak[c, 0, 0], m.peak[c, 1, 0], 1e-9)
    young *= max(0.0, 1.0 - 30.0 * m.noise[c, 0] / moved**2)
    still = 3.0 * young * typical(d, m, c, r)**2
    if d.knots[h] * d.scalars[0] < s.near:
        Q[0, 0] += still
        Q[1, 1] += still
    least = 1e300
    for k in range(len(d.fixed)):
        least = min(least, Q[k, k])
        if Q[k, k] < Q[m.best[c, r], m.best[c, r]]:
            m.best[c, r] = k
    # nor does a regression know a motion far beyond all that it learned from, unless it shows it
    known = 1e300 if m.weight[c, 0] >= s.solved else 0.0
    if moved**2 * m.weight[c, 0] > s.unknown**2 * m.gram[c, 1, 1]:
        known = s.shown * least
    on = np.zeros(count, dtype=np.bool_)
    for k in range(count):
        on[k] = k < len(d.fixed) or Q[k, k] <= known
        if on[k]:
            least = min(least, Q[k, k])
    for k in range(count):
        on[k] = on[k] and Q[k, k] <= s.hopeless * least
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
    # little by little, so that a change makes no step, unless the last weights err far more
    before, after = 0.0, 0.0
    for k in range(count):
        for i in range(count):
            before += m.mix[c, r, k] * Q[k, i] * m.mix[c, r, i]
            after += weight[k] * Q[k, i] * weight[i] / (total * total)
    share = 1.0 if before > s.apart_by * after else max(s.passing, s.fewest / judged)
    mixed, m.blend[c, r] = 0.0, 0.0
    for k in range(count):
        m.mix[c, r, k] += share * (abs(weight[k]) / total - m.mix[c, r, k])
        mixed += m.mix[c, r, k] * shared[k]
        for i in range(blocks + 2):
            m.blend[c, r, i] += m.mix[c, r, k] * m.fir[c, k, r, i]
    errors = m.own[c, 0, r, 0] + m.own[c, 1, r, 0]
    measured = errors / judged - noise * (d.powers[q] - 2 * mixed)
    # judged errors overlap: as many count as follow each other
    n = max(1.0, judged / max(apart, d.knots[h] / d.scalars[1]))
    least = max(measured, noise * spread(d, m.blend[c, r]), 1e-2 * errors / judged)
    # the noise that was taken off is a guess, and so few errors tell little
    least += math.sqrt(least * noise * d.powers[q] / n)
    m.variance[c, r] = least * (1.0 + 1.0 / n)


def typical(d, m, c, r):
    """Largest error of holding still to a horizon, by what was seen of the motion."""
    q, ahead = r // len(d.knots), d.knots[r % len(d.knots)] * d.scalars[0]
    slope = max(m.peak[c, 0, 1], m.peak[c, 1, 1])
    if q == 2:
        return slope
    held = min(2.0 * max(m.peak[c, 0, 0], m.peak[c, 1, 0]), slope * (
        ahead + d.scalars[0] * d.scalars[1]))
    return held * ahead if q == 0 else held


def guess_errors(d, m, c, s):
    """State errors before any was judged: the motion may do again what it did."""
    horizons, count = len(d.knots), m.early[c, 0]
    ship = len(d.fixed) - len(d.prior)
    best = ship + 1
    if count >= s.early:
        least = s.better * m.early[c, best]  # which errs least where a motion turns sharply
        for k in range(2, len(d.fixed)):
            if m.early[c, k] < least:
                best, least = k, m.early[c, k]
    for r in range(3 * horizons):
        if m.own[c, 0, r, 1] + m.own[c, 1, r, 1] >= s.fewest:
            continue
        q, ahead = r // horizons, d.knots[r % horizons] * d.scalars[0]
        m.variance[c, r] = typical(d, m, c, r)**2 + m.noise[c, 0] * (d.powers[2] if q > 1 else q)
        # near ones as has been best; far ones as near ones, if a ship's sea explains those best
        chosen = best if ahead < s.near else 0
        if r % horizons > 1 and m.mix[c, r - 1, ship] > 0.5:
            chosen = ship
        m.blend[c, r] = 0.0
        for k in range(len(d.fixed)):
            share = s.passing if count >= s.early else 1.0
            m.mix[c, r, k] += share * ((k == chosen) - m.mix[c, r, k])
            for i in range(len(d.edges) + 1):
                m.blend[c, r, i] += m.mix[c, r, k] * m.fir[c, k, r, i]


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
        if m.weight[c, 0] < s.solved:
            return pieces * regressions
        if part == 0:
            if k == 0:
                choose_band(d, m, c, s)
            factorise(d, m, c, s.believed[k], s)
        else:
            solve_rows(d, m, c, fixed + k, (part - 1) * piece, min(part * piece, rows), s)
        return stage + 1
    first = (stage - pieces * regressions) * piece
    for r in range(first, min(first + piece, rows)):
        mix_row(d, m, c, r, s)
    return 0 if first + piece >= rows else stage + 1

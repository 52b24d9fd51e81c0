"""
The slow loops: regressions, and how predictors are mixed.

Compiled together with ``kernels``, whose functions and letters they use.
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
            a -= dot(low[i, :k], low[k])
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
            a = (a + dot(m.metric[i], near)) * scale[i]
            if scale[i] > 0.0:
                a += s.ridge * near[i] / scale[i]
            x[i] = (a - dot(low[i, :i], x)) / low[i, i]
        for i in range(n - 1, -1, -1):
            a = x[i]
            for k in range(i + 1, n):
                a -= low[k, i] * x[k]
            x[i] = a / low[i, i]
        m.fir[c, predictor, r] = x * scale


def mix_row(d, m, c, r, s):
    """Weigh the predictors of a row by their errors, and say how far their blend errs."""
    horizons, count = len(d.knots), m.fir.shape[1]
    judged = m.own[c, 0, r, 1] + m.own[c, 1, r, 1]
    if judged < s.fewest:
        return
    q, h = r // horizons, r % horizons
    if q == 2:
        q += m.band[c]
    noise = m.noise[c, 0] if q > 0 else 0.0
    shared, own, first = np.zeros(count), np.zeros(count), 0
    Q = np.zeros((count, count))
    for k in range(count):
        shared[k] = dot(d.overlap[q, h], m.fir[c, k, r])
        own[k] = noise * spread(d, m.fir[c, k, r])
        for i in range(k + 1):
            # the target's own noise is no error of the predictors
            Q[k, i] = (m.errors[c, 0, r, k, i] + m.errors[c, 1, r, k, i]) / judged - noise * (
                d.powers[q] - shared[k] - shared[i])
            Q[i, k] = Q[k, i]
        if k < len(d.fixed) and max(Q[k, k], own[k]) < max(Q[first, first], own[first]):
            first = k
    # how much noise that was is uncertain, and the same for all
    age = min(m.count[c, 0] * d.scalars[0], s.noise_memory)
    unsure = math.sqrt(s.alike / judged + 0.5 * s.swings / age)
    least = Q[first, first] - own[first]
    Q += positive(least, noise * d.powers[q] * unsure) - least
    # where a motion has just changed, what says otherwise than a fresh cubic as never before errs
    seen = m.past[c, (m.count[c, 1] - 1) // int(d.scalars[1]) % m.past.shape[1]]
    for k in range(count):
        usual = Q[k, k] + Q[s.fresh, s.fresh] - 2.0 * Q[k, s.fresh]
        far = (dot(m.fir[c, k, r], seen) - dot(m.fir[c, s.fresh, r], seen))**2 if q == 1 else 0.0
        Q[k, k] = max(Q[k, k], own[k], 1e-16) + max(0.0, far - s.far**2 * usual)
    # holding still seems right wherever a motion turns: a young filter does not believe it
    young = 1.0 / (1.0 + (m.count[c, 0] * d.scalars[0] / s.grown)**3)
    moved = max(m.peak[c, 0, 0], m.peak[c, 1, 0], 1e-9)
    young *= max(0.0, 1.0 - 30.0 * m.noise[c, 0] / moved**2) * (d.knots[h] * d.scalars[0] < s.near)
    still = 3.0 * young * typical(d, r, moved, max(m.peak[c, 0, 1], m.peak[c, 1, 1]))**2
    Q[0, 0] += still
    Q[1, 1] += still
    own_errors = np.diag(Q)
    m.best[c, r] = np.argmin(own_errors[:len(d.fixed)])
    # nor does a regression know a motion far beyond all that it learned from, unless it shows it
    known = 1e300 if m.weight[c, 0] >= s.solved else 0.0
    if moved**2 * m.weight[c, 0] > s.unknown**2 * m.gram[c, 1, 1]:
        known = s.shown * own_errors[m.best[c, r]]
    on = (np.arange(count) < len(d.fixed)) | (own_errors <= known)
    if q == 1 and Q[1, 1] < min(s.alone * Q[first, first], s.rest * noise * d.powers[q] * unsure):
        on[:] = np.arange(count) == 1  # what moves less than its noise tells
    least = own_errors[on].min()
    on &= own_errors <= s.hopeless * least
    A, weight = np.zeros((count, count)), np.zeros(count)
    for _ in range(count):
        for k in range(count):
            weight[k] = on[k]
            for i in range(count):
                both = Q[k, i] / least * (1.0 + s.shrink * (i == k))
                A[k, i] = both if on[k] and on[i] else 1.0 * (i == k)
        eliminate(A, weight)
        place = np.argmin(weight)
        if weight[place] >= 0.0 or on.sum() == 1:
            break
        on[place] = False
    weight = np.abs(weight) / np.abs(weight).sum()
    # little by little, so that a change makes no step, unless the last weights err far more
    before = (m.mix[c, r] * (Q * m.mix[c, r]).sum(axis=1)).sum()
    after = (weight * (Q * weight).sum(axis=1)).sum()
    blend(m, c, r, weight, 1.0 if before > s.apart_by * after else max(
        s.passing, s.fewest / judged))
    errors = (m.own[c, 0, r, 0] + m.own[c, 1, r, 0]) / judged
    mine, noise = spread(d, m.blend[c, r]), m.noise[c, 5] if q > 0 else 0.0
    # no noise is more than all that was judged
    apart = max(d.powers[q] - 2 * dot(shared, m.mix[c, r]) + mine, 1e-12)
    known = min(noise, (1.0 + unsure) * errors / apart)
    least = positive(errors - known * apart, known * d.powers[q] * unsure)
    # what a motion makes err, it does for some time: so few errors tell little
    n = max(1.0, judged / max(s.apart / (d.scalars[0] * d.scalars[1]), d.knots[h] / d.scalars[1]))
    wide = s.wide / (1.0 + n)
    m.variance[c, r] = known * mine * (1.0 + wide * (1.0 - known / max(noise, 1e-16))) + max(
        least, 1e-2 * errors) * (1.0 + wide)


def blend(m, c, r, weight, share):
    """Go a part of the way to other weights of the predictors, and blend those."""
    m.blend[c, r] = 0.0
    for k in range(len(weight)):
        m.mix[c, r, k] += share * (weight[k] - m.mix[c, r, k])
        for i in range(m.blend.shape[2]):
            m.blend[c, r, i] += m.mix[c, r, k] * m.fir[c, k, r, i]


def positive(value, error):
    """Return what a positive number is, by a measurement that errs by so much."""
    return 0.5 * (value + math.sqrt(value * value + error * error))


def typical(d, r, most, slope):
    """Largest error to a horizon where that of the derivative now is at most ``slope``."""
    q, ahead = r // len(d.knots), d.knots[r % len(d.knots)] * d.scalars[0]
    if q == 2:
        return slope
    held = min(2.0 * most, slope * (ahead + d.scalars[0] * d.scalars[1]))
    return held * ahead if q == 0 else held


def guess_errors(d, m, c, s):
    """State errors before any was judged: by those a tenth of a second ahead, or of holding."""
    horizons, count = len(d.knots), m.early[c, 0]
    ship = len(d.fixed) - len(d.prior)
    best = ship + 1
    if count >= s.early:
        least = s.better * m.early[c, best]  # which errs least where a motion turns sharply
        for k in range(2, len(d.fixed)):
            if m.early[c, k] < least:
                best, least = k, m.early[c, k]
    noise, most = m.noise[c, 5], max(m.peak[c, 0, 0], m.peak[c, 1, 0])
    steepest = slope = max(m.peak[c, 0, 1], m.peak[c, 1, 1]) + s.unseen * (
        m.count[c, 0] <= 2 * d.scalars[1])
    if m.count[c, 0] > len(d.left) + 4 * d.scalars[1]:  # what vibrates is known, and stated beside
        missed = m.early[c, best] / count - noise * (1.0 + spread(d, m.fir[c, best, horizons + 2]))
        missed = positive(missed, noise / math.sqrt(count)) * (1.0 + s.early / count)
        slope = min(slope, s.missed / (d.knots[2] * d.scalars[0]) * math.sqrt(missed))
    for r in range(3 * horizons):
        if m.own[c, 0, r, 1] + m.own[c, 1, r, 1] >= s.fewest:
            continue
        q, ahead = r // horizons, d.knots[r % horizons] * d.scalars[0]
        # near ones as has been best; far ones as near ones, if a ship's sea explains those best
        chosen = best if ahead < s.near else 0
        m.variance[c, r] = typical(d, r, most, slope if chosen else steepest)**2 + noise * (
            spread(d, m.fir[c, best, r]) if chosen else (d.powers[2] if q > 1 else q))
        if r % horizons > 1 and m.mix[c, r - 1, ship] > 0.5:
            chosen = ship
        weight = np.zeros(m.fir.shape[1])
        weight[chosen] = 1.0
        blend(m, c, r, weight, s.passing if count >= s.early else 1.0)


def eliminate(A, b):
    """Solve A x = b in place, with pivots."""
    n = len(b)
    for i in range(n):
        p = i
        for k in range(i + 1, n):
            p = k if abs(A[k, i]) > abs(A[p, i]) else p
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
    rows, fixed, piece = 3 * len(d.knots), len(d.fixed), 7
    pieces, regressions = 1 + (rows + piece - 1) // piece, m.fir.shape[1] - fixed
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

"""
The loops for every sample, compiled as they stand here (see ``compiling``).

``d`` is the :class:`~robot_dynamics.estimation.adaptive.design.Design`, ``m`` the
:class:`~robot_dynamics.estimation.adaptive.memory.Memory`, ``c`` the number of a signal, and
``s`` the constants of :mod:`~robot_dynamics.estimation.adaptive.settings` as kernels need them.
"""
# mypy: ignore-errors
# flake8: noqa: D103,F821

import math

import numpy as np


def newest(m, c):
    """Place of the newest point in the ring: the points before it lie before it in one piece."""
    length = m.ring.shape[1] // 2
    return (m.count[c, 0] - 1) % length + length


def dot(a, b):
    """Sum of products; ``b`` may be longer.  Expressions of arrays would ask for memory."""
    total = 0.0
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


def spread(d, weights):
    """Variance that noise of 1 gives a sum of means of blocks."""
    total = 0.0
    for b in range(len(d.edges) - 1):
        total += weights[b]**2 / (d.edges[b + 1] - d.edges[b])
    return total


def take_blocks(d, m, c, y):
    """Take a point of the grid: the ring, which holds all twice, and the sums of the blocks."""
    ring, edges = m.ring[c], d.edges
    length, blocks, t = len(ring) // 2, len(d.edges) - 1, m.count[c, 0]
    if t == 0:
        ring[:] = y
        for b in range(blocks):
            m.sums[c, b] = y * (edges[b + 1] - edges[b])
    place = t % length
    ring[place] = y
    ring[place + length] = y
    place += length
    m.count[c, 0] = t + 1
    if place == 2 * length - 1:  # rounding does not pile up
        for b in range(blocks):
            m.sums[c, b] = ring[place - edges[b + 1] + 1:place - edges[b] + 1].sum()
        return
    for b in range(blocks):
        m.sums[c, b] += ring[place - edges[b]] - ring[place - edges[b + 1]]


def probe_noise(d, m, c, y, s):
    """Measure the noise where it is least, above the band: resonators on second differences."""
    t, before = m.count[c, 0] - 1, m.raw[c, 1]
    x = y - 2 * before + m.raw[c, 0]
    m.raw[c, :3] = before, y, m.raw[c, 2] + 1.0
    if m.raw[c, 2] < 3.0:
        if t < 3:
            return
        x *= s.seam  # guessed points lie between
    dt, decay = d.scalars[0], d.scalars[3]
    share = max(dt / s.noise_memory, s.settling / (t + s.settling))
    for p in range(len(d.probes)):
        state = m.probe[c, p]
        turn = decay * complex(d.probes[p, 0], d.probes[p, 1])
        first = turn * complex(state[0], state[1]) + x
        second = turn * complex(state[2], state[3]) + first
        state[:4] = first.real, first.imag, second.real, second.imag
        power = (second.real**2 + second.imag**2) / d.probes[p, 2]
        if t > 8:
            state[4] += share * (power - state[4])
    # where there are fewer samples than points, each point has as much more
    least = np.sort(m.probe[c, :, 4])[s.quantile] / m.raw[c, 3]
    m.noise[c, 0] = max(least, m.raw[c, 4], 1e-16,
                        s.exact * max(m.peak[c, 0, 0], m.peak[c, 1, 0])**2)
    # errors are stated by what it is: the third smallest of so few swings is less than their mean
    m.noise[c, 5] = max(m.raw[c, 4], 1e-20, least / (
        1.0 - s.low * min(1.0, math.sqrt(s.swings * share / dt))))


def regressors(d, m, c, angle, out):
    """Write what predictions are made of: means of the blocks, the angle, 1."""
    blocks = len(d.edges) - 1
    for b in range(blocks):
        out[b] = m.sums[c, b] / (d.edges[b + 1] - d.edges[b])
    out[blocks] = angle
    out[blocks + 1] = 1.0


def take_target(d, m, c, angle, s):
    """Filter the targets of an instant M steps ago; judge and learn with them."""
    every, reach = int(d.scalars[1]), int(d.scalars[2])
    dt, horizons = d.scalars[0], len(d.knots)
    t = m.count[c, 0] - 1
    slots, ring, place, blocks = m.past.shape[1], m.ring[c], newest(m, c), len(d.edges) - 1
    regressors(d, m, c, angle, m.past[c, (t // every) % slots])
    fade = max(every * dt / 60.0, every / (t + every))
    m.noise[c, 2] += fade * (angle - m.noise[c, 2])
    m.noise[c, 3] += fade * (ring[place - every + 1:place + 1].mean() - m.noise[c, 3])
    know_sea(d, m, c, s)
    at = t - reach
    # the newest slope, between means; targets come later
    slope = 0.0
    for k in range(every):
        slope += (ring[place - k] - ring[place - every - k]) / (every * every * dt)
    m.peak[c, 0, 0] = max(m.peak[c, 0, 0], abs(ring[place]))
    m.peak[c, 0, 1] = max(m.peak[c, 0, 1], abs(slope) if t >= 2 * every else 0.0)
    m.peak[c, 0, 2] = max(m.peak[c, 0, 2], angle)
    m.peak[c, 0, 3] = max(m.peak[c, 0, 3], -angle)
    if t % int(s.peak_memory / dt) < every:
        m.peak[c, 1] = m.peak[c, 0]
        m.peak[c, 0] = 0.0, 0.0, angle, -angle
    # what lies above the band, at uneven instants: a motor is not always met in the same phase
    begin = t - len(d.left) - every
    if begin >= 0:
        share = max(every * dt / s.noise_memory, 1.0 / (begin // every + 1))
        seen = ring[place - len(d.left) + 1 - (t // every) % every:]
        m.noise[c, 1] += share * (dot(d.left, seen)**2 - m.noise[c, 1])
        m.noise[c, 4] += share * (dot(d.shake, seen)**2 - m.noise[c, 4])
    if t < 2 * int(d.knots[horizons - 1]):
        foresee(d, m, c)
        guess_errors(d, m, c, s)
    if at < reach:
        return
    target = m.target[c, (at // every) % slots]
    target[0] = m.past[c, (at // every) % slots, blocks]
    for q in range(1, len(d.filters)):
        target[q] = dot(d.filters[q], ring[place - 2 * reach:])
    share = max(every * dt / s.noise_memory, 1.0 / ((at - reach) // every + 1))
    for k in range(1, len(m.outside[c])):
        out = target[2 + k] - target[1 + k]
        m.outside[c, k] += share * (out * out - m.outside[c, k])
    for k in range(2):
        m.peak[c, 0, k] = max(m.peak[c, 0, k], abs(target[1 + k]))
    if (at - reach) // every == s.band_after:
        choose_band(d, m, c, s)
    if (at - reach) // every >= s.band_after:
        judge(d, m, c, at, s)
    learn(d, m, c, at - d.knots[horizons - 1], s)


def foresee(d, m, c):
    """Note how the simple predictors foresaw a young signal: nothing else is known of them."""
    every, horizons = int(d.scalars[1]), len(d.knots)
    begin = m.count[c, 0] - 1 - d.knots[2]
    if begin < 0:
        return
    x = m.past[c, (begin // every) % m.past.shape[1]]
    truth = m.ring[c, newest(m, c)]
    m.early[c, 0] += 1.0
    for k in range(2, len(d.fixed)):
        m.early[c, k] += (dot(m.fir[c, k, horizons + 2], x) - truth)**2


def know_sea(d, m, c, s):
    """Choose the weights of the predictor of seas by signal, noise and age."""
    ratio = 0.4 * max(m.peak[c, 0, 0], m.peak[c, 1, 0]) / math.sqrt(
        max(m.noise[c, 0], m.noise[c, 1], 1e-16))
    level = min(int(2.0 * math.log10(max(ratio, 1.0)) + 0.5), d.prior.shape[3] - 1)
    age = max(0, np.searchsorted(d.filled, m.count[c, 0], side='right') - 1)
    if level == m.prior[c, 1] and age == m.prior[c, 2]:
        return
    m.prior[c, 1:] = level, age
    first, horizons = len(d.fixed) - len(d.prior), len(d.knots)
    for sea in range(len(d.prior)):
        for r in range(3 * horizons):
            m.fir[c, first + sea, r] = d.prior[sea, m.prior[c, 0], age, level, r // horizons,
                                               r % horizons]


def judge(d, m, c, at, s):
    """Compare what predictors said about an instant with what came."""
    every, dt, reach = int(d.scalars[1]), d.scalars[0], int(d.scalars[2])
    horizons, blocks = len(d.knots), len(d.edges) - 1
    slots, count = m.past.shape[1], m.fir.shape[1]
    target = m.target[c, (at // every) % slots]
    error = np.zeros(count)
    m.fir[c, 1, 0:horizons, blocks + 1] = m.noise[c, 2]            # the mean
    m.fir[c, 1, horizons:2 * horizons, blocks + 1] = m.noise[c, 3]
    stretch = min(max(s.young * (at - reach) / every, s.fewest), s.judged / (every * dt))
    for h in range(horizons):
        begin = at - d.knots[h]
        if begin < 0:
            continue
        x = m.past[c, (begin // every) % slots]
        for q in range(3):
            r = q * horizons + h
            truth = target[2 + m.band[c]] if q == 2 else target[q] - (x[blocks] if q == 0 else 0.0)
            mine = 0.0
            for k in range(count):
                error[k] = dot(m.fir[c, k, r], x) - truth
                mine += m.mix[c, r, k] * error[k]
            own = m.own[c, 0, r]
            own[0] += mine * mine
            own[1] += 1.0
            own[2] += (mine - error[s.short])**2
            for k in range(count):
                for i in range(k + 1):
                    m.errors[c, 0, r, k, i] += error[k] * error[i]
            if own[1] >= stretch:
                # what was foreseen far ahead, or by a young filter, says nothing of now
                kept = s.lasting if d.knots[h] * dt < s.near and at * dt > s.judged else 0.0
                m.errors[c, 1, r] = m.errors[c, 0, r] + kept * m.errors[c, 1, r]
                m.own[c, 1, r] = own + kept * m.own[c, 1, r]
                m.errors[c, 0, r] = 0.0
                own[:] = 0.0


def learn(d, m, c, begin, s):
    """Add the regressors of an instant and what has come after it to the sums."""
    every, dt, reach = int(d.scalars[1]), d.scalars[0], int(d.scalars[2])
    horizons, blocks = len(d.knots), len(d.edges) - 1
    slots, n = m.past.shape[1], len(d.edges) + 1
    if begin < max(reach, int(s.filled * d.edges[blocks])):
        return
    keep = math.exp(-every * dt / s.memory)
    m.weight[c, 0] = m.weight[c, 0] * keep + 1.0
    m.weight[c, 1] = m.weight[c, 1] * keep + m.noise[c, 0]
    x = m.past[c, (begin // every) % slots]
    for i in range(n):
        for k in range(i + 1):
            m.gram[c, i, k] = m.gram[c, i, k] * keep + x[i] * x[k]
    for h in range(horizons):
        target = m.target[c, ((begin + d.knots[h]) // every) % slots]
        for q in range(len(target)):
            truth = target[q] - (x[blocks] if q == 0 else 0.0)
            row = m.cross[c, q * horizons + h]
            for i in range(n):
                row[i] = row[i] * keep + truth * x[i]


def detail(d, m, c, band, s):
    """Mean square of the derivative that a band leaves out of the next wider one's."""
    few = max(1.0, s.noise_memory / d.scalars[0] / max(m.count[c, 0] - 2 * d.scalars[2], 1))
    return max(0.0, m.outside[c, band] - (
        1.0 + s.detail * math.sqrt(few)) * m.noise[c, 5] * d.apart[band])


def advance(d, m, point, sampled, s):
    """Take a point of the grid: all signals, then the angles of the first; whether sampled."""
    every, signals = int(d.scalars[1]), len(m.angle)
    for c in range(signals):
        y, angle = point[c], point[signals + c] if signals + c < len(point) else 0.0
        take_blocks(d, m, c, y)
        share = max(d.scalars[0] / s.noise_memory, 1.0 / m.count[c, 0])
        m.raw[c, 3] += share * (sampled - m.raw[c, 3])
        if sampled:
            probe_noise(d, m, c, y, s)
        # in turns, so that no point costs much more than another
        if (m.count[c, 0] - 1 + c) % every == 0:
            m.count[c, 1] = m.count[c, 0]
            take_target(d, m, c, angle, s)
        m.angle[c] = angle
    m.count[0, 2] = 0  # answers are to be computed again


def speak(d, m, s):
    """Let the blends say what is and will be; what was just measured leaves no doubt."""
    blocks, horizons = len(d.edges) - 1, len(d.knots)
    near = np.searchsorted(d.knots, s.near / d.scalars[0])
    x = np.zeros(blocks + 2)
    for c in range(len(m.angle)):
        regressors(d, m, c, m.angle[c], x)
        measured = m.raw[c, 3] > s.steady and m.raw[0, 4] == 0.0  # no late slopes
        for r in range(3 * horizons):
            said, judged = dot(m.blend[c, r], x), m.own[c, 0, r, 1] + m.own[c, 1, r, 1]
            if 0 <= r - horizons < near and judged >= s.fewest and measured:
                newest = dot(m.fir[c, s.short, r], x)
                far = s.far * math.sqrt(m.noise[c, 1] + (
                    m.own[c, 0, r, 2] + m.own[c, 1, r, 2]) / judged)
                said = min(max(said, newest - far), newest + far)
            m.answer[c, r] = (x[blocks] if r < horizons else 0.0) + said
    m.count[0, 2] = 1


def answer(d, m, ahead, value, variance, s):
    """Write angle, signal and derivative some time from the last point, and variances, (C, 3)."""
    if m.count[0, 2] == 0:
        speak(d, m, s)
    horizons, dt = len(d.knots), d.scalars[0]
    last = d.knots[horizons - 1] * dt
    u = min(max(ahead, 0.0), last) / dt
    i = 0
    while i < horizons - 2 and u >= d.knots[i + 1]:
        i += 1
    before, after = max(i - 1, 0), min(i + 2, horizons - 1)
    span = d.knots[i + 1] - d.knots[i]
    u = (u - d.knots[i]) / span
    for c in range(len(m.angle)):
        for q in range(3):
            r = q * horizons
            y0, y1 = m.answer[c, r + i], m.answer[c, r + i + 1]
            # a cubic between the horizons: slopes of the angle are what is said of the signal, and
            # of that its derivative; those of the derivative come from its neighbours
            if q < 2:
                into = m.answer[c, r + horizons + i] * span * dt
                out = m.answer[c, r + horizons + i + 1] * span * dt
            else:
                into = (y1 - m.answer[c, r + before]) * span / (d.knots[i + 1] - d.knots[before])
                out = (m.answer[c, r + after] - y0) * span / (d.knots[after] - d.knots[i])
            value[c, q] = y0 + u * (into + u * (3 * (y1 - y0) - 2 * into - out
                                                + u * (into + out - 2 * (y1 - y0))))
            variance[c, q] = (1 - u) * m.variance[c, r + i] + u * m.variance[c, r + i + 1]
        if ahead < 0.0:
            back = max(ahead, -s.back)
            value[c, 0] += back * (value[c, 1] + 0.5 * back * value[c, 2])
            value[c, 1] += back * value[c, 2]
        if ahead > last:  # further than was ever judged: fade to rest
            left = max(0.0, 2.0 - ahead / last)
            value[c, 1:] *= left
            variance[c] *= (ahead / last)**2
        # a base that vibrates does so, though nobody is told of it
        noise = s.clear * m.noise[c, 0]
        variance[c, 1] += max(0.0, m.noise[c, 1] - noise * d.scalars[4])
        variance[c, 2] += max(0.0, m.noise[c, 4] - noise * d.scalars[5])
        for k in range(1, m.band[c] + 1):
            variance[c, 2] += detail(d, m, c, k, s)
        if m.count[c, 0] * dt > s.seen:  # nothing far beyond all that was seen
            most = s.largest * max(m.peak[c, 0, 0], m.peak[c, 1, 0])
            steep = s.largest * max(m.peak[c, 0, 1], m.peak[c, 1, 1])
            reach = most * abs(ahead)
            top = max(m.peak[c, 0, 2], m.peak[c, 1, 2], m.angle[c])
            low = min(-m.peak[c, 0, 3], -m.peak[c, 1, 3], m.angle[c])
            beyond = (s.largest - 1.0) * (top - low)
            value[c, 0] = min(max(value[c, 0], m.angle[c] - reach, low - beyond),
                              m.angle[c] + reach, top + beyond)
            value[c, 1] = min(max(value[c, 1], -most), most)
            value[c, 2] = min(max(value[c, 2], -steep), steep)


def base_motion(said, point, gravity):
    """Compose the base motion, (12,), of angle, signal and derivative of each signal, (6, 3)."""
    return base_motion_at(
        (0.0, 0.0, 0.0, said[0, 0], said[1, 0], 0.0, 0.0, 0.0, 0.0, said[0, 1], said[1, 1],
         said[2, 1], said[3, 1], said[4, 1], said[5, 1], said[0, 2], said[1, 2], said[2, 2]),
        point, gravity)


def base_covariance(said, variance, point, gravity):
    """Carry variances, (6, 3), to the base motion's, (12, 12): by central differences."""
    total = np.zeros((12, 12))
    for c in range(6):
        for order in range(3):
            x, step = said.copy(), math.sqrt(variance[c, order])
            x[c, order] = said[c, order] + step
            column = base_motion(x, point, gravity)
            x[c, order] = said[c, order] - step
            column -= base_motion(x, point, gravity)
            for i in range(12):
                for k in range(12):
                    total[i, k] += 0.25 * column[i] * column[k]
    return total

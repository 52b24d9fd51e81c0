"""
The checks of IMU samples as loops over axes, compiled as they stand here.

``m`` holds a row of up to four components for each thing that is known, (ROWS, 4); ``signals`` is
a :data:`SIGNAL` for each of rate, force, orientation and velocity, and ``s`` the :data:`STATE` of
all.  All is in base axes.
"""
# mypy: ignore-errors

import math

import numpy as np

# the sample and what follows from it: rate, specific force, orientation, up, acceleration
W, F, Q, U, A = range(5)
# values that are held, and up when the rate began to be; the last good ones, and those before
HELD, HELD_U, LAST_W, LAST_F, LAST_U, BEFORE_W, BEFORE_F, VELOCITY = 5, 8, 9, 10, 11, 12, 13, 14
# rates beside orientation: at the begin of a span, in it, of the last span, products of all spans
SPAN_Q, SPAN_W, TURNED, RATE, ROTATION, PRODUCTS, SUM, APART = 15, 16, 17, 18, 19, 20, 23, 24
ROWS = 25
SIGNAL = np.dtype([
    ('held', np.int64), ('since_ns', np.int64), ('run_ns', np.int64),  # of equal values
    ('changes', np.int64), ('longest_run', np.float64),
    ('known', np.int64), ('last_ns', np.int64),  # of good samples, and of all since then
    ('seen_ns', np.int64), ('longest_ns', np.int64),
    ('step', np.float64), ('slope', np.float64), ('share', np.float64), ('noise', np.float64)])
STATE = np.dtype([
    ('gravity', np.float64), ('largest_acceleration', np.float64),
    ('largest_velocity', np.float64),
    ('span', np.float64), ('kept', np.float64),  # s that are compared, and what spans leave
    ('spanning', np.int64), ('span_ns', np.int64), ('span_last_ns', np.int64),
    ('spans', np.float64), ('noise', np.float64), ('ended', np.int64),
    ('disagrees', np.int64), ('apart', np.float64), ('allowed', np.float64),
    ('value', np.float64), ('bound', np.float64), ('stuck', np.int64)])

RATES, FORCES, ORIENTATIONS, VELOCITIES = range(4)
HAS_RATE, HAS_FORCE, HAS_ORIENTATION = 1, 2, 4
(STUCK, RATE_CHANGE, TILT_CHANGE, FORCE_CHANGE, ACCELERATION, DISAGREEMENT, GAIN) = range(7)
NOTHING, SPAN_ENDED = -1, -2

GRACE_NS = 20_000_000  # credited to samples that are refused in a row
LEARNS = 20            # changes, after which a run of equal values is compared with earlier ones
SHORTEST = 0.15        # s: a shorter run is none
TIMES = 10.0           # so many times as long as the longest a run may become
AT_FIRST = 0.3         # s, of a sensor that has never changed, and does not say that it rests
STILL = 1e-6           # m/s^2, or one minus a cosine
REST = 5e-3            # rad, by which a base has turned that does not rest
SLOW = 0.02            # rad/s: an orientation that changes by less per second may not resolve it
NOISY, WIDENED = 2.0, 1.5  # largest noise that is allowed for, in steps, and how often
NOISE_FORGETS = 50.0   # samples that it is known from
TILT_STEP = 0.03       # rad, beside what the rates say: noise
TILT_DRIFT = 0.5       # rad/s, by which the rates may be wrong
TILT_RATE = 3.0        # rad/s, of a base whose rates nobody measures
VELOCITY_FORGETS = 10.0  # s, within which a velocity is forgotten
GAP = 0.5              # s; a longer silence starts a new span
DISAGREES = 0.1        # rad/s, of roll and pitch: bias and delay of an orientation
DEVIATIONS = 4.0       # as much as the noise is fine, too
LARGEST_NOISE = 0.2    # rad/s, of a change from span to span
SPANS_FORGET = 10.0    # spans that the noise is known from
YAW_DISAGREES = 1.0    # rad/s: a compass corrects itself
SHARE = 0.2            # and of the larger of both


def examine(m, signals, state, stamp_ns, reported, wx, wy, wz, fx, fy, fz, qx, qy, qz, qw):
    """Return which check finds anything, NOTHING, or SPAN_ENDED where there is more to judge."""
    s = state[0]
    m[W, 0], m[W, 1], m[W, 2] = wx, wy, wz
    m[F, 0], m[F, 1], m[F, 2] = fx, fy, fz
    m[Q, 0], m[Q, 1], m[Q, 2], m[Q, 3] = qx, qy, qz, qw
    m[U, 0], m[U, 1] = 2.0 * (qx * qz - qy * qw), 2.0 * (qy * qz + qx * qw)
    m[U, 2] = 1.0 - 2.0 * (qx * qx + qy * qy)
    has_rate, has_force = reported & HAS_RATE != 0, reported & HAS_FORCE != 0
    has_orientation = reported & HAS_ORIENTATION != 0
    if is_stuck(m, signals, s, stamp_ns, reported):
        return STUCK
    if has_rate and changes(m[W], m[LAST_W], m[BEFORE_W], signals[RATES], s, stamp_ns):
        return RATE_CHANGE
    if has_orientation and tilts(m, signals[ORIENTATIONS], s, stamp_ns, has_rate):
        return TILT_CHANGE
    if has_force and changes(m[F], m[LAST_F], m[BEFORE_F], signals[FORCES], s, stamp_ns):
        return FORCE_CHANGE
    if has_force:
        accelerate(m, has_orientation, s.gravity)
        s.value, s.bound = size(m[A]), s.largest_acceleration
        if s.value > s.bound:
            return ACCELERATION
    if has_rate and has_orientation:
        if add(m, state, stamp_ns, wx, wy, wz, qx, qy, qz, qw):
            disagree(m, s)
        if s.disagrees != 0:
            s.value, s.bound = s.apart, s.allowed
            return DISAGREEMENT
    if has_force and gains(m, signals[VELOCITIES], s, stamp_ns, has_rate):
        return GAIN
    return SPAN_ENDED if s.ended != 0 else NOTHING


def size(v):
    """Return the length of a vector of three."""
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def apart(a, b):
    """Return the largest difference of two vectors of three."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[2] - b[2]))


def seconds(signal, stamp_ns):
    """
    Return for how long a signal may have changed since its last good sample, or -1.

    A silence credits its length; samples that are refused in a row credit :data:`GRACE_NS` beside
    the longest of their distances, so that a signal which has stepped stays refused.
    """
    if signal.known == 0:
        return -1.0
    signal.longest_ns = max(signal.longest_ns, stamp_ns - signal.seen_ns)
    signal.seen_ns = stamp_ns
    return max(min(stamp_ns - signal.last_ns, signal.longest_ns + GRACE_NS), 1) * 1e-9


def accept(signal, stamp_ns):
    """Take a sample for good."""
    signal.known, signal.last_ns, signal.seen_ns, signal.longest_ns = 1, stamp_ns, stamp_ns, 0


def usual(signal):
    """Return how long the values of a signal may repeat themselves, s."""
    return max(SHORTEST, TIMES * signal.longest_run)


def run(signal, now, held, stamp_ns):
    """Take values; returns for how long they have been what they are, s."""
    before_ns, signal.run_ns = signal.run_ns, stamp_ns
    same = signal.held != 0
    for i in range(4):
        same = same and now[i] == held[i]
    if same:
        return (stamp_ns - signal.since_ns) * 1e-9
    if signal.held != 0:
        signal.changes += 1
        length = (before_ns - signal.since_ns) * 1e-9  # what pauses does not repeat itself
        if length <= max(usual(signal), AT_FIRST):
            signal.longest_run = max(signal.longest_run, length)
    for i in range(4):
        held[i] = now[i]
    signal.held, signal.since_ns = 1, stamp_ns
    return 0.0


def is_stuck(m, signals, s, stamp_ns, reported):
    """
    No signal repeats itself for longer than it is used to.

    A base that is exactly at rest may: a simulated one, or one whose sensor resolves no more.  Of
    a single signal that has never changed nothing can be said.
    """
    count, shortest, rests, stuck = 0, 1e300, True, -1
    for k in range(3):
        if reported & 1 << k:
            length = run(signals[k], m[k], m[HELD + k], stamp_ns)
            if k == RATES and length == 0.0:
                for i in range(3):
                    m[HELD_U, i] = m[U, i]
            count, shortest = count + 1, min(shortest, length)
            may_rest = length <= SHORTEST or rests_in(m, k, reported)
            rests = rests and may_rest
            if stuck < 0 and length > usual(signals[k]) and signals[k].changes >= LEARNS and (
                    not may_rest):
                stuck, s.value, s.bound = k, length, usual(signals[k])
    if stuck < 0 and count > 1 and shortest > AT_FIRST and not rests:
        stuck, s.value, s.bound = 3, shortest, AT_FIRST
    s.stuck = stuck
    return stuck >= 0


def rests_in(m, k, reported):
    """Tell whether a signal is that of a base at rest."""
    w, f, u = m[W], m[F], m[U]
    if k == RATES:
        return w[0] == 0.0 and w[1] == 0.0 and w[2] == 0.0 and (
            reported & HAS_ORIENTATION == 0 or apart(u, m[HELD_U]) < REST)
    if k == FORCES:
        if reported & HAS_ORIENTATION == 0:
            return True
        along = f[0] * u[0] + f[1] * u[1] + f[2] * u[2]  # of any gravity
        return max(abs(f[0] - along * u[0]), abs(f[1] - along * u[1]),
                   abs(f[2] - along * u[2])) < STILL
    if reported & HAS_RATE:
        return max(abs(w[0]), abs(w[1]), abs(w[2])) < SLOW
    return 1.0 - u[2] < STILL


def changes(now, last, before, signal, s, stamp_ns):
    """
    Tell whether a vector does not go on from its last good values.

    What vibrates is allowed for: its changes from sample to sample, as far as they are its usual
    ones, widen the bound up to four times the step.
    """
    credit, new = seconds(signal, stamp_ns), signal.share
    if credit >= 0.0:
        s.value = apart(now, last)
        s.bound = signal.step + signal.slope * credit + WIDENED * math.sqrt(signal.noise)
        change = min(apart(now, before), NOISY * signal.step)
        signal.noise += (change * change - signal.noise) / NOISE_FORGETS
    else:
        new = 1.0
    for i in range(3):
        before[i] = now[i]
    if credit >= 0.0 and s.value > s.bound:
        return True
    for i in range(3):
        last[i] = last[i] + new * (now[i] - last[i])
    accept(signal, stamp_ns)
    return False


def tilts(m, signal, s, stamp_ns, has_rate):
    """Tell whether up is elsewhere than it should have gone, u' = -w x u."""
    credit, w, u, now = seconds(signal, stamp_ns), m[W], m[LAST_U], m[U]
    if credit >= 0.0:
        x, y, z = u[0], u[1], u[2]
        s.bound = TILT_STEP + TILT_RATE * credit
        if has_rate:
            s.bound = TILT_STEP + TILT_DRIFT * credit
            x, y, z = (x - credit * (w[1] * z - w[2] * y), y - credit * (w[2] * x - w[0] * z),
                       z - credit * (w[0] * y - w[1] * x))
        s.value = math.sqrt((now[0] - x)**2 + (now[1] - y)**2 + (now[2] - z)**2)
        if s.value > s.bound:
            return True
    for i in range(3):
        u[i] = now[i]
    accept(signal, stamp_ns)
    return False


def accelerate(m, has_orientation, gravity):
    """
    Write what of the specific force is not gravity; without an orientation that points up.

    Its size is bounded, and in the long run the velocity that it adds up to.
    """
    f, u, a = m[F], m[U], m[A]
    if has_orientation:
        for i in range(3):
            a[i] = f[i] - gravity * u[i]
        return
    length = size(f)
    for i in range(3):
        a[i] = (1.0 - gravity / length) * f[i] if length > 1e-9 else gravity * (i == 2)


def gains(m, signal, s, stamp_ns, has_rate):
    """
    Tell whether accelerations add up to more than the base drives: v' = a - w x v - v / T.

    It finds what is too small for their own bound but stays: an orientation that is askew by 6
    deg, a force that is wrong by a tenth, with the usual bound within half a minute.
    """
    step, v, w, a = seconds(signal, stamp_ns), m[VELOCITY], m[W], m[A]
    accept(signal, stamp_ns)
    if step < 0.0:
        return False
    step, turns = min(step, 0.1), 1.0 if has_rate else 0.0
    kept = 1.0 - step / VELOCITY_FORGETS
    x = kept * v[0] + step * (a[0] - turns * (w[1] * v[2] - w[2] * v[1]))
    y = kept * v[1] + step * (a[1] - turns * (w[2] * v[0] - w[0] * v[2]))
    z = kept * v[2] + step * (a[2] - turns * (w[0] * v[1] - w[1] * v[0]))
    s.value, s.bound = math.sqrt(x * x + y * y + z * z), s.largest_velocity
    if s.value > s.bound:
        return True
    v[0], v[1], v[2] = x, y, z
    return False


def add(m, state, stamp_ns, wx, wy, wz, qx, qy, qz, qw):
    """Take a rate and an orientation; returns whether they end a span."""
    s, q, w, turned = state[0], m[SPAN_Q], m[SPAN_W], m[TURNED]
    passed, ends = (stamp_ns - s.span_ns) * 1e-9, False
    if s.spanning != 0 and 0.0 <= passed <= GAP:
        half = 0.5e-9 * (stamp_ns - s.span_last_ns)  # samples may be lost
        turned[0] += half * (wx + w[0])
        turned[1] += half * (wy + w[1])
        turned[2] += half * (wz + w[2])
        ends = passed >= s.span
        if ends:
            x, y, z, c = -q[0], -q[1], -q[2], q[3]
            twice = 2.0 / passed if c * qw - x * qx - y * qy - z * qz >= 0.0 else -2.0 / passed
            m[ROTATION, 0] = twice * (c * qx + x * qw + y * qz - z * qy)
            m[ROTATION, 1] = twice * (c * qy - x * qz + y * qw + z * qx)
            m[ROTATION, 2] = twice * (c * qz + x * qy - y * qx + z * qw)
            for i in range(3):
                rate, rotation = turned[i] / passed, m[ROTATION, i]
                m[RATE, i] = rate
                m[PRODUCTS, i] = s.kept * m[PRODUCTS, i] + rate * rotation
                m[PRODUCTS + 1, i] = s.kept * m[PRODUCTS + 1, i] + rate * rate
                m[PRODUCTS + 2, i] = s.kept * m[PRODUCTS + 2, i] + rotation * rotation
                m[SUM, i] = s.kept * m[SUM, i] + rate
            s.spans = s.kept * s.spans + 1.0
    if ends or s.spanning == 0 or not 0.0 <= passed <= GAP:
        s.spanning, s.span_ns = 1, stamp_ns
        q[0], q[1], q[2], q[3] = qx, qy, qz, qw
        turned[0], turned[1], turned[2] = 0.0, 0.0, 0.0
    w[0], w[1], w[2] = wx, wy, wz
    s.span_last_ns = stamp_ns
    return ends


def disagree(m, s):
    """Tell whether rates are those of the orientation over the last span, within a bound."""
    u, rate, rotation = m[U], m[RATE], m[ROTATION]
    x, y, z = rate[0] - rotation[0], rate[1] - rotation[1], rate[2] - rotation[2]
    yaw = x * u[0] + y * u[1] + z * u[2]
    x, y, z = x - yaw * u[0], y - yaw * u[1], z - yaw * u[2]
    tilt, share = math.sqrt(x * x + y * y + z * z), SHARE * max(size(rate), size(rotation))
    allowed = max(DISAGREES, DEVIATIONS * math.sqrt(s.noise)) + share
    s.disagrees = tilt > allowed or abs(yaw) > YAW_DISAGREES + share
    s.ended = s.disagrees == 0
    if s.disagrees != 0:
        s.apart, s.allowed = (tilt, allowed) if tilt > allowed else (
            abs(yaw), YAW_DISAGREES + share)
        return
    # learn the noise: it changes, where a fault stays; each orientation is in two spans
    before = m[APART]
    change = math.sqrt((x - before[0])**2 + (y - before[1])**2 + (z - before[2])**2)
    s.noise += (min(change, LARGEST_NOISE)**2 / 3.0 - s.noise) / SPANS_FORGET
    before[0], before[1], before[2] = x, y, z

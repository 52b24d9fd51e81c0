"""
The checks of joint states as loops over joints, compiled as they stand here.

``joints`` has a :data:`JOINT` for each joint and ``s`` is the :data:`STATE` of all; ``q``, ``v``
and ``tau`` are measured positions, velocities and efforts, the latter two empty where they are
not reported.  A check returns the joint, value and bound of what it has found, or :data:`NOTHING`.

Whether velocities are those of the positions is judged so: from one message to the next a joint
goes as far as something between both velocities leads.  Where it has gone further, at once or over
the last hundredths of a second, the joint state is not used.  What is less is not noticed, but
moves little: of an error that two messages share, all but :data:`TRUSTED` is taken off the
velocity, and as much is all that one message alone may add to the last velocity, or to that of the
positions.  What was noticed late was used before: then that of the positions alone takes its
place.

Joint states are not all equally old: a driver that is late repeats one, or is as much too short in
its way, and makes up for that at once when it comes back; and it may send a period earlier or
later from then on, where its clock drifts against that of the messages.  On a machine that misses
cycles it may stay late, or catch up long after: then all joints that move are ahead or behind by
the way of one and the same time, as soon as they move on.  None of that is a joint that has
slipped.
"""
# mypy: ignore-errors

import math

import numpy as np

JOINT = np.dtype([(name, np.float64) for name in (
    'lower', 'upper', 'speed', 'step', 'fastest', 'drift',  # bounds; infinite: none
    'q', 'v', 'effort', 'command',  # when joint states began to repeat themselves
    'accepted', 'stood_q', 'stood_v',  # what the checks of positions saw last
    'q0', 'v0', 'noise',  # what that of velocities did, and the variance of its errors
    # its last error, the sum of late ones, the way, and what was a step
    'error', 'apart', 'way', 'stepped', 'slope', 'behind', 'used', 'correction')]
    + [('since_ns', np.int64)])  # since when the position stands
STATE = np.dtype([(name, np.int64) for name in (
    'repeats', 'longest_repeat',  # of whole joint states, of which is kept how long they repeat
    'moves', 'longest_move', 'creeps', 'longest_creep',  # and of positions
    'known', 'last_ns', 'seen_ns', 'longest_ns',  # of good joint states, and of all since then
    'stood_ns', 'same_ns', 'state_known', 'command_known', 'state_since_ns', 'state_ns',
    'compared', 'compared_ns', 'instead', 'lasting_ns', 'joint')]
    + [('value', np.float64), ('bound', np.float64)])

CHECKS = ('position_range', 'position_change', 'velocity_range', 'position_frozen',
          'velocity_agreement', 'state_frozen')  # in their order
NOTHING = (-1, 0.0, 0.0)
PLAUSIBLE, CORRECTED = -1, -2  # also: but for velocities that are corrected
GRACE_NS = 20_000_000       # credited to joint states that are refused in a row
CREEP, STILL = 0.02, 0.005  # rad/s or m/s: slower may be the offset of a sensor; of all sensors
FROZEN_TIME = 0.1           # s: a driver may repeat a position until it has a new one
FROZEN_WAY = 2e-3           # rad or m, that a joint should have gone: encoders are finer
REPEATS, TIMES, SHORTEST = 20, 3.0, 0.03  # changes, times the longest repetition, s
CHANGED = 0.02    # of the effort limit, by which commands have changed
SPAN = 0.02       # s, within which errors add up
SHARE = 0.25      # of the way: delays of a filtered velocity, jitter of stamps
BENDS = 20.0      # rad/s^2 or m/s^2, that may pass between two messages
SILENCE = 0.6     # s, after which nothing is compared
LATENESS = 0.2    # s, within which lateness is made up for
PHASE = 2.0       # periods by which the age of joint states may change at one joint alone
LATE = 0.1        # s, by which it may at all joints
TRUSTED = 0.03    # rad/s or m/s, that a velocity may be off
DEVIATIONS = 3.0  # standard deviations of the error
FORGETS = 200.0   # messages that they are known from
BEYOND = 1e3      # rad/s or m/s, that no joint does: such a message is for other checks alone


def examine(joints, state, stamp_ns, q, v, tau, command, limit):
    """Return the number in CHECKS of the first that finds anything, and what in the state."""
    s = state[0]
    number, found = 0, position_range(joints, q)
    if found[0] < 0:
        number, found = 1, position_change(joints, s, stamp_ns, q)
    if found[0] < 0 and len(v):
        number, found = 2, velocity_range(joints, v)
    if found[0] < 0 and len(v):
        number, found = 3, position_frozen(joints, s, stamp_ns, q, v)
    if found[0] < 0:
        number, found = 4, velocity_agreement(joints, s, stamp_ns, q, v)
    if found[0] < 0:
        number, found = 5, state_frozen(joints, s, stamp_ns, q, v, tau, command, limit)
    s.joint, s.value, s.bound = found
    if found[0] >= 0:
        return number
    for i in range(len(q)):
        if joints[i].correction != 0.0:
            return CORRECTED
    return PLAUSIBLE


def position_range(joints, q):
    """Positions lie within their limits, which have a margin: that furthest beyond is named."""
    worst, found = 0.0, NOTHING
    for i in range(len(q)):
        excess = max(q[i] - joints[i].upper, joints[i].lower - q[i])
        if excess > worst:
            worst = excess
            found = i, q[i], joints[i].upper if q[i] > joints[i].upper else joints[i].lower
    return found


def position_change(joints, s, stamp_ns, q):
    """
    Positions go on from the last plausible ones no faster than joints can move.

    A silence credits its length; what is refused in a row is credited :data:`GRACE_NS` beside the
    longest of its distances, so that an encoder which has slipped stays refused until a reset.
    """
    worst, found = 0.0, NOTHING
    if s.known == 1:
        s.longest_ns = max(s.longest_ns, stamp_ns - s.seen_ns)
        s.seen_ns = stamp_ns
        credit = max(min(stamp_ns - s.last_ns, s.longest_ns + GRACE_NS), 1) * 1e-9
        for i in range(len(q)):
            gone, bound = abs(q[i] - joints[i].accepted), joints[i].step + joints[i].speed * credit
            if gone - bound > worst:
                worst, found = gone - bound, (i, gone, bound)
    if found[0] < 0:
        for i in range(len(q)):
            joints[i].accepted = q[i]
        s.known, s.longest_ns = 1, 0
        s.last_ns = s.seen_ns = stamp_ns
    return found


def velocity_range(joints, v):
    """Velocities lie within their bounds; what is not finite is judged with the numbers."""
    worst, found = 0.0, NOTHING
    for i in range(len(v)):
        excess = abs(v[i]) - joints[i].fastest
        if excess > worst and math.isfinite(v[i]):
            worst, found = excess, (i, v[i], joints[i].fastest)
    return found


def usual(count, longest_ns):
    """Return how long something is used to repeat itself, s: what is longer is unusual."""
    return max(SHORTEST, TIMES * 1e-9 * longest_ns) if count >= REPEATS else FROZEN_TIME


def ended(count, longest_ns, length_ns):
    """Take note of a repetition; returns how many there were, and the longest."""
    if longest_ns < length_ns <= 1e9 * max(FROZEN_TIME, usual(count, longest_ns)):
        longest_ns = length_ns
    return count + 1, longest_ns


def position_frozen(joints, s, stamp_ns, q, v):
    """
    Positions change while a velocity is reported, as soon as they are used to.

    A joint that creeps counts while every position and velocity of the joint state repeats itself.
    """
    before_ns, s.stood_ns = s.stood_ns, stamp_ns  # what pauses does not repeat itself
    stands, same = 0, True
    for i in range(len(q)):
        stands += q[i] == joints[i].stood_q
        same = same and q[i] == joints[i].stood_q and v[i] == joints[i].stood_v
    if not same:
        s.creeps, s.longest_creep = ended(s.creeps, s.longest_creep, before_ns - s.same_ns)
    if not stands:
        s.moves, s.longest_move = ended(s.moves, s.longest_move, before_ns - s.same_ns)
    for i in range(len(q)):
        joint = joints[i]
        if q[i] != joint.stood_q:
            if stands and abs(v[i]) > CREEP:
                s.moves, s.longest_move = ended(
                    s.moves, s.longest_move, before_ns - joint.since_ns)
            joint.since_ns = stamp_ns
        joint.stood_q, joint.stood_v = q[i], v[i]
    if not same:
        s.same_ns = stamp_ns
    longest, fastest, at, found = 0.0, 0.0, -1, NOTHING
    for i in range(len(q)):
        speed, seconds = abs(v[i]), 1e-9 * (stamp_ns - joints[i].since_ns)
        if speed > fastest:
            fastest, at = speed, i
        if speed > CREEP and seconds > usual(s.moves, s.longest_move) and (
                seconds * speed > max(longest, FROZEN_WAY)):
            longest, found = seconds * speed, (i, seconds * speed, FROZEN_WAY)
            s.lasting_ns = stamp_ns - joints[i].since_ns
    if found[0] < 0 and STILL < fastest <= CREEP and s.creeps >= REPEATS and (
            1e-9 * (stamp_ns - s.same_ns) > max(
                usual(s.creeps, s.longest_creep), 1.5 * FROZEN_TIME)):
        s.lasting_ns = stamp_ns - s.same_ns
        found = at, 1e-9 * s.lasting_ns * fastest, FROZEN_WAY
    return found


def forget(joints, s):
    """Compare velocities with nothing from before; how noisy positions are is kept."""
    s.compared, s.compared_ns, s.instead = 0, 0, 0
    for i in range(len(joints)):
        joint = joints[i]
        joint.error = joint.apart = joint.way = joint.stepped = 0.0
        joint.slope = joint.behind = joint.correction = 0.0


def velocity_agreement(joints, s, stamp_ns, q, v):
    """Positions go on as the velocities say: that furthest from where they lead is named."""
    judged = len(v) > 0
    for i in range(len(v)):
        judged = judged and not abs(v[i]) > BEYOND
    if not judged:
        forget(joints, s)
        return NOTHING
    step = 1e-9 * (stamp_ns - s.compared_ns)
    compared = s.compared == 1 and 0.0 < step < SILENCE
    found = compare(joints, s, q, v, step) if compared else NOTHING
    if found[0] < 0 and step > LATENESS:  # what is left of a long way means nothing
        compared = False
    if not compared:
        forget(joints, s)
    for i in range(len(q)):
        joints[i].q0, joints[i].v0 = q[i], v[i]
        if not compared:
            joints[i].used = v[i]
    s.compared, s.compared_ns = 1, stamp_ns
    return found


def compare(joints, s, q, v, step):
    """Add the errors of a step in s up, and compare them with what they may be."""
    kept, long_kept = SPAN / (SPAN + step), LATENESS / (LATENESS + step)
    phase = PHASE if step < LATENESS else 0.0  # a silence is no period
    worst, found, moves_on = 0.0, NOTHING, True
    s.instead = 0
    for i in range(len(q)):
        joint = joints[i]
        allowed = joint.drift + 0.125 * BENDS * step * step
        gone = q[i] - joint.q0
        low, high = min(joint.v0, v[i]) * step, max(joint.v0, v[i]) * step
        error = gone - high if gone > high else gone - low if gone < low else 0.0
        longest, made_up = high if high > -low else -low, 0.0
        way = SHARE * longest
        if v[i] != v[i] or joint.v0 != joint.v0:  # no velocity is reported
            error = joint.stepped = joint.apart = way = 0.0
        elif not -allowed - way <= error <= allowed + way and (
                abs(gone - joint.slope * step) > 0.5 * abs(error)):
            # the position has, not the velocity; also back again
            if error * joint.behind < 0.0:
                made_up = error if abs(error) < abs(joint.behind) else -joint.behind
            joint.stepped += error - made_up
            moves_on = False
            error, gone = 0.0, joint.slope * step
        joint.behind = long_kept * joint.behind + error + made_up
        joint.slope += (1.0 - kept) * (gone / step - joint.slope)
        joint.apart = kept * joint.apart + error + made_up
        joint.way = kept * joint.way + way
        apart = joint.apart
        if joint.stepped != 0.0:
            if abs(joint.stepped) > allowed + max(joint.way, phase * longest):
                apart = joint.stepped
            else:
                joint.behind += joint.stepped
                joint.stepped = 0.0
        excess = abs(apart) - allowed - joint.way
        if excess > worst:
            worst, found = excess, (i, abs(apart), abs(apart) - excess)
        correct(joint, error, v[i], gone / step, step)
    if found[0] < 0:
        return NOTHING
    stepped = joints[found[0]].stepped != 0.0
    if stepped and moves_on and has_aged(joints, v, step):
        return NOTHING
    s.instead = not stepped
    return found


def has_aged(joints, v, step):
    """Tell whether the way of one time explains all steps, which are then forgotten."""
    along = square = 0.0
    for i in range(len(v)):
        if v[i] == v[i]:
            along += (joints[i].stepped + joints[i].behind) * v[i]
            square += v[i] * v[i]
    age, moving = along / max(square, 1e-12), 0
    for i in range(len(v)):
        if v[i] == v[i]:
            allowed, way = joints[i].drift + 0.125 * BENDS * step * step, age * v[i]
            moving += abs(way) > allowed
            if abs(joints[i].stepped + joints[i].behind - way) > allowed + SHARE * abs(way):
                return False
    if abs(age) > LATE or moving < 2:
        return False
    for i in range(len(v)):
        joints[i].behind += joints[i].stepped
        joints[i].stepped = 0.0
    return True


def correct(joint, error, velocity, slope, step):
    """Take off a velocity what two errors share, and what one message adds, beyond noise."""
    before, joint.error = joint.error, error
    noise, change = joint.noise, error - before  # noise changes, where a lie stays
    joint.noise = noise + (0.5 * change * change - noise) / FORGETS
    free = TRUSTED * step + DEVIATIONS * math.sqrt(noise)
    used = velocity
    if error * before > 0.0:
        both = error if abs(error) < abs(before) else before
        if not -free <= both <= free:
            used += (both - free if both > 0.0 else both + free) / step
    low, high = min(joint.used, slope) - free / step, max(joint.used, slope) + free / step
    if used != used:
        used = velocity = slope  # no velocity is reported
    elif not low <= used <= high and joint.used == joint.used:
        used = low if used < low else high
    joint.used, joint.correction = used, used - velocity


def state_frozen(joints, s, stamp_ns, q, v, tau, command, limit):
    """
    Positions, velocities and efforts are not all the same for long while commands change.

    It judges drivers that measure efforts, and whose joint states are used to change.  Joints that
    stand still tell nothing by their positions; what a driver measures of the effort follows the
    commands all the same.  The joint is one of those that are commanded, in their order.
    """
    measured = False
    for i in range(len(tau)):
        measured = measured or tau[i] != 0.0
    if not measured:  # zeros alone are no measurement
        s.state_known = 0
        return NOTHING
    same = s.state_known == 1 + len(v)
    for i in range(len(q)):
        joint = joints[i]
        same = same and q[i] == joint.q and tau[i] == joint.effort and (
            not len(v) or v[i] == joint.v)
    if not same and s.state_known > 0:
        s.repeats, s.longest_repeat = ended(
            s.repeats, s.longest_repeat, s.state_ns - s.state_since_ns)
    if not same:
        for i in range(len(q)):
            joint = joints[i]
            joint.q, joint.v, joint.effort = q[i], v[i] if len(v) else 0.0, tau[i]
        s.state_known = 1 + len(v)
    if not same or s.command_known == 0:
        for i in range(len(command)):
            joints[i].command = command[i]
        s.state_since_ns, s.command_known = stamp_ns, len(command) > 0
    s.state_ns, s.lasting_ns = stamp_ns, stamp_ns - s.state_since_ns
    if s.repeats < REPEATS or 1e-9 * s.lasting_ns <= max(
            usual(s.repeats, s.longest_repeat), FROZEN_TIME):
        return NOTHING
    worst, found = 1.0, NOTHING
    for i in range(len(command)):
        change, bound = abs(command[i] - joints[i].command), CHANGED * limit[i]
        if change > worst * bound:
            worst, found = change / bound, (i, change, bound)
    return found

"""
Whether reported joint velocities are those of the positions, and what is used where they are not.

From one message to the next a joint goes as far as something between both velocities leads.  Where
it has gone further, at once or over the last hundredths of a second, the joint state is not used.
What is less is not noticed, but moves little: of an error that two messages share, all but
:data:`TRUSTED` is taken off the velocity, and as much is all that one message alone may add to the
last velocity, or to that of the positions.  What was noticed late was used before: then that of
the positions alone takes its place.

Joint states are not all equally old: a driver that is late repeats one, or is as much too short in
its way, and makes up for that at once when it comes back; and it may send a period earlier or
later from then on, where its clock drifts against that of the messages.  On a machine that misses
cycles it may stay late, or catch up long after: then all joints that move are ahead or behind by
the way of one and the same time, as soon as they move on.  None of that is a joint that has
slipped.
"""

from __future__ import annotations

from typing import Optional, Sequence

from robot_dynamics.control.joint_positions import JointPositions
from robot_dynamics.core.checks import Finding

SPAN = 0.02       # s, within which errors add up
SHARE = 0.25      # of the way: delays of a filtered velocity, jitter of stamps
BENDS = 20.0      # rad/s^2 or m/s^2, that may pass between two messages
SILENCE = 0.6     # s, after which nothing is compared
LATENESS = 0.2    # s, within which lateness is made up for
PHASE = 2.0       # periods by which the age of joint states may change at one joint alone
LATE = 0.1        # s, by which it may at all joints
TRUSTED = 0.03    # rad/s or m/s, that a velocity may be off
NOISE = 3.0       # standard deviations of the error
FORGETS = 200.0   # messages that they are known from
BEYOND = 1e3      # rad/s or m/s, that no joint does: such a message is for other checks alone


class VelocityAgreementCheck:
    """
    Positions go on as the velocities say.

    Parameters
    ----------
    names, units : sequence of str
        Of the joints, in the order of the arrays.
    drift : float
        How far positions may lie from where velocities lead, rad or m.

    Attributes
    ----------
    correction : list of float
        What to add to the reported velocities, rad/s or m/s.
    instead : list of float, or None
        Velocities of the positions, rad/s or m/s, where the reported ones have been found wrong.
    """

    signal = 'velocity'

    def __init__(self, names: Sequence[str], units: Sequence[str], drift: float) -> None:
        self._names, self._units, self._drift = tuple(names), tuple(units), drift
        self._noise = [0.0] * len(self._names)
        self.reset()

    def reset(self) -> None:
        """Forget the last joint state, and keep how noisy positions are."""
        self._stamp_ns = 0
        self._q: list[float] = []
        self._v: list[float] = []
        zeros = [0.0] * len(self._names)
        # per joint: the last error, the sum of the late ones, the way, and what was a step
        self._error, self._apart, self._way, self._stepped = zeros, zeros[:], zeros[:], zeros[:]
        self._slope, self._behind = zeros[:], zeros[:]
        self._used: list[float] = []
        self.correction = zeros[:]
        self.instead: Optional[list[float]] = None

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint whose position is furthest from where its velocity leads."""
        if sample.velocity is None or any(v > BEYOND or v < -BEYOND for v in sample.v):
            self.reset()
            return None
        step = 1e-9 * (sample.stamp_ns - self._stamp_ns)
        if not self._q or not 0.0 < step < SILENCE:
            self.reset()
        q, v = sample.q, sample.v
        if not self._q:
            self._used = list(v)
        finding = self._compare(q, v, step) if self._q else None
        if finding is None and step > LATENESS:  # what is left of a long way means nothing
            self.reset()
            self._used = list(v)
        self._stamp_ns, self._q, self._v = sample.stamp_ns, q, v
        return finding

    def _compare(self, q: list[float], v: list[float], step: float) -> Optional[Finding]:
        kept, long_kept = SPAN / (SPAN + step), LATENESS / (LATENESS + step)
        self.instead = None
        allowed = self._drift + 0.125 * BENDS * step * step
        phase = PHASE if step < LATENESS else 0.0  # a silence is no period
        worst, at, value, moves_on = 0.0, -1, 0.0, True
        for i, (q0, q1, v0, v1) in enumerate(zip(self._q, q, self._v, v)):
            low, high = (v0, v1) if v0 < v1 else (v1, v0)
            gone, low, high = q1 - q0, low * step, high * step
            error = gone - high if gone > high else gone - low if gone < low else 0.0
            longest, made_up = high if high > -low else -low, 0.0
            way = SHARE * longest
            if error != error:  # no velocity is reported
                error = gone = self._stepped[i] = self._apart[i] = way = 0.0
            elif not -allowed - way <= error <= allowed + way and (
                    abs(gone - self._slope[i] * step) > 0.5 * abs(error)):
                # the position has, not the velocity; also back again
                behind = self._behind[i]
                if error * behind < 0.0:
                    made_up = error if abs(error) < abs(behind) else -behind
                self._stepped[i] += error - made_up
                moves_on = False
                error, gone = 0.0, self._slope[i] * step
            self._behind[i] = long_kept * self._behind[i] + error + made_up
            self._slope[i] += (1.0 - kept) * (gone / step - self._slope[i])
            apart = self._apart[i] = kept * self._apart[i] + error + made_up
            way = self._way[i] = kept * self._way[i] + way
            if self._stepped[i]:
                if abs(self._stepped[i]) > allowed + max(way, phase * longest):
                    apart = self._stepped[i]
                else:
                    self._behind[i] += self._stepped[i]
                    self._stepped[i] = 0.0
            excess = abs(apart) - allowed - way
            if excess > worst:
                worst, at, value = excess, i, abs(apart)
            self._correct(i, error, v1, gone / step, step)
        if at < 0 or self._stepped[at] and moves_on and self._has_aged(v, allowed):
            return None
        if not self._stepped[at]:
            self.instead = self._slope
        bound, unit = value - worst, self._units[at]
        return Finding(
            'velocity_agreement', self.signal, f'joint {self._names[at]} has gone {value:.3g} '
            f'{unit} further than its reported velocity of {v[at]:.3g} {unit}/s leads, more than '
            f'{bound:.3g} {unit}', value, bound, unit)

    def _has_aged(self, v: list[float], allowed: float) -> bool:
        """Tell whether the way of one time explains all steps, which are then forgotten."""
        apart = [stepped + behind for stepped, behind in zip(self._stepped, self._behind)]
        moving = [(a, x) for a, x in zip(apart, v) if x == x]
        age = sum(a * x for a, x in moving) / max(sum(x * x for _, x in moving), 1e-12)
        if abs(age) > LATE or sum(abs(age * x) > allowed for _, x in moving) < 2 or any(
                abs(a - age * x) > allowed + SHARE * abs(age * x) for a, x in moving):
            return False
        self._behind, self._stepped = apart, [0.0] * len(apart)
        return True

    def _correct(self, i: int, error: float, velocity: float, slope: float, step: float) -> None:
        """Take off a velocity what two errors share, and what one message adds, beyond noise."""
        before, self._error[i] = self._error[i], error
        noise, change = self._noise[i], error - before  # noise changes, where a lie stays
        self._noise[i] = noise + (0.5 * change * change - noise) / FORGETS
        free = TRUSTED * step + NOISE * noise**0.5
        used = velocity
        if error * before > 0.0:
            both = error if abs(error) < abs(before) else before
            if not -free <= both <= free:
                used += (both - free if both > 0.0 else both + free) / step
        last = self._used[i]
        low, high = (last, slope) if last < slope else (slope, last)
        low, high = low - free / step, high + free / step
        if used != used:
            used = velocity = slope  # no velocity is reported
        elif not low <= used <= high and last == last:
            used = low if used < low else high
        self._used[i], self.correction[i] = used, used - velocity

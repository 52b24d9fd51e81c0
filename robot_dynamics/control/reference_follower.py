"""
Which desired motion is followed now: held, approached, along a trajectory, or coming to rest.

The rules are those of joint_trajectory_controller: a new message replaces the old one when it is
received; until its first point the motion leads there from the present desired state; after its
end the arm is held.  Beyond them, a single point is a sample of a stream (followed for a short
time, then brought to rest), a motion that ends with a velocity is brought to rest, and a step of
the desired position beyond a limit is refused.
"""

from __future__ import annotations

from typing import Callable, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.angle_unwrapping import AngleUnwrapping
from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.polynomials import (
    between, carried_on, held, joined, PiecewisePolynomial, stopping)
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns

_AT_REST = 1e-6        # rad/s: an end slower than this needs no stop
_SHORT_APPROACH = 0.2  # s
_UNHURRIED = 1.0       # s: a short way takes no longer
_GETS_FAST = 2.0       # s, in which a joint that is led gently comes to its velocity limit
_LONGEST_LEAD = 2.0    # s
_SAME = 1e-9           # rad, rad/s, rad/s^2
_MARGIN = 1e-3         # rad: a reference may lie on a limit
_FURTHEST = 1e5        # rad: limit where the description has none
_IMPOSSIBLE = 5.0      # times a velocity limit: no drive exceeds its own by so much
_LONGEST_NS = to_ns(30 * 86400.0)  # a start further away than a month is a mistake


class ReferenceFollower:
    """
    Samples what the arm should do, whatever was received and when.

    Parameters
    ----------
    names : sequence of str
        Joints in command order: the order of all arrays here.
    velocity_limit : (n,) array, rad/s
        Of the description; no approach may need more.
    lower, upper : (n,) array, rad, optional
        Position limits of the description, infinite where absent.
    unwrapping : AngleUnwrapping, optional
        Which joints are continuous: a reference for them begins on the nearest turn.
    """

    def __init__(self, names: Sequence[str], config: FeedforwardConfig, events: EventLog,
                 velocity_limit: FloatArray, lower: ArrayLike = -np.inf, upper: ArrayLike = np.inf,
                 unwrapping: Optional[AngleUnwrapping] = None) -> None:
        self.names = tuple(names)
        self._unwrapping = unwrapping or AngleUnwrapping()
        self.config = config
        self._events = events
        self._velocity_limit = np.where(velocity_limit > 0.0, velocity_limit, np.inf)
        self._lower = np.maximum(lower, -_FURTHEST) - _MARGIN
        self._upper = np.minimum(upper, _FURTHEST) + _MARGIN
        self._state = np.zeros((3, len(self.names)))
        self._told = 1.0  # times the velocity limit: the fastest reference that was reported
        self.clear()

    def clear(self) -> None:
        """Forget everything; :meth:`resume` must come before the next sample."""
        self._motion: Optional[PiecewisePolynomial] = None
        self._origin_ns = 0
        self._offset: Optional[PiecewisePolynomial] = None
        self._offset_ns = self._since_ns = 0
        self._pending: Optional[tuple[JointTrajectory, int]] = None
        self._stream_until_ns = -1
        self.following = False

    def stream_ended(self, now_ns: int) -> bool:
        """Whether a stream that was being followed has fallen silent."""
        return 0 <= self._stream_until_ns < now_ns

    def end_stream(self) -> None:
        """Regard the stream as over: its motion comes to rest by itself."""
        self._stream_until_ns = -1
        self.following = False

    def sample_into(self, stamp_ns: int, out: FloatArray) -> None:
        """Write desired position, velocity, acceleration at a stamp into ``out`` (3, n)."""
        assert self._motion is not None
        before, stamp_ns = min(stamp_ns - self._since_ns, 0), max(stamp_ns, self._since_ns)
        self._motion.sample_into((stamp_ns - self._origin_ns) * 1e-9, out)
        if self._offset is not None:
            _add(self._offset, (stamp_ns - self._offset_ns) * 1e-9, out)
        if before:  # a measurement is older than the motion: it has come from there
            seconds = 1e-9 * before
            out[0] += seconds * (out[1] + 0.5 * seconds * out[2])
            out[1] += seconds * out[2]

    def lead_from(self, state: FloatArray, now_ns: int, duration: float) -> None:
        """Let a desired state (3, n) that is in force go over to the motion in ``duration`` s."""
        self.sample_into(now_ns, self._state)
        if np.abs(state - self._state).max() <= _SAME:
            return  # also where an earlier offset has led it there
        self._lead(state, now_ns, duration)

    def coming_to_rest(self, from_ns: int) -> Callable[[int, FloatArray], None]:
        """
        Return what samples the present motion up to an instant, and its way to rest after it.

        What it samples stays the same whatever the follower is told later.
        """
        assert self._motion is not None
        motion, origin_ns, state = self._motion, self._origin_ns, np.empty_like(self._state)
        offset, offset_ns = self._offset, self._offset_ns
        self.sample_into(from_ns, state)
        stop = stopping(0.0, state, self.config.stop_time)

        def sample_into(stamp_ns: int, out: FloatArray) -> None:
            if stamp_ns >= from_ns:
                stop.sample_into((stamp_ns - from_ns) * 1e-9, out)
                return
            motion.sample_into((stamp_ns - origin_ns) * 1e-9, out)
            if offset is not None:
                _add(offset, (stamp_ns - offset_ns) * 1e-9, out)

        return sample_into

    def resume(self, measured: FloatArray, now_ns: int) -> None:
        """
        Begin, or begin again, from the measured position (n,).

        A reference that is close to the arm is followed on; any other is dropped and the arm
        is held where it is.
        """
        self._offset = None
        if self._motion is not None and self.following:
            self.sample_into(now_ns, self._state)
            far = self._far_joints(measured, self._state[0])
            if not far:
                return
            self._refuse(f'is {self._describe(far, measured, self._state[0])} away from the arm: '
                         'the arm is held where it is', now_ns)
        pending, self._pending = self._pending, None
        self._hold(measured, now_ns)
        if pending is not None:
            self.accept(pending[0], pending[1], now_ns)

    def stop(self, now_ns: int) -> None:
        """Bring the desired motion to rest within the stop time, and hold it."""
        if self._motion is not None:
            self.sample_into(now_ns, self._state)
            self._origin_ns = self._since_ns = now_ns
            self._motion = stopping(0.0, self._state, self.config.stop_time)
            self._offset = None  # it is in the state
        self._pending = None
        self.end_stream()

    def accept(self, trajectory: JointTrajectory, arrival_ns: int,
               now_ns: Optional[int] = None) -> bool:
        """Follow a trajectory from now on; returns whether it was accepted."""
        now = arrival_ns if now_ns is None else now_ns
        try:
            ordered = self._matched(trajectory, now)
        except InputError as error:
            return self._refuse(f'cannot be used: {error}', now)
        start = trajectory.start_ns if trajectory.start_ns > 0 else arrival_ns
        first = start + to_ns(ordered.times[0])
        problem = self._problem_of_time(ordered, start, first, now) or (
            self._problem_of_limits(ordered.polynomial, self._lower, self._upper))
        if problem:
            return self._refuse(problem, now)
        if self._motion is None:
            self._pending = (ordered, arrival_ns)
            return True
        # an offset is left out, and stays on top of the new motion
        self._motion.sample_into((now - self._origin_ns) * 1e-9, self._state)
        if self._unwrapping:
            present = ordered.sample(1e-9 * (now - start)).position
            ordered = ordered.shifted(self._unwrapping.offset(present, self._state[0]))
        motion = self._body(ordered)
        reach = (first - now) * 1e-9
        shift = (now - start) * 1e-9  # time of now on the trajectory
        if reach > 1e-6:
            target = ordered.state_at_point(0)
            problem = self._problem_of_approach(target[0], reach)
            motion = joined(self._approach(shift, float(ordered.times[0]), target), motion)
        else:
            begin = np.empty_like(self._state)
            motion.sample_into(shift, begin)
            far = self._far_joints(self._state[0], begin[0])
            problem = '' if not far else (
                f'starts {self._describe(far, self._state[0], begin[0])} away from the present '
                'desired position')
        # the way there may begin where the arm stands, also beyond a limit
        problem = problem or self._problem_of_limits(
            motion, np.minimum(self._lower, self._state[0]),
            np.maximum(self._upper, self._state[0]))
        if problem:
            return self._refuse(problem, now)
        if not self._slow_enough(motion, now):
            return False
        before = np.empty_like(self._state)
        self.sample_into(now, before)
        self._motion, self._origin_ns, self._since_ns = motion, start, now
        if reach <= 1e-6 and not ordered.is_stream_point:
            self._lead_gently(before, now)
        self.following = True
        self._stream_until_ns = -1
        if ordered.is_stream_point:
            self._stream_until_ns = max(first, now) + to_ns(self.config.stream_hold)
        return True

    def _matched(self, trajectory: JointTrajectory, now_ns: int) -> JointTrajectory:
        """Bring a trajectory to command order; joints of others are ignored."""
        if len(trajectory.times) > self.config.maximum_reference_points:
            raise InputError('points', f'are {len(trajectory.times)}, more than the limit of '
                                       f'{self.config.maximum_reference_points}')
        ordered = trajectory.for_joints(self.names)
        if len(trajectory.names) > len(self.names):
            extra = [name for name in trajectory.names if name not in self.names]
            self._events.report(
                EventKind.REFERENCE_JOINTS_IGNORED,
                f'the reference also moves {", ".join(map(str, extra[:12]))}: ignored, this '
                'feedforward does not command them', now_ns, 'info', 'reference')
        return ordered

    def _problem_of_time(self, trajectory: JointTrajectory, start_ns: int, first_ns: int,
                         now_ns: int) -> str:
        end_ns = start_ns + to_ns(trajectory.duration)
        if trajectory.is_stream_point:
            end_ns = first_ns + to_ns(self.config.stream_hold)
        if end_ns < now_ns:
            return f'ended {(now_ns - end_ns) * 1e-9:.3f} s ago'
        if first_ns - now_ns > _LONGEST_NS:
            return 'starts more than a month ahead: is its stamp on another clock?'
        return ''

    def _problem_of_limits(self, motion: PiecewisePolynomial, lower: FloatArray,
                           upper: FloatArray) -> str:
        """Say where a motion leaves the limits, between its points or on its way to rest."""
        if not self.config.check_position_limits:
            return ''
        lowest, highest = motion.extremes(lower, upper)
        beyond = ~((lowest >= lower) & (highest <= upper))
        if not beyond.any():
            return ''
        i = int(np.argmax(beyond))
        return (f'takes joint {self.names[i]} from {lowest[i]:.3f} to {highest[i]:.3f} rad, '
                'beyond its position limits')

    def _slow_enough(self, motion: PiecewisePolynomial, now_ns: int) -> bool:
        """Tell of a motion beyond the velocity limits once, and of a still faster one again."""
        peak = motion.peak_velocity()
        factor = peak / self._velocity_limit
        i = int(np.argmax(factor))
        if not factor[i] > 1.0 + 1e-9:
            return True
        problem = (f'moves joint {self.names[i]} at {peak[i]:.3f} rad/s, {factor[i]:.2f} times '
                   'its velocity limit')
        if self.config.check_velocity_limits or factor[i] > _IMPOSSIBLE:
            return self._refuse(problem, now_ns)
        if factor[i] > 1.01 * self._told:
            self._told = float(factor[i])
            self._events.report(
                EventKind.REFERENCE_TOO_FAST, f'the reference {problem}: ros2_control takes away '
                'the effort in the direction of the motion where it enforces limits', now_ns,
                'warning', 'reference')
        return True

    def _problem_of_approach(self, target: FloatArray, reach: float) -> str:
        """Say why the first point cannot be approached in the time that is left."""
        far = self._far_joints(self._state[0], target)
        too_fast = [i for i in far if abs(target[i] - self._state[0, i]) / reach
                    > self._velocity_limit[i]]
        if not too_fast:
            return ''
        return (f'is {self._describe(too_fast, self._state[0], target)} away and reached in '
                f'{reach:.3f} s, faster than the velocity limit')

    def _approach(self, begin: float, end: float, target: FloatArray) -> PiecewisePolynomial:
        """
        Lead from the present desired state to the first point.

        Over a long time a quintic would swing far out to arrive with a given acceleration or
        velocity: then it arrives without acceleration, and where the way is short the arm
        stays until shortly before.
        """
        state, length = self._state, end - begin
        if length > _SHORT_APPROACH:
            target = target.copy()
            target[2] = 0.0
            at_rest = np.abs(state[1]).max() <= _AT_REST
            if at_rest and length > _UNHURRIED and not self._far_joints(state[0], target[0]):
                wait = end - _UNHURRIED
                rest = np.zeros_like(state)
                rest[0] = state[0]
                return joined(between(begin, rest, wait, rest),
                              between(wait, rest, end, target))
        return between(begin, state, end, target)

    def _body(self, trajectory: JointTrajectory) -> PiecewisePolynomial:
        """Return the motion from the first point on, ending at rest."""
        body, state = trajectory.polynomial, trajectory.state_at_point(-1)
        end = float(trajectory.times[-1])
        if trajectory.is_stream_point:
            if not state[1:].any():
                return body
            body, state = carried_on(end, state, self.config.stream_hold)
            end = body.end
        if np.abs(state[1]).max() <= _AT_REST:
            return body
        stop = stopping(end, state, self._time_to_stop(state))
        return stop if not len(body.coefficients) else joined(body, stop)

    def _time_to_stop(self, state: FloatArray) -> float:
        """
        Return the stop time, or down to a third of it where the position limits leave less room.

        On its way to rest the motion travels half of what its velocity would.
        """
        longest = self.config.stop_time
        if not self.config.check_position_limits:
            return longest
        position, velocity = state[0], state[1]
        room = np.where(velocity > 0.0, self._upper - position, position - self._lower)
        fits = float((2.0 * room / np.maximum(np.abs(velocity), _AT_REST)).min())
        return min(max(fits, longest / 3.0), longest)

    def _hold(self, position: FloatArray, now_ns: int) -> None:
        self._motion, self._origin_ns, self._since_ns = held(position), now_ns, now_ns
        self.end_stream()

    def _lead(self, state: FloatArray, now_ns: int, duration: float) -> None:
        """Add what leads from a state (3, n) to the motion, and ends at nothing."""
        self._offset = None
        if duration > 0.0:
            self.sample_into(now_ns, self._state)
            offset = state - self._state
            self._offset = between(0.0, offset, duration, np.zeros_like(offset))
            self._offset_ns = self._since_ns = now_ns

    def _lead_gently(self, state: FloatArray, now_ns: int) -> None:
        """Lead from a state (3, n) to the motion, as fast as joints come to speed in a while."""
        self.sample_into(now_ns, self._state)
        offset = np.abs(state - self._state)
        if offset.max() <= _SAME:
            return  # also where an earlier offset has led it there
        most = np.where(np.isfinite(self._velocity_limit), self._velocity_limit, 1.0) / _GETS_FAST
        # the peak acceleration of the quintic is 5.8 x / T^2 from a position, 4 v / T from a speed
        duration = max(float(np.sqrt(5.8 * offset[0] / most).max()),
                       float((4.0 * offset[1] / most).max()))
        if self._offset is not None:
            duration = max(duration, self._offset.end - 1e-9 * (now_ns - self._offset_ns))
        self._lead(state, now_ns, min(duration, _LONGEST_LEAD))

    def _far_joints(self, a: FloatArray, b: FloatArray) -> list[int]:
        limit = self.config.maximum_reference_jump
        # written so that NaN counts as far
        return [i for i, gap in enumerate(np.abs(a - b).tolist()) if not gap <= limit]

    def _describe(self, joints: list[int], a: FloatArray, b: FloatArray) -> str:
        worst = max(joints, key=lambda i: abs(a[i] - b[i]))
        return f'{abs(a[worst] - b[worst]):.3f} rad (joint {self.names[worst]})'

    def _refuse(self, problem: str, now_ns: int) -> bool:
        self._events.report(EventKind.REFERENCE_REFUSED, f'the reference {problem}', now_ns,
                            'warning', 'reference')
        return False


def _add(offset: PiecewisePolynomial, t: float, out: FloatArray) -> None:
    """Add what is left of an offset that ends at nothing."""
    if t < offset.end:
        left = np.empty_like(out)
        offset.sample_into(t, left)
        out += left

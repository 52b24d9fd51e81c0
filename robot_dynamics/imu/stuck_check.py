"""Whether an IMU repeats itself: a driver that sends what it read last with fresh stamps."""

from __future__ import annotations

from typing import Optional, Sequence

from robot_dynamics.core.checks import Finding
from robot_dynamics.imu.force_checks import acceleration
from robot_dynamics.imu.sample import ImuSample

LEARNS = 20         # changes, after which a run of equal values is compared with earlier ones
SHORTEST = 0.15     # s: a shorter run is none
TIMES = 10.0        # so many times as long as the longest a run may become
AT_FIRST = 0.3      # s, of a sensor that has never changed, and does not say that it rests
_STILL = 1e-6       # m/s^2, or one minus a cosine
_TURNED = 5e-3      # rad, by which a base has turned that does not rest
_SLOW = 0.02        # rad/s: an orientation that changes by less per second may not resolve it


class _Run:
    """Values of one signal that are equal bit by bit, and how long they were so before."""

    def __init__(self) -> None:
        self._values: Optional[Sequence[float]] = None
        self._since_ns = self._last_ns = self._changes = 0
        self._longest = 0.0

    @property
    def has_learned(self) -> bool:
        """Whether it is known how long its values repeat."""
        return self._changes >= LEARNS

    @property
    def bound(self) -> float:
        """Longest that they may, s."""
        return max(SHORTEST, TIMES * self._longest)

    def add(self, values: Sequence[float], stamp_ns: int) -> float:
        """Take values; returns for how long they have been what they are, s."""
        before_ns, self._last_ns = self._last_ns, stamp_ns
        if values == self._values:
            return (stamp_ns - self._since_ns) * 1e-9
        if self._values is not None:
            self._changes += 1
            run = (before_ns - self._since_ns) * 1e-9  # what pauses does not repeat itself
            if run <= max(self.bound, AT_FIRST):
                self._longest = max(self._longest, run)
        self._values, self._since_ns = values, stamp_ns
        return 0.0


class StuckCheck:
    """
    No signal repeats itself for longer than it is used to.

    A base that is exactly at rest may: a simulated one, or one whose sensor resolves no more.  Of
    a single signal that has never changed nothing can be said.
    """

    signal = 'sample'

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self._rate, self._force, self._orientation = _Run(), _Run(), _Run()
        self._up: Sequence[float] = (0.0, 0.0, 1.0)  # when the rate began to be what it is

    def examine(self, sample: ImuSample) -> Optional[Finding]:
        """Compare with the one before."""
        stamp_ns = sample.stamp_ns
        runs = []
        if sample.has_angular_velocity:
            runs.append((self._rate.add(sample.angular_velocity, stamp_ns), self._rate,
                         'angular velocity'))
            if not runs[0][0]:
                self._up = sample.up
        if sample.has_linear_acceleration:
            runs.append((self._force.add(sample.linear_acceleration, stamp_ns), self._force,
                         'linear acceleration'))
        if sample.has_orientation:
            runs.append((self._orientation.add(sample.orientation_xyzw or (), stamp_ns),
                         self._orientation, 'orientation'))
        for length, run, name in runs:
            if length > run.bound and run.has_learned and not self._may_rest(sample, run):
                return _finding(name, length, run.bound)
        if len(runs) > 1 and min(length for length, *_ in runs) > AT_FIRST and not all(
                self._may_rest(sample, run) for _, run, _ in runs):
            return _finding('sample', min(length for length, *_ in runs), AT_FIRST)
        return None

    def _may_rest(self, sample: ImuSample, run: _Run) -> bool:
        """Whether a signal is that of a base at rest."""
        if run is self._rate:
            return not any(sample.angular_velocity) and (not sample.has_orientation or max(
                abs(now - before) for now, before in zip(sample.up, self._up)) < _TURNED)
        if run is self._force:
            up, force = sample.up, sample.linear_acceleration
            along = sum(f * u for f, u in zip(force, up))  # of any gravity
            return not sample.has_orientation or all(
                abs(value) < _STILL for value in acceleration(sample, along))
        if sample.has_angular_velocity:
            return all(abs(w) < _SLOW for w in sample.angular_velocity)
        return 1.0 - sample.up[2] < _STILL


def _finding(name: str, length: float, bound: float) -> Finding:
    return Finding('stuck', StuckCheck.signal, f'its {name} has repeated itself for {length:.3g} '
                   f's, longer than {bound:.3g} s: does the driver still read its sensor?',
                   length, bound, 's')

"""
Trips: what must not go on is stopped, and stays stopped until somebody says so.

A trip latches.  What follows it, the ramp to gravity at the last plausible posture and the final
action, is that of silence (:mod:`.fallback`); here is only decided that it is time.
"""

from __future__ import annotations

import dataclasses
from operator import gt
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.checks import Finding
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.per_joint import per_joint
from robot_dynamics.core.stamps import to_ns


LONGEST_GAP_NS = 100_000_000  # between two samples of a sensor that lasts in being wrong


@dataclasses.dataclass(frozen=True)
class TripsConfig(Configuration):
    """What stops the arm for good when it lasts; a bound or a time of 0 watches nothing."""

    following_error: tuple[float, ...] = parameter(
        (0.5,), 'desired minus measured position of a joint with feedback that trips when it '
        'lasts, per joint; 0: none', 'rad or m', 0.0, 1e6)
    following_time: float = parameter(
        0.3, 'how long it must last', 's', 0.0, 60.0)
    saturation_time: float = parameter(
        1.0, 'how long an effort may be cut at a joint before that trips; 0: for ever', 's',
        0.0, 3600.0)
    sensor_time: float = parameter(
        0.25, 'how long all samples of a sensor may be implausible before that trips; 0: for '
        'ever', 's', 0.0, 3600.0)


@dataclasses.dataclass(frozen=True)
class Trip:
    """Why the arm was stopped."""

    #: Stable word: ``following_error``, ``saturation``, or the check that a sensor has failed
    cause: str
    text: str  #: One line for people
    stamp_ns: int


class SensorFault:
    """
    How long a sensor has been giving nothing but implausible samples.

    Attributes
    ----------
    finding : Finding or None
        The last one since the last good sample.
    lasting_ns : int
        From the first to the last since then, ns; a gap between two counts for little, because
        two are not many, however long a busy machine keeps the second.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self.finding: Optional[Finding] = None
        self._last_ns = self.lasting_ns = 0

    def note(self, finding: Finding, now_ns: int) -> None:
        """Take note of a sample that was not used; one that holds no number is just missing."""
        if not finding.wrong:
            return
        if self.finding is not None:
            self.lasting_ns += min(now_ns - self._last_ns, LONGEST_GAP_NS)
        self.finding, self._last_ns = finding, now_ns


class _Lasting:
    """
    Since when something holds of each joint.

    Attributes
    ----------
    since_ns : dict of int
        By joint, those of which it holds.
    """

    def __init__(self) -> None:
        self.since_ns: dict[int, int] = {}

    def reset(self) -> None:
        """Begin anew."""
        self.since_ns = {}

    def longest(self, joints: Sequence[int], now_ns: int, length_ns: int) -> Optional[int]:
        """Return the joint, of those of which it holds now, of which it has for a time."""
        if not joints:
            if self.since_ns:
                self.reset()
            return None
        since = self.since_ns = {i: self.since_ns.get(i, now_ns) for i in joints}
        first = min(since, key=lambda i: since[i])
        return first if now_ns - since[first] >= length_ns else None


class Trips:
    """
    Watches what trips, and remembers the first that did.

    Parameters
    ----------
    joints, units : sequence of str
        In command order.

    Attributes
    ----------
    trip : Trip or None
        In force until :meth:`clear`.
    """

    def __init__(self, joints: Sequence[str], units: Sequence[str], config: TripsConfig) -> None:
        self._joints, self._units = tuple(joints), tuple(units)
        self._far, self._cut = _Lasting(), _Lasting()
        self.trip: Optional[Trip] = None
        self.configure(config)

    def configure(self, config: TripsConfig) -> None:
        """Take bounds and times."""
        bound = per_joint('trips.following_error', config.following_error, self._joints)
        self._bound: list[float] = np.where(bound > 0.0, bound, np.inf).tolist()
        self._config = config
        self._following_ns = to_ns(config.following_time)
        self._saturation_ns = to_ns(config.saturation_time)
        self._sensor_ns = to_ns(config.sensor_time)

    def clear(self) -> None:
        """Forget the trip, and what had lasted."""
        self.trip = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget what had lasted: the arm was not commanded, or the clock has jumped."""
        self._far.reset()
        self._cut.reset()

    def on_command(self, error: FloatArray, cut: Sequence[int], now_ns: int) -> bool:
        """
        Look at a command that follows a reference; returns whether it trips now.

        Parameters
        ----------
        error : (n,) array, rad or m
            Desired minus measured position; zero where there is no feedback.
        cut : sequence of int
            Joints whose effort was cut.
        """
        if self.trip is not None:
            return False
        values = error.tolist()
        is_far = any(map(gt, map(abs, values), self._bound))
        if not (is_far or cut or self._far.since_ns or self._cut.since_ns):
            return False  # mostly so: asked quickly
        distance = list(map(abs, values))
        far = [i for i, (value, bound) in enumerate(zip(distance, self._bound)) if value > bound]
        i = self._far.longest(far, now_ns, self._following_ns)
        if i is not None:
            unit = self._units[i]
            return self._set('following_error', f'joint {self._joints[i]} is {distance[i]:.3g} '
                             f'{unit} from its reference, more than {self._bound[i]:.3g} {unit} '
                             f'for {self._config.following_time:g} s', now_ns)
        if not self._saturation_ns:
            return False
        i = self._cut.longest(cut, now_ns, self._saturation_ns)
        return i is not None and self._set(
            'saturation', f'the effort of joint {self._joints[i]} was cut for '
            f'{self._config.saturation_time:g} s', now_ns)

    def on_sensor(self, name: str, fault: SensorFault, now_ns: int) -> bool:
        """Look at an input; returns whether it trips now."""
        if self.trip is not None or fault.finding is None or not self._sensor_ns or (
                fault.lasting_ns < self._sensor_ns):
            return False
        return self._set(fault.finding.check, f'{name} were implausible for '
                         f'{self._config.sensor_time:g} s: {fault.finding.text}', now_ns)

    def _set(self, cause: str, text: str, now_ns: int) -> bool:
        self.trip = Trip(cause, text, now_ns)
        return True

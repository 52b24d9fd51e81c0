"""Where the platform stands on the deck: from odometry, or reckoned from the wheels."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import numpy as np

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.watchdog import InputMonitor
from robot_dynamics.core.gate import FloatArray

LONGEST_STEP = 0.2  # s: wheels that were silent longer are not reckoned over
POSE = 'pose'


class PoseInput:
    """
    The last pose, carried on to the instant where it is needed by how the wheels turn.

    Parameters
    ----------
    drive : DifferentialDrive
    monitor : InputMonitor
    events : EventLog
    """

    def __init__(self, drive: Any, monitor: InputMonitor, events: EventLog) -> None:
        self.monitor = monitor
        self._events = events
        signs = np.asarray(drive.signs)
        self._forward = 0.5 * drive.radius * signs
        self._turn = drive.radius / drive.track * signs * [1.0, -1.0]
        self._pose = np.zeros(3)

    def receive(self, stamp_ns: int, arrival_ns: int, pose: Sequence[float]) -> bool:
        """Take x, y [m] and heading [rad]; returns whether they were used."""
        problem = self.monitor.refusal(stamp_ns, arrival_ns)
        if problem:
            if stamp_ns != self.monitor.stamp_ns or stamp_ns <= 0:  # duplicates are harmless
                self._report(f'the pose {problem}', arrival_ns)
            return False
        if len(pose) != 3 or not all(map(math.isfinite, pose)):
            self._report('the pose is not three finite numbers', arrival_ns)
            return False
        self._pose = np.array(pose, dtype=np.float64)
        self.monitor.accept(stamp_ns, arrival_ns)
        return True

    def reckon(self, stamp_ns: int, arrival_ns: int, wheel_rates: FloatArray,
               start: Sequence[float] = (0.0, 0.0, 0.0)) -> None:
        """Carry the pose on by the rates (2,) of right and left wheel [rad/s]."""
        if not self.monitor.received:
            self._pose = np.array(start, dtype=np.float64)
        elif 0 < stamp_ns - self.monitor.stamp_ns <= LONGEST_STEP * 1e9:
            self._pose = self._moved((stamp_ns - self.monitor.stamp_ns) * 1e-9, wheel_rates)
        if stamp_ns > self.monitor.stamp_ns:
            self.monitor.accept(stamp_ns, arrival_ns)

    def at(self, stamp_ns: int, wheel_rates: FloatArray) -> FloatArray:
        """Return the pose (3,) at an instant, at the present rates of the wheels."""
        ahead = min(max((stamp_ns - self.monitor.stamp_ns) * 1e-9, -LONGEST_STEP), LONGEST_STEP)
        return self._moved(ahead, wheel_rates)

    def usable(self, now_ns: int) -> bool:
        """Whether the pose is recent."""
        return self.monitor.fresh(now_ns)

    def problem(self, now_ns: int) -> str:
        """Say why there is no pose, as the beginning of a sentence."""
        if not self.monitor.received:
            return 'no odometry has been received'
        return f'the last odometry is {self.monitor.age(now_ns):.3g} s old'

    def _moved(self, duration: float, wheel_rates: Any) -> FloatArray:
        """Drive on along the arc that the wheels describe."""
        x, y, heading = self._pose
        way, turned = (duration * float(row @ wheel_rates) for row in (self._forward, self._turn))
        middle = heading + 0.5 * turned
        return np.array([x + way * math.cos(middle), y + way * math.sin(middle),
                         heading + turned])

    def _report(self, text: str, now_ns: int) -> None:
        self._events.report(EventKind.POSE_REFUSED, text, now_ns, 'warning', POSE)


def heading_of(quat_xyzw: Sequence[float]) -> Optional[float]:
    """Return the heading [rad] of an orientation about the deck's z axis; None if it is none."""
    x, y, z, w = quat_xyzw
    if not 0.9 < x * x + y * y + z * z + w * w < 1.1:
        return None
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

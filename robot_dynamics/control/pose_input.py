"""Where the robot stands on the deck: from odometry, or reckoned from the wheels."""

from __future__ import annotations

import math
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.watchdog import InputMonitor
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform

LONGEST_STEP = 0.2  # s: wheels that were silent longer are not reckoned over
POSE = 'pose'


class PoseInput:
    """
    The last pose, carried on to the instant where it is needed by how the wheels turn.

    Parameters
    ----------
    reckons : bool
        Whether the pose is summed up from the wheels, and odometry is not listened to.
    """

    def __init__(self, support: RollingPlatform, monitor: InputMonitor, events: EventLog,
                 reckons: bool = False) -> None:
        self.monitor = monitor
        self.reckons = reckons
        self._events = events
        self._twists = support.wheel_twists
        self._pose = np.zeros(3)

    def receive(self, stamp_ns: int, arrival_ns: int, pose: Sequence[float]) -> bool:
        """Take x, y [m] and heading [rad]; returns whether they were used."""
        if self.reckons:
            return False
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

    def on_wheels(self, stamp_ns: int, arrival_ns: int, rates: FloatArray) -> None:
        """Carry the pose on by the wheels' rates [rad/s] where it is reckoned; it starts at 0."""
        if not self.reckons:
            return
        if not self.monitor.received:
            self._pose = np.zeros(3)
        elif 0 < stamp_ns - self.monitor.stamp_ns <= LONGEST_STEP * 1e9:
            self._pose = self._moved((stamp_ns - self.monitor.stamp_ns) * 1e-9, rates)
        if stamp_ns > self.monitor.stamp_ns:
            self.monitor.accept(stamp_ns, arrival_ns)

    def at(self, stamp_ns: int, rates: Optional[FloatArray] = None) -> FloatArray:
        """Return the pose (3,) at an instant, at constant rates of the wheels; None: the last."""
        if rates is None or not self.monitor.received:
            return self._pose
        ahead = min(max((stamp_ns - self.monitor.stamp_ns) * 1e-9, -LONGEST_STEP), LONGEST_STEP)
        return self._moved(ahead, rates)

    def after(self, turned: FloatArray) -> FloatArray:
        """Return the pose (3,) once the wheels have turned by these angles [rad]."""
        return self._moved(1.0, turned)

    def usable(self, now_ns: int) -> bool:
        """Whether the pose is recent."""
        return self.monitor.fresh(now_ns)

    def _moved(self, duration: float, rates: FloatArray) -> FloatArray:
        """Drive on along the arc that the wheels describe."""
        x, y, heading = self._pose.tolist()
        forward, left, turned = (duration * self._twists.dot(rates)).tolist()
        middle = heading + 0.5 * turned
        c, s = math.cos(middle), math.sin(middle)
        return np.array([x + c * forward - s * left, y + s * forward + c * left,
                         heading + turned])

    def _report(self, text: str, now_ns: int) -> None:
        self._events.report(EventKind.POSE_REFUSED, text, now_ns, 'warning', POSE)


def heading_of(quat_xyzw: Sequence[float]) -> Optional[float]:
    """Return the heading [rad] of an orientation about the deck's z axis; None if it is none."""
    x, y, z, w = quat_xyzw
    if not 0.9 < x * x + y * y + z * z + w * w < 1.1:
        return None
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))

"""
A clock that goes on where the ROS clock does not, so that ages grow whatever becomes of it.

With ``use_sim_time`` the time comes as messages: where they stop, nothing would ever be stale.
"""

from __future__ import annotations

import time
from typing import Any, Callable

SLOWEST = 0.01  # of real time: a slower clock counts as one that stands still
LONGEST = 0.2  # of the patience: what a pause between two calls counts at most


class RunningClock:
    """
    The ROS time, and where that stands still for too long the time of the steady clock.

    A ROS time of zero means that it has not begun.  A process that is paused sees no clock run:
    between two calls it has waited for :data:`LONGEST` of its patience at most.

    Once the ROS clock runs again its time is returned, which is earlier: whoever asks sees a
    clock that has jumped back.

    Parameters
    ----------
    ros_ns : callable
        Returns the ROS time, ns.
    patience_ns : int
        How long the ROS clock may stand still, or run slower than :data:`SLOWEST` of real time,
        ns of the steady clock.
    say : callable
        Told once when the clock stands still, and once when it runs again.
    steady_ns : callable, optional
        Returns a time that never stands still, ns.
    """

    def __init__(self, ros_ns: Callable[[], int], patience_ns: int, say: Callable[[str], Any],
                 steady_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._ros_ns, self._steady_ns = ros_ns, steady_ns
        self._patience_ns = patience_ns
        self._say = say
        self._stands = False
        self._asked, self._waited_ns = steady_ns(), 0
        # where it last kept up, and the begin of the present look at its pace
        self._ros = self._look_ros = ros_ns()
        self._steady = self._look_steady = steady_ns()

    def __call__(self) -> int:
        """Return the time, ns."""
        ros, steady = self._ros_ns(), self._steady_ns()
        self._waited_ns += min(steady - self._asked, int(LONGEST * self._patience_ns))
        self._asked = steady
        if not self._stands:
            if not ros or self._keeps_up(ros - self._ros, steady - self._steady):
                self._ros, self._steady, self._waited_ns = ros, steady, 0
                return ros
            if self._waited_ns <= self._patience_ns:
                return ros
            self._stands, self._look_ros, self._look_steady = True, ros, steady
            self._say(f'the ROS clock has stood still for {1e-9 * self._patience_ns:.1f} s, or '
                      f'has run slower than {SLOWEST:g} of real time: time goes on by the steady '
                      'clock, and inputs age')
        elif steady - self._look_steady > self._patience_ns:
            if self._keeps_up(ros - self._look_ros, steady - self._look_steady):
                self._stands, self._ros, self._steady, self._waited_ns = False, ros, steady, 0
                self._say('the ROS clock runs again')
                return ros
            self._look_ros, self._look_steady = ros, steady
        return self._ros + steady - self._steady

    @staticmethod
    def _keeps_up(ros: int, steady: int) -> bool:
        """Tell whether so much of ROS time, or a jump back, is enough for so much real time."""
        return ros < 0 or ros >= SLOWEST * steady

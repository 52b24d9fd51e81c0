"""
Where a robot drove on the deck, from its wheels: for an IMU that stands on the deck beside it.

The path begins where the recording does, at (0, 0, 0): below the middle of the axle, x forward.
Wheels that slip make it drift.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.recorded_streams import RecordedStreams
from robot_dynamics.core.errors import BagError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.model.robot_model import RobotModel


class WheelPath:
    """
    Poses of a platform over time, between samples by straight lines.

    Parameters
    ----------
    streams : RecordedStreams
        Those of a recording that has both wheels.
    support : RollingPlatform
        Its wheels.

    Raises
    ------
    BagError
        If no publisher has both wheels, or its clock was set back.
    """

    def __init__(self, streams: RecordedStreams, model: RobotModel, support: RollingPlatform
                 ) -> None:
        wheels = [model.index(name) for name in support.wheels]
        source = next((s for s in streams.joints if set(wheels) <= set(s.joints)), None)
        if source is None or len(source.timeline.epochs) != 1:
            raise BagError('--imu-on deck: needs both wheels from one publisher whose clock was '
                           'not set back, to know where the robot drove')
        self._stamp_ns, rows = source.table.read(0, len(source.table))
        turned = rows[:, [source.joints.index(wheel) for wheel in wheels]]
        forward, left, turn = support.wheel_twists @ np.diff(turned, axis=0, prepend=turned[:1]).T
        heading = np.cumsum(turn)
        middle = heading - 0.5 * turn
        c, s = np.cos(middle), np.sin(middle)
        self._poses = np.column_stack([np.cumsum(c * forward - s * left),
                                       np.cumsum(s * forward + c * left), heading])

    def __call__(self, stamp_ns: NDArray[np.int64]) -> FloatArray:
        """Return x, y [m] and heading [rad] at some stamps, (N, 3)."""
        origin = self._stamp_ns[0]
        at, known = (stamp_ns - origin) * 1e-9, (self._stamp_ns - origin) * 1e-9
        return np.stack([np.interp(at, known, column) for column in self._poses.T], axis=1)

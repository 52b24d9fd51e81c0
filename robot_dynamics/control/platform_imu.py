"""
An IMU on the platform, made to read as one on the deck.

It feels deck and wheels together.  What the wheels cause is computed from the joint states and
taken away sample by sample, before anything is estimated: an estimator then sees the slow motion
of the deck alone, and no desired acceleration can feed back through the measured one.
"""

from __future__ import annotations

import collections
import math
from typing import Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion import rotations

WINDOW_NS = 20_000_000  # of wheel rates through which a line is fitted: its slope accelerates
FRAME = 'deck_link'


class PlatformImu:
    """
    Takes joint states and samples, gives samples of the deck.

    Parameters
    ----------
    p_BI : sequence of 3 float
        The sensor's place in the base link's frame, m.

    Attributes
    ----------
    place : (3,) array
        The sensor in the platform's frame O, m: the samples are those of the deck's point there.
    """

    def __init__(self, support: RollingPlatform, p_BI: Sequence[float]) -> None:
        self._R_OB = support.R_BO.T
        self.place: FloatArray = self._R_OB @ (np.array(p_BI) - support.p_BO)
        self._twists = support.wheel_twists
        self._history: collections.deque[tuple[int, FloatArray]] = collections.deque()

    def reset(self) -> None:
        """Forget how the wheels turned."""
        self._history.clear()

    def on_wheels(self, stamp_ns: int, rates: FloatArray) -> None:
        """Note the rates of the wheels at a stamp [rad/s]."""
        history = self._history
        if history and stamp_ns <= history[-1][0]:
            if stamp_ns < history[-1][0]:
                self.reset()
            else:
                return
        history.append((stamp_ns, self._twists @ rates))
        while history[-1][0] - history[0][0] > WINDOW_NS and len(history) > 2:
            history.popleft()

    def deck_sample(self, sample: ImuSample, heading: float) -> ImuSample:
        """
        Remove what the wheels cause, and turn from the base link's axes into the deck's.

        With the velocity v = (u, l, 0) of O on the deck, its turning rate n and the sensor's
        place r: w_D = w - n z; f_D = f - 2 w_D x (v + n z x r)
        - (u' - n l, l' + n u, 0) - n' z x r + n^2 r_xy.
        """
        w = self._R_OB @ np.asarray(sample.angular_velocity)
        f = self._R_OB @ np.asarray(sample.linear_acceleration)
        (u, left, n), (ud, leftd, nd) = self._motion(sample.stamp_ns)
        rx, ry, _ = self.place
        w_D = w - [0.0, 0.0, n]
        relative = np.array([u - n * ry, left + n * rx, 0.0])
        f_D = f - 2.0 * rotations.cross(w_D, relative) - [
            ud - n * left - nd * ry - n * n * rx, leftd + n * u + nd * rx - n * n * ry, 0.0]
        R_DO = heading_matrix(heading)
        orientation = None
        if sample.orientation_xyzw is not None and sample.has_orientation:
            # q_WD = q_WB q_BO q_OD
            q_BD = rotations.quat_from_matrix(self._R_OB.T @ R_DO.T)
            orientation = rotations.quat_multiply(sample.orientation_xyzw, q_BD).tolist()
        return ImuSample(
            sample.stamp_ns, (R_DO @ w_D).tolist(), (R_DO @ f_D).tolist(), orientation, FRAME,
            sample.orientation_covariance, sample.angular_velocity_covariance,
            sample.linear_acceleration_covariance)

    def _motion(self, stamp_ns: int) -> FloatArray:
        """Twist of O on the deck, in its axes, and its derivative, at a stamp: (2, 3)."""
        if not self._history:
            return np.zeros((2, 3))
        stamps, values = zip(*self._history)
        time = (np.array(stamps) - stamp_ns) * 1e-9
        rates = np.array(values)
        if len(time) < 3:
            return np.vstack([rates[-1], np.zeros(3)])
        centred = time - time.mean()
        slope = centred @ rates / (centred @ centred)
        return np.vstack([rates.mean(axis=0) - slope * time.mean(), slope])


def heading_matrix(heading: float) -> FloatArray:
    """Return R_DO (3, 3), from the platform's axes to the deck's."""
    c, s = math.cos(heading), math.sin(heading)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

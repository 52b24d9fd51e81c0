"""
An IMU on the platform, made to read as one on the deck.

It feels deck and wheels together.  What the wheels cause is computed from the joint states and
taken away sample by sample, before anything is estimated: an estimator then sees the slow motion
of the deck alone, and no desired acceleration can feed back through the measured one.
"""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion import rotations

WINDOW_NS = 20_000_000  # of wheel rates through which a line is fitted: its slope accelerates
FRAME = 'deck_link'


class PlatformImu:
    """
    Takes joint states and samples, gives samples of the deck.

    Parameters
    ----------
    drive : DifferentialDrive
    mounting : ImuMounting
        Of the sensor on the platform's base link.

    Attributes
    ----------
    place : (3,) array
        The sensor in the drive's frame, m: the samples are those of the deck's point there.
    """

    def __init__(self, drive: Any, mounting: ImuMounting) -> None:
        self._mounting = mounting
        self._R_OB = drive.R_BO.T
        self.place: FloatArray = self._R_OB @ (np.array(mounting.p_BI) - drive.p_BO)
        signs = np.asarray(drive.signs)
        self._rates = np.vstack([0.5 * drive.radius * signs,
                                 drive.radius / drive.track * signs * [1.0, -1.0]])
        self._history: collections.deque[tuple[int, FloatArray]] = collections.deque()

    def reset(self) -> None:
        """Forget how the wheels turned."""
        self._history.clear()

    def on_wheels(self, stamp_ns: int, wheel_rates: FloatArray) -> None:
        """Note the rates (2,) of right and left wheel at a stamp [rad/s]."""
        history = self._history
        if history and stamp_ns <= history[-1][0]:
            if stamp_ns < history[-1][0]:
                self.reset()
            else:
                return
        history.append((stamp_ns, self._rates @ wheel_rates))
        while history[-1][0] - history[0][0] > WINDOW_NS and len(history) > 2:
            history.popleft()

    def deck_sample(self, sample: ImuSample, heading: float) -> ImuSample:
        """
        Remove what the wheels cause, and turn from platform axes into the deck's.

        With forward speed u and turning rate n at the sample, r the sensor's place:
        w_D = w - n z; f_D = f - 2 w_D x (u x + n z x r) - (u' x + u n y + n' z x r - n^2 r_xy).
        """
        values = np.array(self._mounting.to_base(sample))
        w, f = self._R_OB @ values[0:3], self._R_OB @ values[3:6]
        (u, n), (ud, nd) = self._motion(sample.stamp_ns)
        rx, ry, _ = self.place
        w_D = w - [0.0, 0.0, n]
        relative = np.array([u - n * ry, n * rx, 0.0])
        f_D = f - 2.0 * np.cross(w_D, relative) - [
            ud - nd * ry - n * n * rx, u * n + nd * rx - n * n * ry, 0.0]
        c, s = np.cos(heading), np.sin(heading)
        R_DO = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        orientation = None
        if sample.has_orientation:
            # q_WD = q_WB q_BO q_OD
            q_BD = rotations.quat_from_matrix(self._R_OB.T @ R_DO.T)
            orientation = tuple(rotations.quat_multiply(values[6:10], q_BD))
        return dataclasses.replace(
            sample, angular_velocity=tuple(R_DO @ w_D), linear_acceleration=tuple(R_DO @ f_D),
            orientation_xyzw=orientation, frame_id=FRAME)

    def _motion(self, stamp_ns: int) -> FloatArray:
        """Speed and turning rate, and their derivatives, at a stamp: (2, 2)."""
        if not self._history:
            return np.zeros((2, 2))
        stamps, values = zip(*self._history)
        time = (np.array(stamps) - stamp_ns) * 1e-9
        rates = np.array(values)
        if len(time) < 3:
            return np.vstack([rates[-1], np.zeros(2)])
        centred = time - time.mean()
        slope = centred @ rates / (centred @ centred)
        return np.vstack([rates.mean(axis=0) - slope * time.mean(), slope])

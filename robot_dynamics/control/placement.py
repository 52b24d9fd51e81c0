"""
Where the robot stands, as the dynamics and the estimator need it: pose, base state, and frames.

One object for a robot on wheels; an arm that is bolted down has none.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.control.events import EventLog
from robot_dynamics.control.platform_imu import heading_matrix, PlatformImu
from robot_dynamics.control.pose_input import POSE, PoseInput
from robot_dynamics.control.watchdog import InputMonitor
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState


class Placement:
    """
    The pose of a platform, and what follows from it.

    Parameters
    ----------
    gate : ImuGate
        Knows the place of an IMU on the platform.
    future_tolerance : float
        How far ahead of the clock the stamp of a pose may be, s.

    Attributes
    ----------
    pose : PoseInput
    wheels : int
        Number of wheels: they come first in the order of the model.
    """

    def __init__(self, support: RollingPlatform, config: DrivingConfig, gate: ImuGate,
                 future_tolerance: float, events: EventLog) -> None:
        self.pose = PoseInput(support, InputMonitor(POSE, config.pose_age, future_tolerance),
                              events, config.pose_source == 'wheels')
        self.wheels = len(support.wheels)
        self._R_OB = support.R_BO.T
        self._rates = np.zeros(self.wheels)
        self._imu: Optional[PlatformImu] = None
        if config.imu_on == 'platform':
            behind = gate.mounting_behind
            self._imu = PlatformImu(support, (0.0, 0.0, 0.0) if behind is None else behind.p_BI)

    def reset(self) -> None:
        """Forget stamps and how the wheels turned, and keep the last pose."""
        self.pose.monitor.reset()
        if self._imu is not None:
            self._imu.reset()

    def on_velocity(self, stamp_ns: int, arrival_ns: int, velocity: FloatArray) -> None:
        """Take note of the joints' velocity (nv,), rad/s."""
        self._rates = velocity[:self.wheels].copy()
        self.pose.on_wheels(stamp_ns, arrival_ns, self._rates)
        if self._imu is not None:
            self._imu.on_wheels(stamp_ns, self._rates)

    def deck_sample(self, sample: ImuSample) -> Optional[ImuSample]:
        """
        Return a sample in base axes as one of the deck; None while no heading is known.

        An IMU on the deck measures that already.
        """
        if self._imu is None:
            return sample
        if not self.pose.monitor.received:
            return None
        heading = float(self.pose.at(sample.stamp_ns, self._rates)[2])
        return self._imu.deck_sample(sample, heading)

    def at(self, stamp_ns: int) -> FloatArray:
        """Return the pose (3,) at an instant, the wheels turning on as they do now."""
        return self.pose.at(stamp_ns, self._rates)

    def state(self, motion: BaseMotion, pose: FloatArray) -> BaseState:
        """
        Return what the dynamics take.

        Parameters
        ----------
        motion : BaseMotion
            As the estimator has it: of the deck's origin, or of the deck's point at the IMU on
            the platform, in the deck's axes.
        pose : (3,) array
            Of the platform in the frame of odometry.
        """
        if self._imu is None:
            return BaseState.of_one(motion, pose)
        place, heading = self._imu.place, float(pose[2])
        x, y, _ = heading_matrix(heading) @ place
        below = motion.transformed(np.eye(3), (0.0, 0.0, -float(place[2])))
        return BaseState(below, np.array([-x, -y, heading]))

    def base_axes(self, heading: float) -> FloatArray:
        """Return the rotation (3, 3) from the base link's axes to the deck's."""
        return heading_matrix(heading) @ self._R_OB

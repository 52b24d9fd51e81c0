"""A simulated mobile manipulator on a deck: the simulated arm, with wheels that roll."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from robot_dynamics.control.mobile_dynamics import MobileDynamics
from robot_dynamics.core.gate import as_vector, FloatArray
from robot_dynamics.dynamics.supports.platform_motion import platform_motion
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.simulation.integration import runge_kutta_step
from robot_dynamics.simulation.simulated_friction import FrictionStep
from robot_dynamics.simulation.simulated_robot import SimulatedRobot, SimulatedRobotConfig


class Odometry(NamedTuple):
    """
    What odometry reports.

    Attributes
    ----------
    stamp_ns : int
    pose : (3,) array
        x, y [m], heading [rad] of the platform on the deck.
    speed : float
        Forward, m/s.
    turning_rate : float
        rad/s.
    """

    stamp_ns: int
    pose: FloatArray
    speed: float
    turning_rate: float


class SimulatedMobileRobot(SimulatedRobot):
    """
    Forward dynamics of wheels and arm, stepped from stamp to stamp.

    Parameters
    ----------
    robot : InverseDynamics
        Of a robot on a differential drive, without friction.
    ship : ShipMotion or None
        Moves the deck; the deck frame's origin is at ``config.base_point``.  None: level ground.
    config : SimulatedRobotConfig, optional
    pose : sequence of 3 float
        At the start: x, y [m], heading [rad].
    start_ns, epoch_ns, backend
        As for :class:`~.simulated_robot.SimulatedRobot`.
    """

    def __init__(self, robot: Any, ship: Any, config: Optional[SimulatedRobotConfig] = None,
                 pose: Sequence[float] = (0.0, 0.0, 0.0), start_ns: int = 0, epoch_ns: int = 0
                 ) -> None:
        super().__init__(robot.model, ship, config, start_ns, epoch_ns, robot.backend,
                         robot.support)
        self.robot = robot
        self._pose = as_vector('pose', pose, 3, 'm, m, rad')
        self._placed = MobileDynamics(robot)
        self._placed.pose = self._pose
        self._inverse = self._placed
        if self._friction is not None:
            self._friction = FrictionStep(
                robot.model, self._placed, 1.0 + self.config.friction_error_percent / 100.0)

    def warm_up(self, progress: Any = None) -> None:
        """Compile ahead of time."""
        kernels = ('torque', 'mass_matrix') if self._friction is not None else ('torque',)
        self.robot.warm_up(*kernels, progress=progress)
        self._forward.warm_up(progress)

    def _runge_kutta(self, step: float, effort: FloatArray, first: BaseMotion,
                     middle: BaseMotion, last: BaseMotion) -> None:
        nv, bases = len(self.names), {0.0: first, 0.5: middle, 1.0: last}

        def rate(t: float, state: FloatArray) -> FloatArray:
            pose, q, qd = state[:3], state[3:3 + nv], state[3 + nv:]
            qdd = self._forward.acceleration(q, qd, effort, BaseState(bases[t / step], pose))
            return np.concatenate([self.robot.support.pose_rate(qd, pose), qd, qdd])

        state = np.concatenate([self._pose, self._q, self._qd])
        state = runge_kutta_step(rate, 0.0, state, step)
        self._pose, self._q, self._qd = state[:3], state[3:3 + nv], state[3 + nv:]
        self._placed.pose = self._pose

    def odometry(self) -> Odometry:
        """Return pose and twist at :attr:`stamp_ns`, without noise."""
        speeds = self.robot.support.pose_rate(self._qd, np.zeros(3))
        return Odometry(self.stamp_ns, self._pose.copy(), float(speeds[0]), float(speeds[2]))

    def platform_motion(self) -> tuple[BaseMotion, FloatArray]:
        """
        Return what an IMU on the platform's base link feels, exactly.

        Returns
        -------
        motion : BaseMotion
            Of the base link's frame.
        rotation : (3, 3) array
            R_WB of the base link in a world with z up.
        """
        deck = BaseState(self._bases(0.0, 1)[0], self._pose)
        qdd = np.zeros(len(self.names))
        if not self.braked:
            qdd = self._forward.acceleration(
                self._q, self._qd, self._effort / self._scale, deck)
        motion = platform_motion(self.robot.support, deck, self._qd, qdd)
        c, s = np.cos(self._pose[2]), np.sin(self._pose[2])
        R_DO = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        R_WD = np.eye(3)
        if self._ship is not None:
            time = (self.stamp_ns - self._epoch_ns) * 1e-9
            R_WD = self._ship.pose(time, self.config.base_point).rotation
        return motion, R_WD @ R_DO @ self.robot.support.R_BO.T

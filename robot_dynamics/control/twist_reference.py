"""A reference from cmd_vel: what the wheels should do, beside a trajectory of the arm."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_scalar, FloatArray

SHORTEST_RAMP = 0.05  # s
STOP = 0.3            # s, for an arm that moves and has lost its trajectory


class TwistReference:
    """
    Turns speed and turning rate into a trajectory of all joints, smooth from any motion on.

    The wheels ramp to the rates that the twist asks for, keep them for a while, and stop unless
    another twist comes.  The arm follows its own trajectory, or is held.

    Parameters
    ----------
    drive : DifferentialDrive
    model : RobotModel
        Wheels first.
    acceleration : float
        Largest of a wheel, rad/s^2.
    hold : float
        How long a twist holds, s.

    Attributes
    ----------
    wheels : tuple of str
        Joints of right and left wheel.
    arm : JointTrajectory or None
        What the arm follows; its start is a stamp.
    """

    def __init__(self, drive: Any, model: Any, acceleration: float, hold: float) -> None:
        self.wheels = (drive.right, drive.left)
        self.arm: Optional[JointTrajectory] = None
        self._drive = drive
        limit = np.asarray(model.velocity_limit)[:2]
        self._limit = np.where(limit > 0.0, limit, np.inf)
        self._acceleration = acceleration
        self._hold = hold
        self._rates = np.zeros(2)

    def forget(self) -> None:
        """Stand still from now on, and hold the arm."""
        self._rates, self.arm = np.zeros(2), None

    def drive(self, speed: float, turning_rate: float) -> None:
        """
        Take a forward speed [m/s] and a turning rate [rad/s, positive to the left].

        What a wheel cannot do is slowed down along the same curve.
        """
        speed = as_scalar('linear.x', speed, unit='m/s')
        across = 0.5 * self._drive.track * as_scalar('angular.z', turning_rate, unit='rad/s')
        rates = np.array([speed + across, speed - across]) / self._drive.radius
        rates *= self._drive.signs
        self._rates = rates / max(1.0, float(np.max(np.abs(rates) / self._limit)))

    def trajectory(self, names: Sequence[str], state: FloatArray, now_ns: int) -> JointTrajectory:
        """
        Return the motion of all joints from now on.

        Parameters
        ----------
        names : sequence of str
            Joints, the columns of ``state`` and of the result.
        state : (3, n) array
            Desired position, velocity, acceleration now.
        now_ns : int

        Raises
        ------
        InputError
            If the arm's trajectory does not name all joints of the arm.
        """
        wheels = [list(names).index(name) for name in self.wheels]
        others = [k for k in range(len(names)) if k not in wheels]
        plan = self._plan(state[:, wheels], now_ns)
        arm = self._arm_from([names[k] for k in others], state[:, others], now_ns)
        shift = (now_ns - arm.start_ns) * 1e-9
        knots = arm.times - shift
        times = np.unique(np.concatenate([plan.times, knots[knots > 1e-6]]))
        times = times[np.concatenate([[True], np.diff(times) > 1e-6])]
        rows = np.empty((3, len(times), len(names)))
        rows[:, :, wheels] = plan.sample(times)
        rows[:, :, others] = arm.sample(times + shift)
        rows[:, 0] = state
        return _trajectory(names, times, rows, now_ns)

    def _plan(self, state: FloatArray, now_ns: int) -> JointTrajectory:
        """Ramp, keep, stop; velocities of the ramps are cubic in time."""
        points = [state]
        lengths = [self._ramp(state[1], self._rates)]
        points.append(_after_ramp(state, self._rates, lengths[0]))
        lengths.append(max(self._hold - lengths[0], SHORTEST_RAMP))
        points.append(np.array([points[-1][0] + lengths[1] * self._rates, self._rates,
                                np.zeros(2)]))
        lengths.append(self._ramp(self._rates, np.zeros(2)))
        points.append(_after_ramp(points[-1], np.zeros(2), lengths[2]))
        times = np.concatenate([[0.0], np.cumsum(lengths)])
        return _trajectory(self.wheels, times, np.stack(points, axis=1), now_ns)

    def _ramp(self, begin: FloatArray, end: FloatArray) -> float:
        """Duration of a ramp; a cubic peaks at 1.5 times its mean slope."""
        return max(SHORTEST_RAMP, 1.5 * float(np.abs(end - begin).max()) / self._acceleration)

    def _arm_from(self, names: list[str], state: FloatArray, now_ns: int) -> JointTrajectory:
        if self.arm is not None:
            missing = [name for name in names if name not in self.arm.names]
            if missing:
                raise InputError('joint_names', f'lack {", ".join(missing)}')
            return self.arm.for_joints(names)
        stop = np.stack([state, np.array([state[0] + 0.5 * STOP * state[1], 0 * state[1],
                                          0 * state[1]])], axis=1)
        return _trajectory(names, np.array([0.0, STOP]), stop, now_ns)


def started(trajectory: JointTrajectory, arrival_ns: int) -> JointTrajectory:
    """Return a trajectory whose start is a stamp: its own, or that of its arrival."""
    if trajectory.start_ns > 0:
        return trajectory
    return JointTrajectory(trajectory.names, trajectory.times, trajectory.positions,
                           trajectory.velocities, trajectory.accelerations, arrival_ns)


def _trajectory(names: Sequence[str], times: FloatArray, rows: FloatArray, start_ns: int
                ) -> JointTrajectory:
    """Trajectory from positions, velocities, accelerations (3, N, n)."""
    return JointTrajectory(names, times, rows[0], rows[1], rows[2], start_ns)


def _after_ramp(state: FloatArray, rates: FloatArray, duration: float) -> FloatArray:
    """State (3, 2) at the end of a ramp whose velocity is cubic in time."""
    way = 0.5 * duration * (state[1] + rates) + duration**2 / 12.0 * state[2]
    return np.array([state[0] + way, rates, np.zeros(2)])

"""References for wheels and arm that come apart: cmd_vel or a trajectory, and a trajectory."""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np

from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.model.robot_model import RobotModel

SHORTEST_RAMP = 0.05  # s
STOP = 0.3            # s, for an arm that moves and has lost its trajectory


class TwistReference:
    """
    Turns speed and turning rate into a trajectory of all joints, smooth from any motion on.

    The wheels ramp to the rates that the twist asks for, keep them for a while, and stop unless
    another twist comes; or they follow a trajectory of their own.  The arm follows its own
    trajectory, or is held.

    Parameters
    ----------
    model : RobotModel
        Wheels first.
    acceleration : float
        Largest of a wheel, rad/s^2.
    hold : float
        How long a twist holds, s.

    Attributes
    ----------
    wheels : tuple of str
        Joints of the wheels, in the order of the model.
    arm, rolling : JointTrajectory or None
        What arm and wheels follow; their starts are stamps.
    """

    def __init__(self, support: RollingPlatform, model: RobotModel, acceleration: float,
                 hold: float) -> None:
        self.wheels = support.wheels
        self.arm: Optional[JointTrajectory] = None
        self.rolling: Optional[JointTrajectory] = None
        self._rates_of_twist = np.linalg.pinv(support.wheel_twists)
        self._names = tuple(model.joint_names)
        limits = np.asarray(model.velocity_limit)
        self._limits = np.where(limits > 0.0, limits, np.inf)
        self._acceleration = acceleration
        self._hold = hold
        self._rates = np.zeros(len(self.wheels))

    def forget(self) -> None:
        """Stand still from now on, and hold the arm."""
        self._rates, self.arm, self.rolling = np.zeros(len(self.wheels)), None, None

    def drive(self, forward: float, turning_rate: float, left: float = 0.0) -> None:
        """
        Take speeds forward and to the left [m/s] and a turning rate [rad/s, positive to the left].

        What a wheel cannot do is slowed down along the same curve; what no wheels of this kind
        can do is left out.
        """
        twist = np.array([as_scalar('linear.x', forward, unit='m/s'),
                          as_scalar('linear.y', left, unit='m/s'),
                          as_scalar('angular.z', turning_rate, unit='rad/s')])
        rates = self._rates_of_twist @ twist
        self.rolling = None
        self._rates = rates / max(1.0, float(
            np.max(np.abs(rates) / self._limits[:len(self.wheels)])))

    def trajectory(self, names: Sequence[str], state: FloatArray, now_ns: int) -> JointTrajectory:
        """
        Return the motion of all joints from now on.

        Parameters
        ----------
        names : sequence of str
            Joints, the columns of ``state`` and of the result.
        state : (3, n) array
            Desired position, velocity, acceleration now.

        Raises
        ------
        InputError
            If a trajectory does not name all joints of its part, or starts too far away for the
            time that is left.
        """
        wheels = [list(names).index(name) for name in self.wheels]
        others = [k for k in range(len(names)) if k not in wheels]
        limits = self._limits[[self._names.index(name) for name in names]]
        parts = [(wheels, self._plan(state[:, wheels], now_ns)
                  if self.rolling is None else self.rolling.for_joints(self.wheels)),
                 (others, self._held(state[:, others], [names[k] for k in others], now_ns)
                  if self.arm is None else self.arm.for_joints([names[k] for k in others]))]
        motions = [_Part(motion, state[:, columns], now_ns, limits[columns])
                   for columns, motion in parts]
        times = np.unique(np.concatenate([[0.0], *(part.knots for part in motions)]))
        times = times[np.concatenate([[True], np.diff(times) > 1e-6])]
        rows = np.empty((3, len(times), len(names)))
        for (columns, _), part in zip(parts, motions):
            rows[:, :, columns] = part.sample(times)
        return _trajectory(names, times, rows, now_ns)

    def _plan(self, state: FloatArray, now_ns: int) -> JointTrajectory:
        """Ramp, keep, stop; velocities of the ramps are cubic in time."""
        points = [state]
        lengths = [self._ramp(state[1], self._rates)]
        points.append(_after_ramp(state, self._rates, lengths[0]))
        lengths.append(max(self._hold - lengths[0], SHORTEST_RAMP))
        points.append(np.array([points[-1][0] + lengths[1] * self._rates, self._rates,
                                np.zeros_like(self._rates)]))
        lengths.append(self._ramp(self._rates, np.zeros_like(self._rates)))
        points.append(_after_ramp(points[-1], np.zeros_like(self._rates), lengths[2]))
        times = np.concatenate([[0.0], np.cumsum(lengths)])
        return _trajectory(self.wheels, times, np.stack(points, axis=1), now_ns)

    def _ramp(self, begin: FloatArray, end: FloatArray) -> float:
        """Duration of a ramp; a cubic peaks at 1.5 times its mean slope."""
        return max(SHORTEST_RAMP, 1.5 * float(np.abs(end - begin).max()) / self._acceleration)

    def _held(self, state: FloatArray, names: list[str], now_ns: int) -> JointTrajectory:
        """Bring an arm without a trajectory to rest."""
        rest = np.array([state[0] + 0.5 * STOP * state[1], 0 * state[1], 0 * state[1]])
        return _trajectory(names, np.array([0.0, STOP]), np.stack([state, rest], axis=1), now_ns)


class _Part:
    """
    One part's motion from now on: led to the trajectory's start, if that is still to come.

    ``knots`` are the instants, in s from now, between which it is one polynomial.
    """

    def __init__(self, motion: JointTrajectory, state: FloatArray, now_ns: int,
                 limit: FloatArray) -> None:
        self._motion = motion
        self._shift = (now_ns - motion.start_ns) * 1e-9
        knots = motion.times - self._shift
        self._first = float(knots[0])
        self._approach: Optional[JointTrajectory] = None
        if self._first > 1e-6:
            target = motion.state_at_point(0)
            far = 15.0 / 8.0 * np.abs(target[0] - state[0]) / self._first > limit
            if far.any():
                name = motion.names[int(np.argmax(far))]
                raise InputError('points', f'start too far from joint {name} for the '
                                           f'{self._first:.3g} s that are left')
            self._approach = _trajectory(
                motion.names, np.array([0.0, self._first]), np.stack([state, target], axis=1), 0)
        self.knots = knots[knots > 1e-6]

    def sample(self, times: FloatArray) -> FloatArray:
        """Position, velocity, acceleration (3, N, n) at times from now."""
        rows = np.array(self._motion.sample(times + self._shift))
        if self._approach is not None:
            early = times < self._first - 1e-9
            rows[:, early] = np.array(self._approach.sample(times[early]))
        return rows


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
    """State (3, wheels) at the end of a ramp whose velocity is cubic in time."""
    way = 0.5 * duration * (state[1] + rates) + duration**2 / 12.0 * state[2]
    return np.array([state[0] + way, rates, np.zeros_like(rates)])

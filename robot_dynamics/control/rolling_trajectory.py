"""
A trajectory with efforts, reissued as it rolls on, for an effort joint_trajectory_controller.

The controller keeps its own feedback; the efforts in the points are the feedforward for the
predicted motion of the base; they keep to the rate limits along a trajectory and from one to the
next.  The feedforward then has no feedback of its own: see :func:`check_rolling`.

The first one begins where the arm is, so that the controller's feedback begins at nothing, with
the measured effort, which is what that feedback gave until now: neither steps, and from there both
lead over to the reference.  It waits until the controller has brought the arm to rest, since the
damping of a moving arm would act twice.

Every trajectory begins at its stamp, where the last one is by then: a controller that takes one
goes on along its points at once.  To a first point still to come joint_trajectory_controller would
lead over from a state that it takes for older than it is by one of its cycles, and lag behind.

Every trajectory leads beyond its horizon to rest.  A controller that gets no further one, because
the feedforward was killed, brings the arm to rest and holds it; since Jazzy
joint_trajectory_controller refuses trajectories that end with a velocity.
"""

from __future__ import annotations

import dataclasses
from typing import Callable, Optional

import numpy as np

from robot_dynamics.control.command import Command
from robot_dynamics.control.feedforward import ACTIVE, FeedforwardCore, FINISHED, RAMPING_IN
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.stamps import to_ns

POINTS_TO_REST = 5


@dataclasses.dataclass(frozen=True)
class RollingTrajectoryConfig(Configuration):
    """How far ahead, how dense and how often."""

    horizon: float = parameter(0.2, 'how far the trajectory reaches ahead', 's', 0.02, 0.5)
    spacing: float = parameter(0.02, 'time between points', 's', 0.001, 0.1)
    period: float = parameter(
        0.1, 'time between two trajectories, less than the horizon', 's', 0.01, 0.5)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.period >= self.horizon:
            raise ConfigurationError(
                f'trajectory.period: is {self.period:g} s, expected less than the horizon of '
                f'{self.horizon:g} s: the arm would begin to stop before each trajectory')


def check_rolling(config: FeedforwardConfig) -> None:
    """
    Refuse a feedforward that would command what the controller commands already.

    Raises
    ------
    ConfigurationError
        Names the parameter.
    """
    if any(config.natural_frequency):
        raise ConfigurationError(
            'natural_frequency: must be 0 with output trajectory: the controller has the feedback')


@dataclasses.dataclass(frozen=True, eq=False)
class EffortTrajectory:
    """Points of one message: the first is that of the stamp, the last at rest."""

    start_ns: int  #: Header stamp
    names: tuple[str, ...]
    times: FloatArray  #: (N,), s from the start
    positions: FloatArray  #: (N, n), rad
    velocities: FloatArray  #: (N, n), rad/s
    accelerations: FloatArray  #: (N, n), rad/s^2
    efforts: FloatArray  #: (N, n), Nm
    state: str  #: State of the feedforward


class RollingTrajectory:
    """
    Builds the next trajectory from a core that receives the same inputs as ever.

    The commands of that core are asked for here, and nowhere else.
    """

    def __init__(self, core: FeedforwardCore,
                 config: Optional[RollingTrajectoryConfig] = None) -> None:
        self._core = core
        self.config = config or RollingTrajectoryConfig()
        self._issued_ns: Optional[int] = None
        self._motion: Optional[Callable[[int, FloatArray], None]] = None
        self._motion_ns = 0
        self._last: Optional[EffortTrajectory] = None
        self._seen_ns = 0
        core.resume_from(self._desired_in_force)

    def forget(self) -> None:
        """Take note that no controller follows the last trajectory any more."""
        self._last = self._motion = None

    def due(self, now_ns: int) -> Optional[EffortTrajectory]:
        """
        Return the trajectory to send now; call it at the rate of the joint states.

        None between two trajectories, and while inputs are not valid.  When an input falls
        silent, or the feedforward is stopped, the arm comes to rest as the last trajectory said,
        with the efforts of the fallback; the last of all trajectories carries the final effort.
        """
        in_force_ns = now_ns if now_ns >= self._seen_ns else self._seen_ns  # clock has jumped
        self._seen_ns = now_ns
        command = self._core.command(now_ns)
        if command is None:
            return None
        if command.state != FINISHED and self._issued_ns is not None and (
                0 <= now_ns - self._issued_ns < to_ns(self.config.period)):
            return None
        self._issued_ns = now_ns
        times = self._times()
        stamps_ns = [now_ns + to_ns(time) for time in times.tolist()]
        if command.state in (ACTIVE, RAMPING_IN):
            horizon_ns = stamps_ns[-1 - POINTS_TO_REST]
            self._motion = self._core.motion_to_rest(horizon_ns)
            self._motion_ns = now_ns
            points, efforts, friction = self._core.preview(stamps_ns, self._motion)
        else:
            friction = None
            points, efforts = self._to_rest(command, now_ns, stamps_ns)
        start = self._effort_in_force(in_force_ns)
        self._core.limiter.limit_along(
            times, efforts, command.effort if start is None else start, friction)
        if command.state == FINISHED:
            times, points, efforts = self._to_the_end(command, times, points, efforts)
        self._last = EffortTrajectory(now_ns, command.names, times, points[:, 0], points[:, 1],
                                      points[:, 2], efforts, command.state)
        return self._last

    def _desired_in_force(self, now_ns: int, measured: Optional[FloatArray]
                          ) -> Optional[FloatArray]:
        """Return where the controller shall go on from, (3, n), or None if nobody knows."""
        state = np.empty((3, len(self._core.names)))
        if measured is not None:
            self._motion, self._motion_ns = _held(measured), now_ns
        elif self._motion is None or now_ns < self._motion_ns:
            return None
        self._motion(now_ns, state)
        return state

    def _effort_in_force(self, now_ns: int) -> Optional[FloatArray]:
        """Return what the controller has of the last trajectory at an instant, (n,), Nm."""
        if self._last is None:
            return None
        last, passed = self._last, (now_ns - self._last.start_ns) * 1e-9
        return np.array([np.interp(passed, last.times, effort) for effort in last.efforts.T])

    def _to_the_end(self, command: Command, times: FloatArray, points: FloatArray,
                    efforts: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Add a point at rest where the rate limit has kept the last from the final effort."""
        missing = np.abs(command.effort - efforts[-1])
        if not missing.any():
            return times, points, efforts
        longer = max(float((missing / self._core.limiter.effort_rate).max()), 1e-3)
        return (np.append(times, times[-1] + longer), np.append(points, points[-1:], axis=0),
                np.append(efforts, command.effort[np.newaxis], axis=0))

    def _times(self) -> FloatArray:
        """Return when the points are: those of the horizon, and a few on the way to rest."""
        spacing, stop_time = self.config.spacing, self._core.config.stop_time
        count = max(1, int(round(self.config.horizon / spacing)))
        to_rest = count * spacing + np.arange(1, POINTS_TO_REST + 1) * stop_time / POINTS_TO_REST
        # the last point lies a little after the end, whatever is rounded: there it is at rest
        to_rest[-1] += 1e-6
        return np.append(np.arange(count + 1) * spacing, to_rest)

    def _to_rest(self, command: Command, now_ns: int, stamps_ns: list[int]
                 ) -> tuple[FloatArray, FloatArray]:
        """Return points of the last motion, which comes to rest, with a command's effort."""
        if self._motion is None or now_ns < self._motion_ns:  # the clock has jumped
            self._motion, self._motion_ns = _held(command.desired_position), now_ns
        points = np.empty((len(stamps_ns), 3, len(command.names)))
        for stamp_ns, point in zip(stamps_ns, points):
            self._motion(stamp_ns, point)
        return points, np.tile(command.effort, (len(stamps_ns), 1))


def _held(position: FloatArray) -> Callable[[int, FloatArray], None]:
    """Return what samples a position (n,) at rest."""

    def sample_into(_: int, out: FloatArray) -> None:
        out[0] = position
        out[1:] = 0.0

    return sample_into

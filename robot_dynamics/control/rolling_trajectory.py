"""
A trajectory with efforts, reissued as it rolls on, for an effort joint_trajectory_controller.

The controller keeps its own feedback; the efforts in the points are the feedforward for the
predicted motion of the base.  The feedforward should then have no feedback of its own
(``natural_frequency`` 0) and ramp in from zero (``ramp.start_from`` zero), because the
controller holds the arm already.
"""

from __future__ import annotations

import dataclasses
from typing import Optional

import numpy as np

from robot_dynamics.control.command import Command
from robot_dynamics.control.feedforward import ACTIVE, FeedforwardCore, RAMPING_IN
from robot_dynamics.control.parameters import check_parameters, parameter
from robot_dynamics.control.stamps import to_ns
from robot_dynamics.core.gate import FloatArray


@dataclasses.dataclass(frozen=True)
class RollingTrajectoryConfig:
    """How far ahead, how dense and how often."""

    horizon: float = parameter(0.2, 'how far the trajectory reaches ahead', 's', 0.02, 0.5)
    spacing: float = parameter(0.02, 'time between points', 's', 0.001, 0.1)
    period: float = parameter(0.1, 'time between two trajectories', 's', 0.01, 0.5)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass(frozen=True, eq=False)
class EffortTrajectory:
    """
    Points of one message; the first is one spacing after the start.

    Attributes
    ----------
    start_ns : int
        Header stamp.
    names : tuple of str
    times : (N,) array, s from start
    positions, velocities, accelerations, efforts : (N, n) array
    state : str
        State of the feedforward.
    """

    start_ns: int
    names: tuple[str, ...]
    times: FloatArray
    positions: FloatArray
    velocities: FloatArray
    accelerations: FloatArray
    efforts: FloatArray
    state: str


class RollingTrajectory:
    """
    Builds the next trajectory from a core that receives the same inputs as ever.

    Parameters
    ----------
    core : FeedforwardCore
        Its commands are asked for here, and nowhere else.
    config : RollingTrajectoryConfig, optional
    """

    def __init__(self, core: FeedforwardCore,
                 config: Optional[RollingTrajectoryConfig] = None) -> None:
        self._core = core
        self.config = config or RollingTrajectoryConfig()
        self._issued_ns: Optional[int] = None

    def due(self, now_ns: int) -> Optional[EffortTrajectory]:
        """
        Return the trajectory to send now; call it at the rate of the joint states.

        None between two trajectories, and while inputs are not valid.  When an input falls
        silent the arm is held at the last desired position, with the efforts of the fallback.
        """
        command = self._core.command(now_ns)
        if command is None:
            return None
        if self._issued_ns is not None and (
                0 <= now_ns - self._issued_ns < to_ns(self.config.period)):
            return None
        self._issued_ns = now_ns
        count = max(1, int(round(self.config.horizon / self.config.spacing)))
        offsets = [to_ns((k + 1) * self.config.spacing) for k in range(count)]
        times = np.array(offsets) * 1e-9
        if command.state in (ACTIVE, RAMPING_IN):
            points, efforts = self._core.preview([now_ns + offset for offset in offsets])
        else:
            points, efforts = _held(command, count)
        return EffortTrajectory(now_ns, command.names, times, points[:, 0], points[:, 1],
                                points[:, 2], efforts, command.state)


def _held(command: Command, count: int) -> tuple[FloatArray, FloatArray]:
    """Return points at rest at the last desired position, with the effort of the command."""
    points = np.zeros((count, 3, len(command.names)))
    points[:, 0] = command.desired_position
    return points, np.tile(command.effort, (count, 1))

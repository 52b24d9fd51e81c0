"""
A trajectory with efforts, reissued as it rolls on, for an effort joint_trajectory_controller.

The controller keeps its own feedback; the efforts in the points are the feedforward for the
predicted motion of the base.
"""

from __future__ import annotations

import dataclasses
from typing import Optional

from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.parameters import check_parameters, parameter
from robot_dynamics.core.gate import FloatArray


@dataclasses.dataclass(frozen=True)
class RollingTrajectoryConfig:
    """How far ahead, how dense and how often."""

    horizon: float = parameter(0.3, 'how far the trajectory reaches ahead', 's', 0.02, 0.5)
    spacing: float = parameter(0.02, 'time between points', 's', 0.001, 0.1)
    period: float = parameter(0.1, 'time between two trajectories', 's', 0.01, 0.5)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass(frozen=True)
class EffortTrajectory:
    """
    Points of one message.

    Attributes
    ----------
    start_ns : int
        Header stamp.
    names : tuple of str
    times : (N,) array, s from start
    positions, velocities, accelerations, efforts : (N, nv) array
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
    """Builds the next trajectory from a core that receives the same inputs as ever."""

    def __init__(self, core: FeedforwardCore,
                 config: Optional[RollingTrajectoryConfig] = None) -> None:
        raise NotImplementedError

    def due(self, now_ns: int) -> Optional[EffortTrajectory]:
        """Return the trajectory due at ``now_ns``, or None: not due, or inputs not valid."""
        raise NotImplementedError

"""
Where to stand and how: the best of a grid of places on deck, or of many postures.

The measure is the margin: by how much the waves may be higher in the worst of the seas and
headings asked about until a limit is kept with the probability asked for only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.plain import plain
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.operability.assessment import (
    allowed_scales, limit_statistics, Mount, Question)
from robot_dynamics.operability.limits import Limit
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.seas import Sea

_LARGEST = 1e3  # a margin that stands for any
_CHUNK = 64  # postures at once: bounds the memory

Progress = Callable[[str, float], None]


def margins(robot: RobotLoads, states: RobotStates, limits: Sequence[Limit], mount: Mount,
            question: Question, seas: Sequence[Sea]) -> FloatArray:
    """Return the margin of each state, (P,): 1 means that the worst sea is just kept."""
    statistics = limit_statistics(robot, states, limits, mount, question, seas)
    scales = allowed_scales(statistics, question.probability, np.full(len(seas), _LARGEST))
    return np.asarray(scales.min(axis=(0, 1, 3)))


@dataclass(frozen=True, eq=False)
class BaseSearch:
    """Margins over places on deck."""

    #: (X,) or (Y,), places in deck axes from the rotation centre, m
    x: FloatArray
    y: FloatArray
    yaw_deg: FloatArray  #: (A,), heading of the robot's base on the deck
    margin: FloatArray  #: (X, Y, A)

    @property
    def best(self) -> tuple[float, float, float, float]:
        """Return x, y [m], yaw [deg] and margin of the best place."""
        i, j, k = np.unravel_index(int(np.argmax(self.margin)), self.margin.shape)
        return (float(self.x[i]), float(self.y[j]), float(self.yaw_deg[k]),
                float(self.margin[i, j, k]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        x, y, yaw, margin = self.best
        return {**plain(self), 'best': {'x': x, 'y': y, 'yaw_deg': yaw, 'margin': margin}}


def search_base(robot: RobotLoads, states: RobotStates, limits: Sequence[Limit], mount: Mount,
                question: Question, seas: Sequence[Sea], x: FloatArray, y: FloatArray,
                yaw_deg: FloatArray, progress: Optional[Progress] = None) -> BaseSearch:
    """
    Try places and headings of the robot's base on the deck.

    Parameters
    ----------
    robot, states, limits, question, seas
        As for :func:`~robot_dynamics.operability.study.assess`.
    mount : Mount
        Gives height and tilt of the base, which stay.
    x, y, yaw_deg : ndarray
        The grid: m from the rotation centre in deck axes, and deg about the deck's z axis.
    """
    margin = np.empty((len(x), len(y), len(yaw_deg)))
    for k, yaw in enumerate(yaw_deg):
        R = matrix_from_rpy([0.0, 0.0, np.radians(yaw)]) @ mount.R_DB
        for i, j in np.ndindex(len(x), len(y)):
            if progress is not None:
                done = (k * len(x) + i) * len(y) + j
                progress('places on deck', done / margin.size)
            place = Mount(R, np.array([x[i], y[j], mount.p_DB[2]]))
            margin[i, j, k] = margins(robot, states, limits, place, question, seas).min()
    return BaseSearch(np.asarray(x), np.asarray(y), np.asarray(yaw_deg), margin)


@dataclass(frozen=True, eq=False)
class PostureSearch:
    """Margins of postures, best first."""

    joints: tuple[str, ...]
    q: FloatArray  #: (P, nv), in rad or m
    margin: FloatArray  #: (P,)

    def to_dict(self, count: int = 10) -> dict[str, Any]:
        """Return the best postures as plain data for JSON."""
        return {'joints': list(self.joints), 'tried': len(self.margin), 'best': [
            {'q': q.tolist(), 'margin': float(margin)}
            for q, margin in zip(self.q[:count], self.margin[:count])]}


def position_range(model: RobotModel) -> tuple[FloatArray, FloatArray]:
    """Return between what positions are tried, (nv,) each: the limits, else one turn."""
    return (np.where(np.isfinite(model.lower), model.lower, -np.pi),
            np.where(np.isfinite(model.upper), model.upper, np.pi))


def search_posture(robot: RobotLoads, limits: Sequence[Limit], mount: Mount, question: Question,
                   seas: Sequence[Sea], count: int, seed: int = 0,
                   progress: Optional[Progress] = None) -> PostureSearch:
    """
    Try postures at rest, spread evenly (Sobol) between the position limits.

    Parameters
    ----------
    robot, limits, mount, question, seas
        As for :func:`~robot_dynamics.operability.study.assess`.
    count : int
        How many.
    seed : int
        Of the sequence.
    """
    from scipy.stats import qmc
    if count < 1:
        raise ConfigurationError(f'search of postures: {count} is no number of postures')
    model = robot.model
    low, high = position_range(model)
    sobol = qmc.Sobol(model.nv, seed=seed).random_base2(int(np.ceil(np.log2(count))))[:count]
    q = low + sobol * (high - low)
    margin = np.empty(count)
    for start in range(0, count, _CHUNK):
        if progress is not None:
            progress('postures', start / count)
        part = slice(start, start + _CHUNK)
        margin[part] = margins(robot, RobotStates.postures(model, q[part]), limits, mount,
                               question, seas)
    order = np.argsort(-margin, kind='stable')
    return PostureSearch(model.joint_names, q[order], margin[order])

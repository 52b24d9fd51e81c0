"""The robot whose loads are asked for: its states, its loads, and what limits them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Optional

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_array, FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion, STANDARD_GRAVITY
from robot_dynamics.motion.base_state import BaseState
from robot_dynamics.operability.small_motion import (
    linear_loads, LinearLoads, LoadFunction, second_derivatives)
from robot_dynamics.ship.csv_rows import read_rows

_TOLERANCE = 1e-9  # rad or m beyond a position limit that still counts as at it


@dataclass(frozen=True, eq=False)
class RobotStates:
    """States in which the robot is judged: one or more postures, or samples of a trajectory."""

    #: (P, nv), in rad (m), rad/s, rad/s^2
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    time: Optional[FloatArray] = None  #: (P,), of the samples of a trajectory, s

    @classmethod
    def postures(cls, model: RobotModel, q: FloatArray) -> RobotStates:
        """Return postures at rest, (P, nv); one outside the position limits is refused."""
        q = as_array('posture', np.atleast_2d(q), (None, model.nv), 'rad or m')
        check_positions(model, q, 'posture')
        return cls(q, np.zeros_like(q), np.zeros_like(q))

    @classmethod
    def trajectory(cls, model: RobotModel, path: str) -> RobotStates:
        """
        Read a trajectory from a CSV file.

        Parameters
        ----------
        path : str
            CSV with ``time`` [s] and a column for each joint of the model [rad or m]; velocities
            and accelerations are those of the cubic spline through the samples.
        """
        from scipy.interpolate import CubicSpline
        rows = read_rows(Path(path))
        columns = []
        for name in ('time', *model.joint_names):
            if not rows or rows[0].get(name) is None:
                raise ConfigurationError(f'{path}: column {name!r} is missing; a trajectory has '
                                         f'time and {", ".join(model.joint_names)}')
            try:
                columns.append([float(row[name]) for row in rows])
            except (TypeError, ValueError):
                raise ConfigurationError(
                    f'{path}: column {name!r} holds what is no number') from None
        table = as_array(path, np.array(columns).T, (None, model.nv + 1))
        time, q = table[:, 0], table[:, 1:]
        if len(time) < 4 or (np.diff(time) <= 0.0).any():
            raise ConfigurationError(f'{path}: needs four or more samples whose time increases')
        check_positions(model, q, path)
        spline = CubicSpline(time, q)
        return cls(q, spline(time, 1), spline(time, 2), time)

    @property
    def moving(self) -> bool:
        """Whether these are samples of a trajectory."""
        return self.time is not None

    def one(self, index: int) -> RobotStates:
        """Return one of the states."""
        pick = slice(index, index + 1)
        return RobotStates(self.q[pick], self.qd[pick], self.qdd[pick],
                           None if self.time is None else self.time[pick])


def check_positions(model: RobotModel, q: FloatArray, what: str) -> None:
    """
    Refuse states (P, nv) outside the model's position limits.

    Raises
    ------
    ConfigurationError
        Names the joint, the value and the limits.
    """
    low, high = model.lower, model.upper
    outside = (q < low - _TOLERANCE) | (q > high + _TOLERANCE)
    if outside.any():
        row, k = np.argwhere(outside)[0]
        raise ConfigurationError(
            f'{what}: {model.joint_names[k]} at {q[row, k]:.4g} is outside its limits '
            f'{low[k]:.4g} to {high[k]:.4g} of the description')


@dataclass(frozen=True, eq=False)
class RobotLoads:
    """Loads of a robot on a deck: joint efforts (nv), then the wrench on what carries it (6)."""

    model: RobotModel
    function: LoadFunction  #: ``function(q, qd, qdd, base)`` -> (T, nv + 6)
    #: Of the loads
    names: tuple[str, ...]
    units: tuple[str, ...]

    @classmethod
    def of_arm(cls, dynamics: InverseDynamics) -> RobotLoads:
        """Take the loads of an arm bolted to the deck: efforts, and its wrench on the deck."""
        def function(q: FloatArray, qd: FloatArray, qdd: FloatArray, base: BaseMotion
                     ) -> FloatArray:
            return np.concatenate([dynamics.torque(q, qd, qdd, base),
                                   dynamics.base_wrench(q, qd, qdd, base)], axis=-1)
        return cls.of(dynamics.model, function)

    @classmethod
    def on_wheels(cls, dynamics: InverseDynamics) -> RobotLoads:
        """
        Take the loads of a robot that stands on wheels: efforts, and the ground's wrench on it.

        The wrench is about the platform's frame O on the deck, and so is the base's motion; the
        wheels are held.
        """
        pose = np.zeros(dynamics.support.pose_size)

        def function(q: FloatArray, qd: FloatArray, qdd: FloatArray, base: BaseMotion
                     ) -> FloatArray:
            state = BaseState(base, pose)
            return np.concatenate([dynamics.torque(q, qd, qdd, state),
                                   -dynamics.base_wrench(q, qd, qdd, state)], axis=-1)
        return cls.of(dynamics.model, function)

    @classmethod
    def of(cls, model: RobotModel, function: Callable[..., FloatArray]) -> RobotLoads:
        """Name the loads of a function."""
        units = tuple('N' if joint.kind == 'prismatic' else 'N m' for joint in model.joints)
        return cls(model, function,
                   (*model.joint_names, 'Fx', 'Fy', 'Fz', 'Mx', 'My', 'Mz'),
                   (*units, 'N', 'N', 'N', 'N m', 'N m', 'N m'))

    def linear(self, states: RobotStates, R_DB: FloatArray, p_DB: Optional[FloatArray] = None,
               gravity: float = STANDARD_GRAVITY) -> LinearLoads:
        """
        Expand the loads about the level deck at rest.

        Parameters
        ----------
        R_DB : ndarray, (3, 3)
            From the robot's base to deck axes.
        p_DB : ndarray, (3,), optional
            Its place from the ship's rotation centre, m; with it, to second order.
        gravity : float, m/s^2
        """
        level = BaseMotion(gravity=R_DB.T @ np.array([0.0, 0.0, -gravity]))
        state = (states.q, states.qd, states.qdd)
        loads = linear_loads(self.function, *state, level)
        if p_DB is None:
            return loads
        return replace(loads, second=second_derivatives(self.function, *state, R_DB, p_DB,
                                                        gravity))

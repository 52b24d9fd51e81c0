"""Closed-form references: the motions of the papers, and a quintic from point to point."""

from __future__ import annotations

import math
from typing import Any, Optional, Sequence

import numpy as np

from robot_dynamics.control.reference import JointTrajectory, ReferenceSample
from robot_dynamics.core.errors import ConfigurationError, InputError
from robot_dynamics.core.gate import as_scalar, as_vector, FloatArray

PA10_JOINTS = ('joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6')

# Paper 003, Table 4.  A6 is printed as 12, which would need 18.4 rad/s against a limit of
# 6.28 rad/s: 1.2 is meant.
PAPER_AMPLITUDE = (-1.0, -0.7, 0.7, -1.2, -1.0, 1.2)  # rad
PAPER_PERIOD = (5.0, 4.5, 4.0, 4.2, 3.0, 4.1)         # s

# That takes joint1 to 1.26 rad/s and joint2 to 0.98, and the PA10 reaches 1.0: the demo takes its
# time, as config/ship_pa10.yaml does.
DEMO_TIME_SCALE = 1.5

# Paper 004.
MOBILE_JOINTS = ('right_wheel_joint', 'left_wheel_joint', 'arm1', 'arm2', 'arm3')
WHEEL_RADIUS = 0.075  # m, Table 2

# Table 3: wheels in m of ground, arm in degrees.
TABLE_3_WHEELS = (0.6, -0.6)
TABLE_3_ARM = ((0.0, -90.0, 90.0), (90.0, 90.0, -90.0))

# Table 3 gives neither duration nor profile.  In 4 s the quintic peaks at 7.5 rad/s at the wheels
# (0.56 m/s) and at 1.5 rad/s at the arm, half of the limits of the description.
TABLE_3_DURATION = 4.0  # s


class Sinusoid:
    """
    Desired motion A (cos(w t) - 1) of every joint: from rest at zero, without end.

    Parameters
    ----------
    amplitude : (n,) array, rad
    angular_frequency : (n,) array, rad/s
    """

    def __init__(self, names: Sequence[str], amplitude: Any, angular_frequency: Any) -> None:
        self.names = tuple(names)
        self.amplitude = as_vector('amplitude', amplitude, len(self.names), 'rad')
        self.angular_frequency = as_vector(
            'angular_frequency', angular_frequency, len(self.names), 'rad/s')

    @property
    def duration(self) -> float:
        """Infinite, s."""
        return math.inf

    def sample(self, t: Any) -> ReferenceSample:
        """Return the desired motion ``t`` seconds after the start; at rest at zero before."""
        time = np.maximum(np.asarray(t, dtype=np.float64), 0.0)[..., None]
        w = self.angular_frequency
        cosine, sine = np.cos(w * time), np.sin(w * time)
        moving = np.where(np.asarray(t)[..., None] >= 0.0, 1.0, 0.0)
        return ReferenceSample(
            self.amplitude * (cosine - 1.0), -self.amplitude * w * sine,
            -self.amplitude * w**2 * cosine * moving)


class PointToPoint:
    """
    Quintic from rest at ``start`` to rest at ``goal``: 10 s^3 - 15 s^4 + 6 s^5.

    Parameters
    ----------
    start, goal : (n,) array, rad
    duration : float, s
    """

    def __init__(self, names: Sequence[str], start: Any, goal: Any, duration: float) -> None:
        self.names = tuple(names)
        self.start = as_vector('start', start, len(self.names), 'rad')
        self.goal = as_vector('goal', goal, len(self.names), 'rad')
        self.duration = as_scalar('duration', duration, 1e-3, 1e6, 's')

    def sample(self, t: Any) -> ReferenceSample:
        """Return the desired motion ``t`` seconds after the start; held before and after."""
        s = np.clip(np.asarray(t, dtype=np.float64) / self.duration, 0.0, 1.0)[..., None]
        way, rate = self.goal - self.start, 1.0 / self.duration
        return ReferenceSample(
            self.start + way * (s**3 * (10.0 - 15.0 * s + 6.0 * s**2)),
            way * rate * (30.0 * s**2 * (1.0 - s)**2),
            way * rate**2 * (60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)))


class Work:
    """
    Ordinary work: from rest to rest between random goals, with short pauses.

    Parameters
    ----------
    low, high : (n,) array, rad
        Range of the goals.
    speed : (n,) array, rad/s
        Largest velocities.
    duration : float, s
    """

    def __init__(self, names: Sequence[str], low: Any, high: Any, speed: Any, duration: float,
                 seed: int = 1, pause: float = 0.3) -> None:
        self.names = tuple(names)
        self.duration = as_scalar('duration', duration, 1.0, 1e5, 's')
        random = np.random.default_rng(seed)
        self._moves: list[tuple[float, PointToPoint]] = []
        here, begin = np.zeros(len(self.names)), 0.5
        while begin < self.duration:
            goal = random.uniform(low, high)
            move = quintic_point_to_point(self.names, here, goal, None, speed)
            self._moves.append((begin, move))
            here, begin = goal, begin + move.duration + pause

    def sample(self, t: Any) -> ReferenceSample:
        """Return the desired motion ``t`` seconds after the start."""
        time = np.clip(np.asarray(t, dtype=np.float64), 0.0, self.duration)
        parts = [np.zeros((*time.shape, len(self.names))) for _ in range(3)]
        for begin, move in self._moves:
            rows = time >= begin
            for part, values in zip(parts, move.sample(time[rows] - begin)):
                part[rows] = values
        return ReferenceSample(*parts)

    def trajectory(self, period: float = 0.05) -> JointTrajectory:
        """Return its points."""
        return JointTrajectory.from_reference(self, None, period)


def paper_sinusoid(names: Sequence[str] = PA10_JOINTS, time_scale: float = 1.0) -> Sinusoid:
    """
    Return the desired motion of paper 003 for the PA10's six joints.

    Eq. 37 is printed as A cos(w t) - 1; A (cos(w t) - 1) is meant: it starts at rest at zero and
    stays inside the joint limits.  Amplitudes and periods are those of Table 4 with A6 = 1.2,
    the periods times ``time_scale``.
    """
    if len(names) != len(PAPER_AMPLITUDE):
        raise InputError('names', f'has {len(names)} joints, expected the six of the PA10')
    return Sinusoid(names, PAPER_AMPLITUDE, 2.0 * np.pi / (time_scale * np.array(PAPER_PERIOD)))


def demo_sinusoid(names: Sequence[str] = PA10_JOINTS) -> Sinusoid:
    """Return that motion as the demo shows it, within the velocity limits of the PA10."""
    return paper_sinusoid(names, DEMO_TIME_SCALE)


def table_3_motion(duration: float = TABLE_3_DURATION) -> PointToPoint:
    """
    Return the motion of Table 3: back by 1.2 m while the arm sweeps, with a quintic profile.

    Parameters
    ----------
    duration : float, s
    """
    start, goal = (
        np.concatenate([np.full(2, way / WHEEL_RADIUS), np.deg2rad(arm)])
        for way, arm in zip(TABLE_3_WHEELS, TABLE_3_ARM))
    return PointToPoint(MOBILE_JOINTS, start, goal, duration)


def quintic_point_to_point(
        names: Sequence[str], start: Any, goal: Any, duration: Optional[float] = None,
        velocity_limit: Any = None, acceleration_limit: Any = None) -> PointToPoint:
    """
    Return the quintic from rest at ``start`` to rest at ``goal``.

    Parameters
    ----------
    start, goal : (n,) array, rad
    duration : float, s, optional
        If absent, the shortest that keeps every joint within the given limits.
    velocity_limit, acceleration_limit : float or (n,) array, rad/s, rad/s^2, optional
        The quintic peaks at 15/8 of the mean velocity and at 10/sqrt(3) way / duration^2.
    """
    if duration is None:
        way = np.abs(as_vector('goal', goal, len(names)) - as_vector('start', start, len(names)))
        shortest = [1e-3]
        if velocity_limit is not None:
            shortest.append(float(np.max(15.0 / 8.0 * way / _limit(
                'velocity_limit', velocity_limit, len(names)))))
        if acceleration_limit is not None:
            shortest.append(float(np.max(np.sqrt(10.0 / math.sqrt(3.0) * way / _limit(
                'acceleration_limit', acceleration_limit, len(names))))))
        if len(shortest) == 1:
            raise ConfigurationError(
                'quintic_point_to_point: give a duration, or a velocity or acceleration limit')
        duration = max(shortest)
    return PointToPoint(names, start, goal, duration)


def _limit(name: str, value: Any, size: int) -> FloatArray:
    limit = np.broadcast_to(np.asarray(value, dtype=np.float64), (size,))
    if not (limit > 0.0).all():
        raise InputError(name, 'must be positive')
    return limit

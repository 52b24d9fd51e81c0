"""
References: the desired motion of the joints as a function of time.

A reference is a pure function: ``sample(t)`` gives position, velocity and acceleration at ``t``
seconds after its start, for one time or for many.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Protocol, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.polynomials import held, hermite, PiecewisePolynomial
from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_array, as_series, as_vector, FloatArray

LONGEST = 1e8  # s: three years


class ReferenceSample(NamedTuple):
    """Desired motion at one time (n,) or at T times (T, n), columns in the order of ``names``."""

    position: FloatArray  #: rad (or m)
    velocity: FloatArray  #: rad/s
    acceleration: FloatArray  #: rad/s^2


class Reference(Protocol):
    """Desired motion of named joints; ``duration`` may be infinite."""

    @property
    def names(self) -> tuple[str, ...]:
        """Joints, in the order of the columns."""

    @property
    def duration(self) -> float:
        """Time from start to end, s."""

    def sample(self, t: ArrayLike) -> ReferenceSample:
        """Return the desired motion ``t`` seconds after the start; ``t`` scalar or (T,)."""


class Duration(Protocol):
    """A builtin_interfaces/Duration, or alike."""

    sec: int
    nanosec: int


class TrajectoryPoint(Protocol):
    """A trajectory_msgs/JointTrajectoryPoint, or alike; rad, rad/s, rad/s^2."""

    positions: Sequence[float]
    velocities: Sequence[float]
    accelerations: Sequence[float]
    time_from_start: Duration


class JointTrajectory:
    """
    Points of a trajectory message, interpolated by Hermite polynomials.

    Quintic where accelerations are given, cubic where only velocities are, linear where only
    positions are.  Before its first and after its last point it is held.

    Parameters
    ----------
    names : sequence of str
        Joints, in the order of the columns.
    times : (N,) array, s
        Times from start, strictly increasing, not negative.
    positions : (N, n) array, rad
    velocities, accelerations : (N, n) array, rad/s, rad/s^2, optional
        Accelerations without velocities are ignored.
    start_ns : int
        Stamp of time 0, ns; 0 means: when it is received.

    Raises
    ------
    InputError
        If a shape is wrong, a value is not finite, a joint is named twice or times do not rise.
    """

    def __init__(self, names: Sequence[str], times: ArrayLike, positions: ArrayLike,
                 velocities: Optional[ArrayLike] = None,
                 accelerations: Optional[ArrayLike] = None, start_ns: int = 0) -> None:
        self.names = tuple(names)
        if not self.names:
            raise InputError('joint_names', 'is empty, expected at least one joint')
        if len(set(self.names)) != len(self.names):
            raise InputError('joint_names', f'name a joint twice ({", ".join(self.names)})')
        self.times = as_vector('times', times, None, 's')
        if not len(self.times):
            raise InputError('points', 'are empty, expected at least one')
        if self.times[0] < 0.0 or (np.diff(self.times) <= 0.0).any():
            raise InputError('times', 'must not be negative and must rise from point to point')
        if self.times[-1] > LONGEST:
            raise InputError('times', f'reach {self.times[-1]:g} s, beyond {LONGEST:g} s')
        shape = (len(self.times), len(self.names))
        self.positions = as_array('positions', positions, shape, 'rad')
        self.velocities: Optional[FloatArray] = None
        self.accelerations: Optional[FloatArray] = None
        if velocities is not None:
            self.velocities = as_array('velocities', velocities, shape, 'rad/s')
            if accelerations is not None:
                self.accelerations = as_array('accelerations', accelerations, shape, 'rad/s^2')
        self.start_ns = int(start_ns)
        self.polynomial = self._interpolate()

    @classmethod
    def from_points(cls, names: Sequence[str], points: Sequence[TrajectoryPoint],
                    start_ns: int = 0) -> 'JointTrajectory':
        """
        Build from the points of a trajectory message.

        Parameters
        ----------
        points : sequence of TrajectoryPoint
            Velocities or accelerations that any point lacks count as absent in all.
        """
        if not len(points):
            raise InputError('points', 'are empty, expected at least one')
        width = len(names)
        has_velocity = all(len(point.velocities) == width for point in points)
        has_acceleration = all(len(point.accelerations) == width for point in points)
        times = [point.time_from_start.sec + point.time_from_start.nanosec * 1e-9
                 for point in points]
        return cls(
            names, np.array(times, dtype=np.float64),
            _rows('positions', [point.positions for point in points], width),
            [list(point.velocities) for point in points] if has_velocity else None,
            [list(point.accelerations) for point in points] if has_acceleration else None,
            start_ns)

    @classmethod
    def from_reference(cls, reference: Reference, duration: Optional[float] = None,
                       period: float = 0.05, start_ns: int = 0) -> 'JointTrajectory':
        """
        Return the points of a reference, at most ``period`` seconds apart.

        Parameters
        ----------
        duration : float, s, optional
            Where to cut; required where the reference has no end.
        """
        length = reference.duration if duration is None else duration
        if not 0.0 < length < np.inf:
            raise InputError('duration', f'is {length}, expected a finite positive number; '
                                         'a reference without end needs it')
        times = np.linspace(0.0, length, int(np.ceil(length / period - 1e-9)) + 1)
        sample = reference.sample(times)
        return cls(reference.names, times, sample.position, sample.velocity, sample.acceleration,
                   start_ns)

    @property
    def duration(self) -> float:
        """Time of the last point from start, s."""
        return float(self.times[-1])

    @property
    def is_stream_point(self) -> bool:
        """Whether this is one single point: a sample of a stream."""
        return len(self.times) == 1

    def sample(self, t: ArrayLike) -> ReferenceSample:
        """Return the desired motion ``t`` seconds after the start; held before and after."""
        times = np.asarray(t, dtype=np.float64)
        p, v, a = self.polynomial.sample(np.atleast_1d(times))
        return ReferenceSample(p, v, a) if times.ndim else ReferenceSample(p[0], v[0], a[0])

    def state_at_point(self, index: int) -> FloatArray:
        """Return position, velocity, acceleration (3, n) of a point; zero where absent."""
        state = np.zeros((3, len(self.names)))
        state[0] = self.positions[index]
        if self.velocities is not None:
            state[1] = self.velocities[index]
        if self.accelerations is not None:
            state[2] = self.accelerations[index]
        return state

    def for_joints(self, names: Sequence[str]) -> 'JointTrajectory':
        """
        Return the columns of ``names`` in that order.

        Raises
        ------
        InputError
            If a joint is missing.
        """
        if tuple(names) == self.names:
            return self
        missing = [name for name in names if name not in self.names]
        if missing:
            raise InputError('joint_names', f'lack {", ".join(missing)}')
        columns = [self.names.index(name) for name in names]
        velocities, accelerations = self.velocities, self.accelerations
        return JointTrajectory(
            names, self.times, self.positions[:, columns],
            None if velocities is None else velocities[:, columns],
            None if accelerations is None else accelerations[:, columns], self.start_ns)

    def shifted(self, offset: FloatArray) -> 'JointTrajectory':
        """Return the same motion with ``offset`` (n,) added to all positions, rad."""
        if not offset.any():
            return self
        return JointTrajectory(self.names, self.times, self.positions + offset, self.velocities,
                               self.accelerations, self.start_ns)

    def _interpolate(self) -> PiecewisePolynomial:
        p, v, a = self.positions, self.velocities, self.accelerations
        if len(p) == 1:
            return held(p[0], float(self.times[0]))
        coefficients = hermite(
            np.diff(self.times)[:, None], p[:-1], p[1:],
            None if v is None else v[:-1], None if v is None else v[1:],
            None if a is None else a[:-1], None if a is None else a[1:])
        return PiecewisePolynomial(self.times, coefficients, p[-1])


def _rows(name: str, rows: Sequence[Sequence[float]], width: int) -> FloatArray:
    """Stack the rows of a message, or say which has the wrong length."""
    for index, row in enumerate(rows):
        if len(row) != width:
            raise InputError(
                name, f'of point {index} have {len(row)} values, expected {width}')
    return as_series(name, [list(row) for row in rows], width)

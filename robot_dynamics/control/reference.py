"""
References: the desired motion of the joints as a function of time.

A reference is a pure function: ``sample(t)`` gives position, velocity and acceleration at ``t``
seconds after its start, for one time or for many.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Protocol, Sequence

from robot_dynamics.core.gate import FloatArray


class ReferenceSample(NamedTuple):
    """
    Desired motion at one time (nv,) or at T times (T, nv).

    Attributes
    ----------
    position : array, rad (or m)
    velocity : array, rad/s
    acceleration : array, rad/s^2
    """

    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray


class Reference(Protocol):
    """Desired motion of named joints."""

    names: tuple[str, ...]
    duration: float

    def sample(self, t: Any) -> ReferenceSample:
        """Return the desired motion ``t`` seconds after the start; ``t`` scalar or (T,)."""


class JointTrajectory:
    """
    Points of a trajectory message, interpolated (quintic, cubic or linear Hermite).

    Parameters
    ----------
    names : sequence of str
        Joints, in the order of the columns.
    times : (N,) array, s
        Times from start, strictly increasing, not negative.
    positions : (N, n) array, rad
    velocities, accelerations : (N, n) array, optional
    start_ns : int
        Stamp of time 0, ns; 0 means: when it is received.
    """

    def __init__(self, names: Sequence[str], times: Any, positions: Any, velocities: Any = None,
                 accelerations: Any = None, start_ns: int = 0) -> None:
        raise NotImplementedError

    names: tuple[str, ...]
    times: FloatArray
    positions: FloatArray
    velocities: Optional[FloatArray]
    accelerations: Optional[FloatArray]
    start_ns: int
    duration: float

    @property
    def is_stream_point(self) -> bool:
        """Whether this is one single point: a sample of a stream."""
        raise NotImplementedError

    def sample(self, t: Any) -> ReferenceSample:
        """Return the desired motion ``t`` seconds after the start; held before and after."""
        raise NotImplementedError

    @classmethod
    def from_reference(cls, reference: Reference, duration: Optional[float] = None,
                       period: float = 0.05, start_ns: int = 0) -> 'JointTrajectory':
        """Return the points of a reference, ``period`` seconds apart."""
        raise NotImplementedError

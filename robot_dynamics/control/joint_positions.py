"""What the checks of joint states look at."""

from __future__ import annotations

from typing import Optional

from robot_dynamics.core.gate import FloatArray


class JointPositions:
    """
    Measured positions, and velocities if reported.

    Parameters
    ----------
    stamp_ns : int
    position : (n,) array, rad or m
    velocity : (n,) array, rad/s or m/s, optional
    effort : (n,) array, Nm or N, optional

    Attributes
    ----------
    q, v : list of float
    effort : list of float or None
        The same: for a handful of joints plain floats are quicker than arrays.
    """

    __slots__ = ('stamp_ns', 'position', 'velocity', 'q', 'v', 'effort')

    def __init__(self, stamp_ns: int, position: FloatArray,
                 velocity: Optional[FloatArray] = None,
                 effort: Optional[FloatArray] = None) -> None:
        self.stamp_ns, self.position, self.velocity = stamp_ns, position, velocity
        self.q: list[float] = position.tolist()
        self.v: list[float] = [] if velocity is None else velocity.tolist()
        self.effort = None if effort is None else effort.tolist()

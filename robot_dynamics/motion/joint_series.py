"""Joint positions, velocities, accelerations and efforts over time."""

from __future__ import annotations

from typing import Optional, Sequence

from numpy.typing import ArrayLike

from robot_dynamics.core.errors import InputError, UnknownNameError
from robot_dynamics.core.gate import as_array, FloatArray
from robot_dynamics.motion.series_time import increasing_time


class JointSeries:
    """
    Named joints over time.

    Parameters
    ----------
    time : array_like, (T,)
        In s, strictly increasing.
    names : sequence of str, n
        Joint names, the order of the columns.
    position : array_like, (T, n)
        In rad or m.
    velocity, acceleration, effort : array_like, (T, n), optional
        In rad/s or m/s, rad/s^2 or m/s^2, Nm or N.
    """

    __slots__ = ('time', 'names', 'position', 'velocity', 'acceleration', 'effort')

    def __init__(self, time: ArrayLike, names: Sequence[str], position: ArrayLike,
                 velocity: Optional[ArrayLike] = None, acceleration: Optional[ArrayLike] = None,
                 effort: Optional[ArrayLike] = None) -> None:
        self.time = increasing_time('time', time)
        self.names = tuple(names)
        if len(set(self.names)) != len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise InputError('names', f'{twice!r} appears twice')
        shape = (len(self.time), len(self.names))
        self.position: FloatArray = as_array('position', position, shape)
        self.velocity = None if velocity is None else as_array('velocity', velocity, shape)
        self.acceleration = (
            None if acceleration is None else as_array('acceleration', acceleration, shape))
        self.effort = None if effort is None else as_array('effort', effort, shape)

    def __len__(self) -> int:
        return len(self.time)

    def select(self, names: Sequence[str]) -> JointSeries:
        """
        Return the named joints only, in that order.

        Raises
        ------
        UnknownNameError
            If the series has no such joint.
        """
        for name in names:
            if name not in self.names:
                raise UnknownNameError('joint', name, self.names)
        columns = [self.names.index(name) for name in names]
        return JointSeries(self.time, names, self.position[:, columns], *(
            None if value is None else value[:, columns]
            for value in (self.velocity, self.acceleration, self.effort)))

"""
Continuous joints: the same angle, whichever turn somebody counts.

Drivers report such a joint with all its turns or wrapped into (-pi, pi], and planners do either;
what counts is the way to the nearest angle of that direction.
"""

from __future__ import annotations

from typing import Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.robot_model import RobotModel

TURN = 2.0 * np.pi


class AngleUnwrapping:
    """
    Which joints of a list are continuous, and their whole turns.

    Parameters
    ----------
    kinds : sequence of str
        Types of the joints, in the order of all arrays here.
    """

    def __init__(self, kinds: Sequence[str] = ()) -> None:
        self._columns = np.array([i for i, kind in enumerate(kinds) if kind == 'continuous'],
                                 dtype=int)

    @classmethod
    def of(cls, model: RobotModel, names: Sequence[str]) -> AngleUnwrapping:
        """Return that of the named joints of a model."""
        return cls([model.joints[model.index(name)].kind for name in names])

    def offset(self, values: FloatArray, near: FloatArray) -> FloatArray:
        """
        Return what to add to ``values`` (n,) so that they lie within half a turn of ``near``.

        Whole turns at continuous joints, zero at all others.
        """
        offset = np.zeros(len(values))
        at = self._columns
        if len(at):
            offset[at] = TURN * np.round((near[at] - values[at]) / TURN)
        return offset

    def __bool__(self) -> bool:
        return bool(len(self._columns))

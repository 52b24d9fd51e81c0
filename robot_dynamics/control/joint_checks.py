"""
Checks of measured joint values against what the description allows.

They have the shape of :class:`~robot_dynamics.core.checks.Check`.
"""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.checks import Finding
from robot_dynamics.core.gate import FloatArray


class EffortRangeCheck:
    """
    Measured efforts lie within the effort limits.

    Parameters
    ----------
    names : sequence of str
        Joints in the order of ``bound``.
    bound : (n,) array, Nm
    """

    signal = 'effort'

    def __init__(self, names: Sequence[str], bound: FloatArray) -> None:
        self._names = tuple(names)
        self._bound = bound

    def reset(self) -> None:
        """Forget nothing: each sample is judged alone."""

    def examine(self, effort: FloatArray) -> Optional[Finding]:
        """Name the joint that is furthest beyond its limit, of an effort (n,) in Nm."""
        excess = np.abs(effort) - self._bound
        i = int(np.argmax(excess))
        if excess[i] <= 0.0:
            return None
        value, bound = float(effort[i]), float(self._bound[i])
        return Finding(
            'effort_range', self.signal, f'the measured effort of joint {self._names[i]} is '
            f'{value:.6g} Nm, beyond its limit of {bound:.6g} Nm', value, bound, 'Nm')

"""
Whether whole joint states repeat themselves while the arm is commanded otherwise.

Joints that stand still tell nothing by their positions; what a driver measures of the effort
follows the commands all the same.
"""

from __future__ import annotations

from typing import Optional, Sequence

import numpy as np

from robot_dynamics.control.joint_checks import FROZEN_TIME, Repetition
from robot_dynamics.control.joint_positions import JointPositions
from robot_dynamics.core.checks import Finding
from robot_dynamics.core.gate import FloatArray

SHARE = 0.02  # of the effort limit, by which commands have changed


class FrozenStateCheck:
    """
    Positions, velocities and efforts are not all the same for long while commands change.

    It judges drivers that measure efforts, and whose joint states are used to change.

    Parameters
    ----------
    names : sequence of str
        Of the joints that are commanded, in command order.
    """

    signal = 'effort'

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._repetition = Repetition()
        self._command: Optional[FloatArray] = None
        self._bound: FloatArray = np.zeros(len(self._names))
        self.reset()

    def reset(self) -> None:
        """Forget the last joint state, and keep how long they are used to repeat themselves."""
        self._last: Optional[tuple[list[float], ...]] = None
        self._since_ns = self._before_ns = 0
        self._then: Optional[FloatArray] = None

    def on_command(self, effort: Optional[FloatArray], effort_limit: FloatArray) -> None:
        """Take note of what is sent, (n,), Nm."""
        self._command, self._bound = effort, SHARE * effort_limit

    def examine(self, sample: JointPositions) -> Optional[Finding]:
        """Name the joint whose command has changed most since joint states repeat themselves."""
        if sample.effort is None:
            self._last = None
            return None
        values, now_ns = (sample.q, sample.v, sample.effort), sample.stamp_ns
        if values != self._last:
            if self._last is not None:
                self._repetition.ended(self._before_ns - self._since_ns)
            self._last, self._since_ns, self._then = values, now_ns, self._command
        elif self._then is None:
            self._since_ns, self._then = now_ns, self._command
        self._before_ns = now_ns
        seconds = 1e-9 * (now_ns - self._since_ns)
        if self._then is None or self._command is None or not self._repetition.has_learned or (
                seconds <= max(self._repetition.bound, FROZEN_TIME)):
            return None
        change = abs(self._command - self._then)
        i = int((change / self._bound).argmax())
        if change[i] <= self._bound[i]:
            return None
        return Finding(
            'state_frozen', self.signal, 'joint states have repeated themselves, efforts and all, '
            f'for {seconds:.2f} s, in which the command to joint {self._names[i]} changed by '
            f'{change[i]:.3g} Nm', float(change[i]), float(self._bound[i]), 'Nm')

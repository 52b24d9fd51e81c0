"""One publisher's joint states as a table, with what is odd about them."""

from __future__ import annotations

from typing import Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.bags.columns import Columns
from robot_dynamics.bags.findings import Findings, INFO, SEVERE, WARNING
from robot_dynamics.bags.timeline import Timeline
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.robot_model import RobotModel

ABSURD = 1e9
"""No position, velocity, effort or IMU value is larger; damaged bytes may spell what is."""

_DENORMAL = 1e-30  # nor is any that is not zero smaller
_TURN = 2 * np.pi
_BLOCK = 16384  # rows copied at once


class JointSource:
    """
    Joint states of one publisher.

    Parameters
    ----------
    topic : str
        Where it published.
    joints : tuple of int
        Indices of its joints in the model's order.

    Attributes
    ----------
    table : Columns
        position (rad or m), velocity, effort of those joints, side by side; NaN where absent.
    timeline : Timeline
        Its stamps.
    has_velocity, has_effort : bool
        Whether any message had finite values there.
    not_finite, nan_efforts : int
        Messages without a position, and those that lack an effort.
    nonzero_effort, garbage : (J,) arrays
        Whether a joint had any effort, and how many of them were no numbers that a sensor sends.
    """

    def __init__(self, topic: str, joints: Tuple[int, ...], model: RobotModel) -> None:
        self.topic, self.joints, self._model = topic, joints, model
        self.table = Columns(3 * len(joints))
        self.timeline = Timeline()
        self.has_velocity = self.has_effort = False
        self.not_finite = self.nan_efforts = 0
        self.nonzero_effort = np.zeros(len(joints), bool)
        self.garbage = np.zeros(len(joints), int)
        self._names = [model.joint_names[joint] for joint in joints]
        kinds = [model.joints[joint].kind for joint in joints]
        self._endless = np.array([kind == 'continuous' for kind in kinds])
        self._turning = np.array([kind != 'prismatic' for kind in kinds])
        self._turns = np.zeros(len(joints))
        self._jumps = np.zeros(len(joints), int)
        self._last: Tuple[int, FloatArray] = 0, np.full(len(joints), np.nan)

    def append(self, header_ns: NDArray[np.int64], recorder_ns: NDArray[np.int64],
               rows: FloatArray) -> None:
        """Add messages in the recorder's order; rows are (N, 3 J) as in the table."""
        width = len(self.joints)
        effort = rows[:, 2 * width:]
        size = np.abs(effort)
        odd = (size > ABSURD) | ((size > 0) & (size < _DENORMAL))
        self.garbage += odd.sum(axis=0)
        effort[odd] = np.nan
        rows[np.abs(rows) > ABSURD] = np.nan
        finite = np.isfinite(rows[:, :width]).all(axis=1)
        self.not_finite += int((~finite).sum())
        stamps, keep = self.timeline.accept(header_ns[finite], recorder_ns[finite])
        rows, stamps = rows[finite][keep], stamps[keep]
        self._unwrap(stamps, rows[:, :width])
        rows[:, width:][~np.isfinite(rows[:, width:])] = np.nan
        self.table.append(stamps, rows)
        effort = rows[:, 2 * width:]
        present = np.isfinite(effort)
        self.has_velocity |= bool(np.isfinite(rows[:, width:2 * width]).any())
        self.has_effort |= bool(present.any())
        self.nan_efforts += int((~present).any(axis=1).sum())
        self.nonzero_effort |= (present & (effort != 0)).any(axis=0)

    def _unwrap(self, stamps: NDArray[np.int64], position: FloatArray) -> None:
        """
        Take out jumps of a whole turn: in place.

        A continuous joint has them where its encoder starts again; a revolute one where it would
        have to turn almost once around from one sample to the next.
        """
        if not len(stamps):
            return
        before = np.concatenate([self._last[1][None], position[:-1]])
        elapsed = np.diff(stamps, prepend=self._last[0]) * 1e-9
        self._last = int(stamps[-1]), position[-1].copy()
        step = np.where(np.isfinite(before), position - before, 0.0)
        turns = np.rint(step / _TURN)
        close = np.abs(step - _TURN * turns) < 1.0
        jump = (turns != 0) & np.where(
            self._endless, np.abs(step) > np.pi,
            self._turning & close & (np.abs(step) > 4.0)
            & ((elapsed > 0.0) & (elapsed < 0.5))[:, None])
        if jump.any():
            self._jumps += jump.sum(axis=0)
            turned = np.cumsum(np.where(jump, turns, 0.0), axis=0)
            position -= _TURN * (self._turns + turned)
            self._turns = self._turns + turned[-1]
        elif self._turns.any():
            position -= _TURN * self._turns

    def part(self, joints: Sequence[int]) -> JointSource:
        """Return the same publisher with some of its joints only."""
        other = JointSource(self.topic, tuple(joints), self._model)
        own = [self.joints.index(joint) for joint in joints]
        columns = [field * len(self.joints) + k for field in range(3) for k in own]
        for start in range(0, len(self.table), _BLOCK):
            stamps, rows = self.table.read(start, start + _BLOCK)
            other.table.append(stamps, rows[:, columns])
        other.timeline, other.has_velocity = self.timeline, self.has_velocity
        other.has_effort, other.nan_efforts = self.has_effort, self.nan_efforts
        other.nonzero_effort, other.garbage = self.nonzero_effort[own], self.garbage[own]
        self.table.close()
        return other

    @property
    def richness(self) -> Tuple[int, bool, bool, int]:
        """Sort key: the richest of several sources of other joints comes last."""
        return len(self.joints), self.has_effort, self.has_velocity, len(self.table)

    def report(self, findings: Findings) -> None:
        """Note what is odd about the values."""
        if self.not_finite:
            findings.add(WARNING, 'positions-nan', self.topic, f'{self.not_finite} messages have '
                         'a position that is not a number; left out')
        wrapped = [f'{name} ({count} times)' for name, count in zip(self._names, self._jumps)
                   if count]
        if wrapped:
            findings.add(INFO, 'positions-wrap', self.topic, 'positions start again after a turn: '
                         f'{", ".join(wrapped)}; the turns were put together')
        for name, count in zip(self._names, self.garbage):
            if count:
                findings.add(WARNING, 'effort-garbage', name, f'{count} efforts are no numbers '
                             'that a sensor sends (above 1e9, or below 1e-30): memory that was '
                             'never written; not compared')
        jumps = self._back_and_forth()
        if jumps > 0.005:
            findings.add(SEVERE, 'publishers-mixed', self.topic, f'in {100 * jumps:.0f} % of the '
                         'messages a joint is elsewhere and back in the next: two publishers send '
                         'different positions of the same joints; record one of them alone')

    def _back_and_forth(self, sample: int = 4096) -> float:
        """Return the share of messages that jump away from both of their neighbours."""
        _, rows = self.table.read(0, sample)
        q = rows[:, :len(self.joints)]
        if len(q) < 16:
            return 0.0
        step, over = np.abs(np.diff(q, axis=0)), np.abs(q[2:] - q[:-2])
        away = np.minimum(step[:-1], step[1:])
        return float(((away > 0.02) & (away > 10 * over)).any(axis=1).mean())

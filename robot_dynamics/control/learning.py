"""
From commands and joint states to equations for the adaptation: what acted while the arm moved so.

Nothing is learned while the effort is not that of the feedforward, is cut, or a wrench of the
environment is measured.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple, Optional

import numpy as np

from robot_dynamics.control.adaptation import Adaptation
from robot_dynamics.control.command import Command
from robot_dynamics.control.effort_law import EffortLaw
from robot_dynamics.control.effort_model import EffortModel, ModelInput
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.joint_state_input import JointStateInput
from robot_dynamics.control.watchdog import ACTIVE
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.stamps import to_ns

_WINDOW_NS = to_ns(0.01)  # over which motion is differentiated and efforts are averaged
_TOUCHED = 0.02  # of the effort limit: what a measured wrench may ask of a joint
_GAP_NS = 5 * _WINDOW_NS  # a longer one is no motion that anybody has seen


class Learning:
    """
    Feeds the adaptation, and gives the model what was learned.

    Parameters
    ----------
    effort_limit : (n,) array, Nm
        In command order.
    """

    def __init__(self, config: FeedforwardConfig, model: EffortModel, joints: JointStateInput,
                 law: EffortLaw, effort_limit: FloatArray) -> None:
        self._model, self._joints, self._law = model, joints, law
        self._limit = effort_limit
        self._dynamics = model.dynamics
        self._adaptation = Adaptation(
            config.adaptation_bounds, model.dynamics, law.columns, effort_limit, config.friction)
        self._window = _Window()

    @classmethod
    def of(cls, config: FeedforwardConfig, model: EffortModel, joints: JointStateInput,
           law: EffortLaw, effort_limit: FloatArray) -> Optional[Learning]:
        """Return what the configuration asks for."""
        return None if config.adaptation == 'off' else cls(
            config, model, joints, law, effort_limit)

    def on_command(self, command: Command) -> None:
        """Take a command that was given, and the joint state that it answers."""
        asked = self._law.asked
        if asked.dynamics is not self._dynamics:  # another payload
            self._dynamics = asked.dynamics
            self._adaptation.restart()
            self._window.reset()
        why = self._not_now(command, asked)
        if why:
            self._window.reset()
            self._adaptation.interrupt(why)
            return
        joints, window = self._joints, self._window
        window.on_command(command.acts_at_ns, command.effort)
        mean = window.on_state(joints.monitor.stamp_ns, joints.position, joints.velocity)
        if mean is None:
            return
        duration, q, qd, qdd, effort = mean
        torque = np.empty(len(q))
        self._model.feedforward(
            ModelInput(asked.dynamics, q, qd, qdd, asked.base, qd, asked.wrenches), torque)
        unexplained = np.zeros(len(q))
        columns = self._law.columns
        unexplained[columns] = effort - torque[columns]
        self._adaptation.add(duration, q, qd, qdd, asked.base, unexplained, asked.dynamics)
        self._model.correction = self._adaptation.correction

    def status(self) -> dict[str, Any]:
        """Return what was learned, for diagnostics."""
        return self._adaptation.status()

    def _not_now(self, command: Command, asked: ModelInput) -> str:
        """Return why nothing can be learned now, or nothing."""
        if command.state != ACTIVE:
            return command.state
        if command.saturated or command.rate_limited:
            return 'the effort is cut'
        if asked.wrenches is not None:
            torque = asked.dynamics.external_torque(asked.position, asked.wrenches, asked.base)
            if (np.abs(torque[self._law.columns]) > _TOUCHED * self._limit).any():
                return 'contact'
        return ''


class _Mean(NamedTuple):
    """Motion and effort, averaged over a window."""

    duration: float  #: s
    position: FloatArray  #: (nv,), rad
    velocity: FloatArray  #: (nv,), rad/s
    acceleration: FloatArray  #: (nv,), rad/s^2
    effort: FloatArray  #: (n,), Nm, what acted, in command order


class _Window:
    """Pairs measured motion with the commands that acted meanwhile."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew."""
        self._begin: Optional[tuple[int, FloatArray, FloatArray]] = None
        self._last_ns = 0
        self._efforts: deque[tuple[int, FloatArray]] = deque(maxlen=1000)

    def on_command(self, acts_at_ns: int, effort: FloatArray) -> None:
        """Take note of a command, and of the middle of the time in which it acts."""
        self._efforts.append((acts_at_ns, effort.copy()))

    def on_state(self, stamp_ns: int, position: FloatArray,
                 velocity: FloatArray) -> Optional[_Mean]:
        """Take a measured state; returns the means once a window is full."""
        if self._begin is None or not self._last_ns <= stamp_ns <= self._last_ns + _GAP_NS:
            self._begin = stamp_ns, position.copy(), velocity.copy()
        self._last_ns = stamp_ns
        since_ns, q, qd = self._begin
        if stamp_ns - since_ns < _WINDOW_NS:
            return None
        self._begin = stamp_ns, position.copy(), velocity.copy()
        acted = []
        while self._efforts and self._efforts[0][0] <= stamp_ns:
            at_ns, effort = self._efforts.popleft()
            if at_ns > since_ns:
                acted.append(effort)
        if not acted:
            return None
        duration = (stamp_ns - since_ns) * 1e-9
        return _Mean(duration, 0.5 * (q + position), 0.5 * (qd + velocity),
                     (velocity - qd) / duration, np.mean(acted, axis=0))

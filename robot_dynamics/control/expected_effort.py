"""
What holds gravity and drives the reference at a measured posture and a tilt that are filtered.

That is what the model and the last moments support, however the last messages read.
"""

from __future__ import annotations

import numpy as np

from robot_dynamics.control.effort_model import EffortModel, gravity_of, ModelInput, only_gravity
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.base_state import BaseState

POSTURE_TIME, TILT_TIME = 0.05, 0.3  # s, time constants of the filters
LONGEST_GAP_NS = 200_000_000         # after a longer one they begin anew
REFRESH_NS = 20_000_000              # what changes slowly need not be computed at each command


class ExpectedEffort:
    """Computes it, every few commands."""

    def __init__(self, model: EffortModel) -> None:
        self._model = model
        self.reset()
        self._position: FloatArray = np.zeros(model.dynamics.model.nv)
        self._gravity: FloatArray = np.zeros(3)
        self._out: FloatArray = np.zeros_like(self._position)

    def reset(self) -> None:
        """Begin anew with the next command."""
        self._at_ns = -LONGEST_GAP_NS - 1

    def is_due(self, now_ns: int) -> bool:
        """Whether the last one is too old."""
        return not 0 <= now_ns - self._at_ns < REFRESH_NS

    def at(self, asked: ModelInput, position: FloatArray, now_ns: int) -> FloatArray:
        """
        Return the expected effort (nv,) in the order of the model.

        Parameters
        ----------
        asked : ModelInput
            What the command rests on: of it the desired motion counts, and gravity.
        position : (nv,) array, rad or m
            Measured.
        """
        state = asked.base if isinstance(asked.base, BaseState) else None
        gravity = gravity_of(asked.base if not isinstance(asked.base, BaseState)
                             else asked.base.motion)
        passed_ns, self._at_ns = now_ns - self._at_ns, now_ns
        if 0 <= passed_ns <= LONGEST_GAP_NS:
            passed = passed_ns * 1e-9
            self._position += passed / (passed + POSTURE_TIME) * (position - self._position)
            self._gravity += passed / (passed + TILT_TIME) * (gravity - self._gravity)
        else:
            self._position, self._gravity = position.copy(), np.array(gravity)
        still = only_gravity(self._gravity)
        base = still if state is None or state.pose is None else BaseState.of_one(
            still, np.asarray(state.pose))
        self._model.expected(asked._replace(position=self._position, base=base), self._out)
        return self._out

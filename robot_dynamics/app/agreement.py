"""Whether both formulations give the same torques for a model: the quickest proof of a build."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion

TOLERANCE = 1e-9  # of the largest torque
_WIDEST = 3.0  # rad, m: where a joint has no limits
_FASTEST = 2.0  # rad/s, m/s
_HARDEST = 5.0  # rad/s^2, m/s^2


@dataclass(frozen=True)
class Agreement:
    """Newton-Euler against Lagrange-Euler on random states."""

    states: int  #: How many states were compared
    difference: float  #: Largest absolute difference of a joint torque, N m or N
    largest: float  #: Largest absolute joint torque, N m or N

    @property
    def holds(self) -> bool:
        """Whether the difference is within rounding."""
        return bool(self.difference <= TOLERANCE * max(1.0, self.largest))


def compare_methods(model: RobotModel, states: int = 20, seed: int = 1) -> Agreement:
    """Compute the torques of random states, on a base moving at random, by both methods."""
    from robot_dynamics.dynamics.inverse import InverseDynamics
    rng = np.random.default_rng(seed)
    q = rng.uniform(np.maximum(model.lower, -_WIDEST), np.minimum(model.upper, _WIDEST),
                    (states, model.nv))
    qd = rng.uniform(-_FASTEST, _FASTEST, q.shape)
    qdd = rng.uniform(-_HARDEST, _HARDEST, q.shape)
    base = BaseMotion(*(rng.uniform(-scale, scale, (states, 3))
                        for scale in (_FASTEST, _HARDEST, _HARDEST, 10.0)))
    torques: list[FloatArray] = [
        InverseDynamics(model, method=method, backend='interpreted').torque(q, qd, qdd, base)
        for method in ('newton_euler', 'lagrange_euler')]
    if not q.size:
        return Agreement(states, 0.0, 0.0)
    return Agreement(states, float(np.abs(torques[0] - torques[1]).max()),
                     float(np.abs(torques[0]).max()))

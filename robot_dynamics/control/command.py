"""One effort command, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.control.effort_model import ModelInput
from robot_dynamics.core.gate import FloatArray


@dataclass(frozen=True, eq=False)
class Command:
    """One effort command, and where it came from; arrays (n,) in command order."""

    stamp_ns: int  #: The ``now_ns`` of the call
    acts_at_ns: int  #: Instant for which it was computed
    names: tuple[str, ...]  #: Joints in command order
    effort: FloatArray  #: What to send, Nm: finite and within the limits
    #: The part of the joint feedback, Nm; zero while a fallback is being commanded
    feedback: FloatArray
    desired: FloatArray  #: (3, n), the reference at ``acts_at_ns``, rad, rad/s, rad/s^2
    state: str  #: Of the core
    #: How much of the base motion the estimator had; 'fixed' where it is not asked for
    base_level: str
    saturated: tuple[str, ...]  #: Joints cut at their effort limit
    rate_limited: tuple[str, ...]  #: Joints cut at their rate limit
    asked: ModelInput  #: What the dynamics were asked for it
    columns: NDArray[np.intp]  #: Of the joints, in the order of the model
    has_friction: bool  #: Whether that of the model is in the effort

    @property
    def desired_position(self) -> FloatArray:
        """The reference, rad."""
        return self.desired[0]

    @property
    def desired_velocity(self) -> FloatArray:
        """Its velocity, rad/s."""
        return self.desired[1]

    @property
    def desired_acceleration(self) -> FloatArray:
        """Its acceleration, rad/s^2."""
        return self.desired[2]

    @property
    def terms(self) -> dict[str, FloatArray]:
        """
        Torque by cause, (n,) each, of the last motion that was computed.

        Keys are those of :class:`~robot_dynamics.dynamics.terms.Terms`.  Computed when asked
        for, which takes longer than the command itself.

        Raises
        ------
        InputError
            If the base is known only by its specific force.
        """
        dynamics, q, qd, qdd, base, desired_velocity, wrenches = self.asked[:7]
        terms = dynamics.terms(q, qd, qdd, base).as_dict()
        if self.has_friction:
            terms['friction'] = dynamics.friction_torque(desired_velocity)
        if wrenches is not None:
            terms['external'] = dynamics.external_torque(q, wrenches, base)
        if self.asked.correction is not None:
            terms['adaptation'] = self.asked.corrected()
        return {name: value[self.columns] for name, value in terms.items()}

    @property
    def base_wrench(self) -> FloatArray:
        """Force and moment of the arm on the deck (6,), N and Nm, base axes, at the origin."""
        asked = self.asked
        return asked.dynamics.base_wrench(
            asked.position, asked.velocity, asked.acceleration, asked.base, asked.wrenches)

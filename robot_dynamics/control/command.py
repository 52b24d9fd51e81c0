"""One effort command, and where it came from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.control.effort_model import ModelInput
from robot_dynamics.core.gate import FloatArray


class Command:
    """
    One effort command, and where it came from; arrays in command order.

    Attributes
    ----------
    stamp_ns : int
        The ``now_ns`` of the call.
    acts_at_ns : int
        Instant for which it was computed.
    names : tuple of str
        Joints in command order.
    effort : (n,) array, Nm
        What to send: finite and within the limits.
    feedback : (n,) array, Nm
        The part of the joint feedback; zero while a fallback is being commanded.
    desired_position, desired_velocity, desired_acceleration : (n,) array
        The reference at ``acts_at_ns``, rad, rad/s, rad/s^2.
    state : str
        State of the core.
    base_level : str
        How much of the base motion the estimator had; 'fixed' where it is not asked for.
    saturated : tuple of str
        Joints cut at their effort limit.
    rate_limited : tuple of str
        Joints cut at their rate limit.
    """

    __slots__ = (
        'stamp_ns', 'acts_at_ns', 'names', 'effort', 'feedback', 'desired_position',
        'desired_velocity', 'desired_acceleration', 'state', 'base_level', 'saturated',
        'rate_limited', '_asked', '_columns', '_friction')

    def __init__(self, stamp_ns: int, acts_at_ns: int, names: tuple[str, ...],
                 effort: FloatArray, feedback: FloatArray, desired: FloatArray, state: str,
                 base_level: str, saturated: tuple[str, ...], rate_limited: tuple[str, ...],
                 asked: ModelInput, columns: NDArray[np.intp], friction: bool) -> None:
        self.stamp_ns = stamp_ns
        self.acts_at_ns = acts_at_ns
        self.names = names
        self.effort = effort
        self.feedback = feedback
        self.desired_position = desired[0]
        self.desired_velocity = desired[1]
        self.desired_acceleration = desired[2]
        self.state = state
        self.base_level = base_level
        self.saturated = saturated
        self.rate_limited = rate_limited
        self._asked = asked
        self._columns = columns
        self._friction = friction

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
        dynamics, q, qd, qdd, base, desired_velocity, wrenches = self._asked[:7]
        terms = dynamics.terms(q, qd, qdd, base).as_dict()
        if self._friction:
            terms['friction'] = dynamics.friction_torque(desired_velocity)
        if wrenches is not None:
            terms['external'] = dynamics.external_torque(q, wrenches, base)
        if self._asked.correction is not None:
            terms['adaptation'] = self._asked.corrected()
        return {name: value[self._columns] for name, value in terms.items()}

    @property
    def base_wrench(self) -> FloatArray:
        """Force and moment of the arm on the deck (6,), N and Nm, base axes, at the origin."""
        asked = self._asked
        return asked.dynamics.base_wrench(
            asked.position, asked.velocity, asked.acceleration, asked.base, asked.wrenches)

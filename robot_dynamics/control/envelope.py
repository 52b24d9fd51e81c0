"""
The envelope of efforts: how far a command may lie from what is known without the last messages.

The centre is what holds gravity and drives the reference (:mod:`.expected_effort`).  What is left
for the rest, the motion of the base and the feedback, is bounded.
"""

from __future__ import annotations

import dataclasses
from operator import gt, lt
from typing import Sequence

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.per_joint import per_joint


@dataclasses.dataclass(frozen=True)
class EnvelopeConfig(Configuration):
    """How far efforts may lie from what gravity and the reference ask for."""

    share: tuple[float, ...] = parameter(
        (0.3,), 'how far an effort may lie from what gravity at the measured posture and the '
        'reference ask for, as a share of the effort limit, per joint; 0: no bound', '', 0.0,
        100.0)


class EffortEnvelope:
    """
    Cuts efforts that are too far from a centre, at first zero.

    Parameters
    ----------
    joints : sequence of str
        In command order.
    share : sequence of float
        Of the effort limits; see :class:`EnvelopeConfig`.
    effort_limit : (n,) array, Nm
    name : str
        Of the parameter, for errors.

    Attributes
    ----------
    radius : (n,) array, Nm
        Infinite where there is no bound.
    """

    def __init__(self, joints: Sequence[str], share: Sequence[float],
                 effort_limit: FloatArray, name: str = 'envelope.share') -> None:
        shares = per_joint(name, share, joints)
        self.radius = np.where(shares > 0.0, shares * effort_limit, np.inf)
        self.around(np.zeros(len(self.radius)))

    def around(self, centre: FloatArray) -> None:
        """Take a centre (n,)."""
        self._lowest: list[float] = (centre - self.radius).tolist()
        self._highest: list[float] = (centre + self.radius).tolist()

    def beyond(self, effort: FloatArray) -> tuple[int, ...]:
        """Return the joints at which an effort (n,) is beyond it."""
        values = effort.tolist()  # mostly none: asked quickly
        return tuple([i for i, (value, low, high) in enumerate(
            zip(values, self._lowest, self._highest)) if not low <= value <= high]) if (
                any(map(lt, values, self._lowest)) or any(map(gt, values, self._highest))) else ()

    def cut(self, effort: FloatArray) -> tuple[int, ...]:
        """Cut an effort (n,) in place; returns the joints at which it was cut."""
        beyond = self.beyond(effort)
        for i in beyond:
            effort[i] = self._lowest[i] if effort[i] < self._lowest[i] else self._highest[i]
        return beyond

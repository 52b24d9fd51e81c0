"""
Limits of effort and of its rate of change, and the check that every command is finite.

A command leaves this package only through :class:`EffortLimiter`.
"""

from __future__ import annotations

import dataclasses
from typing import Sequence

import numpy as np

from robot_dynamics.control.parameters import check_parameters, parameter
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray


@dataclasses.dataclass(frozen=True)
class LimitsConfig:
    """What a command may be at most; the smaller of configuration and description counts."""

    effort: tuple[float, ...] = parameter(
        (), 'largest effort per joint, one value or one per joint; empty: of the description',
        'Nm', 0.0, 1e6)
    effort_rate: tuple[float, ...] = parameter(
        (), 'largest change of effort per second and joint; empty: rate_of_limit times the '
        'effort limit', 'Nm/s', 0.0, 1e9)
    rate_of_limit: float = parameter(
        20.0, 'rate limit as a multiple of the effort limit, where effort_rate is empty', '1/s',
        0.01, 1e4)
    longest_step: float = parameter(
        0.02, 'longest time between two commands that the rate limit credits', 's', 1e-4, 1.0)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass
class Saturation:
    """Which joints the last command was cut at; indices in command order."""

    effort: tuple[int, ...] = ()
    rate: tuple[int, ...] = ()


class EffortLimiter:
    """
    Cuts commands at the effort limits and at the rate limits.

    Parameters
    ----------
    joints : sequence of str
        Names in command order, for errors.
    effort_limit : (nv,) array, Nm
        Positive; infinite where a joint has none.
    effort_rate : (nv,) array, Nm/s
    longest_step_ns : int
        Longest time between two commands that the rate limit credits, ns.
    """

    def __init__(self, joints: Sequence[str], effort_limit: FloatArray, effort_rate: FloatArray,
                 longest_step_ns: int) -> None:
        raise NotImplementedError

    def limit(self, effort: FloatArray, now_ns: int) -> bool:
        """
        Cut ``effort`` (nv,) in place and remember it as the last command.

        Returns False, and leaves the array as it was, when a value is not finite: then nothing
        may be sent.
        """
        raise NotImplementedError

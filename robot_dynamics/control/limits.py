"""
Limits of effort and of its rate of change, and the check that every command is finite.

A command leaves this package only through :class:`EffortLimiter`.
"""

from __future__ import annotations

import dataclasses
from math import isfinite
from typing import Callable, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.core.per_joint import per_joint
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.model.robot_model import LARGEST_EFFORT

ROUNDING = 1e-9  # Nm: a command that differs by less was not cut
LONGEST_TURN_NS = 20_000_000  # between two commands, in which friction is credited


@dataclasses.dataclass(frozen=True)
class LimitsConfig(Configuration):
    """What a command may be at most; the smaller of configuration and description counts."""

    effort: tuple[float, ...] = parameter(
        (), 'largest effort per joint, one value or one per joint; empty: of the description',
        'Nm', 1e-3, 1e6)
    effort_rate: tuple[float, ...] = parameter(
        (), 'largest change of effort per second and joint; empty: rate_of_limit times the '
        'effort limit', 'Nm/s', 1e-6, 1e9)
    rate_of_limit: float = parameter(
        10.0, 'rate limit as a multiple of the effort limit, where effort_rate is empty; the '
        'motion of the PA10 on its ship asks for 9.8 at its first step, and then for 0.6; in the '
        'feedforward what friction changes by along the reference does not count', '1/s', 0.01,
        1e4)
    longest_step: float = parameter(
        0.005, 'longest time between two commands that the rate limit credits: at the default '
        'rate a command changes by 5 % of the limit at most, however late it is', 's', 1e-4, 1.0)


class EffortLimiter:
    """
    Cuts commands at the effort limits and at the rate limits, and remembers the last one.

    Parameters
    ----------
    joints : sequence of str
        Names in command order, for errors.
    described : (n,) array, Nm, optional
        Effort limits of the description in command order; what is no usable limit (zero,
        infinite, beyond LARGEST_EFFORT) counts as absent.

    Attributes
    ----------
    last : (n,) array, Nm, or None
        The last command that passed.
    saturated, rate_limited : tuple of int
        Joints that the last command was cut at, as indices in command order.
    effort_limit, effort_rate : (n,) array, Nm and Nm/s
    longest_step_ns : int
        Longest time between two commands that the rate limit credits, ns.
    """

    def __init__(self, joints: Sequence[str], config: LimitsConfig,
                 described: Optional[ArrayLike] = None) -> None:
        self.joints = tuple(joints)
        limits = np.zeros(len(self.joints)) if described is None else (
            np.array(described, dtype=np.float64))
        self._described = np.where(
            (limits > 0.0) & (limits < LARGEST_EFFORT), limits, np.inf)
        self.last: Optional[FloatArray] = None
        self.saturated: tuple[int, ...] = ()
        self.rate_limited: tuple[int, ...] = ()
        self._last_ns = 0
        self.configure(config)

    def configure(self, config: LimitsConfig) -> None:
        """Change the limits; a command beyond new ones comes down by the rate limit."""
        configured = per_joint('limits.effort', config.effort, self.joints, np.inf)
        effort_limit = np.minimum(configured, self._described)
        for joint, value in zip(self.joints, effort_limit):
            if not isfinite(value):
                raise ConfigurationError(
                    f'limits.effort: joint {joint} has no usable effort limit in the '
                    'robot_description; set limits.effort, or give a description that has limits')
        self.effort_limit = effort_limit
        rate = config.rate_of_limit * self.effort_limit
        self.effort_rate = per_joint('limits.effort_rate', config.effort_rate, self.joints, rate)
        self._lowest = -self.effort_limit
        self._limits = self.effort_limit.tolist()
        self._rates = self.effort_rate.tolist()
        self.longest_step_ns = to_ns(config.longest_step)

    def seed(self, effort: ArrayLike, now_ns: int) -> FloatArray:
        """Take an effort (n,) as the last command, cut at the limits, and return it."""
        self.last = np.clip(np.asarray(effort, dtype=np.float64), self._lowest, self.effort_limit)
        self._last_ns = now_ns
        return self.last

    def forget(self) -> None:
        """Forget the last command: what acts is not known any more."""
        self.last = None

    def named(self, indices: Sequence[int]) -> tuple[str, ...]:
        """Return the names of some joints."""
        return tuple([self.joints[i] for i in indices])

    def rebase(self, now_ns: int) -> None:
        """Keep the last command, and count time from here: the clock has jumped."""
        self._last_ns = now_ns

    def limit(self, effort: FloatArray, now_ns: int,
              turned: Optional[Callable[[float], FloatArray]] = None) -> bool:
        """
        Cut ``effort`` (n,) in place and remember it as the last command.

        Parameters
        ----------
        effort : (n,) array, Nm
        turned : callable, optional
            ``turned(duration)`` returns by how much friction has changed along the desired motion
            over the last seconds, (n,), Nm; the effort may change by that much more.

        Returns
        -------
        bool
            False, and nothing changes, when a value is not finite: then nothing may be sent.
        """
        values = effort.tolist()  # for a handful of joints plain floats are quicker than arrays
        if not all(map(isfinite, values)):
            return False
        passed_ns = max(now_ns - self._last_ns, 0)
        credit = min(passed_ns, self.longest_step_ns) * 1e-9
        previous = values if self.last is None else self.last.tolist()
        saturated, rate_limited = [], []
        friction: Optional[list[float]] = None
        for i, (value, limit) in enumerate(zip(values, self._limits)):
            cut = limit if value > limit else -limit if value < -limit else value
            if abs(value - cut) > ROUNDING:
                saturated.append(i)
            if self.last is not None:
                # the target lies within the limits; the last command may lie beyond new ones
                step, last = self._rates[i] * credit, previous[i]
                lowest, highest = last - step, last + step
                if turned is not None and not lowest <= cut <= highest:
                    if friction is None:  # rarely asked for: joints that turn round
                        friction = turned(min(passed_ns, LONGEST_TURN_NS) * 1e-9).tolist()
                    lowest += min(friction[i], 0.0)
                    highest += max(friction[i], 0.0)
                sent = highest if cut > highest else lowest if cut < lowest else cut
                if abs(sent - cut) > ROUNDING:
                    rate_limited.append(i)
                cut = sent
            values[i] = cut
        effort[:] = values
        self.last = effort.copy()
        self.saturated, self.rate_limited = tuple(saturated), tuple(rate_limited)
        self._last_ns = now_ns
        return True

    def limit_along(self, times: FloatArray, efforts: FloatArray, start: FloatArray,
                    friction: Optional[FloatArray] = None) -> None:
        """
        Cut a course of efforts in place, as it will be when it is interpolated linearly.

        Parameters
        ----------
        times : (N,) array, s
            Increasing; from the instant at which ``start`` is in force.
        efforts : (N, n) array, Nm
            A row that is not finite repeats the one before.
        start : (n,) array, Nm
        friction : (N, n) array, Nm, optional
            Of the desired motion: the effort may change by what it changes by, beside the rate.
        """
        turned = np.zeros_like(efforts)
        if friction is not None:
            turned[1:] = np.diff(friction, axis=0)
        last, before = start, 0.0
        for effort, time, change in zip(efforts, times.tolist(), turned):
            step = self.effort_rate * (time - before)
            wanted = effort if np.isfinite(effort).all() else last
            effort[:] = np.clip(np.clip(wanted, self._lowest, self.effort_limit),
                                last - step + np.minimum(change, 0.0),
                                last + step + np.maximum(change, 0.0))
            last, before = effort, time

"""
The question of operability, put to the frequency domain: which seas keep every limit.

Every response grows with the wave height at a given period, while its zero-crossing rate stays; so
the largest height that a limit allows is found without computing any further sea.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
import math
from typing import Optional, Sequence

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.motion.base_motion import STANDARD_GRAVITY
from robot_dynamics.operability.frequency_domain import (
    all_rows, cause_shares, Moments, response_moments, Ship)
from robot_dynamics.operability.limits import Limit, require_limits
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.seas import check_coverage, Sea, wave_frequencies
from robot_dynamics.operability.short_term import (
    exceedances, most_probable_maximum, zero_crossing_rate)
from robot_dynamics.operability.small_motion import base_from_deck, LinearLoads
from robot_dynamics.ship.spectra import WaveSpectrum

HIGHEST = 30.0  # m: a significant height beyond every sea; what keeps its limits there always does
_STEPS = 50     # of the bisection for a height


@dataclass(frozen=True, eq=False)
class Mount:
    """Where the robot's base stands on the ship."""

    R_DB: FloatArray = field(default_factory=lambda: np.eye(3))  #: (3, 3), from base to deck axes
    #: (3,), from the rotation centre, deck axes, m
    p_DB: FloatArray = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of a robot on a ship."""

    ship: Ship
    #: (H,), where the waves travel to, from the bow, rad: 0 following, pi head
    headings: FloatArray
    duration: float = 3 * 3600.0  #: Time for which a sea lasts, s
    probability: float = 0.99  #: With which every limit has to be kept for that time
    #: As for :class:`~robot_dynamics.ship.spectra.WaveSpectrum`
    spectrum: str = 'bretschneider'
    gamma: float = 3.3
    gravity: float = STANDARD_GRAVITY  #: Magnitude, m/s^2

    def __post_init__(self) -> None:
        as_scalar('duration', self.duration, 60.0, 1e7, 's')
        if not 0.0 < as_scalar('probability', self.probability) < 1.0:
            raise ConfigurationError(f'probability is {self.probability:g}; the one with which '
                                     'limits are kept lies between 0 and 1, as 0.99')

    def spectra(self, periods: Sequence[float]) -> list[WaveSpectrum]:
        """Return spectra of unit significant height at peak periods [s]."""
        return [WaveSpectrum(1.0, period, self.spectrum, self.gamma) for period in periods]


@dataclass(frozen=True, eq=False)
class LimitStatistics:
    """Every limit in every sea: H headings, S seas, P states, R rows of limits, L limits."""

    limits: tuple[Limit, ...]
    rows: FloatArray
    bounds: FloatArray
    slices: list[slice]
    still: FloatArray  #: (P, R), on the level ship at rest
    moments: Moments  #: (H, S, P, R)
    duration: float  #: In s

    @cached_property
    def deviation(self) -> FloatArray:
        """Return standard deviations, (H, S, P, R)."""
        return np.sqrt(self.moments.m0)

    @cached_property
    def rate(self) -> FloatArray:
        """Return rates of upward crossings of the mean, (H, S, P, R), 1/s."""
        return zero_crossing_rate(self.moments.m0, self.moments.m2)

    @cached_property
    def skewness(self) -> FloatArray:
        """Return the skewness, (H, S, P, R)."""
        return self.moments.skewness

    def most_probable_maxima(self) -> FloatArray:
        """Return the most probable maximum of every row, (H, S, P, R)."""
        return most_probable_maximum(self.still + self.moments.shift, self.deviation, self.rate,
                                     self.duration, self.skewness)

    def exceedances(self, scale: float | FloatArray = 1.0) -> FloatArray:
        """
        Return the expected exceedances of every limit, (H, S, P, L), in waves ``scale`` as high.

        ``scale`` is a number or of shape (H, S, P, L).
        """
        shape = (*self.deviation.shape[:3], len(self.slices))
        scale = np.broadcast_to(scale, shape)
        number = np.empty(shape)
        for k, (limit, rows) in enumerate(zip(self.limits, self.slices)):
            by = scale[..., k, None]
            each = exceedances(self.still[:, rows] + self.moments.shift[..., rows] * by * by,
                               self.deviation[..., rows] * by, self.rate[..., rows],
                               self.bounds[rows], self.duration, self.skewness[..., rows] * by)
            number[..., k] = each.sum(axis=-1) if limit.disjoint else each.max(axis=-1)
        return number


def limit_statistics(robot: RobotLoads, states: RobotStates, limits: Sequence[Limit],
                     mount: Mount, question: Question, seas: Sequence[Sea],
                     loads: Optional[LinearLoads] = None) -> LimitStatistics:
    """
    Compute every limit's statistics in every sea.

    Parameters
    ----------
    robot, states, limits, mount, question
        See their classes.
    loads : LinearLoads, optional
        Of the states, where they are known already.
    """
    require_limits(limits)
    rows, bounds, slices = all_rows(limits)
    if loads is None:
        loads = robot.linear(states, mount.R_DB, mount.p_DB, question.gravity)
    periods = sorted({sea.peak_period for sea in seas})
    spectra = question.spectra(periods)
    check_coverage(question.ship.hull, spectra)
    L = base_from_deck(mount.R_DB, mount.p_DB, question.gravity)
    unit = response_moments(rows, loads, L, question.ship, question.headings, spectra,
                            wave_frequencies(spectra))
    pick = [periods.index(sea.peak_period) for sea in seas]
    heights = np.array([sea.significant_wave_height for sea in seas])[None, :, None, None]
    picked = Moments(*(value[:, pick] for value in (unit.m0, unit.m2, unit.shift, unit.third)))
    return LimitStatistics(tuple(limits), rows, bounds, slices, loads.still @ rows.T,
                           picked.scaled(heights), question.duration)


def allowed_scales(statistics: LimitStatistics, probability: float, highest: FloatArray
                   ) -> FloatArray:
    """
    Return by how much the waves may be higher, until a limit is kept with the probability only.

    Parameters
    ----------
    highest : ndarray, (S,)
        Where to end, per sea.

    Returns
    -------
    ndarray, (H, S, P, L)
        0 where the robot at rest on the level ship exceeds the limit already; ``highest`` where
        the limit holds even there.
    """
    allowed = -math.log(probability)
    shape = (*statistics.deviation.shape[:3], len(statistics.slices))
    top = np.broadcast_to(np.asarray(highest, float)[None, :, None, None], shape)
    low, high = np.zeros(shape), np.array(top)
    free = statistics.exceedances(high) <= allowed
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        kept = statistics.exceedances(middle) <= allowed
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return np.where(free, top, np.where(low <= top * 2.0**(1 - _STEPS), 0.0, low))


def governing_causes(statistics: LimitStatistics, loads: LinearLoads, mount: Mount,
                     question: Question, heading: float, period: float, state: int, limit: int,
                     cell: tuple[int, int]) -> dict[str, float]:
    """Return the causes' shares of the variance of the limit that governs a cell."""
    rows = statistics.slices[limit]
    h, s = cell
    deviation = statistics.deviation[h, s, state, rows]
    room = statistics.bounds[rows] - statistics.still[state, rows]
    closeness = np.divide(room, deviation, out=np.full(len(room), np.inf), where=deviation > 0.0)
    row = statistics.rows[rows][int(np.argmin(closeness))]
    one = loads.one(state)
    spectra = question.spectra([period])
    return cause_shares(row, one, base_from_deck(mount.R_DB, mount.p_DB, question.gravity),
                        question.ship, heading, spectra[0], wave_frequencies(spectra))

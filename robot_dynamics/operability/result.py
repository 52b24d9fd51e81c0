"""What an assessment answers; tables, figures and JSON only read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.plain import plain
from robot_dynamics.operability.seas import Sea

_DEVIATION, _MAXIMUM = 0.05, 0.10  # relative: beyond these linear theory is said to be off


@dataclass(frozen=True)
class LoadStatistics:
    """One load in one sea, in the state in which its most probable maximum is largest."""

    name: str
    unit: str
    state: int  #: Index of the state
    mean: float  #: On the level ship at rest
    deviation: float  #: Standard deviation about the mean
    significant: float  #: Mean of the highest third of the peaks about the mean
    period: float  #: Zero-crossing period, s; NaN where nothing moves
    most_probable_maximum: float  #: Mode of the largest magnitude in the duration


@dataclass(frozen=True)
class LimitOutcome:
    """One limit in one sea, in the state that comes closest to it."""

    name: str
    unit: str
    bound: float
    state: int
    most_probable_maximum: float  #: Of what is bounded, in the duration
    probability: float  #: Of exceeding the limit within the duration


@dataclass(frozen=True)
class Cell:
    """One sea from one heading."""

    heading_deg: float
    sea: Sea
    keeps: bool  #: Whether every limit is kept with the probability asked for
    governing: str  #: The limit that comes first as the waves grow
    causes: dict[str, float]  #: Shares of the variance of that limit's response by cause
    limits: tuple[LimitOutcome, ...]
    loads: tuple[LoadStatistics, ...]


@dataclass(frozen=True, eq=False)
class HeightCurves:
    """The largest significant wave height that keeps every limit."""

    periods: FloatArray  #: (N,), peak periods, s
    height: FloatArray  #: (H, N), in m, per heading; ``highest`` where even that is kept
    governing: tuple[tuple[str, ...], ...]  #: The limit that comes first, (H, N)
    highest: float  #: The largest height that was looked at, m


@dataclass(frozen=True)
class Comparison:
    """One load in both domains."""

    name: str
    unit: str
    deviation_frequency: float
    deviation_time: float
    maximum_frequency: float
    maximum_time: float


@dataclass(frozen=True)
class TimeDomainCheck:
    """One cell simulated."""

    heading_deg: float
    sea: Sea
    state: int
    seeds: int
    largest_tilt_deg: float  #: Of all seeds
    #: Those of the cell that matter: a load far smaller than its limit or than the largest is left
    #: out
    loads: tuple[Comparison, ...]

    @property
    def worst(self) -> tuple[float, float]:
        """Largest relative differences of deviation and most probable maximum."""
        deviation = max((abs(load.deviation_time / load.deviation_frequency - 1.0)
                         for load in self.loads), default=0.0)
        maximum = max((abs(load.maximum_time / load.maximum_frequency - 1.0)
                       for load in self.loads), default=0.0)
        return deviation, maximum

    @property
    def agrees(self) -> bool:
        """Whether linear theory holds here: 5 % of the deviation, 10 % of the maximum."""
        deviation, maximum = self.worst
        return deviation <= _DEVIATION and maximum <= _MAXIMUM


@dataclass(frozen=True, eq=False)
class OperabilityResult:
    """Up to which sea a robot on a ship keeps its limits."""

    robot: str
    #: Place of the robot's base from the ship's rotation centre, deck axes, m
    base_xyz: tuple[float, float, float]
    #: Every limit is kept with this probability for this time
    hours: float
    probability: float
    #: Where the waves travel to, from the bow: 0 following, 180 head
    headings_deg: tuple[float, ...]
    seas: tuple[Sea, ...]
    cells: tuple[tuple[Cell, ...], ...]  #: Per heading, per sea
    curves: HeightCurves
    states: int  #: Number of postures, or of samples of a trajectory
    trajectory: bool  #: Whether the states are samples of a trajectory
    checks: tuple[TimeDomainCheck, ...] = ()

    def largest_sea_state(self, heading: int) -> Optional[int]:
        """
        Return the largest sea state up to which all that were asked about keep every limit.

        None where the first already does not, or where no sea states were asked about.
        """
        largest = None
        for cell in self.cells[heading]:
            if cell.sea.state is None or not cell.keeps:
                break
            largest = cell.sea.state
        return largest

    def operability(self, heading: Optional[int] = None) -> Optional[float]:
        """
        Return the share of the year in which the robot can work, of a scatter diagram.

        Parameters
        ----------
        heading : int, optional
            Index; None means the mean over all headings, each as often.

        Returns
        -------
        float or None
            0 to 1; None where the seas have no occurrences.
        """
        if any(sea.occurrence is None for sea in self.seas):
            return None
        rows = self.cells if heading is None else self.cells[heading:heading + 1]
        shares = [sum(cell.sea.occurrence or 0.0 for cell in row if cell.keeps) for row in rows]
        return float(np.mean(shares))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data for JSON; what is not finite as None."""
        return plain({
            'robot': self.robot, 'base_xyz': self.base_xyz, 'hours': self.hours,
            'probability': self.probability, 'states': self.states, 'trajectory': self.trajectory,
            'headings': [{
                'heading_deg': heading,
                'largest_sea_state': self.largest_sea_state(h),
                'operability': self.operability(h),
                'height': self.curves.height[h],
                'governing': self.curves.governing[h],
                'seas': self.cells[h],
            } for h, heading in enumerate(self.headings_deg)],
            'periods': self.curves.periods, 'highest_height': self.curves.highest,
            'operability': self.operability(),
            'checks': [{**plain(check), 'agrees': check.agrees} for check in self.checks]})

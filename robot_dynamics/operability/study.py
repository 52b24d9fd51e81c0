"""Ask both domains, and put the answers together."""

from __future__ import annotations

import math
from typing import Callable, Optional, Sequence

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.operability.assessment import (
    allowed_scales, governing_causes, HIGHEST, limit_statistics, LimitStatistics, Mount, Question)
from robot_dynamics.operability.frequency_domain import response_moments
from robot_dynamics.operability.limits import Limit
from robot_dynamics.operability.result import (
    Cell, Comparison, HeightCurves, LimitOutcome, LoadStatistics, OperabilityResult,
    TimeDomainCheck)
from robot_dynamics.operability.robot_loads import RobotLoads, RobotStates
from robot_dynamics.operability.seas import check_coverage, Sea, wave_frequencies
from robot_dynamics.operability.short_term import (
    exceedance_probability, most_probable_maximum, SIGNIFICANT, zero_crossing_rate)
from robot_dynamics.operability.small_motion import base_from_deck, LinearLoads
from robot_dynamics.operability.time_domain import simulate_sea

PERIODS = tuple(float(period) for period in range(4, 17))  # s, of the limit diagram
_MATTERS = 0.15  # of the largest deviation among loads of one unit: what is compared

Progress = Callable[[str, float], None]


def assess(robot: RobotLoads, states: RobotStates, limits: Sequence[Limit], mount: Mount,
           question: Question, seas: Sequence[Sea], periods: Optional[Sequence[float]] = None,
           check_seeds: int = 0, progress: Optional[Progress] = None) -> OperabilityResult:
    """
    Find up to which sea a robot on a ship keeps its limits.

    Parameters
    ----------
    robot, states, limits, mount, question
        See their classes.
    seas : sequence of Sea
        What is asked about, each from every heading.
    periods : sequence of float, optional
        Peak periods of the limit diagram, s; None means those that the hull's table covers, out
        of :data:`PERIODS`.
    check_seeds : int
        Seas to simulate of the cell that is nearest to its limit; 0 leaves the check out.
    progress : callable, optional
        Told in words what is done, and the share that is.
    """
    tell = progress or (lambda what, share: None)
    tell('linearising the dynamics', 0.0)
    loads = robot.linear(states, mount.R_DB, mount.p_DB, question.gravity)
    tell('loads in waves', 0.1)
    statistics = limit_statistics(robot, states, limits, mount, question, seas, loads)
    heights = np.array([sea.significant_wave_height for sea in seas])
    scales = allowed_scales(statistics, question.probability, HIGHEST / heights)
    cells = _cells(robot, statistics, scales, loads, mount, question, seas)
    tell('limit diagram', 0.4)
    curves = _curves(robot, states, limits, mount, question, loads, periods)
    checks: list[TimeDomainCheck] = []
    if check_seeds:
        checks.append(_check(robot, states, scales, loads, mount, question, seas, check_seeds,
                             lambda what, share: tell(what, 0.5 + 0.5 * share)))
    place = mount.p_DB.tolist()
    return OperabilityResult(
        robot.model.name, (place[0], place[1], place[2]), question.duration / 3600.0,
        question.probability, tuple(np.degrees(question.headings).round(9).tolist()), tuple(seas),
        cells, curves, len(states.q), states.moving, tuple(checks))


def _cells(robot: RobotLoads, statistics: LimitStatistics, scales: FloatArray,
           loads: LinearLoads, mount: Mount, question: Question, seas: Sequence[Sea]
           ) -> tuple[tuple[Cell, ...], ...]:
    number = statistics.exceedances()
    maxima = statistics.most_probable_maxima()
    tables = _load_tables(robot, loads, mount, question, seas)
    allowed = -math.log(question.probability)
    rows = []
    for h, heading in enumerate(question.headings):
        row = []
        for s, sea in enumerate(seas):
            state, limit = np.unravel_index(int(np.argmin(scales[h, s])), scales.shape[2:])
            causes = governing_causes(statistics, loads, mount, question, float(heading),
                                      sea.peak_period, int(state), int(limit), (h, s))
            outcomes = []
            for k, (this, part) in enumerate(zip(statistics.limits, statistics.slices)):
                worst = int(np.argmin(scales[h, s, :, k]))
                outcomes.append(LimitOutcome(
                    this.name, this.unit, this.bound, worst,
                    float(maxima[h, s, worst, part].max()),
                    float(exceedance_probability(number[h, s, worst, k]))))
            row.append(Cell(float(np.degrees(heading)), sea, bool((number[h, s] <= allowed).all()),
                            statistics.limits[int(limit)].name, causes, tuple(outcomes),
                            tables[h][s]))
        rows.append(tuple(row))
    return tuple(rows)


def _load_tables(robot: RobotLoads, loads: LinearLoads, mount: Mount, question: Question,
                 seas: Sequence[Sea]) -> list[list[tuple[LoadStatistics, ...]]]:
    """Statistics of every load, per heading and sea, each in its own worst state."""
    spectra = question.spectra([sea.peak_period for sea in seas])
    moments = response_moments(
        np.eye(len(robot.names)), loads,
        base_from_deck(mount.R_DB, mount.p_DB, question.gravity), question.ship,
        question.headings, spectra, wave_frequencies(spectra))
    heights = np.array([sea.significant_wave_height for sea in seas])[None, :, None, None]
    moments = moments.scaled(heights)
    deviation = np.sqrt(moments.m0)
    rate = zero_crossing_rate(moments.m0, moments.m2)
    mean, skewness = loads.still + moments.shift, moments.skewness
    largest = np.maximum(*(most_probable_maximum(
        sign * mean, deviation, rate, question.duration, sign * skewness) for sign in (1, -1)))
    tables = []
    for h in range(len(question.headings)):
        row = []
        for s in range(len(seas)):
            worst = np.argmax(largest[h, s], axis=0)
            row.append(tuple(LoadStatistics(
                name, unit, int(p), float(loads.still[p, k]), float(deviation[h, s, p, k]),
                SIGNIFICANT * float(deviation[h, s, p, k]),
                1.0 / float(rate[h, s, p, k]) if rate[h, s, p, k] > 0.0 else math.nan,
                float(largest[h, s, p, k]))
                for k, (name, unit, p) in enumerate(zip(robot.names, robot.units, worst))))
        tables.append(row)
    return tables


def _curves(robot: RobotLoads, states: RobotStates, limits: Sequence[Limit], mount: Mount,
            question: Question, loads: LinearLoads, periods: Optional[Sequence[float]]
            ) -> HeightCurves:
    chosen = covered_periods(question) if periods is None else list(periods)
    unit = [Sea(1.0, period) for period in chosen]
    statistics = limit_statistics(robot, states, limits, mount, question, unit, loads)
    scales = allowed_scales(statistics, question.probability, np.full(len(unit), HIGHEST))
    per_limit = scales.min(axis=2)  # (H, N, L)
    governing = tuple(tuple(limits[int(k)].name for k in row)
                      for row in np.argmin(per_limit, axis=-1))
    return HeightCurves(np.array(chosen), per_limit.min(axis=-1), governing, HIGHEST)


def covered_periods(question: Question) -> list[float]:
    """Return the periods of :data:`PERIODS` that the hull has an answer to."""
    covered = []
    for period in PERIODS:
        try:
            check_coverage(question.ship.hull, question.spectra([period]))
        except ConfigurationError:
            continue
        covered.append(period)
    return covered


def _check(robot: RobotLoads, states: RobotStates, scales: FloatArray, loads: LinearLoads,
           mount: Mount, question: Question, seas: Sequence[Sea], seeds: int, progress: Progress
           ) -> TimeDomainCheck:
    """Simulate the cell whose limits are kept with the least room, else the least broken one."""
    least = scales.min(axis=(2, 3))  # (H, S)
    h, s = np.unravel_index(int(np.argmin(np.where(least >= 1.0, least, 1e9 - least))),
                            least.shape)
    state = int(np.argmin(scales[h, s].min(axis=-1)))
    return check_cell(robot, states.one(state), state, loads.one(state), mount, question,
                      float(question.headings[h]), seas[int(s)], seeds, progress)


def check_cell(robot: RobotLoads, state: RobotStates, index: int, loads: LinearLoads,
               mount: Mount, question: Question, heading: float, sea: Sea, seeds: int,
               progress: Optional[Progress] = None) -> TimeDomainCheck:
    """
    Simulate one sea from one heading in one state, and hold linear theory against it.

    Parameters
    ----------
    robot, mount, question
        See their classes.
    state, index, loads
        The state, its number for the result, and its linear loads.
    heading : float, rad
    seeds : int
        How many seas.
    """
    m = len(robot.names)
    rows = np.concatenate([np.eye(m), -np.eye(m)])
    spectrum = question.spectra([sea.peak_period])
    moments = response_moments(
        rows, loads, base_from_deck(mount.R_DB, mount.p_DB, question.gravity), question.ship,
        np.array([heading]), spectrum, wave_frequencies(spectrum))
    moments = moments.scaled(np.array(sea.significant_wave_height))
    m0, m2, shift, skewness = (value[0, 0, 0] for value in (
        moments.m0, moments.m2, moments.shift, moments.skewness))
    deviation, rate = np.sqrt(m0), zero_crossing_rate(m0, m2)
    still = loads.still[0] @ rows.T
    linear = most_probable_maximum(still + shift, deviation, rate, question.duration, skewness)
    full = type(spectrum[0])(sea.significant_wave_height, sea.peak_period, question.spectrum,
                             question.gamma)
    sample = simulate_sea(robot, state, rows, mount.R_DB, mount.p_DB, question.ship, full,
                          heading, question.duration, range(seeds), question.gravity,
                          progress=progress)
    exact = sample.most_probable_maximum(rate, question.duration)
    compared = []
    for k, (name, unit) in enumerate(zip(robot.names, robot.units)):
        alike = [i for i, other in enumerate(robot.units) if other == unit]
        if deviation[k] < _MATTERS * max(deviation[i] for i in alike):
            continue
        side = k if still[k] >= 0.0 else m + k  # the side on which the mean lies
        compared.append(Comparison(name, unit, float(deviation[k]), float(sample.deviation[k]),
                                   float(linear[side]), float(exact[side])))
    return TimeDomainCheck(float(np.degrees(heading)), sea, index, seeds,
                           float(np.degrees(sample.largest_tilt)), tuple(compared))

"""The seas that are asked about: sea states, grids of height and period, scatter diagrams."""

from __future__ import annotations

from dataclasses import dataclass
import math
from pathlib import Path
from typing import Sequence

import numpy as np

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.ship.csv_rows import read_rows
from robot_dynamics.ship.rao import Hull, RaoTable
from robot_dynamics.ship.spectra import SEA_STATES, WaveSpectrum

_UNCOVERED = 0.02     # share of a sea's energy that a table of response operators may miss
_SUM = 0.005          # by which the occurrences of a scatter diagram may miss one
_COLUMNS = ('hs', 'tp', 'occurrence')


@dataclass(frozen=True)
class Sea:
    """One stationary sea."""

    #: In m and s
    significant_wave_height: float
    peak_period: float
    state: int | None = None  #: WMO sea state, where it was asked for by that
    occurrence: float | None = None  #: Share of the year, of a scatter diagram


def sea_states(first: int, last: int) -> list[Sea]:
    """Return the WMO sea states from first to last, with their middle height and usual period."""
    for state in (first, last):
        if state not in SEA_STATES:
            raise UnknownNameError('sea state', str(state), map(str, SEA_STATES))
    if first > last:
        raise ConfigurationError(f'sea states {first}..{last} begin after their end')
    return [Sea(*SEA_STATES[state], state=state) for state in range(first, last + 1)]


def sea_grid(heights: Sequence[float], periods: Sequence[float]) -> list[Sea]:
    """Return every significant height [m] at every peak period [s]."""
    return [Sea(height, period) for period in periods for height in heights]


def read_scatter(path: str) -> list[Sea]:
    """
    Read a scatter diagram.

    Parameters
    ----------
    path : str
        CSV with columns ``hs`` [m], ``tp`` [s] and ``occurrence``, a share of the time; all
        occurrences sum to one.

    Raises
    ------
    ConfigurationError
        Names the column or row that is wrong, or the sum.
    """
    rows = read_rows(Path(path))
    missing = [name for name in _COLUMNS if not rows or rows[0].get(name) is None]
    if missing:
        raise ConfigurationError(f'{path}: column {missing[0]!r} is missing; a scatter diagram '
                                 'has the columns hs, tp and occurrence')
    seas = []
    for number, row in enumerate(rows, 1):
        values = [_number(path, number, name, row[name]) for name in _COLUMNS]
        if values[0] <= 0.0 or values[1] <= 0.0 or values[2] < 0.0:
            raise ConfigurationError(
                f'{path}: data row {number} has hs {values[0]:g}, tp {values[1]:g}, occurrence '
                f'{values[2]:g}; heights and periods are positive, occurrences not negative')
        seas.append(Sea(values[0], values[1], occurrence=values[2]))
    total = sum(sea.occurrence or 0.0 for sea in seas)
    if abs(total - 1.0) > _SUM:
        raise ConfigurationError(f'{path}: the occurrences sum to {total:g} instead of 1; give '
                                 'shares of the time (percent divided by 100)')
    return seas


def check_coverage(hull: Hull, spectra: Sequence[WaveSpectrum]) -> None:
    """
    Refuse seas whose energy lies where a table of response operators has no answer.

    Raises
    ------
    ConfigurationError
        Names the period and the table's range.
    """
    if not isinstance(hull, RaoTable):
        return
    low, high = hull.frequency[0], hull.frequency[-1]
    for spectrum in spectra:
        w = np.linspace(0.2, 12.0, 2000) * spectrum.peak_frequency
        density = spectrum.density(w)
        missed = float(density[(w < low) | (w > high)].sum() / density.sum())
        if missed > _UNCOVERED:
            raise ConfigurationError(
                f'the response operators cover {low:.3g} to {high:.3g} rad/s (periods of '
                f'{2 * math.pi / high:.3g} to {2 * math.pi / low:.3g} s), but '
                f'{100 * missed:.0f} % of the energy of a sea of peak period '
                f'{spectrum.peak_period:g} s lies outside; give a table that covers it, or other '
                'seas')


def wave_frequencies(spectra: Sequence[WaveSpectrum]) -> tuple[FloatArray, FloatArray]:
    """
    Return frequencies and weights of a quadrature over all of the seas at once.

    Fine enough (0.006 rad/s) for the resonance of a lightly damped roll.

    Returns
    -------
    frequency, weight : ndarray, (K,)
        In rad/s.
    """
    low = 0.4 * min(spectrum.peak_frequency for spectrum in spectra)
    knee = max(2.0, 1.5 * low)
    high = max(8.0 * max(spectrum.peak_frequency for spectrum in spectra), 1.2 * knee)
    edges = np.concatenate([np.arange(low, knee, 0.006), np.geomspace(knee, high, 120)])
    return 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)


def _number(path: str, row: int, name: str, text: str | None) -> float:
    try:
        value = float(text or '')
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigurationError(
            f'{path}: {text!r} in column {name}, data row {row}, is no finite number')
    return value

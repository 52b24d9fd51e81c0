"""
Response amplitude operators: how a hull answers a wave of unit height, as a table.

A table is a CSV file: ``direction_deg``, ``frequency_rad_s``, then amplitude (m/m, rad/m) and
phase (deg) of each degree of freedom, ``surge_amplitude, surge_phase_deg, ...``; lines that start
with ``#`` are comments.  x(t) = amplitude cos(w t + phase) where the wave is cos(w t) at the
origin, in FLU axes; the direction is where the waves travel to, counter-clockwise from the bow: 0
following, 90 from starboard, 180 head.  A table that ends at 180 deg is of a symmetric hull.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Protocol, Union

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.resources import resource_path
from robot_dynamics.ship.csv_rows import read_rows
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM

ComplexArray = NDArray[np.complex128]

SUPPLY_VESSEL = 'config/ships/supply_vessel_rao.csv'
_COLUMNS = ('direction_deg', 'frequency_rad_s') + tuple(
    f'{name}_{part}' for name in DEGREES_OF_FREEDOM for part in ('amplitude', 'phase_deg'))
# seen in a mirror, sway, roll and yaw change sign
_MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])[:, None]


class Hull(Protocol):
    """Anything that answers waves linearly."""

    def transfer(self, frequency: FloatArray, direction: FloatArray, speed: float
                 ) -> ComplexArray:
        """
        Return complex amplitudes H: the motion is Re(H a exp(i (w_e t + phase))).

        Parameters
        ----------
        frequency : ndarray, (K,)
            Of the waves, before the ship's speed shifts it, rad/s.
        direction : ndarray, (K,)
            Where the waves travel to, counter-clockwise from the bow, rad.
        speed : float
            Of the ship, m/s.

        Returns
        -------
        ndarray, (6, K)
            Surge, sway, heave in m/m, roll, pitch, yaw in rad/m.
        """


class RaoTable:
    """
    A hull given by its table.

    Parameters
    ----------
    direction : ndarray, (D,)
        In rad, increasing from 0 to pi (mirrored beyond) or to nearly 2 pi.
    frequency : ndarray, (F,)
        In rad/s, increasing.
    response : ndarray of complex, (D, F, 6)
        In the convention of this module.
    """

    def __init__(self, direction: FloatArray, frequency: FloatArray, response: ComplexArray
                 ) -> None:
        if direction[-1] <= np.pi + 1e-9:
            inner = slice(-2, 0, -1) if direction[0] < 1e-9 else slice(None, None, -1)
            direction = np.concatenate([direction, 2 * np.pi - direction[inner]])
            response = np.concatenate([response, response[inner] * _MIRROR[:, 0]])
        # close the circle, so that interpolation needs no special case
        self.direction = np.append(direction, direction[0] + 2 * np.pi)
        self.frequency = frequency
        self.response = np.concatenate([response, response[:1]])

    @classmethod
    def from_csv(cls, path: Union[str, Path]) -> RaoTable:
        """
        Read a table.

        Raises
        ------
        ConfigurationError
            If the file is missing, a column is, or directions and frequencies form no grid.
        """
        rows = _read_rows(Path(path))
        keys = np.array([[float(row[name]) for name in _COLUMNS] for row in rows])
        direction, frequency = np.unique(keys[:, 0]), np.unique(keys[:, 1])
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        if len(keys) != len(direction) * len(frequency) or len(frequency) < 2:
            raise ConfigurationError(f'{path}: every direction needs the same frequencies, '
                                     'two or more, each once')
        table = keys[order, 2:].reshape(len(direction), len(frequency), 6, 2)
        response = table[..., 0] * np.exp(1j * np.radians(table[..., 1]))
        return cls(np.radians(direction), frequency, response)

    @classmethod
    def supply_vessel(cls) -> RaoTable:
        """Return the 82.8 m supply vessel that comes with the package, at zero speed."""
        return cls.from_csv(resource_path(SUPPLY_VESSEL))

    def transfer(self, frequency: FloatArray, direction: FloatArray, speed: float
                 ) -> ComplexArray:
        """
        Interpolate real and imaginary parts linearly; see :class:`Hull`.

        The table's speed is not corrected for: only the frequency of encounter shifts.  Waves
        longer than the table's longest answer like that one, shorter ones not at all.
        """
        i, u = _bracket(self.direction, np.mod(direction, 2 * np.pi))
        j, v = _bracket(self.frequency, np.minimum(frequency, self.frequency[-1]))
        R = self.response
        u, v = u[:, None], v[:, None]
        H = ((1 - u) * ((1 - v) * R[i, j] + v * R[i, j + 1])
             + u * ((1 - v) * R[i + 1, j] + v * R[i + 1, j + 1]))
        return np.asarray(np.where(frequency > self.frequency[-1], 0.0, H.T))


def _bracket(grid: FloatArray, value: FloatArray) -> tuple[NDArray[np.intp], FloatArray]:
    """Find the cell of each value and the share of its upper end."""
    i = np.clip(np.searchsorted(grid, value, side='right') - 1, 0, len(grid) - 2)
    share = (value - grid[i]) / (grid[i + 1] - grid[i])
    return i, np.clip(share, 0.0, 1.0)


def _read_rows(path: Path) -> list[dict[str, str]]:
    rows = read_rows(path)
    missing = [name for name in _COLUMNS if not rows or rows[0].get(name) is None]
    if missing:
        raise ConfigurationError(f'{path}: column {missing[0]!r} is missing; a table of response '
                                 f'operators has {", ".join(_COLUMNS[:4])}, ...')
    for number, row in enumerate(rows, 1):
        for name in _COLUMNS:
            try:
                finite = math.isfinite(float(row[name]))
            except (TypeError, ValueError):
                finite = False
            if not finite:
                raise ConfigurationError(f'{path}: {row[name]!r} in column {name}, data row '
                                         f'{number}, is no finite number')
    return rows

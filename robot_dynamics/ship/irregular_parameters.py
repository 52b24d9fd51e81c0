"""The irregular sea as flat parameters, as a ROS parameter file holds them, and back."""

from __future__ import annotations

from dataclasses import asdict, fields
import math
from typing import Any, Mapping

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.irregular_motion import Seaway
from robot_dynamics.ship.rao import Hull, RaoTable
from robot_dynamics.ship.spectra import wave_spectrum

_HULL = {f'hull.{field.name}': field.name for field in fields(ClosedFormHull)}
_OPTIONAL = ('sea_state', 'significant_wave_height', 'peak_period', 'zero_crossing_period')
_SEA = ('ship_speed', 'components', 'seed')
KNOWN = (*_OPTIONAL, 'spectrum', 'gamma', 'wave_direction_deg', 'heading_deg', 'spreading',
         *_SEA, 'rao_table', *_HULL)

SUPPLY_VESSEL = 'supply_vessel'


def from_parameters(flat: Mapping[str, Any]) -> tuple[Seaway, Hull]:
    """
    Read sea and hull.

    Zero and the empty string mean not given, because a ROS parameter has no None.

    Parameters
    ----------
    flat : mapping
        ``sea_state`` or ``significant_wave_height`` with ``peak_period`` or
        ``zero_crossing_period``; ``spectrum``, ``gamma``; ``wave_direction_deg`` (where the waves
        travel to) and ``heading_deg``, both counter-clockwise from the world's x axis;
        ``ship_speed``, ``spreading``, ``components``, ``seed``; ``rao_table`` ('supply_vessel' or
        the path of a CSV file) or ``hull.length``, ``hull.beam`` and so on of the closed form.

    Raises
    ------
    RobotDynamicsError
        If a name is unknown, or values are missing or contradict each other.
    """
    for name in flat:
        if name not in KNOWN:
            raise UnknownNameError('parameter of irregular ship motion', name, KNOWN)
    given = {name: value for name, value in flat.items() if value or name == 'seed'}
    stated = {name: given[name] for name in (*_OPTIONAL, 'spectrum', 'gamma') if name in given}
    sea: dict[str, Any] = {name: given[name] for name in (*_SEA, 'spreading') if name in given}
    for name in ('wave_direction', 'heading'):
        if f'{name}_deg' in flat:
            sea[name] = math.radians(flat[f'{name}_deg'])
    hull = {_HULL[name]: given[name] for name in _HULL if name in given}
    table = given.get('rao_table')
    if table and hull:
        raise ConfigurationError(f'rao_table and hull.{next(iter(hull))} are both given; '
                                 'a hull is either a table or a closed form')
    return Seaway(wave_spectrum(**stated), **sea), hull_named(table) if table else (
        ClosedFormHull(**hull))


def hull_named(table: str) -> Hull:
    """Return the package's own table by its name, or read the CSV file of that path."""
    return RaoTable.supply_vessel() if table == SUPPLY_VESSEL else RaoTable.from_csv(table)


def to_parameters(sea: Seaway, hull: Hull, table: str = '') -> dict[str, Any]:
    """
    Flatten sea and hull, so that :func:`from_parameters` builds the same.

    A hull that is neither a closed form nor named by ``table`` cannot be flattened: then nothing
    is returned.
    """
    if not table and not isinstance(hull, ClosedFormHull):
        return {}
    spectrum = sea.spectrum
    flat: dict[str, Any] = {
        'significant_wave_height': spectrum.significant_wave_height, 'spectrum': spectrum.kind,
        'gamma': spectrum.gamma, 'wave_direction_deg': math.degrees(sea.wave_direction),
        'heading_deg': math.degrees(sea.heading), 'ship_speed': sea.ship_speed,
        'spreading': sea.spreading or 0.0, 'components': sea.components, 'seed': sea.seed,
        'rao_table': table}
    if spectrum.kind != 'pierson_moskowitz':
        flat['peak_period'] = spectrum.peak_period
    if isinstance(hull, ClosedFormHull) and not table:
        flat.update({f'hull.{name}': value for name, value in asdict(hull).items()})
        flat['hull.roll_period'] = hull.natural_roll_period  # not given would mean the default
    return flat

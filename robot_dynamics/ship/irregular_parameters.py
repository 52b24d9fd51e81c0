"""The irregular sea as flat parameters, as a ROS parameter file holds them."""

from __future__ import annotations

from dataclasses import asdict
import math
from typing import Any

from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.irregular_motion import Seaway
from robot_dynamics.ship.rao import Hull, RaoTable

SUPPLY_VESSEL = 'supply_vessel'


def hull_named(table: str) -> Hull:
    """Return the package's own table by its name, or read the CSV file of that path."""
    return RaoTable.supply_vessel() if table == SUPPLY_VESSEL else RaoTable.from_csv(table)


def to_parameters(sea: Seaway, hull: Hull, table: str = '') -> dict[str, Any]:
    """
    Flatten sea and hull, so that :func:`.ship_from_parameters` builds the same.

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

"""The irregular sea, the hull in it, and a recorded motion, as parameters of a node."""

from __future__ import annotations

import dataclasses

from robot_dynamics.core.parameters import check_parameters, group, parameter
from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.spectra import SPECTRA

_HULL = ClosedFormHull()


@dataclasses.dataclass(frozen=True)
class HullConfig:
    """A hull in closed form."""

    length: float = parameter(
        _HULL.length, 'of the hull at the waterline', 'm', 0.1, 600.0, live=False)
    beam: float = parameter(
        _HULL.beam, 'of the hull at the waterline', 'm', 0.1, 600.0, live=False)
    draught: float = parameter(_HULL.draught, 'of the hull', 'm', 0.1, 600.0, live=False)
    block_coefficient: float = parameter(
        _HULL.block_coefficient, 'displaced volume over length times beam times draught', '',
        0.2, 1.0, live=False)
    metacentric_height: float = parameter(
        _HULL.metacentric_height, 'transverse', 'm', 0.01, 100.0, live=False)
    roll_period: float = parameter(
        _HULL.roll_period or 0.0, 'natural period of roll', 's', 0.5, 60.0, live=False)
    roll_damping: float = parameter(
        _HULL.roll_damping, 'fraction of critical damping in roll', '', 0.005, 2.0, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass(frozen=True)
class SeaConfig:
    """Waves, and the ship in them; zero and empty mean not given."""

    sea_state: int = parameter(
        0, 'WMO sea state: height and usual period; 0: significant_wave_height says', '', 0, 8,
        live=False)
    significant_wave_height: float = parameter(
        0.0, 'of the waves, instead of a sea state', 'm', 0.0, 30.0, live=False)
    peak_period: float = parameter(
        0.0, 'modal period of the waves', 's', 0.0, 60.0, live=False)
    zero_crossing_period: float = parameter(
        0.0, 'of the waves, instead of peak_period', 's', 0.0, 60.0, live=False)
    spectrum: str = parameter(
        'bretschneider', 'shape of the wave spectrum', choices=tuple(SPECTRA), live=False)
    gamma: float = parameter(3.3, 'peakedness of jonswap', '', 1.0, 20.0, live=False)
    wave_direction_deg: float = parameter(
        90.0, 'where the waves travel to, counter-clockwise from the x axis of the world',
        'deg', -360.0, 360.0, live=False)
    heading_deg: float = parameter(
        0.0, 'where the bow points to, likewise; equal directions are a following sea', 'deg',
        -360.0, 360.0, live=False)
    ship_speed: float = parameter(0.0, 'of the ship', 'm/s', 0.0, 60.0, live=False)
    spreading: float = parameter(
        0.0, 'exponent s of the spreading cos^2s; 0: a long-crested sea', '', 0.0, 100.0,
        live=False)
    components: int = parameter(120, 'number of waves', '', 60, 5000, live=False)
    seed: int = parameter(0, 'of the waves', '', 0, 2**31 - 1, live=False)
    rao_table: str = parameter(
        '', 'hull by its response operators instead of hull.*: supply_vessel, or path of a CSV',
        live=False)
    hull: HullConfig = group(HullConfig)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass(frozen=True)
class RecordingConfig:
    """A motion that is replayed."""

    file: str = parameter(
        '', 'recorded motion, CSV: time in s and some of surge, sway, heave (m), roll, pitch, yaw '
        '(rad) or roll_deg and so on', live=False)
    playback_rate: float = parameter(
        1.0, 'of the recorded motion: 2 replays twice as fast', '', 1e-3, 1e3, live=False)
    cutoff: float = parameter(
        0.0, 'of a low-pass filter over the recorded samples that shifts nothing in time; 0: none',
        'Hz', 0.0, 1e3, live=False)
    fade: float = parameter(
        5.0, 'time in which the recorded motion grows from rest and comes to rest at its end; 0: '
        'it begins and ends in a step', 's', 0.0, 600.0, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)

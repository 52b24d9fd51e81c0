"""A ship's motion as parameters, declared once, as a parameter file of ROS holds them."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Mapping, Optional, Union

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import config_from_parameters, Configuration, group, parameter
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM
from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.regular_motion import Sinusoid
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.ship.spectra import SPECTRA

REGULAR, IRREGULAR, RECORDED = 'regular', 'irregular', 'recorded'
_HULL = ClosedFormHull()


@dataclasses.dataclass(frozen=True)
class HullConfig(Configuration):
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


@dataclasses.dataclass(frozen=True)
class SeaConfig(Configuration):
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


@dataclasses.dataclass(frozen=True)
class RecordingConfig(Configuration):
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


@dataclasses.dataclass(frozen=True)
class SinusoidsConfig(Configuration):
    """The sinusoids of one degree of freedom: lists of equal length, empty for no motion."""

    amplitude: tuple[float, ...] = parameter(
        (), 'amplitudes, rad for roll, pitch and yaw, m for surge, sway and heave',
        '', -100.0, 100.0, live=False)
    period: tuple[float, ...] = parameter((), 'periods', 's', 1e-3, 1e6, live=False)
    phase: tuple[float, ...] = parameter((), 'phases', 'rad', -1e3, 1e3, live=False)

    def sinusoids(self, name: str) -> Optional[list[Sinusoid]]:
        """Return those of a degree of freedom, or None where nothing was said."""
        if not (self.amplitude or self.period or self.phase):
            return None
        for part in ('amplitude', 'period'):
            if not getattr(self, part):
                raise ConfigurationError(f'{name}: {name}.{part} missing; give amplitude and '
                                         'period together')
        phase = self.phase or (0.0,) * len(self.amplitude)
        if not len(self.amplitude) == len(self.period) == len(phase):
            raise ConfigurationError(f'{name}: amplitude, period and phase differ in length')
        return [Sinusoid(*parts) for parts in zip(self.amplitude, self.period, phase)]


@dataclasses.dataclass(frozen=True)
class ShipConfig(SeaConfig, RecordingConfig):
    """A ship in sinusoids, in an irregular sea, or as recorded; defaults are the paper's."""

    mode: str = parameter(
        REGULAR, 'sinusoids (surge to yaw), an irregular sea (sea_state and so on, hull or '
        'rao_table), or a replay (file)', choices=(REGULAR, IRREGULAR, RECORDED), live=False)
    ramp_in: float = parameter(
        0.0, 'time over which the motion grows from rest after the epoch', 's', 0.0, 1e4,
        live=False)
    gravity_magnitude: float = parameter(
        9.80665, 'magnitude of gravity', 'm/s^2', 0.0, 30.0, live=False)
    surge: SinusoidsConfig = group(SinusoidsConfig)
    sway: SinusoidsConfig = group(SinusoidsConfig)
    heave: SinusoidsConfig = group(SinusoidsConfig)
    roll: SinusoidsConfig = group(SinusoidsConfig)
    pitch: SinusoidsConfig = group(SinusoidsConfig)
    yaw: SinusoidsConfig = group(SinusoidsConfig)

    def ship(self) -> ShipMotion:
        """
        Return the ship; sinusoids of which none is given are the paper's.

        Raises
        ------
        RobotDynamicsError
            If values are missing, do not fit together, or a file cannot be read.
        """
        if self.mode == RECORDED:
            return ShipMotion.recorded(self.file, self.playback_rate, self.cutoff, self.fade,
                                       self.ramp_in, self.gravity_magnitude)
        if self.mode == IRREGULAR:
            return ShipMotion.irregular(
                self.sea_state or None,
                significant_wave_height=self.significant_wave_height or None,
                peak_period=self.peak_period or None,
                zero_crossing_period=self.zero_crossing_period or None, spectrum=self.spectrum,
                gamma=self.gamma, wave_direction=math.radians(self.wave_direction_deg),
                heading=math.radians(self.heading_deg), ship_speed=self.ship_speed,
                spreading=self.spreading or None, hull=self._hull(), components=self.components,
                seed=self.seed, ramp_in=self.ramp_in, gravity_magnitude=self.gravity_magnitude)
        given = {name: getattr(self, name).sinusoids(name) for name in DEGREES_OF_FREEDOM}
        return ShipMotion.regular(**(given if any(given.values()) else {}), ramp_in=self.ramp_in,
                                  gravity_magnitude=self.gravity_magnitude)

    def _hull(self) -> Union[str, ClosedFormHull]:
        if not self.rao_table:
            return ClosedFormHull(**dataclasses.asdict(self.hull))
        if self.hull != HullConfig():
            raise ConfigurationError('rao_table and hull.* are both given; a hull is either a '
                                     'table or a closed form')
        return self.rao_table


def ship_from_parameters(flat: Mapping[str, Any]) -> ShipMotion:
    """
    Build a ship from the parameters of :class:`ShipConfig` by their dotted names.

    Zero and the empty string mean not given, because a ROS parameter has no None.  What
    ``ShipMotion.to_parameters`` returns builds the same ship.
    """
    return config_from_parameters(ShipConfig, flat).ship()

"""The ship's motion as parameters, the same in every node that needs it."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

from robot_dynamics.base.regular_motion import PAPER_PITCH, PAPER_ROLL
from robot_dynamics.base.ship_motion import ShipMotion
from robot_dynamics.control.parameters import group, parameter, parameter_values
from robot_dynamics.nodes.sea_parameters import HullConfig, SeaConfig

REGULAR, IRREGULAR, RECORDED = 'regular', 'irregular', 'recorded'
_COMMON = ('mode', 'ramp_in', 'gravity_magnitude')


@dataclasses.dataclass(frozen=True)
class SinusoidsConfig:
    """The sinusoids of one degree of freedom: lists of equal length, empty for no motion."""

    amplitude: tuple[float, ...] = parameter(
        (), 'amplitudes, rad for roll, pitch and yaw, m for surge, sway and heave',
        '', -100.0, 100.0, live=False)
    period: tuple[float, ...] = parameter((), 'periods', 's', 1e-3, 1e6, live=False)
    phase: tuple[float, ...] = parameter((), 'phases', 'rad', -1e3, 1e3, live=False)


@dataclasses.dataclass(frozen=True)
class RecordingConfig:
    """A motion that is replayed."""

    file: str = parameter(
        '', 'CSV: time in s and some of surge, sway, heave (m), roll, pitch, yaw (rad) or '
        'roll_deg and so on', live=False)
    playback_rate: float = parameter(
        1.0, '2 replays twice as fast', '', 1e-3, 1e3, live=False)
    cutoff: float = parameter(
        0.0, 'of a low-pass filter over the samples that shifts nothing in time; 0: none', 'Hz',
        0.0, 1e3, live=False)


@dataclasses.dataclass(frozen=True)
class ShipConfig:
    """A ship in sinusoids, in an irregular sea, or as recorded; defaults are the paper's."""

    mode: str = parameter(
        REGULAR, 'sinusoids (surge to yaw), an irregular sea (sea, hull), or a replay (recording)',
        choices=(REGULAR, IRREGULAR, RECORDED), live=False)
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
    sea: SeaConfig = group(SeaConfig)
    hull: HullConfig = group(HullConfig)
    recording: RecordingConfig = group(RecordingConfig)

    def ship(self) -> ShipMotion:
        """
        Return the ship.

        Raises
        ------
        RobotDynamicsError
            If values are missing, do not fit together, or a file cannot be read.
        """
        flat = parameter_values(self)
        chosen = {name: flat.pop(name) for name in _COMMON}
        if self.mode == IRREGULAR:
            chosen.update(self.sea.flat())
            chosen.update(self.hull.flat())
        elif self.mode == RECORDED:
            chosen.update(parameter_values(self.recording))
        else:
            chosen.update({name: value for name, value in flat.items() if value != () and
                           name.partition('.')[0] not in ('sea', 'hull', 'recording')})
        return ShipMotion.from_parameters(chosen)


@dataclasses.dataclass(frozen=True)
class ShipClockConfig:
    """The ship and the instant at which its time is zero, shared by all nodes of a graph."""

    epoch: float = parameter(
        0.0, 'ROS time at which the time of ship motion and reference is zero', 's', 0.0, 1e11,
        live=False)
    ship: ShipConfig = group(ShipConfig)

    @property
    def epoch_ns(self) -> int:
        """The epoch in integer nanoseconds."""
        return int(round(self.epoch * 1e9))


def paper_ship_defaults() -> Dict[str, Any]:
    """Return the defaults of the nodes' ``ship`` parameters: Table 3 of the PA10 paper."""
    return {
        f'ship.{name}.{part}': (getattr(sinusoid, part),)
        for name, sinusoid in (('roll', PAPER_ROLL), ('pitch', PAPER_PITCH))
        for part in ('amplitude', 'period', 'phase')}

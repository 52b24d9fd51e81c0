"""The ship's motion as parameters, the same in every node that needs it."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

from robot_dynamics.core.parameters import (
    check_parameters, group, parameter, parameter_values)
from robot_dynamics.nodes.sea_parameters import RecordingConfig, SeaConfig
from robot_dynamics.ship.harmonics import DEGREES_OF_FREEDOM
from robot_dynamics.ship.regular_motion import PAPER_PITCH, PAPER_ROLL
from robot_dynamics.ship.ship_motion import ShipMotion

REGULAR, IRREGULAR, RECORDED = 'regular', 'irregular', 'recorded'


@dataclasses.dataclass(frozen=True)
class SinusoidsConfig:
    """The sinusoids of one degree of freedom: lists of equal length, empty for no motion."""

    amplitude: tuple[float, ...] = parameter(
        (), 'amplitudes, rad for roll, pitch and yaw, m for surge, sway and heave',
        '', -100.0, 100.0, live=False)
    period: tuple[float, ...] = parameter((), 'periods', 's', 1e-3, 1e6, live=False)
    phase: tuple[float, ...] = parameter((), 'phases', 'rad', -1e3, 1e3, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)


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

    def __post_init__(self) -> None:
        check_parameters(self)

    def ship(self) -> ShipMotion:
        """
        Return the ship.

        Raises
        ------
        RobotDynamicsError
            If values are missing, do not fit together, or a file cannot be read.
        """
        flat = parameter_values(self)
        of_mode = {IRREGULAR: parameter_values(SeaConfig()),
                   RECORDED: parameter_values(RecordingConfig())}
        chosen = {name: flat[name] for name in ('mode', 'ramp_in', 'gravity_magnitude')}
        if self.mode in of_mode:
            # what is as declared is left to the ship's own defaults, which are the same
            chosen.update({name: flat[name] for name, default in of_mode[self.mode].items()
                           if flat[name] != default})
        else:
            chosen.update({name: value for name, value in flat.items()
                           if name.partition('.')[0] in DEGREES_OF_FREEDOM and value != ()})
        return ShipMotion.from_parameters(chosen)


@dataclasses.dataclass(frozen=True)
class ShipClockConfig:
    """The ship and the instant at which its time is zero, shared by all nodes of a graph."""

    epoch: float = parameter(
        0.0, 'ROS time at which the time of ship motion and reference is zero', 's', 0.0, 1e11,
        live=False)
    ship: ShipConfig = group(ShipConfig)

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def epoch_ns(self) -> int:
        """The epoch in integer nanoseconds."""
        return int(round(self.epoch * 1e9))


def simulation_defaults() -> Dict[str, Any]:
    """Return the nodes' own defaults of ``ship``, Table 3 of the PA10 paper, and of the noise."""
    sinusoids = {
        f'ship.{name}.{part}': (getattr(sinusoid, part),)
        for name, sinusoid in (('roll', PAPER_ROLL), ('pitch', PAPER_PITCH))
        for part in ('amplitude', 'period', 'phase')}
    return {**sinusoids, 'imu.seed': 1}

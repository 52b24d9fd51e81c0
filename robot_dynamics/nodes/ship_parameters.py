"""The ship's motion as parameters, the same in every node that needs it."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

from robot_dynamics.base.regular_motion import PAPER_PITCH, PAPER_ROLL
from robot_dynamics.base.ship_motion import ShipMotion
from robot_dynamics.control.parameters import group, parameter, parameter_values


@dataclasses.dataclass(frozen=True)
class SinusoidsConfig:
    """The sinusoids of one degree of freedom: lists of equal length, empty for no motion."""

    amplitude: tuple[float, ...] = parameter(
        (), 'amplitudes, rad for roll, pitch and yaw, m for surge, sway and heave',
        '', -100.0, 100.0, live=False)
    period: tuple[float, ...] = parameter((), 'periods', 's', 1e-3, 1e6, live=False)
    phase: tuple[float, ...] = parameter((), 'phases', 'rad', -1e3, 1e3, live=False)


@dataclasses.dataclass(frozen=True)
class ShipConfig:
    """A ship that moves in sinusoids; the defaults of the nodes are those of the paper."""

    mode: str = parameter('regular', 'kind of ship motion', choices=('regular',), live=False)
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
        Return the ship.

        Raises
        ------
        RobotDynamicsError
            If the lists of a degree of freedom do not fit together.
        """
        flat = parameter_values(self)
        return ShipMotion.from_parameters(
            {name: value for name, value in flat.items() if value != ()})


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

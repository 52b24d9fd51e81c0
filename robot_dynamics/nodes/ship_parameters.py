"""The ship's motion as parameters, the same in every node that needs it."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict

from robot_dynamics.core.parameters import Configuration, group, parameter
from robot_dynamics.ship.regular_motion import PAPER_PITCH, PAPER_ROLL
from robot_dynamics.ship.ship_config import ShipConfig


@dataclasses.dataclass(frozen=True)
class ShipClockConfig(Configuration):
    """The ship and the instant at which its time is zero, shared by all nodes of a graph."""

    epoch: float = parameter(
        0.0, 'ROS time at which the time of ship motion and reference is zero', 's', 0.0, 1e11,
        live=False)
    ship: ShipConfig = group(ShipConfig)

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

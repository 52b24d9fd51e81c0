"""A simulated arm on a moving deck, with held commands, effort limits, stops and a brake."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence

from robot_dynamics.control.parameters import check_parameters, parameter
from robot_dynamics.core.gate import FloatArray


@dataclasses.dataclass(frozen=True)
class SimulatedRobotConfig:
    """What the simulated arm is and does."""

    substep: float = parameter(
        0.0005, 'longest step of the integration', 's', 1e-6, 0.01, live=False)
    base_point: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'arm base in deck axes, from the rotation centre', 'm', -1e3, 1e3,
        live=False)
    initial_position: tuple[float, ...] = parameter(
        (0.0,), 'joint positions at the start, one value or one per joint', 'rad', -100.0, 100.0,
        live=False)
    friction: bool = parameter(False, 'with the friction of the description', live=False)
    rotor_inertia: bool = parameter(False, 'with reflected rotor inertia', live=False)
    mass_error_percent: float = parameter(
        0.0, 'the arm\'s masses and inertias exceed the description by this', '%', -90.0, 900.0,
        live=False)
    effort_limits: bool = parameter(True, 'cut efforts at the limits of the description')
    position_limits: bool = parameter(True, 'stop joints at the limits of the description')
    brake: bool = parameter(True, 'hold the arm until the first valid command', live=False)
    position_noise: float = parameter(
        0.0, 'standard deviation of the reported positions', 'rad', 0.0, 0.1)
    velocity_noise: float = parameter(
        0.0, 'standard deviation of the reported velocities', 'rad/s', 0.0, 1.0)
    seed: int = parameter(1, 'of the noise', '', 0, 2**31 - 1, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclasses.dataclass(frozen=True)
class RobotState:
    """
    What a joint state message reports.

    Attributes
    ----------
    stamp_ns : int
    names : tuple of str
        Order of the model.
    position, velocity, effort : (nv,) array, rad, rad/s, Nm
        The effort is the one that a sensor at the joint reads: what acts, or while the brake is
        on, what the brake carries.
    """

    stamp_ns: int
    names: tuple[str, ...]
    position: FloatArray
    velocity: FloatArray
    effort: FloatArray


class SimulatedRobot:
    """
    Forward dynamics of an arm on a ship, stepped from stamp to stamp.

    Parameters
    ----------
    model : RobotModel
    ship : ShipMotion or None
        Evaluated exactly at every substep at ``config.base_point``; None: level and still.
    config : SimulatedRobotConfig
    start_ns : int
        Stamp of the initial state, ns.
    epoch_ns : int
        Stamp at which the ship's time is zero, ns.
    backend : str
        Of the dynamics: ``numba`` or ``interpreted``.
    """

    def __init__(self, model: Any, ship: Any, config: Optional[SimulatedRobotConfig] = None,
                 start_ns: int = 0, epoch_ns: int = 0, backend: str = 'numba') -> None:
        raise NotImplementedError

    names: tuple[str, ...]
    stamp_ns: int
    braked: bool

    def apply(self, effort: Any, at_ns: int, names: Optional[Sequence[str]] = None) -> bool:
        """
        Let a command act from ``at_ns`` on, held for ever.

        ``effort`` (nv,) in the order of ``names`` (default: of the model).  A command of wrong
        length, with unknown names or not finite is dropped: returns False.
        """
        raise NotImplementedError

    def step_to(self, stamp_ns: int) -> None:
        """Integrate up to a stamp."""
        raise NotImplementedError

    def joint_state(self) -> RobotState:
        """Return the state at :attr:`stamp_ns`, with noise if configured."""
        raise NotImplementedError

    def true_state(self) -> RobotState:
        """Return the state at :attr:`stamp_ns` without noise."""
        raise NotImplementedError

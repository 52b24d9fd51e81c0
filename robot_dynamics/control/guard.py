"""
The effort guard: forwards fresh finite commands, and acts by itself when they stop.

It stands between feedforward and controller in a process of its own, so that it survives the
feedforward.  It knows no dynamics: the effort that holds gravity comes to it beside the commands
while these are alive.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Sequence

from robot_dynamics.control.events import Event
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.parameters import check_parameters, group, parameter
from robot_dynamics.core.gate import FloatArray


@dataclasses.dataclass(frozen=True)
class GuardConfig:
    """When the guard takes over, and what it does."""

    joints: tuple[str, ...] = parameter(
        (), 'joints in the order of the commands', live=False)
    command_age: float = parameter(
        0.02, 'oldest command, by arrival', 's', 0.001, 10.0)
    gravity_age: float = parameter(
        1.0, 'oldest gravity effort that is ramped to; older: zero', 's', 0.001, 60.0)
    hold_time: float = parameter(
        0.05, 'how long the last command is held on silence', 's', 0.0, 5.0)
    ramp_time: float = parameter(
        0.5, 'duration of the ramp to the gravity effort, and to zero', 's', 0.0, 60.0)
    final_action: str = parameter(
        'hold_gravity', 'what follows the ramp',
        choices=('hold_gravity', 'zero', 'call_service'))
    final_delay: float = parameter(
        2.0, 'how long gravity is held before the final action', 's', 0.0, 3600.0)
    recovery_time: float = parameter(
        0.2, 'duration of the ramp back to fresh commands', 's', 0.0, 60.0)
    event_period: float = parameter(
        1.0, 'shortest time between two reports of one kind', 's', 0.0, 3600.0, live=False)
    limits: LimitsConfig = group(LimitsConfig)

    def __post_init__(self) -> None:
        check_parameters(self)


class EffortGuard:
    """
    Passes commands on, and takes over when they stop.

    Parameters
    ----------
    config : GuardConfig
        ``joints`` fixes the length of a command.
    effort_limit : (nv,) array, Nm, optional
        Of the description; None where only the configuration limits.
    """

    def __init__(self, config: GuardConfig, effort_limit: Any = None) -> None:
        raise NotImplementedError

    @property
    def state(self) -> str:
        """Return waiting, forwarding, holding, ramping_to_gravity, gravity_only or final."""
        raise NotImplementedError

    @property
    def service_call_due(self) -> bool:
        """Whether the final action ``call_service`` is due; True once, then False."""
        raise NotImplementedError

    def on_command(self, effort: Any, arrival_ns: int) -> Optional[FloatArray]:
        """Take a command (nv,); return the effort to forward at once, or None."""
        raise NotImplementedError

    def on_gravity_effort(self, names: Sequence[str], effort: Any, arrival_ns: int) -> None:
        """Take the effort that holds gravity, by name."""
        raise NotImplementedError

    def tick(self, now_ns: int) -> Optional[FloatArray]:
        """Return what to send on silence, or None while commands are fresh; call at >= 200 Hz."""
        raise NotImplementedError

    def take_events(self) -> list[Event]:
        """Return the events since the last call."""
        raise NotImplementedError

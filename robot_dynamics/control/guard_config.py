"""When a guard takes over, how far a command may go, and what follows its silence."""

from __future__ import annotations

import dataclasses

from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.watchdog import FallbackConfig
from robot_dynamics.core.parameters import group, parameter


@dataclasses.dataclass(frozen=True)
class GuardConfig(FallbackConfig):
    """When the guard takes over, and what it does."""

    joints: tuple[str, ...] = parameter(
        (), 'joints in the order of the commands', live=False)
    command_age: float = parameter(
        0.05, 'oldest command, by arrival', 's', 0.001, 10.0)
    gravity_age: float = parameter(
        1.0, 'how old the gravity effort may be, when the commands stop, to be ramped to; older: '
        'zero', 's', 0.001, 60.0)
    ramp_time: float = parameter(
        0.5, 'duration of the ramp to the gravity effort, to zero, and back to fresh commands',
        's', 0.0, 60.0)
    recovery_time: float = parameter(
        0.2, 'how long commands must be fresh before they are forwarded again, and how long the '
        'first ones must go on from one another where neither a measured effort nor that of '
        'gravity is known', 's', 0.0, 60.0)
    clock_jump: float = parameter(
        0.05, 'a clock that goes back by more than this starts the ages anew', 's', 0.0, 10.0)
    envelope_share: tuple[float, ...] = parameter(
        (0.5,), 'how far a command may lie from the gravity effort that comes beside it, as a '
        'share of the effort limit, per joint; the motion of the PA10, 10 m from the centre of '
        'its ship, asks for 0.34; 0: no bound', '', 0.0, 100.0)
    envelope_time: float = parameter(
        1.0, 'how long commands may be cut there, and up to 0.25 s jump to and fro, before '
        'nothing more is forwarded; 0: for ever', 's', 0.0, 3600.0)
    event_period: float = parameter(
        1.0, 'shortest time between two reports of one kind; what goes on and on is reported ever '
        'more rarely', 's', 0.0, 3600.0, live=False)
    limits: LimitsConfig = group(LimitsConfig)

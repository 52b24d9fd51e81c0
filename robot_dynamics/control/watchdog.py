"""
Ages of the inputs, and the staged answer when one of them falls silent.

An input is fresh when both its header stamp and its arrival are recent.  On silence the command
is held for a short time, then ramped to gravity-only with the last known tilt, then the final
action is taken; when all inputs are fresh again, it ramps back in.
"""

from __future__ import annotations

import dataclasses

from robot_dynamics.control.parameters import check_parameters, parameter

JOINT_STATES = 'joint_states'
BASE_MOTION = 'base_motion'
REFERENCE = 'reference'


@dataclasses.dataclass(frozen=True)
class WatchdogConfig:
    """When an input counts as stale, and what happens then."""

    joint_states_age: float = parameter(
        0.02, 'oldest joint state, by header stamp and by arrival', 's', 0.001, 10.0)
    base_motion_age: float = parameter(
        0.1, 'oldest sample of the base motion, by header stamp and by arrival', 's', 0.001, 10.0)
    future_tolerance: float = parameter(
        0.05, 'how far ahead of the clock a header stamp may be', 's', 0.0, 10.0)
    clock_jump: float = parameter(
        0.05, 'a clock that goes back by more than this resets the filters', 's', 0.0, 10.0)
    hold_time: float = parameter(
        0.05, 'how long the last command is held when an input is stale', 's', 0.0, 5.0)
    ramp_time: float = parameter(
        0.5, 'duration of the ramp to gravity-only, and to zero', 's', 0.0, 60.0)
    final_action: str = parameter(
        'hold_gravity', 'what follows the ramp: keep holding gravity, ramp to zero, or ask for a '
        'service to be called', choices=('hold_gravity', 'zero', 'call_service'))
    final_delay: float = parameter(
        2.0, 'how long gravity is held before the final action', 's', 0.0, 3600.0)
    recovery_time: float = parameter(
        0.2, 'how long all inputs must be fresh before it ramps back in', 's', 0.0, 60.0)
    reference_stale: str = parameter(
        'hold_position', 'when a streamed reference stops: bring the arm to rest and hold it, or '
        'the same stages as for the other inputs', choices=('hold_position', 'fallback'))

    def __post_init__(self) -> None:
        check_parameters(self)

"""
Transitions without a step: offsets that decay, and blends that take a given time.

Into activity the difference between what the arm feels and what it should feel fades out; out
of it the command blends into gravity-only or zero.
"""

from __future__ import annotations

import dataclasses

from robot_dynamics.control.parameters import check_parameters, parameter


@dataclasses.dataclass(frozen=True)
class RampConfig:
    """Times and ends of the ramps."""

    start_from: str = parameter(
        'measured', 'effort from which activation ramps in: the measured one (zero where joint '
        'states report none) or zero', choices=('measured', 'zero'))
    ramp_in: float = parameter(1.0, 'duration of the ramp at activation', 's', 0.0, 60.0)
    ramp_out: float = parameter(1.0, 'duration of the ramp at deactivation', 's', 0.0, 60.0)
    end_at: str = parameter(
        'gravity', 'effort at which deactivation ends before the final command: holding gravity '
        'at the last known tilt, or zero', choices=('gravity', 'zero'))
    final_zero: bool = parameter(
        True, 'after the ramp at deactivation, command zero once (brakes must be on)')

    def __post_init__(self) -> None:
        check_parameters(self)


def smooth_step(s: float) -> float:
    """Return 0 to 1 for s from 0 to 1 with zero slope at both ends (cubic)."""
    if s <= 0.0:
        return 0.0
    if s >= 1.0:
        return 1.0
    return s * s * (3.0 - 2.0 * s)

"""Closed-form references: the sinusoids of the paper, and a quintic from point to point."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from robot_dynamics.control.reference import Reference


def paper_sinusoid(names: Sequence[str] = (
        'joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6')) -> Reference:
    """Return the motion of paper 003, eq. 37 with Table 4: A (cos(w t) - 1) at each joint."""
    raise NotImplementedError


def quintic_point_to_point(
        names: Sequence[str], start: Any, goal: Any, duration: Optional[float] = None,
        velocity_limit: Any = None, acceleration_limit: Any = None) -> Reference:
    """Return the quintic from rest at ``start`` to rest at ``goal`` (duration or limits)."""
    raise NotImplementedError

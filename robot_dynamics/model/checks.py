"""Physical checks of the merged moving bodies."""

from __future__ import annotations

from typing import Any, List

from robot_dynamics.model.elements import Note


def check_physics(*_: Any) -> List[Note]:
    """Placeholder."""
    return []

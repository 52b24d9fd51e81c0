"""Stand-in for ``launch_ros.substitutions``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from launch import check_text, LaunchContext, Substitution, SubstitutionFailure, text

CHECKOUT = Path(__file__).resolve().parents[3]


class FindPackageShare(Substitution):
    """The share directory of a package: the checkout for this one, unknown for all others."""

    def __init__(self, package: Any) -> None:
        check_text('package', package)
        self._package = package

    def perform(self, context: LaunchContext) -> str:
        """Return it."""
        name = text(context, self._package)
        if name != 'robot_dynamics':
            raise SubstitutionFailure(f"package '{name}' not found")
        return str(CHECKOUT)

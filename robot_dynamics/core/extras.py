"""Packages that only some commands need: where one is missing, the extra that brings it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Optional

from robot_dynamics.core.errors import ConfigurationError

EXTRAS = {'clarabel': 'identify', 'distributed': 'cluster', 'jinja2': 'report',
          'matplotlib': 'report', 'pyarrow': 'parquet'}
"""Package -> the extra of ``setup.py`` that brings it."""


def how_to_install(package: Optional[str]) -> Optional[str]:
    """Return one line on how to install a missing package; None if no extra brings it."""
    name = (package or '').partition('.')[0]
    if name not in EXTRAS:
        return None
    return (f'needs {name}, which is not installed: '
            f'pip install "robot_dynamics[{EXTRAS[name]}]"')


def require(purpose: str, *packages: str) -> None:
    """
    Refuse work whose packages are missing, before it begins.

    Raises
    ------
    ConfigurationError
        Names ``purpose``, the package and its extra.
    """
    for package in packages:
        if find_spec(package) is None:
            raise ConfigurationError(f'{purpose} {how_to_install(package)}')

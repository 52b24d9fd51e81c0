"""Find the files that the package installs, in whichever way it was installed."""

from __future__ import annotations

import os
from pathlib import Path
import sys
import sysconfig
from typing import List

from robot_dynamics.core.errors import ConfigurationError

PACKAGE = 'robot_dynamics'


def share_directories() -> List[Path]:
    """
    List the directories that may hold ``urdf/``, ``config/`` and ``launch/``, best first.

    In order: the source checkout that this module lies in (also an editable install), the
    prefixes of a sourced colcon workspace, and the ``share`` directory of the Python
    environment (where pip puts an ordinary install).
    """
    checkout = Path(__file__).resolve().parents[2]
    found = [checkout] if (checkout / 'package.xml').is_file() else []
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    # colcon: <prefix>/lib/python3.X/site-packages/robot_dynamics/core/resources.py
    own = [str(parent) for parent in Path(__file__).resolve().parents[3:7]]
    prefixes += own + [sysconfig.get_path('data'), sys.prefix]
    found += [Path(prefix) / 'share' / PACKAGE for prefix in prefixes if prefix]
    return list(dict.fromkeys(found))


def resource_path(name: str) -> Path:
    """
    Return the path of an installed file, for example that of ``urdf/pa10.urdf``.

    Raises
    ------
    ConfigurationError
        If no installed directory has it; the text lists the places searched.
    """
    places = share_directories()
    for place in places:
        if (place / name).exists():
            return place / name
    searched = ', '.join(str(place) for place in places)
    raise ConfigurationError(
        f'{name}: not among the installed files of {PACKAGE} (searched {searched}); '
        'install the package with pip or colcon, or run from its checkout')

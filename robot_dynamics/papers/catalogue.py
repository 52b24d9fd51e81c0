"""Which papers can be recomputed, and by which module."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType
from typing import Dict

from robot_dynamics.core.errors import UnknownNameError

_PACKAGE = __name__.rpartition('.')[0]

_TITLES = {
    'pa10': 'Sadraei & Moghaddam 2015: a PA10-6CE on a moving ship',
    'three_link': 'Obasi et al. 2020: a three-link arm',
    'anthropomorphic': 'Leohchi & Merticaru 2013: an anthropomorphic arm',
    'mobile_manipulator': 'a three-joint arm on a differential drive',
}


def available_papers() -> Dict[str, str]:
    """Return the papers whose module exists, and their titles."""
    return {name: title for name, title in _TITLES.items()
            if importlib.util.find_spec(f'{_PACKAGE}.{name}')}


def paper_module(name: str) -> ModuleType:
    """Import the module that computes a paper."""
    if name not in available_papers():
        raise UnknownNameError('paper', name, available_papers())
    return importlib.import_module(f'{_PACKAGE}.{name}')


def figure_module(name: str) -> ModuleType:
    """Import the module that draws a paper's figures; it loads matplotlib."""
    paper_module(name)
    return importlib.import_module(f'{_PACKAGE}.{name}_figures')

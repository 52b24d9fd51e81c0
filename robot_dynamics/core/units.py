"""Units that column headers state, as ``roll[deg]`` or ``time (ms)``, as factors to SI units."""

from __future__ import annotations

import math
import re
from typing import Optional, Tuple

FACTORS = {
    's': 1.0, 'sec': 1.0, 'ms': 1e-3, 'us': 1e-6, 'µs': 1e-6, 'ns': 1e-9,
    'm': 1.0, 'mm': 1e-3, 'm/s': 1.0, 'mm/s': 1e-3, 'm/s2': 1.0, 'm/s^2': 1.0, 'm/s²': 1.0,
    'g': 9.80665, 'rad': 1.0, 'rad/s': 1.0, 'deg': math.pi / 180, '°': math.pi / 180,
    'deg/s': math.pi / 180, '°/s': math.pi / 180, 'rpm': math.pi / 30, 'rev': 2 * math.pi,
    'nm': 1.0, 'n m': 1.0, 'n·m': 1.0, 'n*m': 1.0, 'n.m': 1.0, 'n-m': 1.0, 'n': 1.0,
    'mnm': 1e-3, 'nmm': 1e-3, 'n mm': 1e-3, 'ncm': 1e-2, 'kn': 1e3, 'knm': 1e3, 'kn m': 1e3,
    '': 1.0, '-': 1.0}
"""Unit, in lower case -> factor."""


def split_unit(header: str) -> Tuple[str, Optional[float], str]:
    """
    Split a header into name, factor to SI units and unit as written.

    The factor is None for a unit that is not known, and the unit is empty where none is stated.
    """
    match = re.fullmatch(r'\s*(.*?)\s*[\[(]([^\])]*)[\])]\s*', header)
    if match is None:
        return header.strip(), 1.0, ''
    return match[1], FACTORS.get(match[2].strip().lower()), match[2].strip()

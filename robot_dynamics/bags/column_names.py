"""What the columns of a log are called, and the other ways in which tools write that."""

from __future__ import annotations

import re
from typing import Dict, Tuple


from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.units import FACTORS

SIGNALS = {'position': 'position', 'velocity': 'velocity', 'effort': 'effort',
           'measured': 'effort'}
"""Ending of a joint's column -> field; ``measured`` is what the analysis itself writes."""

IMU_FIELDS = (('orientation', 'xyzw'), ('angular_velocity', 'xyz'), ('linear_acceleration', 'xyz'))

_TIME = re.compile(r'[%_]*(time_?stamps?|times?|t|stamp)(?:_(s|sec|ms|us|ns))?', re.IGNORECASE)
_FIELDS = '|'.join(SIGNALS)
_LAST = re.compile(rf'(.+?)[/._]({_FIELDS})(?:_([A-Za-z_]+))?')
_FIRST = re.compile(rf'({_FIELDS})[/._](.+)')
_SECONDS, _NANOSECONDS = re.compile(r'(.*[./_])?secs?'), re.compile(r'(.*[./_])?n(ano)?secs?')

EPOCHS = ((1e17, 1e-9, 'ns'), (1e14, 1e-6, 'us'), (1e11, 1e-3, 'ms'))
"""A time beyond this, in s, counts since 1970 in a smaller unit: so many s, called so."""


def since_1970(time: FloatArray) -> Tuple[FloatArray, str]:
    """Return a time (T,) in s, and the unit in which it counted since 1970 if its size says so."""
    for least, factor, unit in EPOCHS:
        if len(time) and abs(time[0]) > least:
            return factor * time, unit
    return time, ''


def is_known(name: str) -> bool:
    """Tell whether a column has a documented name of a signal."""
    joint, _, field = name.rpartition('/')
    return bool(joint) and (field in SIGNALS or any(
        name == f'imu/{signal}/{axis}' for signal, axes in IMU_FIELDS for axis in axes))


def documented(name: str) -> Tuple[str, float]:
    """
    Return what a column is called by documentation, and the factor to SI units that its name says.

    Both are the same and 1 for a name that nothing else is known about.
    """
    time = _TIME.fullmatch(name)
    if time is not None and name != 'stamp_ns':
        return 'time', FACTORS[(time[2] or 's').lower()]
    slashed = name.replace('.', '/')
    if is_known(slashed):
        return slashed, 1.0
    last = _LAST.fullmatch(name)
    if last is not None:
        factor = FACTORS.get((last[3] or '').lower().replace('_', '/'))
        return (name, 1.0) if factor is None else (f'{last[1]}/{last[2]}', factor)
    first = _FIRST.fullmatch(name)
    return (f'{first[2]}/{first[1]}', 1.0) if first is not None else (name, 1.0)


def with_whole_stamps(columns: Dict[str, FloatArray]) -> Dict[str, FloatArray]:
    """Put seconds and nanoseconds of ROS stamps together as one column ``time``."""
    for name, seconds in columns.items():
        match = _SECONDS.fullmatch(name)
        if match is None:
            continue
        for other, nanoseconds in columns.items():
            rest = _NANOSECONDS.fullmatch(other)
            if rest is not None and rest[1] == match[1]:
                others = {key: values for key, values in columns.items()
                          if key not in (name, other)}
                return {'time': seconds + 1e-9 * nanoseconds, **others}
    return columns

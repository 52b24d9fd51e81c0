"""
The trace of a simulated run: every state of the arm, exactly, in a file that grows as it runs.

The file begins with one line of JSON (joint names) and goes on with rows of float64: time,
positions, velocities, efforts.  A reader may look at it while it grows.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO, List, Sequence, Union

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.motion.joint_series import JointSeries

_ROWS_AT_ONCE = 100


class TraceWriter:
    """Writes states one by one."""

    def __init__(self, path: Union[str, Path], names: Sequence[str]) -> None:
        self._rows: List[FloatArray] = []
        try:
            self._file: BinaryIO = open(path, 'wb')
        except OSError as error:
            raise ConfigurationError(f'trace file {path}: {error.strerror}') from error
        self._file.write(json.dumps({'names': list(names)}).encode() + b'\n')

    def append(self, time: float, position: Any, velocity: Any, effort: Any) -> None:
        """Add one state: time in s, then (n,) arrays in rad, rad/s and Nm."""
        self._rows.append(np.concatenate(([time], position, velocity, effort)))
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        if self._rows:
            self._file.write(np.array(self._rows).tobytes())
            self._file.flush()
            self._rows.clear()


def read_trace(path: Union[str, Path]) -> JointSeries:
    """
    Read a trace, finished or still growing.

    Raises
    ------
    ConfigurationError
        If the file is not a trace or holds no state.
    """
    data = Path(path).read_bytes()
    head, _, body = data.partition(b'\n')
    try:
        names = json.loads(head)['names']
    except (ValueError, TypeError, KeyError) as error:
        raise ConfigurationError(f'{path}: is not a trace of a simulated run') from error
    width = 1 + 3 * len(names)
    rows = np.frombuffer(body[:len(body) // (8 * width) * 8 * width]).reshape(-1, width)
    if not len(rows):
        raise ConfigurationError(f'{path}: holds no state; did the run end before it began?')
    position, velocity, effort = np.split(rows[:, 1:], 3, axis=1)
    return JointSeries(rows[:, 0], names, position, velocity, effort=effort)


def trace_rows(path: Union[str, Path], joints: int) -> int:
    """Return how many states a growing trace holds; 0 while there is no file."""
    try:
        return Path(path).stat().st_size // (8 * (1 + 3 * joints))
    except FileNotFoundError:
        return 0

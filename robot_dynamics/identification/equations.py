"""
The thinned equations of all recordings: their triangle for fitting, and a file for looking again.

Memory is bounded by the triangle: rows go to a temporary file and are read back in pieces.
"""

from __future__ import annotations

import tempfile
from typing import Any, Iterator, List, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.identification.regressor_rows import Columns, Rows

_PIECE = 2000  # rows read back at a time


class Equations:
    """
    Equations of one purpose, collected.

    Attributes
    ----------
    count : int
        Of instants; each gives an equation for each joint.
    """

    def __init__(self, joints: int, columns: Columns) -> None:
        self.columns = columns
        self.joints = joints
        self.count = 0
        self.starts: List[int] = []  # rows at which a recording or stretch begins
        self._file = tempfile.TemporaryFile(prefix='robot_dynamics_')
        self._triangles: List[FloatArray] = [np.zeros((0, columns.size)) for _ in range(joints)]
        self._waiting: List[FloatArray] = []

    def begin(self) -> None:
        """Say that what follows is another stretch of time."""
        self.starts.append(self.count)

    def add(self, rows: Rows) -> None:
        """Add equations."""
        packed = np.concatenate([rows.time[:, None], rows.columns.reshape(len(rows.time), -1)], 1)
        np.ascontiguousarray(packed).tofile(self._file)
        self.count += len(rows.time)
        self._waiting.append(rows.columns)
        if sum(len(piece) for piece in self._waiting) >= _PIECE:
            self._reduce()

    def triangle(self, joint: int) -> FloatArray:
        """Return R of the equations of one joint, (C, C): R^T R is the sum of their squares."""
        self._reduce()
        return self._triangles[joint]

    def rows(self) -> Iterator[Rows]:
        """Yield all equations again."""
        self._file.seek(0)
        width = 1 + self.joints * self.columns.size
        for start in range(0, self.count, _PIECE):
            number = min(_PIECE, self.count - start)
            flat = np.fromfile(self._file, np.float64, number * width).reshape(number, width)
            yield Rows(flat[:, 0], flat[:, 1:].reshape(number, self.joints, -1))

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def __enter__(self) -> Equations:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def _reduce(self) -> None:
        if not self._waiting:
            return
        piece = np.concatenate(self._waiting)
        self._waiting = []
        for joint in range(self.joints):
            stacked = np.concatenate([self._triangles[joint], piece[:, joint]])
            self._triangles[joint] = np.asarray(np.linalg.qr(stacked, mode='r'))


def series(equations: Equations, columns: List[int]) -> Tuple[FloatArray, FloatArray]:
    """Return time (K,) and some columns of all joints, (K, nv, len(columns))."""
    times, values = [], []
    for rows in equations.rows():
        times.append(rows.time)
        values.append(rows.columns[:, :, columns])
    if not times:
        return np.zeros(0), np.zeros((0, equations.joints, len(columns)))
    return np.concatenate(times), np.concatenate(values)

"""
A table that grows row by row and is read in blocks: in memory while small, then on disk.

It keeps the memory of an analysis constant however long the recording is.
"""

from __future__ import annotations

import tempfile
from typing import BinaryIO, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import BagError

FloatArray = NDArray[np.float64]
StampArray = NDArray[np.int64]

MEMORY_LIMIT = 48 * 2**20
"""Bytes that one table may keep in memory."""

_INDEX_STEP = 4096


class Columns:
    """
    Rows of one int64 stamp and ``width`` float64 values.

    Parameters
    ----------
    width : int
        Values a row.
    memory_limit : int, optional
        Bytes after which the rows move to a temporary file; :data:`MEMORY_LIMIT` by default.
    """

    def __init__(self, width: int, memory_limit: Optional[int] = None) -> None:
        self.width = width
        self._row_bytes = 8 * (1 + width)
        self._limit = MEMORY_LIMIT if memory_limit is None else memory_limit
        self._pending: List[NDArray[np.int64]] = []
        self._table: Optional[NDArray[np.int64]] = None
        self._file: Optional[BinaryIO] = None
        self._rows = 0
        self._index: List[StampArray] = []  # every _INDEX_STEP-th stamp

    def __len__(self) -> int:
        return self._rows

    def append(self, stamp_ns: StampArray, values: FloatArray) -> None:
        """
        Add rows at the end.

        Parameters
        ----------
        stamp_ns : (N,) int64
            Stamps in nanoseconds.
        values : (N, width) float64
            The rows.
        """
        if not len(stamp_ns):
            return
        block = np.empty((len(stamp_ns), 1 + self.width), np.int64)
        block[:, 0] = stamp_ns
        block[:, 1:] = np.ascontiguousarray(values, np.float64).view(np.int64)
        self._index.append(block[-self._rows % _INDEX_STEP::_INDEX_STEP, 0].copy())
        self._rows += len(block)
        self._table = None
        if self._file is not None:
            self._write(block)
            return
        self._pending.append(block)
        if self._rows * self._row_bytes > self._limit:
            self._file = tempfile.TemporaryFile(prefix='robot_dynamics_')
            for part in self._pending:
                self._write(part)
            self._pending = []

    def _write(self, block: NDArray[np.int64]) -> None:
        assert self._file is not None
        try:
            self._file.seek(0, 2)
            self._file.write(block.tobytes())
        except OSError as error:
            raise BagError(f'{tempfile.gettempdir()}: no room for intermediate data '
                           f'({error.strerror}); set TMPDIR to a larger disk') from error

    def read(self, start: int, stop: int) -> Tuple[StampArray, FloatArray]:
        """Return stamps (N,) and values (N, width) of the rows from start to before stop."""
        start, stop = max(start, 0), min(stop, self._rows)
        count = max(stop - start, 0)
        if self._file is not None:
            self._file.seek(start * self._row_bytes)
            raw = self._file.read(count * self._row_bytes)
            block = np.frombuffer(raw, np.int64).reshape(count, 1 + self.width)
        else:
            block = self._whole()[start:stop]
        stamps = np.ascontiguousarray(block[:, 0])
        return stamps, np.ascontiguousarray(block[:, 1:]).view(np.float64)

    def _whole(self) -> NDArray[np.int64]:
        if self._table is None:
            self._table = (np.concatenate(self._pending) if self._pending
                           else np.empty((0, 1 + self.width), np.int64))
            self._pending = [self._table]
        return self._table

    def find(self, stamp_ns: int, start: int, stop: int) -> int:
        """
        Return the first row in [start, stop) whose stamp is not below ``stamp_ns``.

        The stamps in that range must increase.  Only one block is read.
        """
        marks = np.concatenate(self._index) if len(self._index) > 1 else self._index[0]
        self._index = [marks]
        first, last = -(-start // _INDEX_STEP), -(-stop // _INDEX_STEP)
        block = first + int(np.searchsorted(marks[first:last], stamp_ns))
        low, high = max(start, (block - 1) * _INDEX_STEP), min(stop, block * _INDEX_STEP)
        if low >= high:
            return high if block * _INDEX_STEP <= stop else stop
        stamps, _ = self.read(low, high)
        return low + int(np.searchsorted(stamps, stamp_ns))

    def close(self) -> None:
        """Give memory and disk back."""
        if self._file is not None:
            self._file.close()
        self._file, self._pending, self._table, self._rows = None, [], None, 0

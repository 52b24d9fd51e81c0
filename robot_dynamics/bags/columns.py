"""
A table that grows row by row and is read in blocks: in memory while small, then on disk.

It keeps the memory of an analysis constant however long the recording is.
"""

from __future__ import annotations

from bisect import bisect_left
import tempfile
from typing import BinaryIO, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from robot_dynamics.core.errors import BagError
from robot_dynamics.core.gate import FloatArray

StampArray = NDArray[np.int64]

MEMORY_LIMIT = 48 * 2**20
"""Bytes that one table may keep in memory."""


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
        self._limit = MEMORY_LIMIT if memory_limit is None else memory_limit
        self._row = np.dtype([('stamp', np.int64), ('values', np.float64, (width,))])
        self._pending: List[NDArray[np.void]] = []
        self._file: Optional[BinaryIO] = None
        self._rows = 0

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
        block = np.empty(len(stamp_ns), self._row)
        block['stamp'], block['values'] = stamp_ns, values
        self._rows += len(block)
        self._pending.append(block)
        if self._file is not None or self._rows * self._row.itemsize > self._limit:
            self._to_disk()

    def _to_disk(self) -> None:
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix='robot_dynamics_')
            for part in self._pending:
                self._file.write(part.tobytes())
            self._file.flush()
        except OSError as error:
            raise BagError(f'{tempfile.gettempdir()}: no room for intermediate data '
                           f'({error.strerror}); set TMPDIR to a larger disk') from error
        self._pending = []

    def _table(self) -> NDArray[np.void]:
        """All rows: an array, or a map of the file that is given back with the last view."""
        if self._file is not None:
            return np.memmap(self._file, self._row, 'r', shape=(self._rows,))
        if len(self._pending) != 1:
            self._pending = [np.concatenate(self._pending) if self._pending
                             else np.empty(0, self._row)]
        return self._pending[0]

    def read(self, start: int, stop: int) -> Tuple[StampArray, FloatArray]:
        """Return stamps (N,) and values (N, width) of the rows from start to before stop."""
        block = self._table()[max(start, 0):max(stop, 0)]
        return np.array(block['stamp']), np.array(block['values'])

    def find(self, stamp_ns: int, start: int, stop: int) -> int:
        """
        Return the first row in [start, stop) whose stamp is not below ``stamp_ns``.

        The stamps in that range must increase.
        """
        return bisect_left(self._table()['stamp'], stamp_ns, start, stop)

    def close(self) -> None:
        """Give memory and disk back."""
        if self._file is not None:
            self._file.close()
        self._file, self._pending, self._rows = None, [], 0

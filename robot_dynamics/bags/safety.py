"""
What a file could do to its reader, looked at before it is opened.

A chunk of some kilobytes may unpack to gigabytes, and a sqlite file may hold a view that never
ends where a table is expected.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
import sqlite3
import struct
from typing import BinaryIO, Iterator, Tuple

from robot_dynamics.bags.decompression import BombError, pieces
from robot_dynamics.core.errors import BagError

SQLITE, MCAP, ROS1 = 'sqlite3', 'mcap', 'rosbag1'

_CHUNK = 0x06


def check_contents(path: Path, format_name: str) -> None:
    """
    Look at a file's chunks, or at its tables.

    Raises
    ------
    BagError
        If it would harm who reads it.
    """
    if format_name == SQLITE:
        _check_tables(path)
        return
    chunks = _mcap_chunks if format_name == MCAP else _rosbag1_chunks
    with path.open('rb') as file:
        for compression, data in chunks(file):
            try:
                for _ in pieces(BytesIO(data), compression, len(data)):
                    pass
            except BombError as error:
                raise BagError(f'{path}: a chunk of {error}') from error
            except (EOFError, OSError, RuntimeError, ValueError):
                return  # damaged, which is the reader's matter


def _check_tables(path: Path) -> None:
    try:
        database = sqlite3.connect(f'{path.absolute().as_uri()}?mode=ro&immutable=1', uri=True)
        try:
            kinds = dict(database.execute('SELECT name, type FROM sqlite_master'))
        finally:
            database.close()
    except sqlite3.Error:
        return
    for name in ('messages', 'topics'):
        if kinds.get(name, 'table') != 'table':
            raise BagError(f'{path}: {name!r} is a {kinds[name]}, not a table: no recorder writes '
                           'that, and reading it may never end')


def _mcap_chunks(file: BinaryIO) -> Iterator[Tuple[str, bytes]]:
    """Yield compression and data of the chunks that are compressed."""
    file.seek(8)
    while True:
        head = file.read(9)
        if len(head) < 9:
            return
        code, size = struct.unpack('<BQ', head)
        end = file.tell() + size
        if code == _CHUNK:
            fixed = file.read(32)
            if len(fixed) < 32:
                return
            names = struct.unpack_from('<I', fixed, 28)[0]
            compression = file.read(names).decode('ascii', 'replace')
            if compression:
                file.read(8)
                yield compression, file.read(max(end - file.tell(), 0))
        try:
            file.seek(end)
        except (OverflowError, ValueError):
            return


def _rosbag1_chunks(file: BinaryIO) -> Iterator[Tuple[str, bytes]]:
    file.readline(64)
    while True:
        head = file.read(4)
        if len(head) < 4:
            return
        fields = file.read(struct.unpack('<I', head)[0])
        size = file.read(4)
        if len(size) < 4:
            return
        end = file.tell() + struct.unpack('<I', size)[0]
        for compression in ('bz2', 'lz4'):
            if b'compression=' + compression.encode() in fields:
                yield compression, file.read(end - file.tell())
        file.seek(end)

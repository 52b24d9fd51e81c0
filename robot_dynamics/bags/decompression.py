"""
Decompression in constant memory that stops at what no recording is.

A few kilobytes can be made to unpack to gigabytes; recordings shrink by a factor of ten, repeated
ones by a hundred.
"""

from __future__ import annotations

import bz2
from io import BytesIO
from typing import Any, BinaryIO, Iterator

from robot_dynamics.core.errors import BagError
import zstandard

PIECE = 1 << 20
_FACTOR, _LEAST = 500, 64 << 20


class BombError(BagError):
    """Data that unpack to far more than a recording would."""


def allowance(size: int) -> int:
    """Return how many bytes so many compressed ones may become."""
    return max(_FACTOR * size, _LEAST)


def pieces(source: BinaryIO, compression: str, size: int) -> Iterator[bytes]:
    """
    Decompress a stream piece by piece.

    Parameters
    ----------
    source : binary file
        The compressed data.
    compression : str
        ``zstd``, ``lz4``, ``bz2``; empty or ``none``: not compressed.
    size : int
        Their length.

    Raises
    ------
    BombError
        If more comes out than :func:`allowance` grants.
    EOFError, OSError, RuntimeError, ValueError
        If the data are damaged; what came before has been yielded.
    """
    left = allowance(size)
    try:
        for piece in _raw_pieces(source, compression):
            left -= len(piece)
            if left < 0:
                raise BombError(f'{size:,} bytes unpack to more than {allowance(size):,}, which '
                                'no recording does: a decompression bomb, or damaged')
            yield piece
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error


def unpack(data: bytes, compression: str) -> bytes:
    """Decompress a block; of one that was cut off or is damaged, what comes before."""
    out = []
    try:
        for piece in pieces(BytesIO(data), compression, len(data)):
            out.append(piece)
    except (EOFError, OSError, RuntimeError, ValueError):
        pass
    return b''.join(out)


def _raw_pieces(source: BinaryIO, compression: str) -> Iterator[bytes]:
    if compression in ('', 'none'):
        yield from iter(lambda: source.read(PIECE), b'')
    elif compression == 'zstd':
        with zstandard.ZstdDecompressor().stream_reader(source, read_across_frames=True) as stream:
            yield from iter(lambda: stream.read(PIECE), b'')
    else:
        codec = _codec(compression)
        data = source.read(PIECE)
        while data or not codec.needs_input:
            if codec.eof:
                return
            yield codec.decompress(data, max_length=PIECE)
            data = source.read(PIECE) if codec.needs_input else b''


def _codec(compression: str) -> Any:
    if compression == 'bz2':
        return bz2.BZ2Decompressor()
    if compression == 'lz4':
        from lz4.frame import LZ4FrameDecompressor
        return LZ4FrameDecompressor()
    raise ValueError(f'compression {compression!r} is not known')

"""Zstandard decompression, from whichever of three modules there is."""

from __future__ import annotations

from typing import Any, BinaryIO


def _module() -> Any:
    """Return Python 3.14's own module, its backport, or the older binding; rosbags has one."""
    try:
        from compression import zstd  # type: ignore[import-not-found]
    except ImportError:
        try:
            from backports import zstd
        except ImportError:
            import zstandard as zstd
    return zstd


def _decompressor() -> Any:
    module = _module()
    decompressor = module.ZstdDecompressor()
    return decompressor.decompressobj() if hasattr(decompressor, 'decompressobj') \
        else decompressor


def decompress(data: bytes) -> bytes:
    """Decompress a block; of one that was cut off, what is there."""
    return bytes(_decompressor().decompress(data))


def copy_decompressed(source: BinaryIO, sink: BinaryIO) -> None:
    """
    Decompress a file into another, in constant memory.

    Raises
    ------
    EOFError, OSError, ValueError
        If the data are damaged; what came before is written.
    """
    module = _module()
    try:
        decompressor = _decompressor()
        for block in iter(lambda: source.read(1 << 20), b''):
            sink.write(decompressor.decompress(block))
    except module.ZstdError as error:
        raise ValueError(str(error)) from error

"""
One file of a recording: which format it has, and its raw messages.

A sound file is read by ``rosbags``.  A damaged one falls back to
:mod:`~robot_dynamics.bags.salvage`, which reads as far as the bytes go.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Collection, Iterator, List, Optional, Tuple

from robot_dynamics.bags.safety import check_contents, MCAP, ROS1, SQLITE
from robot_dynamics.core.errors import BagError

_MAGIC = ((b'SQLite format 3\0', SQLITE), (b'\x89MCAP', MCAP), (b'#ROSBAG V', ROS1))
ZSTD_MAGIC = b'\x28\xb5\x2f\xfd'
_LFS_POINTER = b'version https://git-lfs.github.com/spec'


@dataclass(frozen=True)
class Topic:
    """One topic of one file: its name, its type (``package/msg/Name``) and its messages."""

    topic: str
    msgtype: str
    count: int


RawMessage = Tuple[str, int, bytes]
"""Topic, receive time of the recorder in nanoseconds, serialised message."""


def file_format(path: Path) -> str:
    """
    Tell a storage file's format from its first bytes.

    Raises
    ------
    BagError
        If the file is empty, a Git LFS pointer, or no recording at all.
    """
    try:
        with path.open('rb') as file:
            head = file.read(64)
    except OSError as error:
        raise BagError(f'{path}: cannot be read ({error.strerror or error})') from error
    if not head:
        raise BagError(f'{path}: the file is empty')
    if head.startswith(_LFS_POINTER):
        raise BagError(f'{path}: this is a Git LFS pointer, not the recording; run '
                       '"git lfs pull" in its repository')
    if head.startswith(ZSTD_MAGIC):
        return 'zstd'
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return name
    if not any(head):
        raise BagError(f'{path}: begins with zeros, the recording was never written to disk')
    raise BagError(f'{path}: is not a ROS bag (expected sqlite3, mcap or ROS 1)')


class StorageFile:
    """The messages of one sound storage file, read by ``rosbags``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.format = file_format(path)
        check_contents(path, self.format)
        self._reader: Any = _open_reader(path, self.format)
        self.start_ns: Optional[int] = (
            self._reader.start_time if self._reader.message_count else None)
        self.message_count: int = self._reader.message_count

    @property
    def channels(self) -> List[Topic]:
        """The topics of this file."""
        return [Topic(c.topic, c.msgtype, c.msgcount) for c in self._reader.connections]

    def messages(self, topics: Collection[str]) -> Iterator[RawMessage]:
        """Yield the raw messages of some topics in the recorder's order."""
        wanted = [c for c in self._reader.connections if c.topic in topics]
        if wanted:
            for connection, stamp, raw in self._reader.messages(wanted):
                yield connection.topic, stamp, raw

    def close(self) -> None:
        """Close the file."""
        self._reader.close()


def _open_reader(path: Path, format_name: str) -> Any:
    """Open a file with the reader that its content (not its name) calls for."""
    if format_name == ROS1:
        from rosbags.rosbag1 import Reader as Reader1
        reader: Any = Reader1(path)
    else:
        from rosbags.rosbag2 import Reader as Reader2
        reader = Reader2(path) if path.suffix == {SQLITE: '.db3', MCAP: '.mcap'}[format_name] \
            else None
        if reader is None:
            raise BagError(f'{path}: holds {format_name} data but is called *{path.suffix}; '
                           f'rename it to *{".db3" if format_name == SQLITE else ".mcap"}')
    reader.open()
    return reader

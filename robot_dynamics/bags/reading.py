"""
Open a recording, whatever its format and state, and stream its raw messages.

A recording is a file or a directory of files; ``metadata.yaml`` is a help where it exists and
never a condition.  Every file is opened for itself, so that one damaged or missing part of a
split recording costs only its own messages.
"""

from __future__ import annotations

from pathlib import Path
import re
import shutil
import sqlite3
import tempfile
from types import TracebackType
from typing import Any, Callable, Collection, Dict, Iterator, List, Optional, Type, Union

from robot_dynamics.bags.decompression import BombError, pieces, unpack
from robot_dynamics.bags.findings import Findings, INFO, SEVERE, WARNING
from robot_dynamics.bags.layout import typestore
from robot_dynamics.bags.safety import ROS1, SQLITE
from robot_dynamics.bags.salvage import SalvagedFile
from robot_dynamics.bags.storage import (
    file_format, RawMessage, StorageFile, Topic, ZSTD_MAGIC)
from robot_dynamics.core.errors import BagError

_LATEST_NS = 2**62  # year 2116; a later time of reception is damage
_PATTERNS = ('*.db3', '*.mcap', '*.bag', '*.db3.zstd', '*.mcap.zstd')


class Recording:
    """
    The messages of one bag.

    Parameters
    ----------
    path : path-like
        A storage file (``.db3``, ``.mcap``, ``.bag``, each also ``.zstd``) or the directory
        that holds the files of one bag.
    findings : Findings, optional
        Where to note damage; a new list by default.

    Raises
    ------
    BagError
        If nothing in it can be read.
    """

    def __init__(self, path: Union[str, Path], findings: Optional[Findings] = None) -> None:
        self.path = Path(path)
        self.findings = Findings() if findings is None else findings
        self._scratch: Optional[tempfile.TemporaryDirectory[str]] = None
        self._files: List[Union[StorageFile, SalvagedFile]] = []
        try:
            self._open()
        except BaseException:  # noqa: B902  (close, then go on)
            self.close()
            raise

    def _open(self) -> None:
        errors = []
        for path in storage_files(self.path):
            try:
                self._files.append(self._open_file(path))
            except BagError as error:
                errors.append(str(error))
        if not self._files:
            raise BagError(errors[0])
        for text in errors:
            self.findings.add(SEVERE, 'file-unreadable', Path(text.split(': ')[0]).name,
                              f'left out, its time is missing from the analysis ({text})')
        self._files.sort(key=lambda file: file.start_ns or 0)
        self.is_ros1 = self._files[0].format == ROS1
        self._note_missing_neighbours()

    def _open_file(self, path: Path) -> Union[StorageFile, SalvagedFile]:
        format_name = file_format(path)
        if format_name == 'zstd':
            path = self._decompressed(path)
            format_name = file_format(path)
        if format_name == SQLITE:
            path = self._with_journal(path)
        try:
            return StorageFile(path)
        except BagError:
            raise
        except Exception as error:  # noqa: B902  (whatever fails, the file is damaged)
            salvaged = SalvagedFile(path, format_name)
            if not salvaged.message_count:
                raise BagError(f'{path}: damaged, nothing in it can be read '
                               f'({_one_line(error)})') from error
            self.findings.add(
                WARNING, 'file-damaged', path.name,
                f'damaged, cut off or unusual ({_one_line(error)}); read from its beginning as '
                f'far as it goes: {salvaged.message_count} messages')
            return salvaged

    def _scratch_path(self, name: str) -> Path:
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix='robot_dynamics_')
        return Path(self._scratch.name, name)

    def _with_journal(self, path: Path) -> Path:
        """Merge the journal that a crashed recorder leaves beside its file, in a copy."""
        journal = path.with_name(path.name + '-wal')
        if not journal.is_file() or not journal.stat().st_size:
            return path
        copy = self._scratch_path(path.name)
        shutil.copyfile(path, copy)
        shutil.copyfile(journal, copy.with_name(copy.name + '-wal'))
        try:
            database = sqlite3.connect(copy)
            database.execute('PRAGMA wal_checkpoint(TRUNCATE)')
            database.close()
        except sqlite3.Error:
            return path
        self.findings.add(INFO, 'file-journal', path.name, 'the recorder was ended before it had '
                          'merged its journal (-wal); the messages in it are included')
        return copy

    def _decompressed(self, path: Path) -> Path:
        target = self._scratch_path(path.stem if path.suffix == '.zstd' else path.name)
        try:
            with path.open('rb') as source, target.open('wb') as sink:
                for piece in pieces(source, 'zstd', path.stat().st_size):
                    sink.write(piece)
        except BombError as error:
            raise BagError(f'{path}: {error}') from error
        except (EOFError, OSError, ValueError) as error:
            if not target.exists() or target.stat().st_size == 0:
                raise BagError(f'{path}: cannot be decompressed ({_one_line(error)})') from error
        return target

    def _note_missing_neighbours(self) -> None:
        folder = self.path if self.path.is_dir() else self.path.parent
        metadata = folder / 'metadata.yaml'
        if not metadata.is_file():
            if self.path.is_dir():
                self.findings.add(INFO, 'no-metadata', self.path.name,
                                  'has no metadata.yaml; the files were read directly')
            return
        named = re.findall(r'^\s*-\s+(\S+\.(?:db3|mcap)(?:\.zstd)?)\s*$',
                           metadata.read_text(errors='replace'), re.MULTILINE)
        missing = [name for name in dict.fromkeys(Path(n).name for n in named)
                   if not (folder / name).exists()]
        if missing:
            self.findings.add(
                WARNING, 'files-missing', self.path.name,
                f'metadata.yaml also names {", ".join(missing)}, which '
                f'{"is" if len(missing) == 1 else "are"} not there; their time is missing')

    @property
    def channels(self) -> List[Topic]:
        """The topics of all files together, in alphabetical order."""
        counts: Dict[tuple[str, str], int] = {}
        for file in self._files:
            for channel in file.channels:
                key = channel.topic, channel.msgtype
                counts[key] = counts.get(key, 0) + channel.count
        return [Topic(*key, counts[key]) for key in sorted(counts)]

    def topics_of_type(self, msgtype: str) -> List[Topic]:
        """Return the topics with at least one message of a type (``package/msg/Name``)."""
        return [c for c in self.channels if c.msgtype == msgtype and c.count]

    def silent_topics(self, msgtype: str) -> List[str]:
        """Return the names of topics of a type that were recorded without a message."""
        return [c.topic for c in self.channels if c.msgtype == msgtype and not c.count]

    def messages(self, topics: Collection[str],
                 progress: Optional[Callable[[int], None]] = None) -> Iterator[RawMessage]:
        """
        Yield raw messages in the recorder's order, one file after the other.

        Parameters
        ----------
        topics : collection of str
            Names of the wanted topics.
        progress : callable, optional
            Called now and then with the number of messages yielded so far.
        """
        done = self._empty = 0
        for file in self._files:
            for topic, stamp, raw in self._file_messages(file, topics):
                if not isinstance(raw, bytes):  # a row of sqlite without data
                    self._empty += 1
                    continue
                if raw[:4] == ZSTD_MAGIC:  # compressed message by message
                    raw = unpack(raw, 'zstd')
                done += 1
                if progress is not None and not done % 4096:
                    progress(done)
                yield topic, min(stamp, _LATEST_NS), raw
        if self._empty:
            self.findings.add(WARNING, 'messages-empty', self.path.name,
                              f'{self._empty} messages have no data (NULL); left out')

    def _file_messages(self, file: Union[StorageFile, SalvagedFile], topics: Collection[str]
                       ) -> Iterator[RawMessage]:
        """Yield a file's messages; past a damage inside, those that salvaging still finds."""
        given: Dict[str, int] = dict.fromkeys(topics, 0)
        try:
            for message in file.messages(topics):
                given[message[0]] += 1
                yield message
            return
        except Exception as error:  # noqa: B902  (the index was sound, the data is not)
            reason = _one_line(error)
        saved = 0
        for message in SalvagedFile(file.path, file.format).messages(topics):
            if given[message[0]] > 0:
                given[message[0]] -= 1
                continue
            saved += 1
            yield message
        self.findings.add(WARNING, 'file-damaged', file.path.name,
                          f'damaged inside ({reason}); what lies there is missing, {saved} '
                          'messages after it were saved')

    def deserialize(self, raw: bytes, msgtype: str) -> Any:
        """Turn a raw message of a common type into an object, through ``rosbags``."""
        types = typestore(self.is_ros1)
        return (types.deserialize_ros1 if self.is_ros1 else types.deserialize_cdr)(raw, msgtype)

    def close(self) -> None:
        """Close all files and remove what was decompressed."""
        for file in self._files:
            file.close()
        self._files = []
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()


def storage_files(path: Path) -> List[Path]:
    """List the storage files of a bag, in the order of their numbers."""
    if not path.exists():
        raise BagError(f'{path}: no such file or directory')
    if path.is_file():
        return [path]
    found = {file for pattern in _PATTERNS for file in path.glob(pattern)}
    if not found:
        raise BagError(f'{path}: no recording in this directory (looked for '
                       f'{", ".join(_PATTERNS)})')
    return sorted(found, key=lambda file: [
        int(part) if part.isdigit() else part for part in re.split(r'(\d+)', file.name)])


def _one_line(error: BaseException) -> str:
    text = ' '.join(str(error).split()) or type(error).__name__
    return text if len(text) <= 120 else text[:117] + '...'

"""
Read what is left of a damaged recording, from its beginning to where the bytes end.

The three formats keep their messages in order of arrival and their index at the end, so a
recording that was cut off (power loss, full disk, aborted copy) is whole up to the cut.
"""

from __future__ import annotations

from binascii import crc32
from collections import Counter
from io import BytesIO
from pathlib import Path
import shutil
import sqlite3
import struct
import tempfile
from typing import BinaryIO, Collection, Dict, Iterator, List, Tuple

from mcap.exceptions import EndOfFile, McapError
from mcap.opcode import Opcode
from mcap.records import Channel, Chunk, DataEnd, McapRecord, Message, Schema
from mcap.stream_reader import StreamReader

from robot_dynamics.bags.decompression import unpack
from robot_dynamics.bags.safety import MCAP, SQLITE
from robot_dynamics.bags.storage import RawMessage, Topic

Typed = Tuple[str, str, int, bytes]
"""Topic, message type, receive time in nanoseconds, serialised message."""


class SalvagedFile:
    """
    The readable messages of a damaged file; the same methods as ``StorageFile``.

    Opening scans the file once, because a damaged file has no index to ask.
    """

    def __init__(self, path: Path, format_name: str) -> None:
        self.path = path
        self.format = format_name
        counts: Counter[Tuple[str, str]] = Counter()
        self.start_ns = None
        for topic, msgtype, stamp, _ in self._scan():
            counts[topic, msgtype] += 1
            if self.start_ns is None:
                self.start_ns = stamp
        self.message_count = sum(counts.values())
        self.channels: List[Topic] = [Topic(*key, n) for key, n in counts.items()]

    def messages(self, topics: Collection[str]) -> Iterator[RawMessage]:
        """Yield the raw messages of some topics as far as they can be read."""
        for topic, _, stamp, raw in self._scan():
            if topic in topics:
                yield topic, stamp, raw

    def close(self) -> None:
        """Do nothing: each scan opens and closes the file."""

    def _scan(self) -> Iterator[Typed]:
        scan = {SQLITE: scan_sqlite, MCAP: scan_mcap}.get(self.format, scan_rosbag1)
        try:
            yield from scan(self.path)
        except (KeyError, McapError, OSError, OverflowError, ValueError, struct.error):
            return  # from here on the bytes make no sense


def scan_sqlite(path: Path) -> Iterator[Typed]:
    """
    Yield rows of a sqlite3 recording until the first damaged page.

    SQLite refuses a file that is shorter than its header says, so it reads a copy that is
    filled up with zeros.
    """
    with tempfile.NamedTemporaryFile(prefix='robot_dynamics_', suffix='.db3') as copy:
        with path.open('rb') as source:
            header = source.read(100)
            source.seek(0)
            shutil.copyfileobj(source, copy, 1 << 20)
        if len(header) < 100:
            return
        page_size, pages = struct.unpack_from('>H', header, 16)[0], header[28:32]
        page_size = 65536 if page_size == 1 else max(page_size, 512)
        copy.truncate(copy.tell() // page_size * page_size)  # half a page is no page
        copy.truncate(max(page_size * struct.unpack('>I', pages)[0], copy.tell()))
        copy.flush()
        yield from _scan_copy(Path(copy.name))


def _scan_copy(path: Path) -> Iterator[Typed]:
    database = sqlite3.connect(f'{path.absolute().as_uri()}?mode=ro&immutable=1', uri=True)
    try:
        topics = {key: (name, kind) for key, name, kind in
                  database.execute('SELECT id, name, type FROM topics')}
        # table order needs no index, which is the first thing that a cut destroys
        for key, stamp, raw in database.execute(
                'SELECT topic_id, timestamp, data FROM messages NOT INDEXED'):
            if key in topics and isinstance(raw, bytes):
                yield (*topics[key], stamp, raw)
    except sqlite3.Error:
        return
    finally:
        database.close()


def scan_mcap(path: Path) -> Iterator[Typed]:
    """Yield messages of an mcap file record by record until the first incomplete one."""
    channels: Dict[int, Tuple[str, str]] = {}
    schemas: Dict[int, str] = {}
    for record in _mcap_records(path):
        if isinstance(record, Schema):
            schemas[record.id] = record.name
        elif isinstance(record, Channel):
            channels[record.id] = record.topic, schemas.get(record.schema_id, '')
        elif isinstance(record, Message) and record.channel_id in channels:
            yield (*channels[record.channel_id], record.log_time, record.data)


def _mcap_records(path: Path) -> Iterator[McapRecord]:
    """Yield the records of a file, those of its chunks too; of a chunk cut off, those before."""
    with path.open('rb') as file:
        start = file.tell()
        try:
            for record in StreamReader(file, emit_chunks=True).records:
                if isinstance(record, Chunk):
                    yield from _chunk_records(record)
                elif isinstance(record, DataEnd):
                    return
                else:
                    yield record
                start = file.tell()
        except (EndOfFile, struct.error):
            file.seek(start)
            yield from _cut_chunk(file.read())


def _chunk_records(chunk: Chunk) -> Iterator[McapRecord]:
    data = unpack(chunk.data, chunk.compression)
    if not chunk.uncompressed_crc or crc32(data) == chunk.uncompressed_crc:
        yield from _records(data)


def _cut_chunk(data: bytes) -> Iterator[McapRecord]:
    """Yield the records in what is left of a chunk: opcode, its header, a part of its data."""
    if len(data) > 49 and data[0] == Opcode.CHUNK:
        names = struct.unpack_from('<I', data, 37)[0]
        yield from _records(unpack(data[49 + names:], data[41:41 + names].decode()))


def _records(data: bytes) -> Iterator[McapRecord]:
    try:
        yield from StreamReader(BytesIO(data), skip_magic=True).records
    except (EndOfFile, struct.error):
        return


def scan_rosbag1(path: Path) -> Iterator[Typed]:
    """Yield messages of a ROS 1 bag record by record until the first incomplete one."""
    connections: Dict[int, Tuple[str, str]] = {}
    with path.open('rb') as file:
        file.readline()
        for header, data, _ in _rosbag1_records(file):
            if header.get('op') == b'\x05':
                compression = header.get('compression', b'none').decode()
                for fields, payload, is_whole in _rosbag1_records(
                        BytesIO(unpack(data, compression))):
                    if is_whole:
                        yield from _rosbag1_message(fields, payload, connections)
            else:
                yield from _rosbag1_message(header, data, connections)


def _rosbag1_records(file: BinaryIO) -> Iterator[Tuple[Dict[str, bytes], bytes, bool]]:
    """Yield header and data of each record, and whether they are all of it."""
    while True:
        head = file.read(4)
        if len(head) < 4:
            return
        fields = file.read(struct.unpack('<I', head)[0])
        head = file.read(4)
        if len(head) < 4:
            return
        size = struct.unpack('<I', head)[0]
        data = file.read(size)
        yield _rosbag1_fields(fields), data, len(data) == size


def _rosbag1_fields(data: bytes) -> Dict[str, bytes]:
    fields, position = {}, 0
    while position + 4 <= len(data):
        length = struct.unpack_from('<I', data, position)[0]
        key, _, value = data[position + 4:position + 4 + length].partition(b'=')
        fields[key.decode(errors='replace')] = value
        position += 4 + length
    return fields


def _rosbag1_message(header: Dict[str, bytes], data: bytes,
                     connections: Dict[int, Tuple[str, str]]) -> Iterator[Typed]:
    code = header.get('op')
    if code == b'\x07':
        kind = _rosbag1_fields(data).get('type', b'').decode(errors='replace')
        key = struct.unpack('<I', header['conn'])[0]
        connections[key] = (header['topic'].decode(errors='replace'),
                            kind.replace('/', '/msg/', 1))
    elif code == b'\x02':
        key = struct.unpack('<I', header['conn'])[0]
        seconds, nanoseconds = struct.unpack('<II', header['time'])
        if key in connections:
            yield (*connections[key], seconds * 10**9 + nanoseconds, data)

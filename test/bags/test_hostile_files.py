"""Files made to harm who reads them end in one line, and take neither memory nor time."""

from __future__ import annotations

import bz2
from io import BytesIO
from pathlib import Path
import sqlite3
import struct
from typing import Any

import pytest
from replay_bags import PA10, START_NS, Truth, write

from robot_dynamics.bags.decompression import allowance, BombError, pieces, unpack
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import BagError
from robot_dynamics.replay.replay import analyze_bag
from test_bag_files import write_rosbag1
import zstandard


def bomb(size: int) -> bytes:
    """Return zeros, compressed; made piece by piece."""
    compressor = zstandard.ZstdCompressor().compressobj()
    block = bytes(1 << 20)
    return b''.join([*(compressor.compress(block) for _ in range(size >> 20)),
                     compressor.flush()])


def test_a_compressed_file_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / 'bomb.mcap.zstd'
    path.write_bytes(bomb(allowance(1) + (8 << 20)))
    with pytest.raises(BagError, match='decompression bomb'):
        Recording(path)


@pytest.mark.parametrize('declared', ['truth', 'lie'])
def test_a_chunk_that_unpacks_to_gigabytes_is_refused(motion: Truth, tmp_path: Path,
                                                      declared: str) -> None:
    data = bomb(allowance(1) + (8 << 20))
    size = allowance(1) + (8 << 20) if declared == 'truth' else 1000
    body = struct.pack('<QQQII', 0, 1, size, 0, 4) + b'zstd' + struct.pack('<Q', len(data)) + data
    path = write(tmp_path / 'a.mcap', motion)
    raw = path.read_bytes()
    header = 8 + 9 + struct.unpack_from('<Q', raw, 9)[0]
    path.write_bytes(raw[:header] + struct.pack('<BQ', 6, len(body)) + body + raw[header:])
    with pytest.raises(BagError, match='a chunk of .* decompression bomb'):
        Recording(path)


def test_a_chunk_of_ros_1_that_unpacks_to_gigabytes_is_refused(motion: Truth, tmp_path: Path
                                                               ) -> None:
    size, squeeze = allowance(1) + (8 << 20), bz2.BZ2Compressor()
    data = b''.join([*(squeeze.compress(bytes(1 << 20)) for _ in range(size >> 20)),
                     squeeze.flush()])
    fields = b''.join(struct.pack('<I', len(field)) + field for field in (
        b'op=\x05', b'compression=bz2', b'size=' + struct.pack('<I', 1000)))
    chunk = struct.pack('<I', len(fields)) + fields + struct.pack('<I', len(data)) + data
    path = write_rosbag1(tmp_path / 'a.bag', motion)
    raw = path.read_bytes()
    header = raw.index(b'\n') + 1 + 4096  # the first record is padded to that
    path.write_bytes(raw[:header] + chunk + raw[header:])
    assert len(chunk) < size / 100
    with pytest.raises(BagError, match='a chunk of .* decompression bomb'):
        Recording(path)


def test_pieces_stay_small_however_much_they_add_up_to() -> None:
    data = bomb(64 << 20)
    assert max(map(len, pieces(BytesIO(data), 'zstd', len(data)))) <= 1 << 20
    with pytest.raises(BombError):
        unpack(bomb(80 << 20), 'zstd')


def test_a_view_in_place_of_the_messages_is_refused(tmp_path: Path) -> None:
    path = tmp_path / 'endless.db3'
    database = sqlite3.connect(path)
    database.execute('CREATE TABLE topics(id INTEGER, name TEXT, type TEXT)')
    database.execute(
        'CREATE VIEW messages AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM '
        'n) SELECT id, 1 AS topic_id, id AS timestamp, NULL AS data FROM n')
    database.commit()
    database.close()
    with pytest.raises(BagError, match="'messages' is a view"):
        Recording(path)


def test_rows_without_data_are_left_out_and_counted(motion: Truth, tmp_path: Path) -> None:
    path = write(tmp_path / 'a.db3', motion)
    database = sqlite3.connect(path)
    database.executescript(
        'CREATE TABLE copy AS SELECT * FROM messages; DROP TABLE messages;'
        'ALTER TABLE copy RENAME TO messages;'
        'UPDATE messages SET data = NULL WHERE id % 7 = 0')
    database.commit()
    database.close()
    result = analyze_bag(path, PA10)
    told = next(f for f in result.findings if f.code == 'messages-empty')
    assert 'NULL' in told.text and result.samples < 1200
    assert result.joint('joint2').explained > 0.999


def test_a_topic_declared_without_a_message_is_named(motion: Truth, tmp_path: Path) -> None:
    def silent(bag: Any) -> None:
        bag.raw('/imu/data', 'sensor_msgs/msg/Imu', [], [])
    result = analyze_bag(write(tmp_path / 'a.mcap', motion, imu=False, extra=silent), PA10)
    assert any('/imu/data has 0 messages' in f.text for f in result.findings)
    with RecordingWriter(tmp_path / 'b.mcap') as bag:
        bag.robot_description('<robot/>', START_NS)
        bag.raw('/joint_states', 'sensor_msgs/msg/JointState', [], [])
    with pytest.raises(BagError, match='/joint_states was recorded with 0 messages'):
        analyze_bag(tmp_path / 'b.mcap', PA10)

"""Recordings of every format, sound and damaged: what can be read is read, the rest is said."""

from __future__ import annotations

from pathlib import Path
import shutil
import sqlite3
from typing import Any

import numpy as np
import pytest
from replay_bags import PA10, Truth, write
from robot_dynamics.bags.encoding import Encoder
from robot_dynamics.bags.layout import IMU, JOINT_STATE
from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.storage import ZSTD_MAGIC
from robot_dynamics.core.errors import BagError
from robot_dynamics.replay.replay import analyze_bag
from rosbags.rosbag1 import Writer as Rosbag1Writer

TOPICS = ['/joint_states', '/imu/data']


def messages(path: Path) -> list:
    """Read all messages of the two topics."""
    with Recording(path) as recording:
        return sorted(recording.messages(TOPICS))


def codes(path: Path) -> set:
    """Open and read a recording; return the codes of the findings."""
    with Recording(path) as recording:
        list(recording.messages(TOPICS))
        return {finding.code for finding in recording.findings}


def write_rosbag1(path: Path, motion: Truth) -> Path:
    """Write the motion as a ROS 1 bag."""
    encoder = Encoder(ros1=True)
    with Rosbag1Writer(path) as bag:
        joints, imu = (bag.add_connection(topic, kind, typestore=encoder.typestore)
                       for topic, kind in zip(TOPICS, (JOINT_STATE, IMU)))
        rows = list(zip(motion.stamp_ns.tolist(), [joints] * len(motion.q), encoder.joint_states(
            motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)))
        rows += list(zip(motion.imu_stamp_ns.tolist(), [imu] * len(motion.quat_xyzw), encoder.imu(
            motion.imu_stamp_ns, motion.angular_velocity, motion.specific_force,
            motion.quat_xyzw)))
        for stamp, connection, raw in sorted(rows, key=lambda row: row[0]):
            bag.write(connection, stamp, raw)
    return path


@pytest.fixture(scope='module')
def folder(motion: Truth, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One directory with the same recording in all formats."""
    root = tmp_path_factory.mktemp('formats')
    write(root / 'file.mcap', motion)
    write(root / 'file.db3', motion)
    write(root / 'mcap_directory', motion)
    write(root / 'sqlite_directory', motion, storage='sqlite3')
    write(root / 'messages_compressed', motion, compression='message')
    write(root / 'messages_compressed_db3', motion, storage='sqlite3', compression='message')
    write(root / 'file_compressed', motion, storage='sqlite3', compression='file')
    write_rosbag1(root / 'ros1.bag', motion)
    return root


@pytest.mark.parametrize('name', [
    'file.db3', 'mcap_directory', 'sqlite_directory', 'messages_compressed',
    'messages_compressed_db3', 'file_compressed'])
def test_every_rosbag2_format_gives_the_same_messages(folder: Path, name: str) -> None:
    assert messages(folder / name) == messages(folder / 'file.mcap')


def test_a_ros1_bag_gives_the_same_analysis(folder: Path) -> None:
    new = analyze_bag(folder / 'file.mcap', PA10)
    old = analyze_bag(folder / 'ros1.bag', PA10)
    assert old.to_dict()['joints'] == new.to_dict()['joints']
    assert old.base == new.base


def test_a_recording_without_metadata_is_read_and_noted(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder / 'mcap_directory', tmp_path / 'bag'))
    (copy / 'metadata.yaml').unlink()
    assert codes(copy) == {'no-metadata'}
    assert messages(copy) == messages(folder / 'file.mcap')


@pytest.mark.parametrize('name, share', [
    ('file.mcap', 0.5), ('file.db3', 0.6), ('ros1.bag', 0.5), ('file.mcap', 0.999)])
def test_a_truncated_file_is_saved_up_to_the_cut(folder: Path, tmp_path: Path, name: str,
                                                 share: float) -> None:
    whole = messages(folder / name)
    cut = tmp_path / name
    raw = (folder / name).read_bytes()
    cut.write_bytes(raw[:int(share * len(raw))])
    assert codes(cut) == {'file-damaged'}
    saved = messages(cut)
    assert 0.2 * len(whole) < len(saved) <= len(whole)
    assert set(saved) <= set(whole)
    stamps = sorted(stamp for _, stamp, _ in saved)
    assert stamps == sorted(stamp for _, stamp, _ in whole)[:len(stamps)]


def test_a_truncated_compressed_file_is_saved_up_to_the_cut(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder / 'file_compressed', tmp_path / 'bag'))
    packed = next(copy.glob('*.zstd'))
    raw = packed.read_bytes()
    packed.write_bytes(raw[:int(0.7 * len(raw))])
    assert 'file-damaged' in codes(copy)
    saved, whole = messages(copy), messages(folder / 'file_compressed')
    assert 0.2 * len(whole) < len(saved) < len(whole)
    assert set(saved) <= set(whole)


def test_a_truncated_file_is_analysed_as_far_as_it_goes(folder: Path, tmp_path: Path) -> None:
    raw = (folder / 'file.mcap').read_bytes()
    (tmp_path / 'cut.mcap').write_bytes(raw[:len(raw) // 2])
    result = analyze_bag(tmp_path / 'cut.mcap', PA10)
    assert 'file-damaged' in {finding.code for finding in result.findings}
    assert 4 < result.duration < 8
    assert result.joint('joint2').explained > 0.999


def test_a_damage_inside_costs_only_the_damaged_chunk(motion: Truth, tmp_path: Path) -> None:
    # repeated so that there are several chunks of a megabyte
    path = tmp_path / 'a.mcap'
    long = {field: np.concatenate([getattr(motion, field)] * 5) for field in (
        'q', 'qd', 'effort', 'angular_velocity', 'specific_force', 'quat_xyzw')}
    stamps = motion.stamp_ns[0] + np.arange(6000) * 10**7
    write(path, motion.changed(stamp_ns=stamps, imu_stamp_ns=stamps, **long),
          compression='storage')
    whole = messages(path)
    raw = bytearray(path.read_bytes())
    second = raw.index(ZSTD_MAGIC, len(raw) // 4)
    raw[second:second + 16] = bytes(16)
    path.write_bytes(raw)
    assert codes(path) == {'file-damaged'}
    saved = messages(path)
    assert 0.3 * len(whole) < len(saved) < len(whole)
    assert set(saved) <= set(whole)
    assert saved[-1] == whole[-1]


def test_the_journal_of_a_crashed_recorder_is_read_too(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / 'live.db3'
    path.write_bytes((folder / 'file.db3').read_bytes())
    recorder = sqlite3.connect(path)
    recorder.execute('PRAGMA journal_mode=WAL')
    recorder.execute('PRAGMA wal_autocheckpoint=0')
    recorder.execute('DELETE FROM messages WHERE id > 2000')
    recorder.commit()
    crashed = tmp_path / 'crashed'
    crashed.mkdir()
    for name in ('live.db3', 'live.db3-wal'):
        shutil.copyfile(tmp_path / name, crashed / name)
    recorder.close()
    before = sorted(path.read_bytes() for path in crashed.iterdir())
    assert len(messages(crashed / 'live.db3')) == 2000
    assert codes(crashed / 'live.db3') == {'file-journal'}
    assert sorted(path.read_bytes() for path in crashed.iterdir()) == before


def split_recording(motion: Truth, root: Path) -> Path:
    """Write a recording of three files with a metadata.yaml that names all."""
    bag = root / 'split'
    bag.mkdir()
    names = []
    for part in range(3):
        rows = slice(400 * part, 400 * (part + 1))
        piece: dict[str, Any] = {
            field: getattr(motion, field)[rows] for field in (
                'stamp_ns', 'q', 'qd', 'effort', 'imu_stamp_ns', 'angular_velocity',
                'specific_force', 'quat_xyzw')}
        names.append(f'split_{part}.mcap')
        write(bag / names[-1], motion.changed(**piece))
    (bag / 'metadata.yaml').write_text(
        'rosbag2_bagfile_information:\n  relative_file_paths:\n'
        + ''.join(f'    - {name}\n' for name in names))
    return bag


def test_a_split_recording_reads_as_one(motion: Truth, tmp_path: Path) -> None:
    bag = split_recording(motion, tmp_path)
    assert codes(bag) == set()
    assert len(messages(bag)) == 2400


def test_a_missing_neighbour_of_a_split_recording_becomes_a_gap(motion: Truth, tmp_path: Path
                                                                ) -> None:
    bag = split_recording(motion, tmp_path)
    (bag / 'split_1.mcap').unlink()
    result = analyze_bag(bag, PA10)
    assert {'files-missing', 'gaps'} <= {finding.code for finding in result.findings}
    assert [round(gap.duration, 3) for gap in result.gaps] == [4.01, 4.01]
    assert result.joint('joint2').explained > 0.999


def test_one_bad_file_costs_only_its_own_part(motion: Truth, tmp_path: Path) -> None:
    bag = split_recording(motion, tmp_path)
    (bag / 'split_1.mcap').write_bytes(b'\x89MCAP' + bytes(200))
    assert codes(bag) == {'file-unreadable'}
    assert len(messages(bag)) == 1600


@pytest.mark.parametrize('content, says', [
    (b'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n', 'git lfs pull'),
    (b'', 'empty'),
    (bytes(4096), 'never written'),
    (b'time,joint1\n0,1\n', 'not a ROS bag')])
def test_what_is_no_recording_is_named_for_what_it_is(tmp_path: Path, content: bytes, says: str
                                                      ) -> None:
    (tmp_path / 'bag.mcap').write_bytes(content)
    with pytest.raises(BagError, match=says):
        Recording(tmp_path / 'bag.mcap')


def test_a_path_that_does_not_exist_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BagError, match='no such file'):
        Recording(tmp_path / 'absent.mcap')
    with pytest.raises(BagError, match='no recording in this directory'):
        Recording(tmp_path)


def test_unknown_message_types_do_no_harm(motion: Truth, tmp_path: Path) -> None:
    def add_strange(bag: Any) -> None:
        bag.raw('/custom', 'std_msgs/msg/String', [motion.stamp_ns[0]], [b'\x00\x01\x00\x00junk'])
    path = write(tmp_path / 'strange.mcap', motion, extra=add_strange)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b'std_msgs/msg/String', b'our_msgs/msg/Secret'))
    with Recording(path) as recording:
        assert 'our_msgs/msg/Secret' in {channel.msgtype for channel in recording.channels}
    assert analyze_bag(path, PA10).joint('joint2').explained > 0.999

"""The fast decoder gives what rosbags gives, for every shape of message."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from robot_dynamics.bags.decoding import Decoder
from robot_dynamics.bags.encoding import Encoder
from robot_dynamics.bags.layout import find_layout, IMU, JOINT_STATE, LayoutError
from rosbags.typesys import get_typestore, Stores

STORE = get_typestore(Stores.LATEST)
STORE1 = get_typestore(Stores.ROS1_NOETIC)
NAMES = [['a'], ['joint1', 'j2', 'wrist'], ['x' * 7, 'y' * 8], []]


def joint_state(names: list, arrays: list, frame: str, second: int, ros1: bool = False) -> bytes:
    """Serialise one message with rosbags."""
    store: Any = STORE1 if ros1 else STORE
    types = store.types
    stamp = types['builtin_interfaces/msg/Time'](sec=second, nanosec=123456789)
    extra = {'seq': 7} if ros1 else {}
    header = types['std_msgs/msg/Header'](stamp=stamp, frame_id=frame, **extra)
    message = types[JOINT_STATE](header, names, *(np.array(a, np.float64) for a in arrays))
    return bytes((store.serialize_ros1 if ros1 else store.serialize_cdr)(message, JOINT_STATE))


def deserialize(raw: bytes, kind: str) -> Any:
    return STORE.deserialize_cdr(raw, kind)


@pytest.mark.parametrize('ros1', [False, True])
def test_decoded_joint_states_equal_those_of_rosbags(ros1: bool) -> None:
    rng = np.random.default_rng(1)
    raws = []
    for index in range(200):
        names = NAMES[index % 4]
        arrays = [rng.normal(size=len(names) if rng.random() < 0.7 else 0) for _ in range(3)]
        raws.append(joint_state(names, arrays, ['', 'base', 'odd_frame'][index % 3], index, ros1))
    store: Any = STORE1 if ros1 else STORE
    slow = store.deserialize_ros1 if ros1 else store.deserialize_cdr
    decoder = Decoder(JOINT_STATE, ros1, slow)
    seen = set()
    for batch in decoder.decode(raws):
        for row, index in enumerate(batch.order):
            message = slow(raws[index], JOINT_STATE)
            assert batch.names == tuple(message.name)
            assert batch.frame_id == message.header.frame_id
            assert batch.header_ns[row] == index * 10**9 + 123456789
            for field in ('position', 'velocity', 'effort'):
                assert np.array_equal(batch.arrays[field][row], getattr(message, field))
            seen.add(int(index))
    assert seen == set(range(200))
    assert decoder.broken == 0


def test_decoded_imu_samples_equal_those_of_rosbags() -> None:
    rng = np.random.default_rng(2)
    raws = Encoder().imu(np.arange(50) * 10**7, rng.normal(size=(50, 3)),
                         rng.normal(size=(50, 3)), rng.normal(size=(50, 4)), 'imu_on_deck')
    batch, = Decoder(IMU, False, deserialize).decode(raws)
    for row, raw in enumerate(raws):
        message = deserialize(raw, IMU)
        q, w, a = message.orientation, message.angular_velocity, message.linear_acceleration
        assert np.array_equal(batch.arrays['orientation'][row], [q.x, q.y, q.z, q.w])
        assert np.array_equal(batch.arrays['angular_velocity'][row], [w.x, w.y, w.z])
        assert np.array_equal(batch.arrays['linear_acceleration'][row], [a.x, a.y, a.z])


def test_big_endian_messages_take_the_slow_path_with_the_same_result() -> None:
    little = joint_state(['a', 'bb'], [[1, 2], [], [3, 4]], 'f', 5)
    message = deserialize(little, JOINT_STATE)
    big = bytes(STORE.serialize_cdr(message, JOINT_STATE, little_endian=False))
    with pytest.raises(LayoutError):
        find_layout(big, JOINT_STATE)
    batch, = Decoder(JOINT_STATE, False, deserialize).decode([big])
    assert batch.names == ('a', 'bb')
    assert np.array_equal(batch.arrays['position'], [[1, 2]])
    assert np.array_equal(batch.arrays['effort'], [[3, 4]])


def test_broken_messages_are_counted_and_cost_no_other() -> None:
    good = joint_state(['a'], [[1], [2], [3]], '', 1)
    decoder = Decoder(JOINT_STATE, False, deserialize)
    batches = decoder.decode([good, good[:30], b'', good])
    assert decoder.broken == 2
    assert sorted(int(i) for batch in batches for i in batch.order) == [0, 3]


def test_negative_seconds_keep_their_sign() -> None:
    raw = joint_state(['a'], [[1], [2], [3]], '', -3)
    batch, = Decoder(JOINT_STATE, False, deserialize).decode([raw])
    assert batch.header_ns[0] == -3 * 10**9 + 123456789

"""What is read from the bytes of messages and written into them is what rclpy says."""

import numpy as np
import pytest
from rclpy.serialization import deserialize_message, serialize_message
from robot_dynamics.nodes import wire
from robot_dynamics.nodes.messages import effort_template, joint_state_template, set_stamp
from robot_dynamics.nodes.wire import WireReader, WireWriter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

STAMP = 1_795_820_000_123_456_789  # ns


def joint_state(names, *arrays, frame=''):
    message = JointState(name=names)
    message.position, message.velocity, message.effort = arrays
    message.header.frame_id = frame
    set_stamp(message.header.stamp, STAMP)
    return message


MESSAGES = [
    joint_state(['a', 'bb', 'ccc'], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]),
    joint_state(['a', 'bb', 'ccc'], [0.0, -2.0, float('inf')], [4.0, 5.0, 6.0], [0.0] * 3),
    joint_state(['b', 'aa', 'ccc'], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]),
    joint_state(['a', 'bb', 'ccc'], [1.0, 2.0, 3.0], [], []),
    joint_state(['a', 'bb'], [1.0, 2.0, 3.0], [1.0], [2.0], frame='odd'),
    joint_state([], [], [], [])]


def test_joint_states_of_publishers_that_alternate_are_read_as_rclpy_reads_them():
    reader = WireReader(JointState)
    for index in np.random.default_rng(1).integers(0, len(MESSAGES), 60):
        message = MESSAGES[index]
        values = reader.read(serialize_message(message))
        assert values.stamp_ns == STAMP and values.frame_id == message.header.frame_id
        assert values.names == tuple(message.name)
        for field, numbers in values.arrays.items():
            assert numbers == tuple(getattr(message, field)), field


def test_efforts_are_read_with_any_layout():
    reader = WireReader(Float64MultiArray)
    for message in (Float64MultiArray(data=[1.0, 2.0]), effort_template(['joint1', 'joint2']),
                    Float64MultiArray(data=[float('nan')] * 5), Float64MultiArray()):
        got = reader.read(serialize_message(message))
        np.testing.assert_array_equal(got.arrays['data'], message.data)


def test_a_layout_is_looked_up_once_as_long_as_it_holds(monkeypatch):
    looked, find_layout = [], wire.find_layout
    monkeypatch.setattr(wire, 'find_layout', lambda *a: looked.append(1) or find_layout(*a))
    reader = WireReader(JointState)
    for message in (MESSAGES[0], MESSAGES[1], MESSAGES[0]):
        reader.read(serialize_message(message))
    assert len(looked) == 1
    reader.read(serialize_message(MESSAGES[2]))
    assert len(looked) == 2


@pytest.mark.parametrize('spoil', [
    lambda raw: raw[:-9], lambda raw: b'', lambda raw: raw[:4] + b'\xff' * (len(raw) - 4),
    lambda raw: b'\x00\x0b' + raw[2:]], ids=['cut', 'empty', 'lengths', 'encoding'])
def test_bytes_that_are_no_such_message_count_as_an_empty_one(spoil):
    reader = WireReader(JointState)
    good = serialize_message(MESSAGES[0])
    reader.read(good)
    assert reader.read(spoil(good)).names in ((), tuple(MESSAGES[0].name))
    assert reader.read(good).names == tuple(MESSAGES[0].name)


def test_a_message_that_is_too_long_is_not_read_but_its_size_is_told():
    reader = WireReader(JointState)
    good = serialize_message(MESSAGES[0])
    for message in (joint_state(['a'], [0.0] * 100_000, [], []),
                    joint_state(['a' * wire.LONGEST], [0.0], [], [])):
        values = reader.read(serialize_message(message))
        assert values.stamp_ns == STAMP and not any(values.arrays.values())
        assert len(values.names) == 1 and 'bytes, more than' in values.names[0]
        assert reader.read(good).names == tuple(MESSAGES[0].name)
    raw = serialize_message(Float64MultiArray(data=[0.0] * 100_000))
    assert WireReader(Float64MultiArray).read(raw).arrays == {'data': ()}


def test_what_is_written_is_read_by_rclpy():
    writer = WireWriter(joint_state_template(['a', 'b'], 'frame'))
    for shift in (0.0, 1.5):
        position, effort = np.array([1.0, 2.0]) + shift, np.array([-1.0, 1e300]) - shift
        raw = writer.fill(STAMP + 7, position=position, effort=effort)
        message = deserialize_message(raw, JointState)
        assert raw == writer.message
        assert message == expected(position, effort)


def expected(position, effort):
    message = joint_state(
        ['a', 'b'], position.tolist(), [0.0, 0.0], effort.tolist(), frame='frame')
    set_stamp(message.header.stamp, STAMP + 7)
    return message


def test_numbers_of_another_length_are_not_written():
    writer = WireWriter(effort_template(['a', 'b']))
    with pytest.raises(ValueError):
        writer.fill(data=np.zeros(3))
    assert deserialize_message(writer.message, Float64MultiArray) == effort_template(['a', 'b'])

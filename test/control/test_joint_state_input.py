"""Joint states of any driver come out in the order of the model, or not at all."""

import numpy as np
import pytest

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.joint_state_input import JointStateInput
from robot_dynamics.control.watchdog import InputMonitor, JOINT_STATES

NAMES = ('a', 'b', 'c')
NAN, INF = float('nan'), float('inf')


@pytest.fixture
def rig():
    """Return an input and its events."""
    events = EventLog(0)
    return JointStateInput(NAMES, InputMonitor(JOINT_STATES, 0.02, 0.05), events, 0.004), events


def test_order_is_by_name_whatever_the_order_of_the_message(rig):
    joints, _ = rig
    assert joints.receive(1, 1, ('c', 'x', 'a', 'b'), [3, 9, 1, 2], [30, 9, 10, 20], [6, 9, 4, 5])
    assert joints.position.tolist() == [1, 2, 3]
    assert joints.velocity.tolist() == [10, 20, 30]
    assert joints.effort.tolist() == [4, 5, 6]
    assert joints.has_effort


def test_the_order_may_change_from_message_to_message(rig):
    joints, _ = rig
    for stamp, order in enumerate([(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)], start=1):
        names = [NAMES[i] for i in order]
        values = [float(i) for i in order]
        assert joints.receive(stamp, stamp, names, values, values, values)
        assert joints.position.tolist() == [0, 1, 2]


@pytest.mark.parametrize('names, position, kind, word', [
    (('a', 'b'), [1, 2], EventKind.JOINT_MISSING, 'c'),
    ((), [], EventKind.JOINT_MISSING, 'nothing'),
    (('a', 'b', 'c', 'b'), [1, 2, 3, 4], EventKind.JOINT_STATE_MALFORMED, 'b'),
    (('a', 'b', 'c'), [1, 2], EventKind.JOINT_STATE_MALFORMED, '3'),
    (('a', 'b', 'c'), [], EventKind.JOINT_STATE_MALFORMED, '3'),
    (('a', 'b', 'c'), [1, NAN, 3], EventKind.JOINT_STATE_NOT_FINITE, 'joint b'),
    (('c', 'b', 'a'), [INF, 2, 3], EventKind.JOINT_STATE_NOT_FINITE, 'joint c'),
    (('a', 'b', 'c'), [1, 2, 1e300], EventKind.JOINT_STATE_NOT_FINITE, 'joint c'),
    (('a', 'b', 'c'), ['x', 2, 3], EventKind.JOINT_STATE_MALFORMED, '3'),
    (None, [1, 2, 3], EventKind.JOINT_STATE_MALFORMED, 'names'),
])
def test_an_unusable_message_changes_nothing_and_is_named(rig, names, position, kind, word):
    joints, events = rig
    assert joints.receive(1, 1, NAMES, [7, 8, 9], [0, 0, 0], [])
    assert not joints.receive(2, 2, names, position, [], [])
    assert joints.position.tolist() == [7, 8, 9]
    assert joints.monitor.stamp_ns == 1
    [event] = events.drain()
    assert event.kind is kind
    assert word in event.text


def test_an_infinite_velocity_is_refused(rig):
    joints, events = rig
    assert not joints.receive(1, 1, NAMES, [1, 2, 3], [0, INF, 0], [])
    assert 'joint b' in events.drain()[0].text


@pytest.mark.parametrize('velocity', [[], [NAN, NAN, NAN], [0.5]])
def test_an_absent_velocity_is_estimated_from_positions(rig, velocity):
    joints, events = rig
    for k in range(1, 100):
        stamp = k * 2_000_000
        assert joints.receive(stamp, stamp, NAMES, [0.5 * stamp * 1e-9, 1, 2], velocity, [])
    np.testing.assert_allclose(joints.velocity, [0.5, 0, 0], atol=1e-6)
    assert events.drain()[0].kind is EventKind.VELOCITY_ESTIMATED


def test_only_the_joint_whose_velocity_is_nan_is_estimated(rig):
    joints, _ = rig
    for k in range(1, 100):
        stamp = k * 2_000_000
        joints.receive(stamp, stamp, NAMES, [0.5 * stamp * 1e-9, 1, 2], [NAN, 7, 8], [])
    np.testing.assert_allclose(joints.velocity, [0.5, 7, 8], atol=1e-6)


@pytest.mark.parametrize('effort', [[], [NAN, 1, 2], [1, 2]])
def test_an_absent_effort_counts_as_not_reported(rig, effort):
    joints, _ = rig
    assert joints.receive(1, 1, NAMES, [1, 2, 3], [0, 0, 0], effort)
    assert not joints.has_effort
    assert not joints.effort.any()


@pytest.mark.parametrize('stamp, word', [(0, 'no stamp'), (-5, 'no stamp'), (50, 'older'),
                                         (10**9, 'ahead')])
def test_impossible_stamps_are_refused_with_the_reason(rig, stamp, word):
    joints, events = rig
    assert joints.receive(100, 100, NAMES, [1, 2, 3], [], [])
    events.drain()
    assert not joints.receive(stamp, 200, NAMES, [4, 5, 6], [], [])
    assert joints.position.tolist() == [1, 2, 3]
    assert word in events.drain()[0].text


def test_a_duplicate_is_ignored_without_a_word(rig):
    joints, events = rig
    joints.receive(100, 100, NAMES, [1, 2, 3], [0, 0, 0], [])
    assert not joints.receive(100, 101, NAMES, [4, 5, 6], [0, 0, 0], [])
    assert events.drain() == []

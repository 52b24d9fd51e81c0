"""Joint states as they come from real robots: each oddity has its behaviour."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
from replay_bags import PA10, START_NS, Truth, write

from robot_dynamics.bags.mapping import map_joints, parse_joint_map
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import (
    BagError, ConfigurationError, ModelError, UnknownNameError)
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.replay.result import ReplayResult

Write = Callable[..., Path]


def found(result: ReplayResult) -> set:
    """Return the codes of all findings."""
    return {finding.code for finding in result.findings}


def explained(result: ReplayResult) -> float:
    """Return the least share of variance explained over all compared joints."""
    assert result.compared
    return min(joint.explained for joint in result.compared)


@pytest.fixture
def joint_bag(motion: Truth, tmp_path: Path) -> Write:
    """Write a recording whose joint states a function of the test writes."""
    def write_it(fill: Callable[[RecordingWriter], Any]) -> Path:
        path = tmp_path / 'odd.mcap'
        with RecordingWriter(path) as bag:
            fill(bag)
            bag.imu(motion.imu_stamp_ns, motion.angular_velocity, motion.specific_force,
                    motion.quat_xyzw)
        return path
    return write_it


# ------------------------------------------------------------------------------------- names

def test_another_prefix_is_found_by_itself_and_reported(motion: Truth, tmp_path: Path) -> None:
    names = [f'sea_arm_{name}' for name in motion.names]
    result = analyze_bag(write(tmp_path / 'a.mcap', motion, names=names), PA10)
    assert explained(result) > 0.999
    told = next(f for f in result.findings if f.code == 'joint-names')
    assert told.severity == 'warning' and '"sea_arm_"' in told.text


def test_a_joint_map_names_what_no_rule_can_know(motion: Truth, tmp_path: Path) -> None:
    names = ['base', 'shoulder', 'elbow', 'wrist', 'hand', 'flange']
    path = write(tmp_path / 'a.mcap', motion, names=names)
    with pytest.raises(BagError, match='--joint-map'):
        analyze_bag(path, PA10)
    options = ReplayOptions(joint_map=dict(zip(names, motion.names)))
    assert explained(analyze_bag(path, PA10, options)) > 0.999


def test_a_joint_map_with_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match='joint9.*known: joint1'):
        map_joints(['joint1'], ['a'], {'a': 'joint9'})
    with pytest.raises(UnknownNameError, match='known: a'):
        map_joints(['joint1'], ['a'], {'b': 'joint1'})


@pytest.mark.parametrize('text', ['a', 'a=', '=b', 'a=b,a=c', 'a=c,b=c'])
def test_a_malformed_joint_map_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match='--joint-map'):
        parse_joint_map(text)


def test_two_prefixes_that_fit_equally_well_are_a_question_to_the_user() -> None:
    names = [f'{side}_joint{i}' for side in ('left', 'right') for i in (1, 2, 3)]
    with pytest.raises(BagError, match='left.*right|right.*left'):
        map_joints(['joint1', 'joint2', 'joint3'], names)


def test_an_equal_name_beats_every_prefix() -> None:
    mapping = map_joints(['joint1', 'joint2'], ['joint2', 'joint1', 'gripper'])
    assert mapping.to_model == {'joint1': 'joint1', 'joint2': 'joint2'}
    assert (mapping.missing, mapping.ignored, mapping.rule) == ((), ('gripper',), '')


def test_hash_order_changes_nothing(motion: Truth, bag: Path, joint_bag: Write) -> None:
    orders = [[3, 0, 5, 1, 4, 2], [1, 2, 0, 5, 3, 4]]

    def fill(writer: RecordingWriter) -> None:
        for half, order in enumerate(orders):
            rows = slice(half, None, 2)  # the order changes from message to message
            writer.joint_states(motion.stamp_ns[rows], [motion.names[i] for i in order],
                                motion.q[rows][:, order], motion.qd[rows][:, order],
                                motion.effort[rows][:, order])
    shuffled = analyze_bag(joint_bag(fill), PA10)
    assert shuffled.to_dict()['joints'] == analyze_bag(bag, PA10).to_dict()['joints']


def test_a_joint_missing_in_the_recording_is_held_and_said(motion: Truth, joint_bag: Write
                                                           ) -> None:
    still = motion.changed(q=motion.q.copy(), qd=motion.qd.copy())
    path = joint_bag(lambda writer: writer.joint_states(
        motion.stamp_ns, motion.names[:5], still.q[:, :5], still.qd[:, :5], motion.effort[:, :5]))
    result = analyze_bag(path, PA10)
    assert [joint.name for joint in result.joints] == list(motion.names[:5])
    assert any(f.code == 'joints-missing' and 'joint6' in f.text for f in result.findings)
    assert result.joint('joint2').explained > 0.999


def test_joints_that_the_urdf_lacks_are_left_out_and_said(motion: Truth, joint_bag: Write
                                                          ) -> None:
    path = joint_bag(lambda writer: writer.joint_states(
        motion.stamp_ns, [*motion.names, 'gripper'], np.c_[motion.q, motion.q[:, :1]],
        np.c_[motion.qd, motion.qd[:, :1]], np.c_[motion.effort, motion.effort[:, :1]]))
    result = analyze_bag(path, PA10)
    assert explained(result) > 0.999
    assert any(f.code == 'joints-ignored' and 'gripper' in f.text for f in result.findings)


def test_two_publishers_with_a_part_each_on_one_topic_make_one_robot(motion: Truth,
                                                                     joint_bag: Write) -> None:
    def fill(writer: RecordingWriter) -> None:
        for start, stop, shift in ((0, 4, 0), (4, 6, 3_000_000)):
            part = slice(start, stop)
            # the second publisher samples 3 ms later
            later = shift * 1e-9
            q = motion.q[:, part] + later * motion.qd[:, part] \
                + 0.5 * later**2 * motion.qdd[:, part]
            qd = motion.qd[:, part] + later * motion.qdd[:, part]
            writer.joint_states(motion.stamp_ns + shift, motion.names[part], q, qd,
                                motion.effort[:, part])
    result = analyze_bag(joint_bag(fill), PA10)
    assert 'several-publishers' in found(result)
    assert len(result.joints) == 6
    assert explained(result) > 0.99


def test_equal_names_on_several_topics_are_a_question_to_the_user(motion: Truth,
                                                                  joint_bag: Write) -> None:
    def fill(writer: RecordingWriter) -> None:
        for robot, share in (('left', 1.0), ('right', 0.5)):
            writer.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd,
                                share * motion.effort, topic=f'/{robot}/joint_states')
    path = joint_bag(fill)
    with pytest.raises(BagError, match='/left/joint_states.*/right/joint_states.*--joint-topic'):
        analyze_bag(path, PA10)
    right = analyze_bag(path, PA10, ReplayOptions(joint_topic='/right/joint_states'))
    assert right.joint('joint2').scale == pytest.approx(0.5, abs=1e-3)
    with pytest.raises(BagError, match='/left/joint_states'):
        analyze_bag(path, PA10, ReplayOptions(joint_topic='/middle/joint_states'))


def test_messages_without_names_are_counted_and_left_out(motion: Truth, joint_bag: Write) -> None:
    def fill(writer: RecordingWriter) -> None:
        writer.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
        writer.joint_states(motion.stamp_ns[::10] + 1, [], motion.q[::10])
        writer.joint_states(motion.stamp_ns[::10] + 2, motion.names[:4], motion.q[::10])
    result = analyze_bag(joint_bag(fill), PA10)
    assert {'names-empty', 'names-length'} <= found(result)
    assert result.samples == len(motion.q)
    assert explained(result) > 0.999


def test_a_topic_without_any_name_is_refused(motion: Truth, joint_bag: Write) -> None:
    path = joint_bag(lambda writer: writer.joint_states(motion.stamp_ns, [], motion.q))
    with pytest.raises(BagError, match='no joint names'):
        analyze_bag(path, PA10)


# ------------------------------------------------------------------------------------ effort

def test_effort_that_is_not_a_number_is_left_out_where_it_is_not(motion: Truth, tmp_path: Path
                                                                 ) -> None:
    effort = motion.effort.copy()
    effort[300:400, 1] = np.nan
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=effort)), PA10)
    assert 'effort-nan' in found(result)
    assert result.joint('joint1').samples - result.joint('joint2').samples == 100
    assert explained(result) > 0.999


def test_absent_and_zero_efforts_are_computed_but_not_compared(motion: Truth, tmp_path: Path,
                                                               joint_bag: Write) -> None:
    absent = analyze_bag(joint_bag(lambda writer: writer.joint_states(
        motion.stamp_ns, motion.names, motion.q, motion.qd)), PA10)
    zero = analyze_bag(write(tmp_path / 'zero.mcap', motion.changed(effort=0 * motion.effort)),
                       PA10)
    assert 'effort-absent' in found(absent) and 'effort-zero' in found(zero)
    for result in (absent, zero):
        assert not result.compared
        assert result.joint('joint2').computed_rms == pytest.approx(37.96, abs=0.05)
        assert np.isnan(result.joint('joint2').explained)


def test_an_opposite_sign_is_reported_and_never_corrected(motion: Truth, tmp_path: Path) -> None:
    effort = motion.effort * [1, -1, 1, 1, 1, 1]
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=effort)), PA10)
    assert [f.element for f in result.findings if f.code == 'effort-sign'] == ['joint2']
    assert result.joint('joint2').explained < 0
    assert result.joint('joint2').scale == pytest.approx(-1, abs=1e-3)


def test_a_motor_current_is_reported_and_never_corrected(motion: Truth, tmp_path: Path) -> None:
    effort = motion.effort * [1, 1, 0.043, 1, 1, 1]
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=effort)), PA10)
    assert [f.element for f in result.findings if f.code == 'effort-scale'] == ['joint3']
    assert result.joint('joint3').scale == pytest.approx(0.043, abs=1e-4)


def test_saturation_at_the_effort_limit_is_counted(motion: Truth, tmp_path: Path) -> None:
    limit = motion.model.effort_limit[1]
    effort = motion.effort.copy()
    effort[200:300, 1] = limit
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=effort)), PA10)
    assert [f.element for f in result.findings if f.code == 'effort-saturated'] == ['joint2']
    assert result.joint('joint2').saturated == pytest.approx(100 / result.valid_samples)


# ---------------------------------------------------------------------------------- velocity

@pytest.mark.parametrize('kind, code', [
    ('absent', 'velocity-absent'), ('zero', 'velocity-mismatch'), ('degrees', 'velocity-mismatch'),
    ('random', 'velocity-mismatch')])
def test_velocities_that_are_no_derivative_of_position_are_not_used(
        motion: Truth, joint_bag: Write, kind: str, code: str) -> None:
    noise = np.random.default_rng(3).normal(size=motion.qd.shape)
    velocity = {'absent': None, 'zero': 0 * motion.qd, 'degrees': np.degrees(motion.qd),
                'random': noise}[kind]
    result = analyze_bag(joint_bag(lambda writer: writer.joint_states(
        motion.stamp_ns, motion.names, motion.q, velocity, motion.effort)), PA10)
    assert code in found(result)
    assert explained(result) > 0.999


def test_positions_that_are_not_numbers_cost_only_their_messages(motion: Truth, tmp_path: Path
                                                                 ) -> None:
    q = motion.q.copy()
    q[500] = np.nan
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(q=q)), PA10)
    assert 'positions-nan' in found(result)
    assert result.samples == len(q) - 1
    assert explained(result) > 0.999


@pytest.mark.parametrize('fault, says', [
    ('slip', 'steps by'), ('frozen', 'has not changed'), ('none', '')])
def test_joint_states_that_nodes_would_refuse_are_told_in_their_words(
        motion: Truth, tmp_path: Path, fault: str, says: str) -> None:
    q, qd = motion.q.copy(), motion.qd.copy()
    begin = len(q) // 2
    if fault == 'slip':
        q[begin:, 1] += 0.3
    elif fault == 'frozen':
        q[begin:], qd[begin:] = q[begin], 0.3
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(q=q, qd=qd)), PA10)
    told = [f.text for f in result.findings if f.code == 'joints-refused']
    assert bool(told) == bool(says)
    assert all('nodes would refuse' in text and says in text for text in told)


# ------------------------------------------------------------------------------------- robot

def test_a_urdf_without_inertia_is_refused_instead_of_giving_zero_torque(bag: Path) -> None:
    text = PA10.read_text()
    start = text.find('<inertial>')
    while start >= 0:
        text = text[:start] + text[text.index('</inertial>', start) + len('</inertial>'):]
        start = text.find('<inertial>')
    with pytest.raises(ModelError):
        analyze_bag(bag, text)


def test_the_robot_comes_from_the_recording_when_none_is_given(motion: Truth, bag: Path,
                                                               tmp_path: Path) -> None:
    with pytest.raises(BagError, match='--robot'):
        analyze_bag(bag)
    path = write(tmp_path / 'a.mcap', motion, description=PA10.read_text())
    result = analyze_bag(path)
    assert 'robot-from-bag' in found(result)
    assert explained(result) > 0.999


def test_a_recording_without_joint_states_says_what_it_has(tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / 'a.mcap') as writer:
        writer.robot_description(PA10.read_text(), START_NS)
    with pytest.raises(BagError, match='std_msgs/msg/String'):
        analyze_bag(tmp_path / 'a.mcap', PA10)

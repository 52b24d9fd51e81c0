"""Several publishers on one topic, names with interfaces, turns, and clocks of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
from replay_bags import PA10, Truth

from robot_dynamics.bags.findings import Finding
from robot_dynamics.bags.mapping import map_joints
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import BagError
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.replay.differentiation import derivatives
from robot_dynamics.replay.replay import analyze_bag
from robot_dynamics.replay.result import ReplayResult

CONTINUOUS = PA10.read_text(encoding='utf-8').replace('type="revolute"', 'type="continuous"')


def finding(result: ReplayResult, code: str) -> Finding:
    """Return the finding with a code."""
    return next(item for item in result.findings if item.code == code)


@pytest.fixture
def recorded(motion: Truth, tmp_path: Path) -> Callable[..., Any]:
    """Analyse a recording whose joint states a function of the test writes."""
    def analyse(fill: Callable[[RecordingWriter], Any], robot: Any = PA10,
                imu_shift_ns: int = 0) -> ReplayResult:
        (tmp_path / 'odd.mcap').unlink(missing_ok=True)
        with RecordingWriter(tmp_path / 'odd.mcap') as bag:
            fill(bag)
            bag.imu(motion.imu_stamp_ns + imu_shift_ns, motion.angular_velocity,
                    motion.specific_force, motion.quat_xyzw, recorder_ns=motion.imu_stamp_ns)
        return analyze_bag(tmp_path / 'odd.mcap', robot)
    return analyse


@pytest.mark.parametrize('shift_ns', [0, 2_100_000])
@pytest.mark.parametrize('first', [True, False])
def test_a_poorer_publisher_of_the_same_joints_costs_nothing(
        motion: Truth, recorded: Any, shift_ns: int, first: bool) -> None:
    def fill(bag: RecordingWriter) -> None:
        def gui() -> None:
            bag.joint_states(motion.stamp_ns + shift_ns, motion.names[::-1], 0 * motion.q)
        if first:
            gui()
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
        if not first:
            gui()
    result = recorded(fill)
    assert result.samples == len(motion.q)
    assert min(joint.explained for joint in result.joints) > 0.9999
    told = finding(result, 'publisher-poorer')
    assert '1200 messages of the same joints without velocity and effort' in told.text


@pytest.mark.parametrize('first', [True, False])
@pytest.mark.parametrize('still', [True, False])
def test_a_publisher_that_fills_all_fields_with_nothing_costs_nothing(
        motion: Truth, recorded: Any, first: bool, still: bool) -> None:
    def fill(bag: RecordingWriter) -> None:
        def other() -> None:
            bag.joint_states(motion.stamp_ns, motion.names, 0 * motion.q if still else motion.q,
                             0 * motion.qd, 0 * motion.effort)
        if first:
            other()
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
        if not first:
            other()
    result = recorded(fill)
    assert result.samples == len(motion.q)
    assert min(joint.explained for joint in result.joints) > 0.9999
    assert '1200 messages of the same joints with efforts of zero' in finding(
        result, 'publisher-poorer').text


@pytest.mark.parametrize('shift_ns', [0, 4_000_000])
@pytest.mark.parametrize('reverse', [True, False])
def test_two_publishers_that_disagree_are_separated_and_named(
        motion: Truth, recorded: Any, shift_ns: int, reverse: bool) -> None:
    half = slice(None, None, 2)

    def fill(bag: RecordingWriter) -> None:
        order = slice(None, None, -1) if reverse else slice(None)
        bag.joint_states(motion.stamp_ns[half] + shift_ns, motion.names[order],
                         motion.q[half, order] + 0.3, motion.qd[half, order],
                         motion.effort[half, order] + 9.0)
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
    result = recorded(fill)
    told = finding(result, 'publishers-mixed')
    assert 'the 1200 messages of the one that sent more were used' in told.text
    assert result.samples == len(motion.q)
    assert min(joint.explained for joint in result.joints) > 0.9999


def test_a_slow_publisher_that_is_ahead_drops_none_of_a_fast_one(motion: Truth, recorded: Any
                                                                 ) -> None:
    slow = slice(None, None, 4)

    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns[slow], motion.names, motion.q[slow], motion.qd[slow],
                         motion.effort[slow], recorder_ns=motion.stamp_ns[slow] - 12_000_000)
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
    result = recorded(fill)
    assert result.samples == len(motion.q)
    assert '300 messages of the same joints with the same positions' in finding(
        result, 'publisher-poorer').text


def test_joints_that_a_poorer_publisher_has_besides_are_taken_from_it_alone(
        motion: Truth, recorded: Any) -> None:
    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns + 1_000_000, motion.names, motion.q)
        bag.joint_states(motion.stamp_ns, motion.names[:5], motion.q[:, :5], motion.qd[:, :5],
                         motion.effort[:, :5])
    result = recorded(fill)
    assert '6 joints also have 5 that a richer publisher' in finding(result, 'joints-twice').text
    assert min(result.joint(f'joint{i}').explained for i in range(1, 6)) > 0.9999
    assert not result.joint('joint6').compared


@pytest.mark.parametrize('coarse', [True, False])
def test_one_publisher_is_never_taken_for_two(motion: Truth, recorded: Any, coarse: bool) -> None:
    """Stamps of a coarse clock or names in changing order; encoder noise, coarse velocities."""
    rng = np.random.default_rng(3)
    stamps = motion.stamp_ns // 30_000_000 * 30_000_000 if coarse else motion.stamp_ns
    q = motion.q + rng.normal(0.0, 0.005, motion.q.shape)

    def fill(bag: RecordingWriter) -> None:
        for part in range(4):
            order = np.arange(6) if coarse else rng.permutation(6)
            rows = slice(part, None, 4)
            bag.joint_states(stamps[rows], [motion.names[k] for k in order], q[rows][:, order],
                             np.round(motion.qd[rows][:, order], 1),
                             motion.effort[rows][:, order], recorder_ns=motion.stamp_ns[rows])
    codes = {item.code for item in recorded(fill).findings}
    assert not codes & {'publisher-poorer', 'publishers-mixed', 'several-publishers'}
    assert ('stamps-equal' in codes) == coarse


def test_interfaces_in_the_names_are_sorted_by_joint(motion: Truth, recorded: Any) -> None:
    names = [f'{name}/{kind}' for name in motion.names
             for kind in ('position', 'velocity', 'effort')]
    values = np.stack([motion.q, motion.qd, motion.effort], axis=2).reshape(len(motion.q), -1)
    result = recorded(lambda bag: bag.joint_states(motion.stamp_ns, names, values))
    assert min(joint.explained for joint in result.joints) > 0.9999


@pytest.mark.parametrize('velocity', [True, False])
def test_continuous_joints_that_start_again_after_a_turn_are_put_together(
        motion: Truth, recorded: Any, velocity: bool) -> None:
    wrapped = motion.q.copy()
    wrapped[:, [0, 5]] = np.mod(wrapped[:, [0, 5]], 2 * np.pi)

    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns, motion.names, wrapped,
                         motion.qd if velocity else None, motion.effort)
    result = recorded(fill, CONTINUOUS)
    assert 'joint1' in finding(result, 'positions-wrap').text
    assert min(joint.explained for joint in result.joints[:3]) > 0.999


def test_a_position_that_is_not_wrapped_stays_as_it_is(motion: Truth, recorded: Any) -> None:
    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
    assert all(item.code != 'positions-wrap' for item in recorded(fill, CONTINUOUS).findings)


def test_clocks_seconds_apart_cost_nothing_of_the_recording(motion: Truth, recorded: Any
                                                            ) -> None:
    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
    result = recorded(fill, imu_shift_ns=5_000_000_000)  # still overlapping
    assert 'aligned by the times of reception' in finding(result, 'clocks-differ').text
    assert result.valid_samples > 0.9 * result.samples
    assert min(joint.explained for joint in result.joints) > 0.9999


@pytest.mark.parametrize('apart_s', [47, 86_400, -47])
def test_clocks_far_apart_cost_no_work(motion: Truth, recorded: Any, apart_s: int,
                                       monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = []

    def counting(time: Any, *rest: Any) -> Any:
        fitted.append(len(time))
        return derivatives(time, *rest)
    monkeypatch.setattr('robot_dynamics.replay.window.derivatives', counting)

    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
    near = recorded(fill)
    rows, calls = sum(fitted), len(fitted)
    fitted.clear()
    far = recorded(fill, imu_shift_ns=apart_s * 1_000_000_000)
    assert len(fitted) == calls and sum(fitted) <= rows
    assert far.valid_samples == near.valid_samples
    assert min(joint.explained for joint in far.joints) > 0.9999


@pytest.mark.parametrize('value', [1e224, 5e-310])
def test_efforts_that_no_sensor_sends_are_named(motion: Truth, recorded: Any, value: float
                                                ) -> None:
    effort = motion.effort.copy()
    effort[:, 3] = value

    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, effort)
    result = recorded(fill)
    assert finding(result, 'effort-garbage').element == 'joint4'
    assert not result.joint('joint4').compared
    assert result.joint('joint2').explained > 0.9999


def test_names_that_share_only_a_number_are_matched_in_order_or_not_at_all() -> None:
    joints = [f'joint{i}' for i in range(1, 7)]
    mapping = map_joints(joints, [f'q{i}' for i in range(6)])
    assert mapping.to_model == {f'q{i}': f'joint{i + 1}' for i in range(6)}
    assert 'q0 -> joint1' in mapping.rule
    assert not map_joints(joints, [f'A{i}' for i in range(1, 8)]).to_model
    assert map_joints(joints, [f'A{i}' for i in range(1, 7)]).to_model['A3'] == 'joint3'


@pytest.mark.parametrize('first', [0, 2])
def test_numbers_that_begin_elsewhere_drop_no_joint(first: int) -> None:
    joints = [f'joint{i}' for i in range(1, 7)]
    mapping = map_joints(joints, [f'joint{i}' for i in range(first, first + 6)])
    assert mapping.to_model == {f'joint{first + i}': f'joint{1 + i}' for i in range(6)}
    assert f'joint{first} -> joint1' in mapping.rule and '--joint-map' in mapping.rule
    assert map_joints(joints, joints[1:]).to_model == {name: name for name in joints[1:]}


@pytest.mark.parametrize('spell', [str.upper, str.title, lambda name: name.replace('_', '-'),
                                   lambda name: name.replace('_', ' ')])
def test_capitals_and_separators_do_not_part_names(spell: Any) -> None:
    joints = ['shoulder_pan_joint', 'elbow_joint', 'wrist_1_joint', 'wrist_2_joint']
    mapping = map_joints(joints, [spell(name) for name in joints])
    assert mapping.to_model == {spell(name): name for name in joints}
    assert 'but for capitals and separators' in mapping.rule
    both = map_joints(['a_1', 'A1'], ['a1'])  # which of the two is not clear
    assert not both.to_model or both.rule


def test_without_a_usable_joint_state_the_error_says_why(recorded: Any, motion: Truth) -> None:
    with pytest.raises(BagError, match='1200 messages have a position that is not a number'):
        recorded(lambda bag: bag.joint_states(motion.stamp_ns, motion.names,
                                              np.nan * motion.q, motion.qd, motion.effort))


def test_a_clock_that_runs_at_a_tenth_is_ninety_percent_slower(motion: Truth, tmp_path: Path
                                                               ) -> None:
    with RecordingWriter(tmp_path / 'slow.mcap') as bag:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort,
                         recorder_ns=motion.stamp_ns[0] + 10 * (
                             motion.stamp_ns - motion.stamp_ns[0]))
    assert 'slower than that of the recorder by 90.0' in finding(
        analyze_bag(tmp_path / 'slow.mcap', RobotModel.from_urdf(PA10)), 'clock-drift').text


@pytest.mark.parametrize('change, says', [
    (np.degrees, 'in deg/s'), (lambda qd: 0 * qd, 'zero'), (lambda qd: -qd, 'opposite sign'),
    (lambda qd: 0 * qd + 1.05, 'constant')])
def test_velocities_are_told_for_what_they_are_and_replaced(
        motion: Truth, recorded: Any, change: Any, says: str) -> None:
    def fill(bag: RecordingWriter) -> None:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, change(motion.qd),
                         motion.effort)
    result = recorded(fill)
    assert says in finding(result, 'velocity-mismatch').text
    assert min(joint.explained for joint in result.joints[:3]) > 0.999

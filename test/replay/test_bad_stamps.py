"""Clocks as they are on real machines: gaps, jitter, jumps, and clocks that disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from replay_bags import PA10, START_NS, Truth, write

from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import BagError
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.replay.result import ReplayResult

DAY_NS = 86_400_000_000_000


def record(path: Path, motion: Truth, joint_stamps: Any = None, imu_stamps: Any = None,
           order: Any = None) -> Path:
    """Write with chosen header stamps; the recorder keeps the true time."""
    joint_stamps = motion.stamp_ns if joint_stamps is None else joint_stamps
    imu_stamps = motion.imu_stamp_ns if imu_stamps is None else imu_stamps
    order = np.arange(len(motion.q)) if order is None else order
    with RecordingWriter(path) as bag:
        bag.joint_states(joint_stamps[order], motion.names, motion.q[order], motion.qd[order],
                         motion.effort[order],
                         recorder_ns=np.sort(motion.stamp_ns[order]))
        bag.imu(imu_stamps, motion.angular_velocity, motion.specific_force, motion.quat_xyzw,
                recorder_ns=motion.imu_stamp_ns)
    return path


def found(result: ReplayResult) -> set:
    """Return the codes of all findings."""
    return {finding.code for finding in result.findings}


def explained(result: ReplayResult) -> float:
    """Return the least share of variance explained over all joints."""
    return min(joint.explained for joint in result.joints)


def test_a_gap_is_listed_and_nothing_near_it_is_used(motion: Truth, tmp_path: Path) -> None:
    keep = np.r_[0:500, 560:1200]
    part = motion.changed(stamp_ns=motion.stamp_ns[keep], q=motion.q[keep], qd=motion.qd[keep],
                          effort=motion.effort[keep])
    result = analyze_bag(write(tmp_path / 'a.mcap', part), PA10)
    gap, = result.gaps
    assert gap.stream == '/joint_states'
    assert gap.stamp_ns == motion.stamp_ns[499]
    assert gap.duration == pytest.approx(0.61)
    used = np.concatenate([b.samples.stamp_ns[b.samples.valid] for b in result.blocks()])
    assert not ((used > motion.stamp_ns[490]) & (used < motion.stamp_ns[569])).any()
    assert explained(result) > 0.9999


def test_a_gap_of_the_imu_leaves_out_the_joint_states_in_it(motion: Truth, tmp_path: Path
                                                            ) -> None:
    keep = np.r_[0:500, 700:1200]
    part = motion.changed(
        imu_stamp_ns=motion.imu_stamp_ns[keep], quat_xyzw=motion.quat_xyzw[keep],
        angular_velocity=motion.angular_velocity[keep],
        specific_force=motion.specific_force[keep])
    result = analyze_bag(write(tmp_path / 'a.mcap', part), PA10)
    assert [gap.stream for gap in result.gaps] == ['/imu/data']
    assert result.valid_samples < 1000
    assert explained(result) > 0.9999


def test_a_recording_of_gaps_only_is_refused(motion: Truth, tmp_path: Path) -> None:
    keep = np.arange(1200) % 100 < 5
    part = motion.changed(stamp_ns=motion.stamp_ns[keep], q=motion.q[keep], qd=motion.qd[keep],
                          effort=motion.effort[keep])
    with pytest.raises(BagError, match='gap'):
        analyze_bag(write(tmp_path / 'a.mcap', part), PA10)


@pytest.mark.parametrize('apart', [3 * DAY_NS, -400 * DAY_NS])
def test_clocks_days_apart_do_no_harm_while_headers_agree(motion: Truth, tmp_path: Path,
                                                          apart: int) -> None:
    path = record(tmp_path / 'a.mcap', motion, motion.stamp_ns + apart,
                  motion.imu_stamp_ns + apart)
    result = analyze_bag(path, PA10)
    assert 'clock-offset' in found(result)
    assert explained(result) > 0.9999
    assert result.recorder_offset_ns == -apart


def test_an_imu_on_another_clock_is_aligned_by_reception_and_that_is_said(
        motion: Truth, tmp_path: Path) -> None:
    path = record(tmp_path / 'a.mcap', motion, imu_stamps=motion.imu_stamp_ns - 5 * DAY_NS)
    result = analyze_bag(path, PA10)
    assert 'clocks-differ' in found(result)
    assert explained(result) > 0.9999


def test_an_imu_clock_of_another_rate_is_aligned_by_reception(motion: Truth, tmp_path: Path
                                                              ) -> None:
    slow = START_NS + ((motion.imu_stamp_ns - START_NS) * 0.9).astype(np.int64)
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, imu_stamps=slow), PA10)
    assert 'clocks-differ' in found(result)
    # rates measured on a clock that runs slow stay wrong by a tenth; attitude is right
    assert result.joint('joint2').explained > 0.99


def test_a_simulation_slower_than_the_recorder_is_right_in_its_own_time(motion: Truth,
                                                                        tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / 'a.mcap') as bag:
        late = START_NS + 2 * (motion.stamp_ns - START_NS)
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort,
                         recorder_ns=late)
        bag.imu(motion.imu_stamp_ns, motion.angular_velocity, motion.specific_force,
                motion.quat_xyzw, recorder_ns=late)
    result = analyze_bag(tmp_path / 'a.mcap', PA10)
    assert 'clock-drift' in found(result)
    assert explained(result) > 0.9999


@pytest.mark.parametrize('value', [0, START_NS])
def test_stamps_that_never_change_are_replaced_by_the_times_of_reception(
        motion: Truth, tmp_path: Path, value: int) -> None:
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, 0 * motion.stamp_ns + value), PA10)
    assert 'stamps-unset' in found(result)
    assert explained(result) > 0.9999


def test_time_may_start_at_zero(motion: Truth, tmp_path: Path) -> None:
    path = record(tmp_path / 'a.mcap', motion, motion.stamp_ns - START_NS,
                  motion.imu_stamp_ns - START_NS)
    result = analyze_bag(path, PA10)
    assert result.samples == len(motion.q)
    assert not found(result) & {'stamps-unset', 'stamps-zero', 'gaps'}
    assert explained(result) > 0.9999


def test_single_messages_without_a_stamp_are_left_out(motion: Truth, tmp_path: Path) -> None:
    stamps = motion.stamp_ns.copy()
    stamps[[300, 301, 700]] = 0
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, stamps), PA10)
    assert 'stamps-zero' in found(result)
    assert result.samples == len(stamps) - 3
    assert explained(result) > 0.9999


def test_equal_stamps_count_once(motion: Truth, tmp_path: Path) -> None:
    order = np.sort(np.r_[np.arange(1200), np.arange(0, 1200, 7)])[:1200]
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, order=order), PA10)
    assert 'stamps-equal' in found(result)
    assert result.samples == len(np.unique(order))
    assert explained(result) > 0.9999


def test_jittered_stamps_are_used_as_they_are(motion: Truth, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    shift = rng.uniform(-4e-3, 4e-3, len(motion.q))
    stamps = motion.stamp_ns + np.rint(1e9 * shift).astype(np.int64)
    late = shift[:, None]
    part = motion.changed(q=motion.q + late * motion.qd + 0.5 * late**2 * motion.qdd,
                          qd=motion.qd + late * motion.qdd)
    result = analyze_bag(record(tmp_path / 'a.mcap', part, stamps), PA10)
    assert 'stamps-jitter' in found(result)
    # the efforts are up to 4 ms away from the stamps
    assert explained(result) > 0.995


def test_a_message_that_comes_late_is_left_out(motion: Truth, tmp_path: Path) -> None:
    order = np.arange(1200)
    order[[400, 401]] = order[[401, 400]]
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, order=order), PA10)
    assert 'stamps-backward' in found(result)
    assert result.samples == 1199


def test_a_restarted_simulation_is_analysed_in_its_parts(motion: Truth, tmp_path: Path) -> None:
    def restart(stamps: Any) -> Any:
        return np.where(stamps < START_NS + 7 * 10**9, stamps, stamps - 7 * 10**9)
    path = record(tmp_path / 'a.mcap', motion, restart(motion.stamp_ns),
                  restart(motion.imu_stamp_ns))
    result = analyze_bag(path, PA10)
    assert 'stamps-reset' in found(result)
    assert result.samples == 1200
    assert result.valid_samples > 1100
    assert explained(result) > 0.9999


def test_two_messages_are_too_few_and_that_is_said(motion: Truth, tmp_path: Path) -> None:
    for count, says in ((1, 'too few'), (3, 'no stretch')):
        part = motion.changed(stamp_ns=motion.stamp_ns[:count], q=motion.q[:count],
                              qd=motion.qd[:count], effort=motion.effort[:count])
        with pytest.raises(BagError, match=says):
            analyze_bag(write(tmp_path / f'{count}.mcap', part, imu=False), PA10,
                        ReplayOptions(imu_topic='none'))

"""Accelerations from a recorded reference, and agreement with the feedforward running live."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from replay_bags import PA10, START_NS, Truth

from robot_dynamics.bags.reading import Recording
from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.control.feedforward import FeedforwardConfig, FeedforwardCore
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import BagError
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.estimation.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions

REFERENCE = ReplayOptions(reference_topic='/reference')


def record(path: Path, motion: Truth, stream: bool = False, noise: float = 0.0) -> Path:
    """Write joint states, IMU and the reference that the arm follows exactly."""
    shake = noise * np.random.default_rng(0).normal(size=motion.q.shape)
    with RecordingWriter(path) as bag:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd + shake,
                         motion.effort)
        bag.imu(motion.imu_stamp_ns, motion.angular_velocity, motion.specific_force,
                motion.quat_xyzw)
        if stream:
            for i, stamp in enumerate(motion.stamp_ns):
                rows = slice(i, i + 1)
                bag.trajectory(int(stamp), motion.names, [0.0], motion.q[rows], motion.qd[rows],
                               motion.qdd[rows])
        else:
            t = (motion.stamp_ns - START_NS) * 1e-9
            bag.trajectory(START_NS, motion.names, t, motion.q, motion.qd, motion.qdd)
    return path


@pytest.mark.parametrize('stream', [False, True])
def test_accelerations_of_the_reference_do_not_suffer_from_noise(motion: Truth, tmp_path: Path,
                                                                 stream: bool) -> None:
    path = record(tmp_path / 'a.mcap', motion, stream, noise=0.05)
    measured, desired = analyze_bag(path, PA10), analyze_bag(path, PA10, REFERENCE)
    for name in ('joint1', 'joint2'):
        assert desired.joint(name).residual_rms < 0.5 * measured.joint(name).residual_rms
    last = list(desired.blocks())[-1].samples
    assert np.allclose(last.acceleration[200:-1], motion.qdd[-len(last.valid):][200:-1],
                       atol=1e-6)


def test_where_nothing_was_desired_nothing_is_computed(motion: Truth, tmp_path: Path) -> None:
    with RecordingWriter(tmp_path / 'a.mcap') as bag:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
        t = (motion.stamp_ns[600:] - motion.stamp_ns[600]) * 1e-9
        bag.trajectory(int(motion.stamp_ns[600]), motion.names, t, motion.q[600:],
                       motion.qd[600:], motion.qdd[600:])
    result = analyze_bag(tmp_path / 'a.mcap', PA10, ReplayOptions(
        reference_topic='/reference', imu_topic='none'))
    assert result.samples == 1200
    assert 560 < result.valid_samples <= 600


def test_an_unknown_reference_topic_lists_those_that_exist(motion: Truth, tmp_path: Path) -> None:
    path = record(tmp_path / 'a.mcap', motion)
    with pytest.raises(BagError, match='/reference'):
        analyze_bag(path, PA10, ReplayOptions(reference_topic='/desired'))


def play_live(path: Path, core: Any) -> tuple:
    """Play a recording into the feedforward as its node does; return stamps and efforts."""
    kinds = {'/imu/data': 'sensor_msgs/msg/Imu', '/joint_states': 'sensor_msgs/msg/JointState',
             '/reference': 'trajectory_msgs/msg/JointTrajectory'}
    stamps, efforts = [], []
    with Recording(path) as recording:
        # at equal times the IMU first: a joint state is answered with the newest base motion
        for topic, now, raw in sorted(recording.messages(list(kinds)), key=lambda m: (m[1], m[0])):
            message = recording.deserialize(raw, kinds[topic])
            stamp = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
            if topic == '/reference':
                core.on_reference(JointTrajectory.from_points(
                    message.joint_names, message.points, stamp), now)
            elif topic == '/imu/data':
                w, f, q = (message.angular_velocity, message.linear_acceleration,
                           message.orientation)
                core.on_base_sample(ImuSample(stamp, (w.x, w.y, w.z), (f.x, f.y, f.z),
                                              (q.x, q.y, q.z, q.w)), now)
            else:
                core.on_joint_state(stamp, now, message.name, message.position,
                                    message.velocity, message.effort)
                command = core.command(now)
                if command is not None:
                    stamps.append(command.acts_at_ns)
                    efforts.append(command.effort)
    return np.array(stamps), np.array(efforts)


def test_live_and_recorded_torques_agree_where_both_have_the_same_inputs(
        motion: Truth, tmp_path: Path) -> None:
    path = record(tmp_path / 'a.mcap', motion)
    config = FeedforwardConfig(joints=motion.names, actuation_delay=0.0, hold_fraction=0.0,
                               command_period=0.01, maximum_reference_jump=10.0)
    core = FeedforwardCore(config, InverseDynamics(motion.model, backend='interpreted'),
                           SavitzkyGolayEstimator())
    stamps, efforts = play_live(path, core)
    with analyze_bag(path, PA10, REFERENCE) as result:
        offline = np.concatenate([block.computed for block in result.blocks()])
        valid = np.concatenate([block.samples.valid for block in result.blocks()])
    rows = np.searchsorted(motion.stamp_ns, stamps)
    assert np.array_equal(motion.stamp_ns[rows], stamps)
    late = (stamps > START_NS + 4 * 10**9) & valid[rows]  # after waiting and the ramp
    assert late.sum() > 600
    difference = np.abs(efforts - offline[rows])[late].max(axis=0)
    # the live base motion comes from the past alone, the recorded one from both sides
    assert (difference < 2e-3 * np.abs(offline[valid]).max(axis=0) + 1e-4).all()

"""IMUs as they are mounted and configured on real ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest
from replay_bags import PA10, quaternions, Truth, truth, write

from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import BagError
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.replay.result import ReplayResult

FLIP = np.array([1.0, -1.0, -1.0])


def record(path: Path, motion: Truth, w: Any, f: Any, quat: Any = None,
           effort: bool = True, frame: str = 'imu_link', topic: str = '/imu/data') -> Path:
    """Write the motion with another IMU."""
    with RecordingWriter(path) as bag:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd,
                         motion.effort if effort else None)
        bag.imu(motion.imu_stamp_ns, w, f, quat, topic=topic, frame_id=frame)
    return path


def severity(result: ReplayResult, code: str) -> Optional[str]:
    """Return how severe a finding is; None if it is not there."""
    return next((f.severity for f in result.findings if f.code == code), None)


def explained(result: ReplayResult) -> float:
    """Return the least share of variance explained over all joints."""
    return min(joint.explained for joint in result.joints)


def test_without_an_imu_the_base_is_fixed_and_that_is_said_loudly(motion: Truth, tmp_path: Path
                                                                  ) -> None:
    result = analyze_bag(write(tmp_path / 'a.mcap', motion, imu=False), PA10)
    assert severity(result, 'imu-none') == 'severe'
    assert not result.base.known
    assert result.joint('joint2').residual_rms == pytest.approx(
        result.joint('joint2').fixed_residual_rms)
    assert result.joint('joint2').residual_rms > 5


def test_all_zero_data_are_no_base_motion(motion: Truth, tmp_path: Path) -> None:
    zero = np.zeros((len(motion.imu_stamp_ns), 3))
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, zero, zero), PA10)
    assert severity(result, 'imu-zero') == 'severe'
    assert not result.base.known


def test_a_force_without_gravity_is_not_used(motion: Truth, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    for force in (0.0 * motion.specific_force, rng.normal(size=motion.specific_force.shape)):
        result = analyze_bag(record(tmp_path / f'{len(list(tmp_path.iterdir()))}.mcap', motion,
                                    motion.angular_velocity, force, motion.quat_xyzw), PA10)
        assert severity(result, 'imu-no-gravity') == 'severe'
        assert not result.base.known


@pytest.mark.parametrize('oriented', [True, False])
@pytest.mark.parametrize('in_g', [True, False])
@pytest.mark.parametrize('in_degrees', [True, False])
def test_units_of_g_and_degrees_are_recognised_and_converted(
        motion: Truth, tmp_path: Path, in_g: bool, in_degrees: bool, oriented: bool) -> None:
    result = analyze_bag(record(
        tmp_path / 'a.mcap', motion,
        np.degrees(motion.angular_velocity) if in_degrees else motion.angular_velocity,
        motion.specific_force / (9.80665 if in_g else 1.0),
        motion.quat_xyzw if oriented else None), PA10)
    assert severity(result, 'imu-scale') == ('warning' if in_g else None)
    assert severity(result, 'imu-rate-unit') == ('warning' if in_degrees else None)
    assert severity(result, 'imu-rate-sign') is None
    assert result.joint('joint2').residual_rms < 0.1


@pytest.mark.parametrize('oriented', [True, False])
def test_an_angular_velocity_of_the_wrong_sign_is_named(motion: Truth, tmp_path: Path,
                                                        oriented: bool) -> None:
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, -motion.angular_velocity,
                                motion.specific_force,
                                motion.quat_xyzw if oriented else None), PA10)
    told = next(f for f in result.findings if f.code == 'imu-rate-sign')
    assert 'x and y' in told.text
    assert ('the sign of the angular velocity is wrong' in told.text) == oriented


def test_an_inverted_orientation_is_told_from_a_wrong_rate(motion: Truth, tmp_path: Path) -> None:
    inverse = motion.quat_xyzw * [-1, -1, -1, 1]
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, motion.angular_velocity,
                                motion.specific_force, inverse), PA10)
    told = next(f for f in result.findings if f.code == 'imu-rate-sign')
    assert 'the orientation is inverted' in told.text


def test_an_orientation_that_is_frozen_is_not_used(motion: Truth, tmp_path: Path) -> None:
    frozen = np.tile([0.0, 0.0, 0.0, 1.0], (len(motion.quat_xyzw), 1))
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, motion.angular_velocity,
                                motion.specific_force, frozen), PA10)
    assert 'never changes' in next(
        f.text for f in result.findings if f.code == 'imu-orientation')
    assert result.base.roll_peak_deg > 5
    assert result.joint('joint2').explained > 0.9999


def test_a_dead_gyro_is_named(motion: Truth, tmp_path: Path) -> None:
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, 0 * motion.angular_velocity,
                                motion.specific_force, motion.quat_xyzw), PA10)
    assert severity(result, 'imu-rate-dead') == 'warning'


def test_a_frame_that_is_no_link_is_said_to_count_as_the_base(motion: Truth, tmp_path: Path
                                                              ) -> None:
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, motion.angular_velocity,
                                motion.specific_force, motion.quat_xyzw), PA10)
    assert "'imu_link' is no link" in next(
        f.text for f in result.findings if f.code == 'imu-frame')


@pytest.mark.parametrize('quat', [None, np.zeros(4)])
def test_without_an_orientation_torques_are_complete_and_causes_merge(
        motion: Truth, tmp_path: Path, quat: Any) -> None:
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, motion.angular_velocity,
                                motion.specific_force, quat), PA10)
    assert severity(result, 'imu-orientation') == ('info' if quat is None else 'warning')
    assert result.base.known and not result.base.gravity_known
    assert explained(result) > 0.9999


def upside_down(motion: Truth) -> tuple:
    """Return what the same IMU reads after half a turn about x."""
    q = motion.quat_xyzw
    turned = np.stack([q[:, 3], q[:, 2], -q[:, 1], -q[:, 0]], axis=1)  # q * (1, 0, 0, 0)
    return motion.angular_velocity * FLIP, motion.specific_force * FLIP, turned


def test_an_imu_upside_down_is_recognised_by_the_efforts(motion: Truth, tmp_path: Path) -> None:
    path = record(tmp_path / 'a.mcap', motion, *upside_down(motion))
    result = analyze_bag(path, PA10)
    assert severity(result, 'imu-upside-down') == 'warning'
    assert explained(result) > 0.9999


def test_stating_the_mounting_settles_it_and_keeps_the_orientation(motion: Truth, tmp_path: Path
                                                                   ) -> None:
    path = record(tmp_path / 'a.mcap', motion, *upside_down(motion))
    result = analyze_bag(path, PA10, ReplayOptions(imu_rpy_deg=(180.0, 0.0, 0.0)))
    assert severity(result, 'imu-upside-down') is None
    assert result.base.gravity_known
    assert explained(result) > 0.9999


def test_upside_down_without_efforts_is_severe_and_left_as_it_is(motion: Truth, tmp_path: Path
                                                                 ) -> None:
    w, f, quat = upside_down(motion)
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, w, f, quat, effort=False), PA10)
    assert severity(result, 'imu-upside-down') == 'severe'


def test_an_imu_in_ned_is_recognised(motion: Truth, tmp_path: Path) -> None:
    # body axes forward-right-down, world north-east-down; at rest it reads -g along z
    ned = motion.quat_xyzw * [1, -1, -1, 1]
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, motion.angular_velocity * FLIP,
                                motion.specific_force * FLIP, ned), PA10)
    assert severity(result, 'imu-upside-down') == 'warning'
    assert severity(result, 'imu-orientation') == 'warning'
    assert explained(result) > 0.9999


def test_a_frame_that_says_ned_is_converted_with_its_orientation(motion: Truth, tmp_path: Path
                                                                 ) -> None:
    path = record(tmp_path / 'a.mcap', motion, motion.angular_velocity * FLIP,
                  motion.specific_force * FLIP, motion.quat_xyzw * [1, -1, -1, 1],
                  frame='imu_link_ned')
    result = analyze_bag(path, PA10)
    assert severity(result, 'imu-ned') == 'info'
    assert severity(result, 'imu-upside-down') is None
    assert result.base.gravity_known
    assert result.base.roll_peak_deg == pytest.approx(np.degrees(0.15), abs=0.02)
    assert explained(result) > 0.9999


def test_an_arm_that_hangs_is_believed(tmp_path: Path) -> None:
    motion = truth(duration=8.0, still=True)
    from robot_dynamics.dynamics.inverse import InverseDynamics
    from robot_dynamics.motion.base_motion import BaseMotion
    hanging = BaseMotion(gravity=(0.0, 0.0, 9.80665))
    effort = InverseDynamics(motion.model, backend='interpreted').torque(
        motion.q, motion.qd, motion.qdd, hanging)
    turned = quaternions(np.tile([np.pi - 1e-9, 0.0, 0.0], (len(motion.imu_stamp_ns), 1)))
    path = record(tmp_path / 'a.mcap', motion.changed(effort=effort), motion.angular_velocity,
                  motion.specific_force * [1, 1, -1], turned)
    result = analyze_bag(path, PA10)
    assert severity(result, 'base-hangs') == 'info'
    assert explained(result) > 0.9999


def test_an_imu_on_a_lever_arm_is_moved_to_the_base(motion: Truth, tmp_path: Path) -> None:
    from replay_bags import deck
    t = (motion.imu_stamp_ns - motion.imu_stamp_ns[0]) * 1e-9
    lever, rpy = np.array([4.0, -2.0, 1.5]), np.radians([10.0, -20.0, 30.0])
    R_BI = matrix_from_rpy(rpy)
    sensor = deck(t)[0].transformed(R_BI, lever)
    path = record(tmp_path / 'a.mcap', motion, sensor.angular_velocity, sensor.specific_force)
    options = ReplayOptions(imu_rpy_deg=(10.0, -20.0, 30.0), imu_position=(4.0, -2.0, 1.5))
    assert explained(analyze_bag(path, PA10, options)) > 0.9999
    assert analyze_bag(path, PA10).joint('joint2').explained < 0.99


def test_the_mounting_comes_from_the_description_where_the_frame_is_a_link(
        motion: Truth, tmp_path: Path) -> None:
    from replay_bags import deck
    base = motion.model.base_link
    robot = PA10.read_text().replace('</robot>', f"""
      <link name="deck_imu"/>
      <joint name="deck_imu_mount" type="fixed"><parent link="{base}"/><child link="deck_imu"/>
        <origin xyz="1.0 2.0 0.5" rpy="3.14159265358979 0 0.5"/></joint></robot>""")
    t = (motion.imu_stamp_ns - motion.imu_stamp_ns[0]) * 1e-9
    R_BI = matrix_from_rpy([np.pi, 0, 0.5])
    sensor = deck(t)[0].transformed(R_BI, [1.0, 2.0, 0.5])
    path = record(tmp_path / 'a.mcap', motion, sensor.angular_velocity, sensor.specific_force,
                  frame='deck_imu')
    result = analyze_bag(path, robot)
    assert severity(result, 'imu-mounting') == 'info'
    assert explained(result) > 0.9999


def test_an_imu_on_a_moving_link_is_no_measure_of_the_base(motion: Truth, tmp_path: Path) -> None:
    tip = motion.model.bodies[-1].name
    path = record(tmp_path / 'a.mcap', motion, motion.angular_velocity, motion.specific_force,
                  frame=tip)
    result = analyze_bag(path, PA10)
    assert severity(result, 'imu-moving') == 'severe'
    assert not result.base.known


def test_several_imus_are_a_question_to_the_user(motion: Truth, tmp_path: Path) -> None:
    def add_second(bag: RecordingWriter) -> None:
        bag.imu(motion.imu_stamp_ns, motion.angular_velocity, motion.specific_force,
                topic='/mast/imu')
    path = write(tmp_path / 'a.mcap', motion, extra=add_second)
    with pytest.raises(BagError, match='/imu/data.*/mast/imu.*--imu-topic'):
        analyze_bag(path, PA10)
    chosen = analyze_bag(path, PA10, ReplayOptions(imu_topic='/imu/data'))
    assert explained(chosen) > 0.9999
    assert not analyze_bag(path, PA10, ReplayOptions(imu_topic='none')).base.known


@pytest.mark.parametrize('factor, unit', [
    (30 / np.pi, 'rpm'), (1 / (2 * np.pi), 'rev/s'), (1e3, 'mrad/s'), (1.8e5 / np.pi, 'mdeg/s'),
    (180 / np.pi, 'deg/s')])
def test_a_rate_in_another_unit_is_converted_and_named(motion: Truth, tmp_path: Path,
                                                       factor: float, unit: str) -> None:
    result = analyze_bag(record(
        tmp_path / 'a.mcap', motion, factor * motion.angular_velocity, motion.specific_force,
        motion.quat_xyzw), PA10)
    assert any(f.code == 'imu-rate-unit' and f'in {unit};' in f.text for f in result.findings)
    assert explained(result) > 0.9999


@pytest.mark.parametrize('factor', [1000 / 9.80665, 100.0, 16384 / 9.80665])
def test_a_force_in_counts_is_scaled_to_gravity_and_named(motion: Truth, tmp_path: Path,
                                                          factor: float) -> None:
    result = analyze_bag(record(
        tmp_path / 'a.mcap', motion, motion.angular_velocity, factor * motion.specific_force,
        motion.quat_xyzw), PA10)
    assert severity(result, 'imu-scale') == 'warning'
    assert result.joint('joint2').explained > 0.999


@pytest.mark.parametrize('oriented', [True, False])
def test_gravity_in_place_of_specific_force_is_inverted_where_the_efforts_say_so(
        motion: Truth, tmp_path: Path, oriented: bool) -> None:
    result = analyze_bag(record(
        tmp_path / 'a.mcap', motion, motion.angular_velocity, -motion.specific_force,
        motion.quat_xyzw if oriented else None), PA10)
    assert severity(result, 'imu-force-sign') == 'warning'
    assert severity(result, 'imu-upside-down') is None
    assert explained(result) > 0.9999


def test_gravity_beside_an_orientation_that_stands_upright_is_no_imu_upside_down(
        motion: Truth, tmp_path: Path) -> None:
    result = analyze_bag(record(
        tmp_path / 'a.mcap', motion, motion.angular_velocity, -motion.specific_force,
        motion.quat_xyzw, effort=False), PA10)
    assert severity(result, 'imu-force-sign') == 'severe'
    assert severity(result, 'imu-upside-down') is None
    right = analyze_bag(record(
        tmp_path / 'b.mcap', motion, motion.angular_velocity, motion.specific_force,
        motion.quat_xyzw, effort=False), PA10)
    for joint in ('joint2', 'joint3'):
        assert result.joint(joint).computed_rms == pytest.approx(right.joint(joint).computed_rms)


@pytest.mark.parametrize('part, axis', [('force', 1), ('rate', 0), ('force', 0)])
def test_one_axis_of_the_opposite_sign_is_named(motion: Truth, tmp_path: Path, part: str,
                                                axis: int) -> None:
    mirror = np.where(np.arange(3) == axis, -1.0, 1.0)
    w, f = motion.angular_velocity, motion.specific_force
    result = analyze_bag(record(
        tmp_path / 'a.mcap', motion, w * mirror if part == 'rate' else w,
        f * mirror if part == 'force' else f), PA10)
    wrong = {'force': 'specific force', 'rate': 'angular velocity'}[part]
    told = [f.text for f in result.findings if f.code in ('imu-axis', 'imu-rate-sign')]
    assert any(f'along {"xyz"[axis]}' in text and wrong in text
               or f'about {"xyz"[axis]} has the opposite sign' in text for text in told)


def test_an_orientation_of_no_numbers_costs_only_the_orientation(motion: Truth, tmp_path: Path
                                                                 ) -> None:
    quat = np.full_like(motion.quat_xyzw, np.nan)
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, motion.angular_velocity,
                                motion.specific_force, quat), PA10)
    assert severity(result, 'imu-orientation') == 'warning'
    assert explained(result) > 0.9999


def test_samples_of_no_numbers_are_left_out_and_counted(motion: Truth, tmp_path: Path) -> None:
    w = motion.angular_velocity.copy()
    w[::5] = np.nan
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, w, motion.specific_force,
                                motion.quat_xyzw), PA10)
    assert any(f.code == 'imu-nan' and f'{len(w[::5])} messages' in f.text
               for f in result.findings)
    assert explained(result) > 0.9999


@pytest.mark.parametrize('signal', ['angular velocity', 'specific force'])
def test_a_signal_that_never_changes_is_named(motion: Truth, tmp_path: Path, signal: str) -> None:
    w, f = motion.angular_velocity, motion.specific_force
    if signal == 'angular velocity':
        w = np.tile(w[40], (len(w), 1))
    else:
        f = np.tile(f[0], (len(f), 1))
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, w, f, motion.quat_xyzw), PA10)
    assert any(item.code == 'imu-stuck' and signal in item.text for item in result.findings)


def test_what_nodes_would_refuse_is_told_in_their_words(motion: Truth, tmp_path: Path) -> None:
    swapped = motion.angular_velocity[:, [1, 0, 2]]
    result = analyze_bag(record(tmp_path / 'a.mcap', motion, swapped, motion.specific_force,
                                motion.quat_xyzw), PA10)
    told = next(f.text for f in result.findings if f.code == 'imu-refused')
    assert 'nodes would refuse' in told and 'from what its orientation does' in told
    jumping = motion.specific_force.copy()
    jumping[len(jumping) // 2:] += [0.0, 12.0, 0.0]
    result = analyze_bag(record(tmp_path / 'b.mcap', motion, motion.angular_velocity, jumping,
                                motion.quat_xyzw), PA10)
    assert severity(result, 'imu-refused') == 'warning'


def test_an_imu_that_nodes_would_take_is_not_refused(bag: Path) -> None:
    result = analyze_bag(bag, PA10)
    assert severity(result, 'imu-refused') is None and severity(result, 'imu-stuck') is None

"""Where measured and computed disagree, the likeliest cause is named with what it would leave."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, Optional

import numpy as np
import pytest
from replay_bags import PA10, Truth, truth, write

from robot_dynamics.bags.writing import RecordingWriter
from robot_dynamics.core.errors import UnknownNameError
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.replay.result import ReplayResult
from selections import some

NAMED = ('joint-order', 'effort-gravity', 'effort-gravity-only', 'positions-degrees', 'joint-zero',
         'positions-unit', 'joint-sign',
         'base-still', 'imu-rate-sign', 'imu-mount', 'base-tilted', 'base-moved', 'payload')


OTHER_WAY = np.array([1.0, 1.0, -1.0, 1.0, 1.0, 1.0])
SECOND_IN_DEGREES = np.array([1.0, 180 / np.pi, 1.0, 1.0, 1.0, 1.0])


def told(result: ReplayResult) -> Dict[str, str]:
    """Return the texts of the hypotheses that were named, by code."""
    return {f.code: f.text for f in result.findings if f.code in NAMED}


def gravity(motion: Truth, base: Optional[BaseMotion] = None) -> Any:
    """Torque of gravity on the recorded posture."""
    zero = 0 * motion.q
    return InverseDynamics(motion.model, backend='interpreted').torque(
        motion.q, zero, zero, base)


def test_where_the_model_explains_the_effort_nothing_is_supposed(bag: Path) -> None:
    assert told(analyze_bag(bag, PA10)) == {}


@pytest.mark.parametrize('option', ['level_gravity', 'gravity'])
def test_an_effort_without_gravity_is_named_and_can_be_compared(motion: Truth, tmp_path: Path,
                                                                option: str) -> None:
    base = None if option == 'level_gravity' else BaseMotion(gravity=motion.base.gravity)
    path = write(tmp_path / 'a.mcap', motion.changed(
        effort=motion.effort - gravity(motion, base)))
    found = told(analyze_bag(path, PA10))
    assert list(found) == ['effort-gravity']
    assert f'--leave-out {option}.' in found['effort-gravity']
    with analyze_bag(path, PA10, ReplayOptions(leave_out=(option,))) as result:
        assert result.joint('joint2').residual_rms < 0.1
        assert told(result) == {}
        block = next(result.blocks())
        np.testing.assert_allclose(sum(block.causes.values()), block.computed, atol=1e-9)


def test_an_unknown_term_to_leave_out_lists_the_known_ones(bag: Path) -> None:
    with pytest.raises(UnknownNameError, match='level_gravity'):
        analyze_bag(bag, PA10, ReplayOptions(leave_out=('friction',)))


def test_positions_in_degrees_are_named_once(motion: Truth, tmp_path: Path) -> None:
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(
        q=np.degrees(motion.q), qd=np.degrees(motion.qd))), PA10)
    assert list(told(result)) == ['positions-degrees']
    assert not any(f.code == 'position-limit' for f in result.findings)


def test_a_zero_that_is_shifted_is_named_with_joint_and_angle(motion: Truth, tmp_path: Path
                                                              ) -> None:
    shifted = motion.q + np.array([0, 0, 0.2, 0, 0, 0])
    found = told(analyze_bag(write(tmp_path / 'a.mcap', motion.changed(q=shifted)), PA10))
    assert 'the zero of joint3' in found['joint-zero'] and '-11.5 deg' in found['joint-zero']


def exchanged(motion: Truth, efforts_only: bool) -> Truth:
    """Return the motion with two joints exchanged."""
    order = [0, 2, 1, 3, 4, 5]
    effort = motion.effort[:, order]
    return motion.changed(effort=effort) if efforts_only else motion.changed(
        effort=effort, q=motion.q[:, order], qd=motion.qd[:, order])


@pytest.mark.parametrize('change, code, says', some(2, [
    (lambda m: exchanged(m, True), 'joint-order', 'the efforts of joint2 and joint3'),
    (lambda m: exchanged(m, False), 'joint-order', 'the signals of joint2 and joint3'),
    (lambda m: m.changed(q=m.q / (2 * np.pi), qd=m.qd / (2 * np.pi)), 'positions-unit',
     'the positions are most likely in turns'),
    (lambda m: m.changed(q=m.q * SECOND_IN_DEGREES, qd=m.qd * SECOND_IN_DEGREES),
     'positions-degrees', 'the position of joint2 alone'),
    (lambda m: m.changed(q=m.q * OTHER_WAY, qd=m.qd * OTHER_WAY), 'joint-sign',
     'joint3 most likely has the opposite sign of that of the description, in its position alone'),
    (lambda m: m.changed(q=m.q * OTHER_WAY, qd=m.qd * OTHER_WAY, effort=m.effort * OTHER_WAY),
     'joint-sign', 'in position and effort')]))
def test_joints_exchanged_reversed_or_in_another_unit_are_named(
        motion: Truth, tmp_path: Path, change: Any, code: str, says: str) -> None:
    found = told(analyze_bag(write(tmp_path / 'a.mcap', change(motion)), PA10))
    assert list(found) == [code] and says in found[code]


def test_positions_that_no_unit_explains_are_not_called_degrees(motion: Truth, tmp_path: Path
                                                                ) -> None:
    counts = 1000 / (2 * np.pi)
    found = told(analyze_bag(write(tmp_path / 'a.mcap', motion.changed(
        q=counts * motion.q, qd=counts * motion.qd)), PA10))
    assert 'positions-degrees' not in found


def test_degrees_are_named_also_where_no_effort_was_recorded(motion: Truth, tmp_path: Path
                                                             ) -> None:
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(
        q=np.degrees(motion.q), qd=np.degrees(motion.qd), effort=np.nan * motion.effort)), PA10)
    assert 'in degrees they would be within' in told(result)['positions-degrees']
    assert not any(f.code == 'position-limit' for f in result.findings)


def test_names_matched_in_the_wrong_order_are_doubted(motion: Truth, tmp_path: Path) -> None:
    names = [f'A{i}' for i in (6, 5, 4, 3, 2, 1)]
    found = told(analyze_bag(write(tmp_path / 'a.mcap', motion, names=names), PA10))
    assert 'in the opposite order' in found['joint-order']


def test_efforts_that_come_late_are_named_with_their_delay(motion: Truth, tmp_path: Path) -> None:
    late = np.roll(motion.effort, 6, axis=0)
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=late)), PA10)
    text = next(f.text for f in result.findings if f.code == 'effort-lag')
    assert '60 ms later' in text


def test_where_the_model_has_no_torque_there_is_no_scale(motion: Truth, tmp_path: Path) -> None:
    still = truth(still=True)
    effort = np.random.default_rng(8).normal(size=motion.effort.shape)
    result = analyze_bag(write(tmp_path / 'a.mcap', still.changed(
        q=0 * still.q, qd=0 * still.qd, effort=effort), imu=False), PA10)
    assert np.isnan(result.joint('joint1').scale)
    assert not any(abs(joint.scale) > 1e6 for joint in result.joints)


def test_a_payload_is_named_with_mass_and_place(motion: Truth, tmp_path: Path) -> None:
    loaded = InverseDynamics(motion.model, backend='interpreted')
    loaded.set_payload('link6', 3.0, (0.0, 0.05, 0.1))
    found = told(analyze_bag(write(tmp_path / 'a.mcap', motion.changed(
        effort=loaded.torque(motion.q, motion.qd, motion.qdd, motion.base))), PA10))
    assert 'carried 3 kg at link6' in found['payload']


def test_an_imu_mounted_otherwise_is_named_with_its_angles(motion: Truth, tmp_path: Path) -> None:
    R = matrix_from_rpy(np.radians([0.0, 0.0, 90.0]))
    with RecordingWriter(tmp_path / 'a.mcap') as bag:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort)
        bag.imu(motion.imu_stamp_ns, motion.angular_velocity @ R, motion.specific_force @ R)
    found = told(analyze_bag(tmp_path / 'a.mcap', PA10))
    assert list(found) == ['imu-mount'] and '0 0 90 deg' in found['imu-mount']
    fixed = analyze_bag(tmp_path / 'a.mcap', PA10, ReplayOptions(imu_rpy_deg=(0.0, 0.0, 90.0)))
    assert fixed.joint('joint2').residual_rms < 0.1 and told(fixed) == {}


def test_a_base_that_moved_unrecorded_is_named(motion: Truth, tmp_path: Path) -> None:
    found = told(analyze_bag(write(tmp_path / 'a.mcap', motion, imu=False), PA10))
    assert list(found) == ['base-moved']


def test_an_arm_on_a_wall_without_an_imu_is_named_with_its_tilt(tmp_path: Path) -> None:
    motion = truth(still=True)
    wall = BaseMotion(gravity=(0.0, -9.80665, 0.0))
    effort = InverseDynamics(motion.model, backend='interpreted').torque(
        motion.q, motion.qd, motion.qdd, wall)
    found = told(analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=effort),
                                   imu=False), PA10))
    assert 'roll 90.0, pitch 0.0 deg' in found['base-tilted']


def test_friction_is_no_mystery(motion: Truth, tmp_path: Path) -> None:
    rubbed = motion.effort + 4 * motion.qd + 6 * np.tanh(motion.qd / 0.02)
    assert told(analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=rubbed)), PA10)) == {}


def test_efforts_that_are_never_there_together_are_no_evidence(motion: Truth, tmp_path: Path
                                                               ) -> None:
    effort = -motion.effort
    effort[::2, 1] = effort[1::2, 2] = np.nan
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=effort)), PA10)
    assert told(result) == {}
    assert any(f.code == 'effort-sign' for f in result.findings)


def test_an_effort_far_from_newton_metres_is_said_also_where_it_does_not_follow(
        motion: Truth, tmp_path: Path) -> None:
    noise = np.random.default_rng(5).normal(size=motion.effort.shape)
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=0.5 * noise)), PA10)
    assert {f.element for f in result.findings if f.code == 'effort-unit'} >= {'joint2', 'joint3'}


@pytest.mark.parametrize('factor, unit', some(3, [
    (3.0, 'masses of the description'), ('%', 'percent of its effort limit'),
    (1000.0, 'N mm'), (0.01, 'motor current'), (1 / 1.3558, 'lbf ft'), (0.10197, 'kgf m'),
    ('1', 'shares of its effort limit')]))
def test_a_scale_is_told_by_what_can_make_it(motion: Truth, tmp_path: Path, factor: Any,
                                             unit: str) -> None:
    if isinstance(factor, str):
        factor = {'%': 100.0, '1': 1.0}[factor] / motion.model.effort_limit
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(
        effort=factor * motion.effort)), PA10)
    assert told(result) == {}
    texts = [f.text for f in result.findings if f.code == 'effort-scale']
    assert len(texts) >= 4 and all(unit in text for text in texts)


def test_the_hand_that_a_description_has_and_the_robot_had_not_is_named(shared_bags: Path
                                                                        ) -> None:
    folder = shared_bags / 'panda_unisa'
    urdf = next(folder.glob('*.urdf'))
    found = told(analyze_bag(next(folder.glob('*.db3')), urdf))
    assert '0.77 kg' in found['payload'] and 'did not carry' in found['payload']

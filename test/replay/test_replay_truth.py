"""On a recording with a known truth the analysis finds that truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from replay_bags import PA10, Truth, truth, write

from robot_dynamics.bags import columns
from robot_dynamics.replay import alignment
from robot_dynamics.replay.alignment import Settings
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.replay.result import ReplayResult


@pytest.fixture(scope='module')
def result(bag: Path) -> Any:
    """Analyse the ordinary recording."""
    with analyze_bag(bag, PA10) as outcome:
        yield outcome


def series(result: ReplayResult) -> dict:
    """Collect the full series."""
    blocks = list(result.blocks())
    return {
        'stamps': np.concatenate([b.samples.stamp_ns for b in blocks]),
        'valid': np.concatenate([b.samples.valid for b in blocks]),
        'computed': np.concatenate([b.computed for b in blocks]),
        'fixed': np.concatenate([b.fixed for b in blocks]),
        'causes': {name: np.concatenate([b.causes[name] for b in blocks])
                   for name in blocks[0].causes},
        'wrench': np.concatenate([b.wrench for b in blocks])}


def test_replay_of_a_simulated_bag_leaves_only_differentiation_error(result: ReplayResult
                                                                     ) -> None:
    assert result.valid_samples > 0.96 * result.samples == 0.96 * 1200
    for joint in result.joints:
        assert joint.residual_rms < 1e-4 * joint.measured_rms
        assert joint.explained > 1 - 1e-7
        assert joint.scale == pytest.approx(1, abs=1e-4)
        assert abs(joint.lag) < 1e-4


def test_both_methods_agree(result: ReplayResult) -> None:
    assert 0 < result.method_difference < 1e-10


def test_causes_add_up_and_those_of_the_base_are_moving_minus_fixed(result: ReplayResult
                                                                    ) -> None:
    data = series(result)
    ok, causes = data['valid'], data['causes']
    total = sum(causes.values())
    assert np.allclose(total[ok], data['computed'][ok], atol=1e-10)
    of_base = causes['tilt'] + causes['base_inertial'] + causes['base_coriolis']
    assert np.allclose(of_base[ok], (data['computed'] - data['fixed'])[ok], atol=1e-10)


def test_the_torque_stands_at_the_stamps_of_the_recording(motion: Truth, result: ReplayResult
                                                          ) -> None:
    data = series(result)
    assert np.array_equal(data['stamps'], motion.stamp_ns)
    error = np.abs(data['computed'] - motion.effort)[data['valid']]
    assert error.max() < 5e-3


def test_the_wrench_on_the_deck_is_that_of_the_true_motion(motion: Truth, result: ReplayResult
                                                           ) -> None:
    from robot_dynamics.dynamics.inverse import InverseDynamics
    true = InverseDynamics(motion.model, backend='interpreted').base_wrench(
        motion.q, motion.qd, motion.qdd, motion.base)
    data = series(result)
    assert np.abs(data['wrench'] - true)[data['valid']].max() < 1e-2


def test_the_base_is_seen_as_it_moved(result: ReplayResult) -> None:
    assert result.base.known and result.base.gravity_known
    assert result.base.roll_peak_deg == pytest.approx(np.degrees(0.15), abs=0.02)
    assert result.base.pitch_peak_deg == pytest.approx(np.degrees(0.08), abs=0.02)


def test_the_moving_base_is_worth_what_the_fixed_base_misses(result: ReplayResult) -> None:
    for joint in result.joints:
        assert joint.fixed_residual_rms == pytest.approx(joint.base_rms, rel=1e-3)
        assert joint.moving_base_worth > 1000


@pytest.mark.parametrize('lag', [0.02, -0.013, 0.0])
def test_a_lag_is_found_also_under_friction(tmp_path: Path, lag: float) -> None:
    motion = truth(20.0)
    time = np.arange(len(motion.q)) / 100
    friction = np.tanh(motion.qd / 0.02) * [2, 3, 1, 0.01, 0.05, 0.0005]
    late = np.stack([np.interp(time - lag, time, column)
                     for column in (motion.effort + friction).T], axis=1)
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=late)), PA10)
    for joint in result.joints[:3]:
        assert joint.lag == pytest.approx(lag, abs=2e-3)


def test_friction_is_found_within_its_stated_uncertainty(tmp_path: Path) -> None:
    motion = truth(40.0)
    rng = np.random.default_rng(8)
    viscous, coulomb, offset = 4.0, 2.5, -0.8
    # noise that is correlated in time, as that of real efforts
    noise = np.apply_along_axis(np.convolve, 0, rng.normal(size=motion.q.shape),
                                np.ones(20) / 20, 'same')
    effort = motion.effort + viscous * motion.qd + coulomb * np.tanh(motion.qd / 0.02) \
        + offset + noise
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(effort=effort)), PA10)
    distances = []
    for joint in result.joints:
        fit = joint.friction
        assert fit is not None
        assert fit.residual_rms == pytest.approx(noise.std(), rel=0.1)
        assert joint.explained_with_friction == pytest.approx(
            1 - (noise.std() / effort[:, int(joint.name[-1]) - 1].std())**2, abs=0.01)
        distances += [(fit.viscous - viscous) / fit.viscous_error,
                      (fit.coulomb - coulomb) / fit.coulomb_error,
                      (fit.offset - offset) / fit.offset_error]
        assert 0.005 < fit.coulomb_error < 0.2
    assert np.abs(distances).max() < 4
    assert 0.4 < np.sqrt(np.mean(np.square(distances))) < 2.0


def test_a_joint_at_rest_has_no_friction_fit(motion: Truth, tmp_path: Path) -> None:
    q, qd = motion.q.copy(), motion.qd.copy()
    q[:, 5], qd[:, 5] = 0.3, 0.0
    result = analyze_bag(write(tmp_path / 'a.mcap', motion.changed(q=q, qd=qd)), PA10)
    assert result.joint('joint6').friction is None
    assert result.joint('joint2').friction is not None


def test_small_blocks_and_disk_tables_change_nothing(bag: Path, result: ReplayResult,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    whole = series(result)
    monkeypatch.setattr(alignment, 'BLOCK', 97)
    monkeypatch.setattr(columns, 'MEMORY_LIMIT', 4096)
    with analyze_bag(bag, PA10) as other:
        pieces = series(other)
        for name in ('computed', 'fixed', 'wrench', 'stamps', 'valid'):
            assert np.array_equal(pieces[name], whole[name], equal_nan=True)
        for a, b in zip(other.joints, result.joints):
            assert a.residual_rms == pytest.approx(b.residual_rms, rel=1e-9)


def test_compiled_and_interpreted_analysis_agree(bag: Path, result: ReplayResult) -> None:
    with analyze_bag(bag, PA10, ReplayOptions(backend='numba')) as compiled:
        a, b = series(compiled), series(result)
        assert np.allclose(a['computed'], b['computed'], atol=1e-9, equal_nan=True)


def test_the_bandwidth_is_stated_and_limits_what_is_seen(motion: Truth, bag: Path) -> None:
    slow = analyze_bag(bag, PA10, ReplayOptions(settings=Settings(bandwidth=1.0)))
    assert slow.bandwidth == pytest.approx(1.0)
    fast = analyze_bag(bag, PA10, ReplayOptions(settings=Settings(bandwidth=500.0)))
    assert 20 < fast.bandwidth < 30
    assert any(f.code == 'bandwidth' for f in fast.findings)
    assert slow.joint('joint6').residual_rms > 100 * fast.joint('joint6').residual_rms


def test_the_result_is_json_without_nan(result: ReplayResult) -> None:
    text = json.dumps(result.to_dict(), allow_nan=False)
    data = json.loads(text)
    assert data['joints'][1]['name'] == 'joint2'
    assert data['joints'][1]['friction']['viscous_error'] > 0


def test_rotor_inertia_adds_its_torque_as_a_cause(motion: Truth, tmp_path: Path) -> None:
    rotors = np.array([0.75, 0.75, 0.2, 0.006, 0.006, 0.006])
    path = write(tmp_path / 'a.mcap', motion.changed(effort=motion.effort + rotors * motion.qdd))
    options = ReplayOptions(rotor_inertia=dict(zip(motion.names, rotors)))
    with_it, without = analyze_bag(path, PA10, options), analyze_bag(path, PA10)
    assert with_it.joint('joint1').residual_rms < 1e-3 * without.joint('joint1').residual_rms
    assert with_it.joint('joint2').cause_rms['rotor'] == pytest.approx(
        0.75 * np.sqrt(np.mean(motion.qdd[:, 1]**2)), rel=0.02)
    assert 'rotor' not in without.joint('joint2').cause_rms


def test_friction_of_the_description_can_be_part_of_the_model(motion: Truth, tmp_path: Path
                                                              ) -> None:
    from robot_dynamics.dynamics.inverse import InverseDynamics
    friction = InverseDynamics(motion.model, backend='interpreted').friction_torque(motion.qd)
    path = write(tmp_path / 'a.mcap', motion.changed(effort=motion.effort + friction))
    with_it = analyze_bag(path, PA10, ReplayOptions(friction=True))
    without = analyze_bag(path, PA10)
    assert with_it.joint('joint1').residual_rms < 0.05 * without.joint('joint1').residual_rms
    assert with_it.joint('joint1').cause_rms['friction'] > 1
    assert 'friction' not in without.joint('joint1').cause_rms

import dataclasses
import json

import numpy as np
import pytest

from robot_dynamics.app.demo.configured import configured_ship
from robot_dynamics.app.demo.pa10 import (
    FEEDBACK_ONLY, FIXED_BASE, MOVING_BASE, pa10_dynamics, Pa10Demo, STILL_DECK, torque_by_cause)
from robot_dynamics.app.demo.runs import Run
from robot_dynamics.app.demo.summary import as_text, write_summary
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.motion.joint_series import JointSeries
from robot_dynamics.ship.ship_motion import ShipMotion
from robot_dynamics.simulation.motions import demo_sinusoid
from robot_dynamics.simulation.run_trace import read_trace, trace_rows, TraceWriter
from robot_dynamics.simulation.tracking_statistics import tracking_error, TrackingError

# error of joint 1 in rad; the others have a tenth of it
ERRORS = {FEEDBACK_ONLY: 0.05, FIXED_BASE: 0.02, MOVING_BASE: 1e-4, STILL_DECK: 5e-5}
SCENARIO = ShipPa10(lockstep=True, duration=1.0)
MODES = Pa10Demo.modes


def made_up_run(mode, error, skip=()):
    reference = demo_sinusoid()
    keep = np.setdiff1d(np.arange(751), skip)
    time = 9.5 + 0.002 * keep
    desired = reference.sample(time - 10.0)
    offset = error * np.array([1.0, 0.1, 0.1, 0.1, 0.1, 0.1])
    return Run(mode, JointSeries(
        time, reference.names, desired.position - offset, desired.velocity,
        effort=np.full((len(time), 6), 10.0)), 10.0, 1.5)


def outcome(runs, scenario=SCENARIO):
    return Pa10Demo(scenario).outcome(runs, lambda *_: None)


@pytest.fixture(scope='module')
def result():
    return outcome({mode.key: made_up_run(mode, error) for mode, error in ERRORS.items()})


def test_tracking_rms_is_that_of_the_window_after_the_epoch(result):
    error = result.tracking.errors[FIXED_BASE.key]
    np.testing.assert_allclose(error.rms, 0.02 * np.array([1, 0.1, 0.1, 0.1, 0.1, 0.1]))
    assert error.overall == pytest.approx(0.02 * np.sqrt(1.05 / 6))
    assert (error.time.min(), error.time.max()) == pytest.approx((0.0, 1.0))


def test_the_error_of_the_ship_alone_is_moving_minus_still(result):
    np.testing.assert_allclose(result.ship_alone[MOVING_BASE.key].error[:, 0], 5e-5)
    assert result.ship_alone_ratio == pytest.approx((0.02 - 5e-5) / 5e-5)


def test_runs_that_are_sampled_at_other_instants_are_compared_all_the_same():
    time = np.linspace(0.0, 1.0, 501)
    one = TrackingError(('a',), time, np.sin(time)[:, None])
    other = TrackingError(('a',), time + 0.0007, np.sin(time + 0.0007)[:, None])
    difference = one.minus(other)
    np.testing.assert_allclose(difference.error, 0.0, atol=1e-6)
    assert len(difference.time) == 500
    with pytest.raises(ConfigurationError, match='overlap'):
        one.minus(TrackingError(('a',), time + 5.0, other.error))


def test_ratios_and_targets_follow_from_the_errors(result):
    assert result.ratio == pytest.approx(200.0)
    np.testing.assert_allclose(result.ratio_by_joint, 200.0)
    assert [target.met for target in result.targets] == [True, True, True]


def test_a_target_that_is_missed_is_told_as_missed():
    runs = {mode.key: made_up_run(mode, 0.02) for mode in MODES}
    runs[STILL_DECK.key] = made_up_run(STILL_DECK, 0.01)
    missed = outcome(runs)
    assert [target.met for target in missed.targets] == [False, False, False]
    assert as_text(missed).count('NOT MET') == 3


def test_feedback_alone_supplies_all_of_the_torque_and_a_small_error_little(result):
    assert result.tracking.feedback_share[FEEDBACK_ONLY.key] == 1.0
    assert 0.0 < result.tracking.feedback_share[MOVING_BASE.key] < 0.01
    assert result.tracking.feedback_share[FIXED_BASE.key] == pytest.approx(
        200.0 * result.tracking.feedback_share[MOVING_BASE.key], rel=1e-2)


def test_missed_cycles_are_the_gaps_of_the_trace(result):
    assert set(result.tracking.missed_cycles.values()) == {0}
    runs = {mode.key: made_up_run(mode, 0.01, skip=(300, 301, 500)) for mode in MODES}
    assert set(outcome(runs).tracking.missed_cycles.values()) == {3}


def test_the_summary_holds_every_figure_of_the_table(result, tmp_path):
    write_summary(result, tmp_path / 'summary.json')
    summary = json.loads((tmp_path / 'summary.json').read_text())
    assert summary['tracking_rms_rad'][FIXED_BASE.key]['joint1'] == pytest.approx(0.02)
    assert set(summary['tracking_rms_rad']) == {mode.key for mode in MODES}
    assert summary['ratios']['fixed_over_moving']['overall'] == pytest.approx(200.0)
    assert summary['rate_hz'][STILL_DECK.key] == pytest.approx(500.0)
    assert summary['missed_cycles'] == {mode.key: 0 for mode in MODES}
    assert len(summary['targets']) == 3
    assert summary['options'] == dataclasses.asdict(SCENARIO)
    text = as_text(result)
    for mode in MODES:
        assert mode.label in text


def test_the_figure_is_drawn(result, tmp_path):
    Pa10Demo(SCENARIO).draw(result, tmp_path / 'figure.png')
    assert (tmp_path / 'figure.png').read_bytes().startswith(b'\x89PNG')


def test_causes_sum_to_the_torque_of_the_moving_base():
    causes = torque_by_cause(SCENARIO)
    total = pa10_dynamics(SCENARIO, 'interpreted').torque(
        *demo_sinusoid().sample(causes.time), ShipMotion.regular().at(causes.time))
    np.testing.assert_allclose(
        causes.own_motion + causes.level_gravity + causes.ship, total, atol=1e-9)


def test_the_ship_of_the_configuration_is_that_of_the_paper():
    t, ship = np.linspace(0.0, 12.0, 50), ShipMotion.regular()
    np.testing.assert_array_equal(configured_ship(ShipPa10).at(t).packed, ship.at(t).packed)


def test_a_trace_can_be_read_while_it_grows(tmp_path):
    path = tmp_path / 'trace.bin'
    assert trace_rows(path, 2) == 0
    writer = TraceWriter(path, ['a', 'b'])
    for k in range(250):
        writer.append(0.002 * k, [k, -k], [1.0, 2.0], [3.0, 4.0])
    assert trace_rows(path, 2) == 200
    writer.close()
    trace = read_trace(path)
    assert trace.names == ('a', 'b') and len(trace) == 250
    np.testing.assert_array_equal(trace.position[7], [7, -7])
    np.testing.assert_array_equal(trace.effort[249], [3.0, 4.0])


@pytest.mark.parametrize('content', [b'', b'hello', b'{"names": ["a"]}\n'])
def test_a_file_that_is_no_trace_is_refused(tmp_path, content):
    path = tmp_path / 'trace.bin'
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match='trace.bin'):
        read_trace(path)


def test_a_run_that_ended_too_early_is_refused():
    run = made_up_run(FIXED_BASE, 0.01)
    with pytest.raises(ConfigurationError, match='no state between'):
        tracking_error(run.trace, demo_sinusoid(), run.epoch, 5.0, 6.0)

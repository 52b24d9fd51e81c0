import dataclasses
import json

import numpy as np
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.app.demo.outcome import Tracking
from robot_dynamics.app.demo.pa10 import pa10_dynamics
from robot_dynamics.app.demo.sea import SeaDemo, SeaOutcome
from robot_dynamics.app.demo.sea_variants import (
    EXACT, FIXED, NO_FORCE, OURS, run_variant, ship_of, SIMPLE, VariantRun, VARIANTS)
from robot_dynamics.app.demo.summary import as_text, write_summary
from robot_dynamics.app.scenarios import ShipPa10
from robot_dynamics.ship.ship_config import ship_from_parameters
from robot_dynamics.simulation.motions import PA10_JOINTS
from robot_dynamics.simulation.tracking_statistics import TrackingError

AT_SEA = ShipPa10(lockstep=True, sea_state=4, base_distance=10.0, duration=2.0, lead_in=1.5)
# tracking error in rad of made-up runs
ERRORS = {EXACT: 1e-5, OURS: 1e-4, SIMPLE: 1.5e-4, NO_FORCE: 3e-3, FIXED: 6e-3}


def made_up(scenario, errors=ERRORS):
    time = np.linspace(0.0, 2.0, 101)
    plain = {variant.key: VariantRun(
        errors.get(variant, 1e-3), 0.0 if variant is EXACT else 0.1, 0.01, time,
        np.full(101, errors.get(variant, 1e-3))) for variant in VARIANTS}
    dds = {mode.key: TrackingError(PA10_JOINTS, time, np.full((101, 6), mode_error))
           for mode, mode_error in ((variant.mode, errors[variant])
                                    for variant in VARIANTS if variant.changes)}
    return SeaOutcome(Tracking(scenario, PA10_JOINTS, dds, {}, {}, {}, {}), plain)


@pytest.fixture(scope='module')
def runs():
    model = pa10_dynamics(AT_SEA).model
    return {variant: run_variant(variant, model, AT_SEA)
            for variant in (EXACT, OURS, SIMPLE, NO_FORCE, FIXED)}


@pytest.mark.slow
def test_at_sea_knowing_the_base_is_worth_twenty_times_and_more(runs):
    assert runs[FIXED].tracking > 20 * runs[OURS].tracking
    assert runs[OURS].tracking > runs[EXACT].tracking


@pytest.mark.slow
def test_in_its_first_seconds_the_default_leads_an_arm_no_worse_than_the_simple_estimator(runs):
    assert runs[OURS].tracking < runs[SIMPLE].tracking


@pytest.mark.slow
def test_without_the_accelerometer_most_of_it_is_lost_far_from_the_rotation_centre(runs):
    assert runs[NO_FORCE].tracking > 10 * runs[OURS].tracking
    assert runs[NO_FORCE].torque > 5 * runs[OURS].torque


@pytest.mark.slow
def test_exact_base_motion_leaves_no_torque_error(runs):
    assert runs[EXACT].torque < 1e-9
    assert runs[FIXED].torque > 0.3


@pytest.mark.slow
def test_the_window_is_that_of_the_reference(runs):
    run = runs[OURS]
    assert (run.time[0], run.time[-1]) == pytest.approx((0.0, 1.998))
    assert run.tracking == pytest.approx(np.sqrt(np.mean(run.error**2)))


@pytest.mark.parametrize('scenario, least', [
    (ShipPa10(lockstep=True), '40'), (AT_SEA, '20')])
def test_the_target_is_that_of_the_ship(scenario, least):
    outcome = made_up(scenario)
    assert [target.met for target in outcome.targets] == [True, True]
    assert all(f'at least {least} times' in target.text for target in outcome.targets)
    missed = made_up(scenario, {**ERRORS, OURS: 1e-3})
    assert as_text(missed).count('NOT MET') == 2


def test_the_table_says_what_the_accelerometer_is_worth():
    assert 'tracking error is 30 times that with it' in as_text(made_up(AT_SEA))
    useless = made_up(ShipPa10(lockstep=True), {**ERRORS, NO_FORCE: 8e-5})
    assert 'adds nothing but its noise' in as_text(useless)


def test_the_summary_holds_every_variant_with_its_figures(tmp_path):
    write_summary(made_up(AT_SEA), tmp_path / 'summary.json')
    summary = json.loads((tmp_path / 'summary.json').read_text())
    assert set(summary['variants']) == {variant.key for variant in VARIANTS}
    assert summary['variants']['ours']['fixed_over_this'] == pytest.approx(60.0)
    assert summary['variants']['without_prediction']['dds_tracking_rms_rad'] is None
    assert summary['options']['sea_state'] == 4 and summary['options']['base_distance'] == 10.0
    assert [target['met'] for target in summary['targets']] == [True, True]


def test_the_figure_is_drawn(tmp_path):
    SeaDemo(AT_SEA).draw(made_up(AT_SEA), tmp_path / 'at_sea.png')
    assert (tmp_path / 'at_sea.png').stat().st_size > 20_000


def test_over_dds_the_nodes_get_the_same_ship_place_and_estimator():
    scenario = dataclasses.replace(AT_SEA, **SIMPLE.mode.changes)
    by_name = {process.name: process.parameters for process in scenario.processes()}
    ships = [{name: value for name, value in by_name[node].items() if name.startswith('ship.')}
             for node in ('ship_motion_publisher', 'simulated_robot')]
    assert ships[0] == ships[1]
    built = ship_from_parameters(
        {name[len('ship.'):]: value for name, value in ships[0].items()})
    times = np.linspace(-5.0, 10.0, 20)
    np.testing.assert_array_equal(built.at(times).packed, ship_of(AT_SEA).at(times).packed)
    assert by_name['ship_motion_publisher']['base_point'] == [10.0, 0.0, 0.0]
    assert by_name['simulated_robot']['arm.base_point'] == [10.0, 0.0, 0.0]
    assert by_name['feedforward']['estimator'] == 'savitzky_golay'
    still = dataclasses.replace(scenario, still_deck=True).processes()[0].parameters
    assert still['ship.mode'] == 'regular' and still['ship.roll.amplitude'] == [0.0]


@pytest.mark.parametrize('words, says', [
    (['--sea-state', '9'], '--sea-state 9: expected 1 to 8'),
    (['--sea-state', '4', '--friction'], '--friction: not together'),
    (['--base-distance', '5', '--real-time'], '--real-time: not together'),
    (['--base-distance', '1000'], '--base-distance'),
    (['--base-distance', 'far'], '--base-distance')])
def test_what_the_demo_at_sea_cannot_do_is_refused_in_one_line(words, says, capsys):
    try:
        code = main(['demo', 'pa10', *words])
    except SystemExit as exit_:
        code = exit_.code
    assert code == 2
    assert says in capsys.readouterr().err


def test_the_mobile_manipulator_knows_no_sea_state(capsys):
    assert main(['demo', 'mobile_manipulator', '--sea-state', '4']) == 2
    assert '--sea-state: belongs to the PA10' in capsys.readouterr().err

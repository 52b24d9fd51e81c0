"""The recomputed papers: every error and ratio against numbers of other software."""

import csv
import json
from pathlib import Path

import numpy as np
from papers import anthropomorphic, pa10, three_link
from papers.anthropomorphic_equations import MISPRINTS, RodArm
from papers.pa10_variants import VARIANTS
from papers.tables import ResultTable, write_csv
from papers.three_link_equations import PointMassArm
from papers.timing import time_methods
import pytest

from robot_dynamics import RobotModel
from robot_dynamics.core.errors import InputError, ModelError
from robot_dynamics.core.resources import resource_path

GOLDEN = json.loads((Path(__file__).parents[1] / 'data' / 'golden.json').read_text())
AT_100_HZ = {
    'eq35_as_printed': 'literal eq35 (angles as rates), g rotated',
    'eq35_dotted': 'dotted eq35 [ad,bd,0]/[add,bdd,0], g rotated',
    'eq35_dotted_level': 'dotted eq35, g NOT rotated',
    'eq35_as_printed_level': 'literal eq35, g NOT rotated',
    'level_gravity': 'exact w, g NOT rotated',
    'world_axes': 'world-frame w used as body w',
    'no_base_motion': 'no base motion at all',
}
AT_20_HZ = {  # these two golden rows were taken every 50 ms
    'half_the_coupling': 'eq18 without factor 2',
    'gravity_reversed': 'eq13/16 gravity sign +',
}


@pytest.fixture(scope='module')
def ship():
    return pa10.compute(timing=False, backend='interpreted')


@pytest.fixture(scope='module')
def ship_at_20_hz():
    return pa10.compute(rate=20.0, timing=False, backend='interpreted')


@pytest.fixture(scope='module')
def rods():
    return anthropomorphic.compute(duration=0.4)


@pytest.fixture(scope='module')
def points():
    return three_link.compute()


# -------------------------------------------------------------------------- pa10


@pytest.mark.parametrize('key', [*AT_100_HZ, *AT_20_HZ])
def test_each_misprint_of_paper_003_makes_the_golden_error(ship, ship_at_20_hz, key):
    result = ship if key in AT_100_HZ else ship_at_20_hz
    golden = GOLDEN['pa10_error_table'][{**AT_100_HZ, **AT_20_HZ}[key]]
    error = result.errors[key]
    np.testing.assert_allclose(np.abs(error).max(axis=0), golden['max_abs_err'], atol=1e-9)
    np.testing.assert_allclose(np.sqrt((error**2).mean(axis=0)), golden['rms_err'], atol=1e-9)


def test_every_variant_is_held_against_a_golden_row():
    assert {variant.key for variant in VARIANTS} == {*AT_100_HZ, *AT_20_HZ}


def test_figure_4_runs_through_the_golden_torques(ship):
    for sample in GOLDEN['pa10_6ce']['cases'][0]['samples']:
        row = int(round(100 * sample['t']))
        assert ship.time[row] == pytest.approx(sample['t'])
        np.testing.assert_allclose(ship.position[row], sample['q'], atol=1e-12)
        np.testing.assert_allclose(ship.with_ship[row], sample['tau_with_base'], atol=1e-9)
        np.testing.assert_allclose(ship.without_ship[row], sample['tau_without_base'], atol=1e-9)


def test_peak_and_rms_of_the_right_torques_are_golden(ship):
    golden = GOLDEN['pa10_error_table']
    np.testing.assert_allclose(np.abs(ship.with_ship).max(axis=0), golden['peak_tau_exact'],
                               atol=1e-9)
    np.testing.assert_allclose(np.sqrt((ship.with_ship**2).mean(axis=0)),
                               golden['rms_tau_exact'], atol=1e-9)


@pytest.mark.parametrize('index, key', list(enumerate([
    'peak_tau_exact', 'peak_tau literal A6=1.2', 'peak_tau bracket A6=12',
    'peak_tau literal A6=12'])))
def test_each_reading_of_eq_37_and_table_4_has_the_golden_peaks(ship, index, key):
    np.testing.assert_allclose(ship.readings[index].peak_torque, GOLDEN['pa10_error_table'][key],
                               atol=1e-9)


def test_only_the_reading_meant_stays_inside_the_limits_of_the_last_joint(ship):
    speed = ship.model.velocity_limit[5]
    assert [reading.peak_velocity[5] < speed for reading in ship.readings] == [
        True, True, False, False]


def test_the_two_methods_differ_by_rounding_and_by_far_less_than_any_misprint(ship):
    assert np.abs(ship.between_methods).max() < 1e-11
    assert min(np.abs(error).max() for error in ship.errors.values()) > 0.5


def test_findings_carry_the_computed_numbers(ship, ship_at_20_hz):
    assert f'{np.abs(ship.errors["eq35_as_printed"]).max():.1f} N m' in ship.findings()[3]
    assert ship.findings() != ship_at_20_hz.findings()


def test_times_are_taken_of_both_methods_and_ratios_follow(ship):
    from robot_dynamics import BaseMotion, InverseDynamics
    dynamics = {method: InverseDynamics(ship.model, method=method, backend='interpreted')
                for method in pa10.METHODS}
    still = BaseMotion(np.zeros((3, 3)))
    times = time_methods(dynamics, *np.zeros((3, 3, 6)), still, rounds=1, calls=2)
    assert times.samples == 3
    for seconds in (times.kernel, times.call, times.batch):
        assert set(seconds) == set(pa10.METHODS)
        assert all(0 < value < 1 for value in seconds.values())


@pytest.mark.parametrize('options', [{'duration': 0.001}, {'rate': 0.0}, {'duration': -1.0},
                                     {'duration': float('nan')}])
def test_a_run_without_samples_is_refused(options):
    with pytest.raises(InputError):
        pa10.compute(timing=False, backend='interpreted', **options)


# -------------------------------------------------------------------- three links


def test_the_closed_form_of_paper_001_agrees_with_its_urdf(points):
    np.testing.assert_allclose(points.closed_form, points.dynamics, atol=1e-9)


def test_motors_carry_the_sum_of_absolute_torques(points):
    np.testing.assert_allclose(
        points.motors[:, 1], points.closed_form[:, 1] + points.closed_form[:, 2], atol=1e-9)
    np.testing.assert_allclose(points.motors[:, [0, 2]], points.closed_form[:, [0, 2]], atol=1e-9)


def test_the_sign_in_table_1_costs_twice_the_centrifugal_term(points):
    """Table I less right, without what the turning base adds: -2 m2 l1 l2 th2'^2 sin D."""
    arm, state = points.arm, points.state
    D = state.angle[:, 1] - state.angle[:, 2]
    term = -2 * arm.m2 * arm.l1 * arm.l2 * state.rate[:, 2]**2 * np.sin(D)
    still = three_link.decoupled(arm, state)
    np.testing.assert_allclose(points.printed['Table I'][:, 1] - still[:, 1], term, atol=1e-12)
    assert np.abs(term).max() > 1.0


# ----------------------------------------------------------------- anthropomorphic


@pytest.mark.slow
def test_eq_17_corrected_agrees_with_its_urdf_and_as_printed_does_not(rods):
    np.testing.assert_allclose(rods.closed_form, rods.dynamics, atol=1e-9)
    assert np.abs(rods.printed - rods.dynamics).max() > 1.0


def test_misprints_of_eq_17_add_up(rods):
    together = sum(rods.errors[misprint.key] for misprint in MISPRINTS)
    np.testing.assert_allclose(rods.printed - rods.closed_form, together, atol=1e-12)
    assert all(np.abs(error).max() > 1e-3 for error in rods.errors.values())


@pytest.mark.parametrize('frame', ['link', 'base'])
def test_the_tip_load_is_that_of_an_external_wrench(rods, frame):
    np.testing.assert_allclose(rods.load_differences[frame], 0.0, atol=1e-12)
    assert np.abs(rods.load_torque).max(axis=0).min() > 0.1


def test_right_torques_bring_the_simulated_arm_back_onto_its_plan(rods):
    np.testing.assert_allclose(rods.driven_right.position, rods.planned.q, atol=1e-4)
    np.testing.assert_allclose(rods.driven_right.velocity, rods.planned.qd, atol=1e-3)


def test_printed_torques_lead_the_simulated_arm_astray(rods):
    near, far = (rods.astray_after(limit) for limit in anthropomorphic.ASTRAY)
    assert 0 < near < far < 0.4
    assert rods.astray_after(1e9) is None


def test_energy_drift_falls_with_the_fourth_power_of_the_step(rods):
    steps, drifts = np.array(rods.drift).T
    slope = np.polyfit(np.log(steps), np.log(drifts), 1)[0]
    assert 3.5 < slope < 5.5


# --------------------------------------------------------------------- all papers


def test_every_paper_says_what_it_found_and_saves_it_with_all_digits(
        ship, points, rods, tmp_path):
    for result in (ship, points, rods):
        assert result.findings() and all(text.endswith('.') for text in result.findings())
        for path, table in zip(write_csv(result, tmp_path), result.tables()):
            rows = list(csv.reader(path.open()))
            assert rows[0] == list(table.header) and len(rows) == 1 + len(table.rows)
            for read, written in zip(rows[1:], table.rows):
                assert len(read) == len(table.header)
                for text, value in zip(read, written):
                    assert text == value or float(text) == value
    columns = np.loadtxt(tmp_path / 'pa10_figure_4.csv', delimiter=',', skiprows=1)
    np.testing.assert_array_equal(columns[:, 9:15], ship.with_ship)


def test_a_table_shows_rounded_numbers_without_a_negative_zero():
    table = ResultTable('t', 'title', ['a', 'b'], [['x', -1e-9], ['y', 2.5]], '.2f')
    assert table.shown() == [['x', '0.00'], ['y', '2.50']]


@pytest.mark.slow
def test_figures_of_every_paper_are_drawn(ship, points, rods, tmp_path):
    from papers import anthropomorphic_figures, pa10_figures, three_link_figures
    written = [*pa10_figures.draw(ship, tmp_path), *three_link_figures.draw(points, tmp_path),
               *anthropomorphic_figures.draw(rods, tmp_path)]
    assert len({path.name for path in written}) == 9
    for path in written:
        assert path.read_bytes().startswith(b'\x89PNG') and path.stat().st_size > 10_000


@pytest.mark.parametrize('arm', [PointMassArm, RodArm])
def test_the_closed_forms_refuse_another_arm(arm):
    with pytest.raises(ModelError, match='6 joints'):
        arm.from_model(RobotModel.from_urdf(resource_path('urdf/pa10.urdf')), 9.81)

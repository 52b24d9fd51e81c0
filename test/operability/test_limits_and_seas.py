"""Limits as rows of loads, statistics in closed form, and seas that are refused."""

import math

import numpy as np
import pytest

from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.operability.limits import (
    bolt_limit, deck_limits, effort_limits, slip_limit, tipping_limit)
from robot_dynamics.operability.seas import check_coverage, read_scatter, sea_grid, sea_states
from robot_dynamics.operability.short_term import (
    exceedance_probability, exceedances, most_probable_maximum, zero_crossing_rate)
from robot_dynamics.ship.rao import RaoTable
from robot_dynamics.ship.spectra import WaveSpectrum


def test_effort_limits_are_those_of_the_description_and_can_be_replaced(pa10):
    limits = {limit.name: limit.bound for limit in effort_limits(pa10, {'joint2': 100.0})}
    assert limits['joint1'] == pa10.effort_limit[0]
    assert limits['joint2'] == 100.0


@pytest.mark.parametrize('value', [0.0, -1.0])
def test_a_limit_that_is_not_positive_is_refused(pa10, value):
    with pytest.raises(ConfigurationError, match='joint2'):
        effort_limits(pa10, {'joint2': value})


def test_a_limit_of_an_unknown_joint_names_those_that_exist(pa10):
    with pytest.raises(UnknownNameError, match='joint1'):
        effort_limits(pa10, {'joint9': 1.0})


def test_bolts_carry_what_the_robot_pulls_and_tilts():
    nv, count, radius = 2, 8, 0.15
    rows = bolt_limit(nv, count, radius, 1e4).rows
    wrench = np.random.default_rng(1).normal(size=6)
    tension = rows @ np.concatenate([np.zeros(nv), wrench])
    angle = 2 * np.pi * np.arange(count) / count
    assert tension.sum() == pytest.approx(wrench[2])
    assert (tension * radius * np.sin(angle)).sum() == pytest.approx(wrench[3])
    assert -(tension * radius * np.cos(angle)).sum() == pytest.approx(wrench[4])


def test_a_magnitude_on_the_deck_is_short_by_two_percent_at_most():
    rows = deck_limits(0, force=1.0)[0].rows
    for force in np.random.default_rng(3).normal(size=(200, 3)):
        seen = (rows @ np.concatenate([force, np.zeros(3)])).max() / np.linalg.norm(force)
        assert 0.98 < seen <= 1.0 + 1e-12


@pytest.mark.parametrize('zmp, stands', [((0.0, 0.0), True), ((0.49, 0.0), True),
                                         ((0.51, 0.0), False), ((0.0, -0.31), False)])
def test_tipping_begins_where_the_resultant_leaves_the_support_polygon(zmp, stands):
    corners = np.array([[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]])
    weight = 500.0
    wrench = np.array([0.0, 0.0, weight, zmp[1] * weight, -zmp[0] * weight, 0.0])
    limit = tipping_limit(0, corners)
    assert bool((limit.rows @ wrench <= limit.bound).all()) is stands


def test_slip_begins_where_friction_ends():
    limit = slip_limit(0, 0.5)
    for angle in np.linspace(0.0, 6.0, 9):
        push = np.array([math.cos(angle), math.sin(angle)])
        held = np.concatenate([0.48 * push, [1.0, 0, 0, 0]])
        slips = np.concatenate([0.52 * push, [1.0, 0, 0, 0]])
        assert (limit.rows @ held <= 0.0).all()
        assert (limit.rows @ slips > 0.0).any()


def test_one_exceedance_is_expected_at_the_most_probable_maximum():
    level = most_probable_maximum(2.0, 3.0, 0.1, 10800.0)
    assert exceedances(2.0, 3.0, 0.1, level, 10800.0) == pytest.approx(1.0)
    assert exceedance_probability(1.0) == pytest.approx(1.0 - math.exp(-1.0))


def test_a_mean_beyond_the_limit_is_exceeded_for_certain():
    assert exceedance_probability(exceedances(5.0, 0.1, 0.1, 4.0, 60.0)) == 1.0


def test_what_does_not_move_crosses_nothing():
    assert zero_crossing_rate(0.0, 0.0) == 0.0
    assert exceedances(1.0, 0.0, 0.0, 4.0, 60.0) == 0.0


def test_sea_states_and_grids_hold_what_was_asked_for():
    assert [sea.state for sea in sea_states(3, 5)] == [3, 4, 5]
    grid = sea_grid([1.0, 2.0], [6.0, 9.0])
    assert {(sea.significant_wave_height, sea.peak_period) for sea in grid} == {
        (1.0, 6.0), (2.0, 6.0), (1.0, 9.0), (2.0, 9.0)}


def test_a_table_that_does_not_cover_the_sea_is_refused_with_its_range():
    hull = RaoTable.supply_vessel()
    check_coverage(hull, [WaveSpectrum(1.0, 9.0)])
    with pytest.raises(ConfigurationError, match=r'0.105 to 3.14 rad/s.*peak period 2 s'):
        check_coverage(hull, [WaveSpectrum(1.0, 2.0)])


@pytest.mark.parametrize('rows, complaint', [
    ('1,8,0.5\n2,9,0.4', 'sum to 0.9'), ('1,8,50\n2,9,50', 'sum to 100'),
    ('1,0,1', 'positive'), ('1,8,much', "'much' in column occurrence")])
def test_a_wrong_scatter_diagram_is_refused(tmp_path, rows, complaint):
    path = tmp_path / 'scatter.csv'
    path.write_text(f'hs,tp,occurrence\n{rows}\n')
    with pytest.raises(ConfigurationError, match=complaint):
        read_scatter(str(path))


def test_a_scatter_diagram_without_a_column_names_it(tmp_path):
    path = tmp_path / 'scatter.csv'
    path.write_text('hs,tp\n1,8\n')
    with pytest.raises(ConfigurationError, match="'occurrence' is missing"):
        read_scatter(str(path))

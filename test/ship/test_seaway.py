"""Waves: spectra, encounter frequency, and the tables of response operators."""

import math

import numpy as np
import pytest

from robot_dynamics.core.errors import (
    ConfigurationError, InputError, RobotDynamicsError, UnknownNameError)
from robot_dynamics.ship.hull import ClosedFormHull
from robot_dynamics.ship.irregular_motion import encounter_frequency, Seaway, wave_components
from robot_dynamics.ship.rao import RaoTable
from robot_dynamics.ship.spectra import SEA_STATES, SPECTRA, wave_spectrum, WaveSpectrum

G = 9.80665


@pytest.mark.parametrize('kind', SPECTRA)
@pytest.mark.parametrize('height', [0.88, 5.0])
def test_significant_height_is_four_root_m0(kind, height):
    spectrum = WaveSpectrum(height, 9.0, kind)
    assert 4 * math.sqrt(spectrum.moment(0)) == pytest.approx(height, rel=1e-3)


@pytest.mark.parametrize('kind', SPECTRA)
def test_the_density_peaks_at_the_modal_period(kind):
    w = np.linspace(0.3, 2.0, 20001)
    spectrum = WaveSpectrum(3.0, 9.0, kind)
    assert w[np.argmax(spectrum.density(w))] == pytest.approx(2 * math.pi / 9.0, rel=1e-3)


@pytest.mark.parametrize('kind', ['bretschneider', 'jonswap'])
def test_a_stated_zero_crossing_period_is_met(kind):
    spectrum = wave_spectrum(significant_wave_height=2.0, zero_crossing_period=6.0, spectrum=kind)
    period = 2 * math.pi * math.sqrt(spectrum.moment(0) / spectrum.moment(2))
    assert period == pytest.approx(6.0, rel=0.01)


def test_jonswap_is_steeper_by_gamma_and_plain_without():
    w = np.array([0.7])
    plain, steep = WaveSpectrum(3.0, 9.0), WaveSpectrum(3.0, 9.0, 'jonswap', 1.0)
    np.testing.assert_allclose(steep.density(w), plain.density(w), rtol=1e-12)
    # the share of the peak for gamma 3.3 (Hasselmann et al. 1973): 1 - 0.287 ln(gamma)
    peak = np.array([2 * math.pi / 9.0])
    ratio = WaveSpectrum(3.0, 9.0, 'jonswap', 3.3).density(peak) / plain.density(peak)
    assert ratio[0] == pytest.approx(3.3 * (1 - 0.287 * math.log(3.3)), rel=0.01)


def test_a_fully_developed_sea_sets_its_own_period():
    # Hs = 0.21 U^2 / g and wp = 0.88 g / U: at 5 m the period is near 11.2 s
    spectrum = wave_spectrum(significant_wave_height=5.0, spectrum='pierson_moskowitz')
    assert spectrum.peak_period == pytest.approx(11.2, abs=0.1)


def test_sea_states_lie_in_their_wmo_range():
    ranges = {2: (0.1, 0.5), 3: (0.5, 1.25), 4: (1.25, 2.5), 5: (2.5, 4.0), 6: (4.0, 6.0)}
    for state, (low, high) in ranges.items():
        assert low < SEA_STATES[state][0] < high


@pytest.mark.parametrize('stated, text', [
    ({}, 'either sea_state'), ({'sea_state': 5, 'significant_wave_height': 1.0}, 'either'),
    ({'significant_wave_height': 1.0}, 'peak_period'),
    ({'sea_state': 4, 'peak_period': 8.0, 'zero_crossing_period': 5.0}, 'not both'),
    ({'sea_state': 11}, 'unknown sea state'),
    ({'sea_state': 4, 'spectrum': 'jonswop'}, 'jonswap'),
    ({'sea_state': 4, 'spectrum': 'pierson_moskowitz', 'peak_period': 8.0}, 'follows')])
def test_a_sea_stated_badly_is_refused(stated, text):
    with pytest.raises(RobotDynamicsError, match=text):
        wave_spectrum(**stated)


@pytest.mark.parametrize('frequency, direction, speed, expected', [
    (0.8, 180.0, 5.0, 0.8 + 0.64 * 5 / G), (0.8, 0.0, 5.0, 0.8 - 0.64 * 5 / G),
    (0.8, 90.0, 5.0, 0.8), (0.8, 120.0, 10.0, 0.8 + 0.64 * 10 * 0.5 / G),
    (1.0, 0.0, 12.0, 1.0 - 12 / G)])
def test_encounter_frequency_by_hand(frequency, direction, speed, expected):
    found = encounter_frequency(frequency, math.radians(direction), speed)
    assert float(found) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize('state', [2, 4, 6])
def test_the_waves_carry_the_energy_of_the_spectrum(state):
    waves = wave_components(Seaway(wave_spectrum(state)))
    assert 4 * math.sqrt((waves.amplitude**2 / 2).sum()) == pytest.approx(
        SEA_STATES[state][0], rel=0.005)


def test_no_two_waves_share_a_period_so_that_nothing_repeats():
    waves = wave_components(Seaway(wave_spectrum(5)))
    spacing = np.diff(np.sort(waves.frequency))
    assert spacing.min() > 0
    assert spacing.std() > 0.2 * spacing.mean()  # evenly spaced waves would repeat


def test_the_seed_decides_the_waves():
    one, same, other = (wave_components(Seaway(wave_spectrum(5), seed=s)) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.phase, same.phase)
    assert np.abs(one.phase - other.phase).max() > 1.0


def test_spreading_widens_the_sea_around_its_mean_direction():
    sea = Seaway(wave_spectrum(5), wave_direction=1.0, heading=0.5, spreading=8.0, components=2000)
    direction = wave_components(sea).direction
    assert direction.mean() == pytest.approx(0.5, abs=0.01)
    # cos^(2 s)(angle / 2) has variance near 2 / s for a narrow sea
    assert direction.std() == pytest.approx(math.sqrt(2 / 8.0), rel=0.1)


def test_too_few_waves_are_refused():
    with pytest.raises(ConfigurationError, match='components'):
        Seaway(wave_spectrum(5), components=10)


@pytest.fixture(scope='module')
def supply():
    return RaoTable.supply_vessel()


def _at(hull, frequency, direction_deg, speed=0.0):
    return hull.transfer(np.array([frequency]), np.radians([float(direction_deg)]), speed)[:, 0]


@pytest.mark.parametrize('direction', [0, 45, 90, 135, 180, 225, 300])
def test_in_long_waves_both_hulls_ride_the_surface(supply, direction):
    w = 0.2094  # a row of the table
    k, beta = w * w / G, math.radians(direction)
    # orbit lags the crest, slope leads to roll and bow-down pitch (FLU)
    expected = [-1j * math.cos(beta), -1j * math.sin(beta), 1.0,
                -1j * k * math.sin(beta), 1j * k * math.cos(beta),
                -k * math.cos(beta) * math.sin(beta)]
    scale = [1, 1, 1, k, k, k]
    for hull in (supply, ClosedFormHull()):
        difference = np.abs(_at(hull, w, direction) - expected) / scale
        assert difference[:3].max() < 0.07  # heave is a little resonant already
        assert difference[4:].max() < 0.13
        # the supply vessel's roll includes the lateral pull at its keel: more than the slope
        assert np.sign(_at(hull, w, direction)[3].imag) == np.sign(expected[3].imag) or (
            abs(expected[3]) < 1e-9)


def test_short_waves_do_not_move_a_hull(supply):
    for hull in (supply, ClosedFormHull()):
        assert np.abs(_at(hull, 3.1, 130)).max() < 0.02
        assert np.abs(_at(hull, 5.0, 130)).max() < 0.02


def test_port_and_starboard_are_mirror_images(supply):
    sign = np.array([1, -1, 1, -1, 1, -1])
    for hull in (supply, ClosedFormHull()):
        np.testing.assert_allclose(_at(hull, 0.7, 70), sign * _at(hull, 0.7, -70), atol=1e-12)


def test_the_table_gives_its_own_entries_back(supply):
    # beam sea, 0.5236 rad/s, of the file itself
    H = _at(supply, 0.5236, 90)
    assert abs(H[2]) == pytest.approx(1.0192, abs=2e-3)
    assert abs(H[3]) == pytest.approx(0.0501, abs=2e-4)


def test_a_hull_at_resonance_is_bounded_by_its_damping():
    hull = ClosedFormHull(roll_damping=0.1)
    w = 2 * math.pi / hull.natural_roll_period
    slope = abs(_at(ClosedFormHull(roll_period=0.5), w, 90)[3])  # stiff: follows the slope
    assert abs(_at(hull, w, 90)[3]) == pytest.approx(slope / 0.2, rel=0.02)


def test_roll_period_follows_from_the_metacentric_height():
    hull = ClosedFormHull(roll_period=None, beam=16.0, metacentric_height=1.85)
    assert hull.natural_roll_period == pytest.approx(0.8 * math.pi * 16 / math.sqrt(G * 1.85))


def test_a_ship_riding_with_the_waves_does_not_divide_by_zero():
    speed = G / 0.8  # the wave of 0.8 rad/s stands still under the ship
    assert np.isfinite(_at(ClosedFormHull(), 0.8, 0.0, speed)).all()


@pytest.mark.parametrize('lines, text', [
    (['direction_deg,frequency_rad_s', '0,1'], 'surge_amplitude'), ([], 'is missing'),
    (['\xff'], 'is no CSV file')])
def test_a_broken_table_is_named(tmp_path, lines, text):
    path = tmp_path / 'rao.csv'
    path.write_text('\n'.join(lines), encoding='latin-1')
    with pytest.raises(ConfigurationError, match=text):
        RaoTable.from_csv(path)


def test_a_table_with_a_hole_is_refused(tmp_path, repository):
    lines = (repository / 'config/ships/supply_vessel_rao.csv').read_text().splitlines()
    (tmp_path / 'rao.csv').write_text('\n'.join(lines[:-1]))
    with pytest.raises(ConfigurationError, match='same frequencies'):
        RaoTable.from_csv(tmp_path / 'rao.csv')
    with pytest.raises(ConfigurationError, match='cannot be read'):
        RaoTable.from_csv(tmp_path / 'absent.csv')


@pytest.mark.parametrize('word', ['nan', 'inf', 'x', ''])
def test_a_table_with_a_word_for_a_number_is_refused(tmp_path, repository, word):
    lines = (repository / 'config/ships/supply_vessel_rao.csv').read_text().splitlines()
    last = ','.join([word, *lines[-1].split(',')[1:]])
    (tmp_path / 'rao.csv').write_text('\n'.join([*lines[:-1], last]))
    with pytest.raises(ConfigurationError, match='column direction_deg, data row .* is no finite'):
        RaoTable.from_csv(tmp_path / 'rao.csv')


@pytest.mark.parametrize('seed', [-1, 1.5, True, 'a', None])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(InputError, match='seed: is .*, expected a whole number'):
        Seaway(wave_spectrum(5), seed=seed)


def test_an_unknown_spectrum_lists_those_that_exist():
    with pytest.raises(UnknownNameError, match='bretschneider'):
        WaveSpectrum(1.0, 8.0, 'itcc')

"""``robot-dynamics ship``: prints what moves, writes files that can be replayed."""

import json

import pytest

from robot_dynamics import ShipMotion
from robot_dynamics.app.cli import main
from robot_dynamics.ship.ship_config import ship_from_parameters


def test_a_sea_state_prints_its_statistics(capsys):
    assert main(['ship', '--sea-state', '5', '--duration', '600']) == 0
    out = capsys.readouterr().out
    assert 'significant height 3.25 m' in out
    roll = next(line for line in out.splitlines() if line.startswith('roll'))
    assert 4.0 < float(roll.split()[2]) < 8.0


def test_json_holds_parameters_that_build_the_same_ship(capsys):
    assert main(['ship', '--hs', '2', '--zero-crossing-period', '6', '--json', '--seed', '3',
                 '--duration', '60', '--spectrum', 'jonswap', '--direction-deg', '150']) == 0
    ship = ship_from_parameters(json.loads(capsys.readouterr().out)['parameters'])
    assert ship.to_parameters()['seed'] == 3
    assert ship.to_parameters()['wave_direction_deg'] == pytest.approx(150.0)


def test_the_csv_replays_the_same_motion(tmp_path, capsys):
    path = tmp_path / 'motion.csv'
    assert main(['ship', '--sea-state', '4', '--duration', '60', '--csv', str(path)]) == 0
    assert f'wrote {path}' in capsys.readouterr().out
    replay, original = ShipMotion.recorded(str(path)), ShipMotion.irregular(4)
    for t in (20.0, 40.03):
        assert replay.at(t).packed == pytest.approx(original.at(t).packed, abs=1e-4)


def test_a_figure_is_drawn(tmp_path):
    path = tmp_path / 'motion.png'
    assert main(['ship', '--paper', '--duration', '60', '--figure', str(path)]) == 0
    assert path.stat().st_size > 20_000


@pytest.mark.parametrize('words, text', [
    (['--sea-state', '12'], 'unknown sea state'), (['--hs', '2'], 'peak_period'),
    (['--sea-state', '5', '--hull', 'absent.csv'], 'absent.csv'),
    (['--sea-state', '0'], 'unknown sea state'), (['--seed', '-1'], 'seed: is -1'),
    (['--hs', 'nan'], '--hs'), (['--duration', '-5'], '--duration'),
    (['--figure', 'motion.doc'], 'motion.doc'), (['--figure', 'motion'], '.png')])
def test_bad_input_is_one_line_and_code_2(words, text, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(['ship', *words]) == 2
    error = capsys.readouterr().err
    assert text in error and len(error.strip().splitlines()) == 1

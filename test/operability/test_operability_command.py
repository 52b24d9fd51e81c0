"""``robot-dynamics operability`` as a user meets it."""

import json

import pytest

from robot_dynamics.app.cli import main

FAST = ['operability', 'pa10', '--hull', 'supply_vessel', '--headings', '0', '90']


def ask(capsys, *words):
    code = main([*FAST, *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_table_tells_sea_state_heights_and_cause(capsys, tmp_path):
    figure = tmp_path / 'limits.png'
    code, out, _ = ask(capsys, '--posture', '0', '0.6', '0', '1.2', '0', '0', '--base-xyz', '10',
                       '0', '4', '--figure', str(figure), '--check-seeds', '2')
    assert code == 0
    assert 'sea state' in out and 'limited by' in out and 'Time domain, 2 seas' in out
    assert figure.read_bytes()[:4] == b'\x89PNG'


def test_json_holds_the_same(capsys):
    code, out, _ = ask(capsys, '--hs', '2', '--tp', '8', '--check-seeds', '0', '--json')
    data = json.loads(out)
    assert code == 0
    assert [row['heading_deg'] for row in data['headings']] == [0.0, 90.0]
    assert data['headings'][0]['seas'][0]['sea']['significant_wave_height'] == 2.0


def test_no_sea_that_keeps_the_limits_exits_with_one(capsys):
    code, _, _ = ask(capsys, '--posture', 'joint2=0.6', '--limit', 'joint2=1', '--check-seeds',
                     '0')
    assert code == 1


def test_the_search_for_a_place_names_it(capsys, tmp_path):
    figure = tmp_path / 'deck.png'
    code, out, _ = ask(capsys, '--search-base', '0', '20', '2', '0', '0', '1', '--figure',
                       str(figure))
    assert code == 0
    assert figure.read_bytes()[:4] == b'\x89PNG'
    assert 'Best of 2 places: x 0 m' in out


def test_the_search_for_a_posture_lists_the_best(capsys, tmp_path):
    figure = tmp_path / 'postures.png'
    code, out, _ = ask(capsys, '--search-posture', '8', '--sea-states', '5', '--figure',
                       str(figure))
    assert code == 0
    assert figure.read_bytes()[:4] == b'\x89PNG'
    assert 'Best of 8 postures' in out


@pytest.mark.parametrize('words, complaint', [
    (['--limit', 'joint2=0'], 'limit of joint2 is 0; a limit has to be positive'),
    (['--limit', 'joint2'], "'joint2' is not of the form name=value"),
    (['--posture', 'joint2=9'], 'joint2 at 9 is outside its limits'),
    (['--hs', '2', '--tp', '2'], 'the response operators cover'),
    (['--hs', '2'], '--hs and --tp go together'),
    (['--sea-states', '9'], 'unknown sea state'),
    (['--sea-states', 'x..y'], 'write 2..6'),
    (['--headings', '180..0:15'], 'write 0..180:15'),
    (['--probability', '1'], 'between 0 and 1'),
    (['--bolts', '2', '0.1', '100'], 'give 3 or more'),
    (['--scatter', 'nowhere.csv'], 'nowhere.csv'),
    (['--trajectory', 'nowhere.csv'], 'nowhere.csv'),
    (['--hull', 'nowhere.csv'], 'nowhere.csv'),
])
def test_bad_input_is_one_line(capsys, words, complaint):
    code, out, err = ask(capsys, *words)
    assert code == 2
    assert complaint in err
    assert len(err.strip().splitlines()) == 1

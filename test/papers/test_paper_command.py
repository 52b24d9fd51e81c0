import csv

from papers import three_link
import pytest

from robot_dynamics.app.cli import main
from robot_dynamics.app.commands.paper import PAPERS


def test_help_lists_every_paper(capsys):
    assert main(['paper', '--help']) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in PAPERS)


def test_a_paper_prints_its_tables_and_findings(capsys):
    assert main(['paper', 'three_link', '--duration', '1', '--gravity', '9.81']) == 0
    text = capsys.readouterr().out
    result = three_link.compute(duration=1.0, gravity=9.81)
    for table in result.tables():
        assert table.title in text
        for row in table.shown():
            assert all(cell in text for cell in row)
    assert all(sentence in text for sentence in result.findings())


def test_output_writes_every_file_that_is_listed(capsys, tmp_path):
    assert main(['paper', 'three_link', '--duration', '0.5', '--output', str(tmp_path)]) == 0
    listed = [line.strip() for line in capsys.readouterr().out.splitlines()
              if str(tmp_path) in line]
    assert sorted(listed) == sorted(str(path) for path in tmp_path.iterdir())
    assert {path.suffix for path in tmp_path.iterdir()} == {'.csv', '.png'}
    rows = list(csv.reader((tmp_path / 'three_link_motion.csv').open()))
    assert len(rows) == 1 + 51 and rows[0][0] == 'time_s'


def test_pa10_is_recomputed_without_compiling_when_asked(capsys):
    assert main(['paper', 'pa10', '--duration', '1', '--no-timing',
                 '--backend', 'interpreted']) == 0
    text = capsys.readouterr().out
    assert '14.8786' in text and 'Section 4: time' not in text


@pytest.mark.slow
def test_pa10_times_both_methods_side_by_side(capsys):
    assert main(['paper', 'pa10', '--duration', '1']) == 0
    text = capsys.readouterr().out
    assert 'newton_euler  lagrange_euler  ratio' in text
    assert 'one of 101 at once' in text


@pytest.mark.parametrize('words, names', [
    (['paper', 'nobody'], 'three_link'),
    (['paper', 'three_link', '--duration', '-1'], 'duration'),
    (['paper', 'three_link', '--gravity', 'nan'], 'gravity'),
    (['paper', 'three_link', '--rate', '100'], '--rate: does not apply to the paper three_link'),
    (['paper', 'pa10', '--rate', '0', '--backend', 'interpreted'], 'rate')])
def test_bad_input_is_one_line_and_exit_code_2(capsys, words, names):
    assert main(words) == 2
    error = capsys.readouterr().err
    assert names in error and len(error.strip().splitlines()) == 1

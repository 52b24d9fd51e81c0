from robot_dynamics.app.cli import main
from robot_dynamics.core import extras


def test_a_format_whose_package_is_missing_is_refused_before_any_work(monkeypatch, capsys):
    monkeypatch.setattr(extras, 'find_spec', lambda name: None)
    assert main(['analyze', 'no_such_bag.mcap', '--formats', 'json,parquet']) == 2
    assert capsys.readouterr().err.strip().endswith(
        '--formats parquet needs pyarrow, which is not installed: '
        'pip install "robot_dynamics[parquet]"')


def test_what_no_extra_brings_gets_no_hint():
    assert extras.how_to_install('no_such_module') is None
    assert extras.how_to_install('matplotlib.figure').endswith('"robot_dynamics[report]"')

"""Every script in examples/ runs as a newcomer would run it, and says what it promises."""

from pathlib import Path
import runpy
import subprocess
import sys

import pytest
from selections import some

EXAMPLES = Path(__file__).resolve().parents[1] / 'examples'

PROMISES = {
    'mobile_manipulator.py': 'tipping margin',
    'operability.py': 'time domain against theory',
    'ship_motion.py': 'specific force',
    'torque_by_cause.py': 'largest difference between the two',
    'torque_of_a_batch.py': '60000 samples of pa10',
}


def test_every_example_is_run_here():
    assert {path.name for path in EXAMPLES.glob('*.py')} == set(PROMISES)


def check(name, out):
    """Look for what the example promises."""
    assert PROMISES[name] in out
    assert 'nan' not in out


@pytest.mark.parametrize('name', sorted(PROMISES))
def test_example_shows_its_result(name, capsys):
    runpy.run_path(str(EXAMPLES / name), run_name='__main__')
    check(name, capsys.readouterr().out)


@pytest.mark.parametrize('name', some(1, sorted(PROMISES)))
def test_example_runs_from_anywhere_as_a_process(name, tmp_path):
    run = subprocess.run([sys.executable, str(EXAMPLES / name)], cwd=tmp_path,
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    check(name, run.stdout)

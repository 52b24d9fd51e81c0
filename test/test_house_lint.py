"""The style that ament's linters ask for; their configuration stands in setup.cfg."""

import subprocess
import sys

from house import python_files, relative, ROOT
import pytest


@pytest.mark.slow
def test_flake8_as_ament_configures_it_finds_nothing():
    pytest.importorskip('flake8')
    run = subprocess.run(
        [sys.executable, '-m', 'flake8', *map(relative, python_files())],
        cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, '\n' + run.stdout + run.stderr


def test_flake8_looks_at_docstrings_as_ament_configures_pep257():
    pytest.importorskip('flake8_docstrings')
    run = subprocess.run(
        [sys.executable, '-m', 'flake8', '-'], cwd=ROOT, capture_output=True, text=True,
        input='def f():\n    """does"""\n\n\ndef without():\n    pass\n')
    assert [line.split()[1] for line in run.stdout.splitlines()] == ['D400', 'D401', 'D403']


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info < (3, 11), reason="numpy's types for Python 3.10 are older")
def test_mypy_finds_no_type_error():
    pytest.importorskip('mypy')
    run = subprocess.run(
        [sys.executable, '-m', 'mypy'], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, '\n' + run.stdout + run.stderr

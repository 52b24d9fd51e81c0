"""The style that ament's linters ask for; their configuration stands in setup.cfg."""

import subprocess
import sys

from house import PACKAGE, python_files, relative, ROOT
import pytest


def test_flake8_as_ament_configures_it_finds_nothing():
    pytest.importorskip('flake8')
    run = subprocess.run(
        [sys.executable, '-m', 'flake8', *map(relative, python_files())],
        cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, '\n' + run.stdout + run.stderr


def test_pep257_as_ament_configures_it_finds_nothing():
    pytest.importorskip('pydocstyle')
    run = subprocess.run(
        [sys.executable, '-m', 'pydocstyle', '--match=.*', *map(relative, python_files())],
        cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, '\n' + run.stdout + run.stderr


@pytest.mark.skipif(sys.version_info < (3, 11), reason="numpy's types for Python 3.10 are older")
def test_mypy_finds_no_type_error():
    pytest.importorskip('mypy')
    package = [name for name in map(relative, python_files()) if name.startswith(PACKAGE)]
    run = subprocess.run(
        [sys.executable, '-m', 'mypy', *package], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, '\n' + run.stdout + run.stderr

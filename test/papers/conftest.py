"""Fixtures for the papers: the numbers of other software."""

import json

import pytest


@pytest.fixture(scope='session')
def golden(repository):
    """Return inputs and right answers, computed with Pinocchio and cross-checked with MuJoCo."""
    return json.loads((repository / 'test/data/golden.json').read_text())

"""Fixtures for all rooms: the checkout's root, and a DDS domain of a test's own."""

import importlib.util
from pathlib import Path
from typing import Iterator

import pytest

from robot_dynamics.app.domain import reserved_domain

# What is held against other libraries needs those; a ROS installation need not have them.
collect_ignore_glob = []
if importlib.util.find_spec('pinocchio') is None:
    collect_ignore_glob += ['dynamics/test_mobile_*', 'dynamics/test_outside_oracles.py',
                            'dynamics/test_robots_of_others.py']
if importlib.util.find_spec('mujoco') is None:
    collect_ignore_glob += ['dynamics/test_outside_oracles.py']


@pytest.fixture(scope='session')
def repository() -> Path:
    """Root of the checkout that the tests lie in."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture
def ros_domain(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """
    Give the test a ROS domain that nobody else on this machine is using, on localhost only.

    Contexts and child processes made within the test inherit it through the environment.
    """
    with reserved_domain() as (domain, environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield domain

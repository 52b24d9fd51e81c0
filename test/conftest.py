"""Fixtures for all rooms: the checkout's root, and a DDS domain of a test's own."""

from pathlib import Path
from typing import Iterator

import pytest

from robot_dynamics.app.domain import reserved_domain


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

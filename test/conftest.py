"""Fixtures for all rooms: the root of the checkout, the PA10, a DDS domain of a test's own."""

import importlib.util
import json
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.app.domain import reserved_domain
from robot_dynamics.core.resources import resource_path

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


@pytest.fixture(scope='session')
def golden() -> Any:
    """Return inputs and right answers, computed with Pinocchio and cross-checked with MuJoCo."""
    return json.loads((Path(__file__).parent / 'data' / 'golden.json').read_text())


@pytest.fixture(scope='session')
def pa10() -> RobotModel:
    """Return the Mitsubishi PA10-6CE."""
    return RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))


@pytest.fixture(scope='session')
def wheeled() -> RobotModel:
    """Return the mobile manipulator of paper 004."""
    return RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))


@pytest.fixture(scope='session')
def pa10_dynamics(pa10: RobotModel) -> InverseDynamics:
    """Return compiled inverse dynamics; the tests ask thousands of times."""
    return InverseDynamics(pa10)


@pytest.fixture
def rng() -> np.random.Generator:
    """Return a seeded generator."""
    return np.random.default_rng(20240611)


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

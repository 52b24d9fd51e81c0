"""Robots for the tests of this room."""

import importlib.metadata
import json
from pathlib import Path

from mobile_robots import on_wheels
import numpy as np
import pytest

from robot_dynamics import RobotModel
from robot_dynamics.core.resources import resource_path


@pytest.fixture(scope='session')
def golden():
    """Return inputs and right answers, computed with Pinocchio and cross-checked with MuJoCo."""
    path = Path(__file__).parents[1] / 'data' / 'golden.json'
    return json.loads(path.read_text())


@pytest.fixture(scope='session')
def pa10():
    """Return the Mitsubishi PA10-6CE."""
    return RobotModel.from_urdf(resource_path('urdf/pa10.urdf'))


@pytest.fixture(scope='session')
def wheeled():
    """Return the mobile manipulator of paper 004."""
    return RobotModel.from_urdf(resource_path('urdf/mobile_manipulator.urdf'))


@pytest.fixture(scope='session')
def tiago_folder():
    """Return where example-robot-data keeps the descriptions of TIAGo."""
    package = importlib.metadata.distribution('example-robot-data')
    return Path(str(package.locate_file('cmeel.prefix/share/example-robot-data/robots/'
                                        'tiago_description/robots')))


@pytest.fixture(scope='session')
def tiago_text(tiago_folder):
    """Return the URDF of TIAGo without a hand, casters fixed."""
    return (tiago_folder / 'tiago_no_hand.urdf').read_text()


@pytest.fixture(scope='session')
def tiago_robot(tiago_text):
    """Return TIAGo on its wheels."""
    return on_wheels(RobotModel.from_urdf(tiago_text), 'wheel_left_joint', 'wheel_right_joint',
                     backend='interpreted')


@pytest.fixture
def rng():
    """Return a seeded generator."""
    return np.random.default_rng(20240611)

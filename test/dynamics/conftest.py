"""Robots for the tests of this room."""

import importlib.metadata
from pathlib import Path

from mobile_robots import on_wheels
import pytest

from robot_dynamics import RobotModel


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

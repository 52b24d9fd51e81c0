"""The PA10 and its dynamics for the tests of this room."""

import json
from pathlib import Path

from control_rig import Rig
import pytest

from robot_dynamics import InverseDynamics, RobotModel
from robot_dynamics.control.feedforward import ACTIVE
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
def pa10_dynamics(pa10):
    """Return compiled inverse dynamics; the tests ask thousands of times."""
    return InverseDynamics(pa10)


@pytest.fixture
def rig(pa10, pa10_dynamics):
    """Return a rig whose feedforward is active, with feedback."""
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    rig.run(1.5)
    assert rig.core.state == ACTIVE
    return rig

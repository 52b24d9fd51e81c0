"""A rig for the tests of this room."""

from control_rig import Rig
import pytest

from robot_dynamics.control.feedforward import ACTIVE


@pytest.fixture(scope='session')
def active_rig(pa10, pa10_dynamics):
    """Return a rig whose feedforward is active, with feedback; to be copied."""
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    rig.run(1.5)
    assert rig.core.state == ACTIVE
    return rig


@pytest.fixture
def rig(active_rig):
    """Return a rig whose feedforward is active, with feedback."""
    return active_rig.copied()

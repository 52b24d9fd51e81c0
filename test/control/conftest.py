"""A rig for the tests of this room."""

from control_rig import Rig
import pytest

from robot_dynamics.control.feedforward import ACTIVE


@pytest.fixture
def rig(pa10, pa10_dynamics):
    """Return a rig whose feedforward is active, with feedback."""
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    rig.run(1.5)
    assert rig.core.state == ACTIVE
    return rig

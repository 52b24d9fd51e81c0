"""Where a joint turns round its friction changes at once, and so may the effort."""

from control_rig import POSTURE, Rig
import numpy as np
import pytest

from robot_dynamics.control.limits import EffortLimiter, LimitsConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.simulation.motions import Sinusoid

MS = 1_000_000


@pytest.fixture
def turning(pa10, pa10_dynamics):
    """Return a rig whose wrist turns round every second and a half."""
    rig = Rig(pa10, pa10_dynamics, friction=True)
    rig.run(1.2)
    wave = Sinusoid(rig.names, [0, 0, 0, 0, 0.3, 0], np.full(6, 2 * np.pi / 3))
    motion = JointTrajectory.from_reference(wave, 6.0, 0.02)
    rig.core.on_reference(JointTrajectory(
        rig.names, motion.times, motion.positions + POSTURE, motion.velocities,
        motion.accelerations), rig.now)
    rig.run(0.5)
    rig.commands.clear()
    return rig


def test_a_joint_that_turns_round_gets_its_friction_at_once(turning):
    rig = turning
    rig.run(4.0)
    assert rig.largest_step() > 0.05  # of the limit in 2 ms, beyond the rate limit's 0.02
    assert not any(command.rate_limited or command.saturated for command in rig.commands)
    assert rig.core.status(rig.now)['enveloped'] == ()


def test_friction_widens_the_step_to_its_own_side_alone():
    def sent(effort, friction):
        limits = EffortLimiter(('a',), LimitsConfig(effort_rate=(1000.0,)), [100.0])
        limits.seed([0.0], 0)
        values = np.array([effort])
        assert limits.limit(values, 2 * MS, lambda duration: np.array([friction]))
        return values[0]

    assert sent(30.0, 12.0) == pytest.approx(14.0)
    assert sent(8.0, 12.0) == 8.0
    assert sent(-30.0, 12.0) == pytest.approx(-2.0)
    assert sent(-30.0, -5.0) == pytest.approx(-7.0)
    assert sent(300.0, 1e3) == 100.0

"""Joint states that repeat themselves, efforts and all, while commands change are not used."""

from control_rig import Rig
import numpy as np
import pytest
from robot_dynamics.control.feedforward import ACTIVE, TRIPPED
from robot_dynamics.control.joint_checks import JointChecks, JointPositions

MS = 1_000_000
LIMIT = np.array([100.0, 10.0])


class Driver(Rig):
    """A rig on a ship whose driver measures the effort until it freezes; its joints stand."""

    frozen = False

    def feed(self):
        if self.commands and not self.frozen:
            self.effort = self.commands[-1].effort
        super().feed()


@pytest.mark.parametrize('seconds', [1.5, 2.1, 2.7])
def test_an_arm_that_stands_still_is_stopped_when_its_joint_states_freeze(
        pa10, pa10_dynamics, seconds):
    rig = Driver(pa10, pa10_dynamics, natural_frequency=(15.0,))
    rig.run(seconds)
    assert rig.core.state == ACTIVE
    before, rig.frozen = rig.commands[-1].effort, True
    rig.commands.clear()
    rig.run(1.0)
    assert rig.core.state == TRIPPED and rig.core.trip.cause == 'state_frozen'
    noticed = next(command for command in rig.commands if command.state != ACTIVE)
    assert (np.abs(noticed.effort - before) / pa10.effort_limit).max() < 0.03
    assert (rig.core.trip.stamp_ns - noticed.stamp_ns) * 1e-9 < 0.3


@pytest.mark.parametrize('effort', [np.zeros(6), np.full(6, 0.5), ()])
def test_a_driver_that_never_measures_an_effort_that_changes_is_not_judged(
        pa10, pa10_dynamics, effort):
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    rig.effort = effort
    rig.run(4.0)
    assert rig.core.state == ACTIVE


def finding_after(changes, command, moved=1000, every=1):
    """Return what is found of joint states that stop to change, by the ms since then."""
    check, value = JointChecks(('a', 'b'), ('rad', 'rad'), ('a', 'b')), 0.0
    for k in range(moved + 500):
        if k < moved and k % every == 0:
            value = 1e-3 * k
        sent = np.array(command) * (0.0 if k < moved else 1.0)
        finding = check.examine(JointPositions(  # so slow that the position may stand
            k * MS, *(size * np.array([change * value, 0.5])
                      for size, change in zip((1.0, 1e-3, 1.0), changes))))
        check.on_command(sent, LIMIT)
        if finding is not None:
            return k - moved, finding
    return None, None


@pytest.mark.parametrize('changes', [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_what_changes_lately_and_then_no_more_is_found_where_a_command_changes(changes):
    after, finding = finding_after(changes, [0.0, 0.3])
    assert 100 <= after <= 102
    assert (finding.value, finding.bound, finding.unit) == (0.3, 0.2, 'Nm')
    assert 'command to joint b changed by 0.3 Nm' in finding.text
    assert finding_after(changes, [1.9, 0.19]) == (None, None)


def test_a_driver_that_is_slow_is_given_three_of_its_periods():
    after, _ = finding_after((1, 1, 1), [50.0, 0.0], moved=5000, every=80)
    assert 240 - 80 <= after <= 242


def test_states_that_have_never_changed_are_not_judged():
    assert finding_after((0, 0, 0), [50.0, 5.0]) == (None, None)

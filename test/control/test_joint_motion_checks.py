"""Reported velocities that no joint has, and positions that stand still where joints move."""

from control_rig import Rig
import numpy as np
import pytest

from robot_dynamics.control.feedforward import ACTIVE, TRIPPED
from robot_dynamics.control.joint_checks import JointChecks, JointPositions

MS = 1_000_000
NAMES, UNITS = ('a', 'b'), ('rad', 'm')


@pytest.mark.parametrize('velocity, found', [
    ((1.9, -3.9), ''), ((2.1, 0.0), 'a is 2.1 rad/s, beyond 2 rad/s'),
    ((0.0, -9.0), 'b is -9 m/s, beyond 4 m/s'), ((np.nan, np.inf), ''), (None, '')])
def test_a_velocity_beyond_its_bound_is_named(velocity, found):
    check = JointChecks(NAMES, UNITS, fastest=np.array([2.0, 4.0]))
    finding = check.examine(JointPositions(
        0, np.zeros(2), None if velocity is None else np.array(velocity)))
    assert found in finding.text if found else finding is None


def frozen_after(velocity, moving=(False, False), seconds=2.0, every=1):
    """Return when a position is found that stands still, ms, or None."""
    check, q = JointChecks(NAMES, UNITS), np.array([0.3, 0.4])
    for k in range(int(seconds * 500)):
        if k % every == 0:
            q = q + 0.002 * every * np.where(moving, velocity, 0.0)
        if check.examine(JointPositions(2 * k * MS, q, np.array(velocity))) is not None:
            return 2 * k
    return None


def test_a_position_that_stands_still_while_its_joint_moves_is_found():
    assert frozen_after((0.1, 0.0)) == pytest.approx(102, abs=2)
    assert frozen_after((0.0, -0.01), moving=(False, False)) is None
    assert frozen_after((0.5, 0.05), moving=(True, False)) == pytest.approx(42, abs=2)
    assert frozen_after((0.5, 0.021), moving=(True, False)) == pytest.approx(96, abs=4)


def test_joint_states_that_pause_leave_a_frozen_one_to_be_found_as_soon():
    check, q, now, found = JointChecks(NAMES, UNITS), np.zeros(2), 0, []
    for k in range(600):
        passed = 2 * MS if k % 50 else 90 * MS  # a busy machine
        if k < 500:
            q = q + 1e-9 * passed
        now += passed if k < 500 else 2 * MS
        found.append(check.examine(JointPositions(now, q, np.ones(2))))
    assert found.index(next(filter(None, found))) == pytest.approx(515, abs=2)


def test_a_whole_state_that_repeats_itself_while_a_joint_creeps_is_found():
    check, found = JointChecks(NAMES, UNITS), []
    for k in range(500):
        moved = min(k, 100)
        found.append(check.examine(JointPositions(
            2 * k * MS, np.array([3e-5, 1e-5]) * moved, np.array([0.015, 1e-6 * moved]))))
    first = next(k for k, finding in enumerate(found) if finding is not None)
    assert 2 * (first - 100) == pytest.approx(150, abs=6)


@pytest.mark.parametrize('velocity, moving, every', [
    ((0.0, 0.0), (False, False), 1), ((0.015, -0.015), (False, False), 1),
    ((2.0, 1.0), (True, True), 1), ((2.0, 1.0), (True, True), 40),
    ((np.nan, 0.0), (False, False), 1)])
def test_what_stands_still_or_creeps_or_is_repeated_for_a_while_is_not(velocity, moving, every):
    assert frozen_after(velocity, moving, every=every) is None


def test_one_absurd_velocity_moves_no_effort_and_many_stop_the_arm(pa10, pa10_dynamics):
    def stream(velocity, cycles):
        rig = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
        rig.run(1.5)
        before = rig.commands[-1].effort
        for _ in range(cycles):
            rig.core.on_joint_state(rig.now, rig.now, rig.names, rig.posture, velocity)
            rig.joint_states = False
            rig.step()
        rig.joint_states = True
        rig.step()
        return rig, np.abs(rig.commands[-1].effort - before) / pa10.effort_limit

    rig, step = stream(np.full(6, 1000.0), 1)
    assert step.max() < 0.01 and rig.core.state == ACTIVE
    rig, _ = stream(np.full(6, 1000.0), 200)
    assert rig.core.state == TRIPPED and 'velocity of joint' in rig.core.trip.text

"""A joint position the arm cannot have moves no effort; where it stays, the arm is stopped."""

from control_rig import GENTLE, held_gravity, POSTURE, Rig
import numpy as np
import pytest

from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import ACTIVE, GRAVITY_ONLY, TRIPPED
from robot_dynamics.control.joint_checks import JointChecks, JointPositions

MS = 1_000_000
FEEDBACK = {'natural_frequency': (15.0,)}


def change_check():
    """Return the check of joints a [rad] and b [m] that move at 1 and 2 a second."""
    return JointChecks(('a', 'b'), ('rad', 'm'), speed=np.array([1.0, 2.0]), step=0.05)


def running(pa10, pa10_dynamics):
    """Return a rig that is active, with feedback."""
    rig = Rig(pa10, pa10_dynamics, **FEEDBACK)
    rig.run(1.5)
    assert rig.core.state == ACTIVE
    rig.commands.clear()
    rig.events.clear()
    return rig


def findings(rig):
    """Return the texts of the events about positions."""
    return [e.text for e in rig.events if e.kind is EventKind.POSITION_IMPLAUSIBLE]


@pytest.mark.parametrize('joint', [0, 2, 5])
def test_one_sample_that_slips_by_a_radian_moves_no_effort(pa10, pa10_dynamics, joint):
    rig, same = running(pa10, pa10_dynamics), running(pa10, pa10_dynamics)
    rig.posture[joint] += 1.0
    rig.step()
    same.step()
    rig.posture[joint] -= 1.0
    rig.run(0.1)
    same.run(0.1)
    # the feedback compares at the stamp of the sample before
    for ours, theirs in zip(rig.commands, same.commands):
        assert (np.abs(ours.effort - theirs.effort) <= 0.01 * pa10.effort_limit).all()
    [text] = findings(rig)
    assert pa10.joint_names[joint] in text and 'steps by 1 rad' in text
    assert rig.core.state == ACTIVE


@pytest.mark.parametrize('joint', [0, 2, 5])
def test_an_encoder_that_has_slipped_stops_the_arm_at_the_gravity_of_its_last_posture(
        pa10, pa10_dynamics, joint):
    rig = running(pa10, pa10_dynamics)
    rig.posture[joint] += 1.0
    last = rig.run(2.0)
    assert rig.core.state == TRIPPED
    assert pa10.joint_names[joint] in rig.core.trip.text
    assert rig.largest_step() < GENTLE
    rig.posture[joint] -= 1.0
    np.testing.assert_allclose(
        last.effort, held_gravity(rig, pa10_dynamics, last.stamp_ns), rtol=0.02, atol=0.02)


def test_two_publishers_a_third_of_a_radian_apart_let_the_first_one_control(
        pa10, pa10_dynamics):
    rig = running(pa10, pa10_dynamics)
    for k in range(500):
        rig.posture = POSTURE + (0.3 if k % 2 else 0.0)
        rig.step()
    assert rig.core.state == ACTIVE
    assert rig.largest_step() < GENTLE
    assert findings(rig)


def test_the_last_sample_before_silence_is_not_ramped_to_where_it_is_wrong(
        pa10, pa10_dynamics):
    rig = running(pa10, pa10_dynamics)
    rig.posture[1] += 1.0
    rig.step()
    rig.posture[1] -= 1.0
    rig.joint_states = False
    last = rig.run(1.5)
    assert rig.core.state == GRAVITY_ONLY
    np.testing.assert_allclose(
        last.effort, held_gravity(rig, pa10_dynamics, last.stamp_ns), rtol=0.02, atol=0.02)


def test_a_position_beyond_its_limits_is_named_with_value_bound_and_unit():
    check = JointChecks(
        ('a', 'b'), ('rad', 'm'), lower=np.array([-1.0, -np.inf]), upper=np.array([1.0, 2.0]))
    assert check.examine(JointPositions(1, np.array([1.0, -1e3]))) is None
    finding = check.examine(JointPositions(2, np.array([-1.5, 0.0])))
    assert (finding.value, finding.bound, finding.unit) == (-1.5, -1.0, 'rad')
    finding = check.examine(JointPositions(3, np.array([0.0, 2.5])))
    assert (finding.value, finding.bound, finding.unit) == (2.5, 2.0, 'm')
    assert 'joint b' in finding.text


def test_no_arm_that_moves_within_its_velocity_is_refused_also_after_a_silence():
    check = change_check()
    for stamp in [0, 2, 4, 6, 500, 502, 504]:  # ms
        assert check.examine(JointPositions(stamp * MS, stamp * 1e-3 * np.array([1.0, -2.0]))
                             ) is None


def test_a_slip_stays_refused_however_long_it_lasts_and_the_true_one_is_taken_again():
    check = change_check()
    check.examine(JointPositions(0, np.zeros(2)))
    for stamp in range(2, 5000, 2):
        finding = check.examine(JointPositions(stamp * MS, np.array([0.0, 0.5])))
        assert finding.value == 0.5 and finding.bound < 0.1 and finding.unit == 'm'
    assert check.examine(JointPositions(5000 * MS, np.zeros(2))) is None
    check.reset()
    assert check.examine(JointPositions(5002 * MS, np.array([0.0, 0.5]))) is None

"""A payload that is put on, changed and taken off while the arm is active."""

from control_rig import GENTLE, Rig
import numpy as np
import pytest

from robot_dynamics import InverseDynamics
from robot_dynamics.core.errors import ConfigurationError, InputError

LOAD = ('tool0', 1.5, (0.02, 0.0, 0.05), np.diag([0.01, 0.01, 0.005]))


@pytest.fixture
def rig(pa10, pa10_dynamics):
    """Return an active rig on a still deck, where the effort can be compared bit for bit."""
    rig = Rig(pa10, pa10_dynamics, base_motion='fixed')
    rig.run(1.5)
    return rig


def test_the_effort_goes_over_to_the_loaded_arm_s_without_a_step(rig, pa10):
    rig.commands = rig.commands[-1:]
    rig.core.set_payload(*LOAD)
    last = rig.run(1.2)
    zero = np.zeros(6)
    loaded = InverseDynamics(pa10.with_payload(*LOAD), backend='interpreted')
    np.testing.assert_allclose(last.effort, loaded.torque(rig.posture, zero, zero), atol=1e-9)
    assert rig.largest_step() < GENTLE


def test_a_command_explains_itself_by_the_payload_of_then(rig):
    before = rig.step()
    rig.core.set_payload(*LOAD)
    loaded = rig.run(1.2)
    rig.core.clear_payload()
    rig.run(1.2)
    for command in (before, loaded):
        np.testing.assert_allclose(
            sum(command.terms.values()), command.effort, rtol=1e-9, atol=1e-9)
    heavier = np.linalg.norm(loaded.base_wrench[:3]) - np.linalg.norm(before.base_wrench[:3])
    assert heavier == pytest.approx(1.5 * 9.80665)


def test_after_removal_the_torques_are_exactly_the_old_ones(rig):
    before = rig.step().effort
    rig.core.set_payload(*LOAD)
    rig.run(0.3)
    rig.core.set_payload('link4', 3.0)
    assert np.abs(rig.run(1.2).effort - before).max() > 1.0
    rig.core.clear_payload()
    np.testing.assert_array_equal(rig.run(1.2).effort, before)


def test_a_payload_of_zero_changes_nothing_at_once(rig):
    before = rig.step().effort
    rig.core.set_payload('tool0', 0.0)
    np.testing.assert_array_equal(rig.step().effort, before)
    np.testing.assert_array_equal(rig.run(1.2).effort, before)


def test_a_refused_payload_leaves_the_old_one(rig):
    rig.core.set_payload(*LOAD)
    loaded = rig.run(1.2).effort
    with pytest.raises(InputError, match='mass'):
        rig.core.set_payload('tool0', -1.0)
    np.testing.assert_array_equal(rig.run(0.1).effort, loaded)


def test_the_same_payload_again_begins_no_ramp(rig):
    rig.core.set_payload(*LOAD)
    rig.run(1.2)
    rig.core.set_payload(*LOAD)
    assert rig.step().state == 'active'


def test_a_link_is_prepared_with_all_links_of_its_body(pa10):
    dynamics = InverseDynamics(pa10, backend='interpreted')
    told = []
    dynamics.prepare_payload('tool0', told.append)
    dynamics.prepare_payload('link6', told.append)
    assert len(told) == 1 and 'tool0' in told[0]
    assert dynamics.is_prepared_for('link6') and not dynamics.is_prepared_for('link5')


def test_a_payload_that_no_joint_could_hold_is_refused_and_the_old_one_stays(rig):
    rig.core.set_payload(*LOAD)
    loaded = rig.run(1.2).effort
    with pytest.raises(ConfigurationError, match='payload.mass.*100 kg.*joint2.*232 Nm'):
        rig.core.set_payload('tool0', 100.0, (0.1, 0.0, 0.05))
    np.testing.assert_array_equal(rig.run(1.2).effort, loaded)
    rig.core.set_payload('tool0', 2.0, (0.0, 0.0, 0.05))
    assert rig.run(1.2).state == 'active'


def test_a_payload_that_the_first_posture_cannot_hold_lets_nothing_be_sent(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics)
    rig.core.set_payload('tool0', 100.0, (0.1, 0.0, 0.05))
    rig.run(1.0)
    assert not rig.commands
    assert [event for event in rig.events if 'payload.mass' in event.text]
    rig.core.set_payload('tool0', 2.0, (0.0, 0.0, 0.05))
    assert rig.run(1.5).state == 'active'

"""Efforts stay near what the model and the last moments support, however the messages read."""

from control_rig import POSTURE, Rig, SHIP
import numpy as np
import pytest

from robot_dynamics.control.envelope import EffortEnvelope, EnvelopeConfig
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import ACTIVE, TRIPPED
from robot_dynamics.control.joint_checks import JointChecksConfig
from robot_dynamics.core.errors import ConfigurationError

ZERO = np.zeros(6)
LIMIT = np.array([100.0, 10.0])


def credulous(pa10, dynamics, **config):
    """Return an active rig with stiff feedback that takes any joint state for plausible."""
    rig = Rig(pa10, dynamics, natural_frequency=(15.0,), joint_checks=JointChecksConfig(
        position_margin=10.0, position_step=10.0, velocity_factor=1e6), **config)
    rig.run(1.5)
    assert rig.core.state == ACTIVE
    rig.commands.clear()
    return rig


def test_an_effort_is_cut_at_its_distance_from_the_centre_joint_by_joint():
    envelope = EffortEnvelope(('a', 'b'), (0.3, 0.1), LIMIT)
    centre = np.array([40.0, -4.0])
    for effort, cut, at in [([65.0, -4.9], [65.0, -4.9], ()), ([-90.0, -4.5], [10.0, -4.5], (0,)),
                            ([75.0, 9.0], [70.0, -3.0], (0, 1))]:
        sent = np.array(effort)
        envelope.around(centre)
        assert envelope.cut(sent) == at
        np.testing.assert_allclose(sent, cut)
    free = np.array([1e4, 1e4])
    assert EffortEnvelope(('a', 'b'), (0.0,), LIMIT).cut(free) == ()


def test_a_share_for_the_wrong_number_of_joints_is_refused(pa10, pa10_dynamics):
    with pytest.raises(ConfigurationError, match='envelope.share'):
        Rig(pa10, pa10_dynamics, envelope=EnvelopeConfig(share=(0.1, 0.2)))


@pytest.mark.parametrize('share', [0.1, 0.3])
def test_a_joint_state_that_lies_moves_no_effort_beyond_the_envelope_and_stops_the_arm(
        pa10, pa10_dynamics, share):
    rig = credulous(pa10, pa10_dynamics, envelope=EnvelopeConfig(share=(share,)))
    rig.posture = POSTURE + [0.4, 0, 0, 0, 0, 0]
    rig.run(1.3)
    centre = pa10_dynamics.torque(rig.posture, ZERO, ZERO)
    for command in rig.commands:
        apart = np.abs(command.effort - centre)[0] / pa10.effort_limit[0]
        assert apart <= share + 0.1  # the level arm's gravity, beside the ship's
    assert any(np.abs(c.effort - centre)[0] > 0.9 * share * pa10.effort_limit[0]
               for c in rig.commands)
    assert rig.core.trip.cause == 'saturation' and 'joint1' in rig.core.trip.text
    assert rig.core.state == TRIPPED
    assert any('envelope' in event.text for event in rig.events
               if event.kind is EventKind.SATURATED)


def test_a_ship_and_a_small_error_do_not_touch_it(pa10, pa10_dynamics):
    rig = credulous(pa10, pa10_dynamics)
    rig.posture = POSTURE + 0.01
    rig.run(5.0)
    assert rig.core.status(rig.now)['enveloped'] == ()
    assert not any(event.kind is EventKind.SATURATED for event in rig.events)
    assert np.abs(SHIP.at(3.0).angular_velocity).max() > 0.1


def test_one_velocity_that_lies_moves_the_effort_by_a_fiftieth_of_the_limit(
        pa10, pa10_dynamics):
    rig, same = credulous(pa10, pa10_dynamics), credulous(pa10, pa10_dynamics)
    for r, velocity in ((rig, -1000.0), (same, 0.0)):
        r.feed()
        r.core.on_joint_state(r.now + 1, r.now + 1, r.names, POSTURE, np.full(6, velocity))
        r.commands.append(r.core.command(r.now + 1))
        r.now += 2_000_000
        r.run(0.1)
    for ours, theirs in zip(rig.commands, same.commands):
        assert (np.abs(ours.effort - theirs.effort) <= 0.021 * pa10.effort_limit).all()

"""External wrenches of sensors: counted in while they are fresh, faded when they fall silent."""

from control_rig import held_gravity, MS, Rig
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
from numpy.testing import assert_allclose
import pytest

from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.feedforward import ACTIVE, FeedforwardCore
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.wrench_input import WrenchConfig, WrenchInputs
from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.dynamics.loads import ExternalWrench

PUSH = (0.0, 5.0, -30.0, 1.0, 0.0, 2.0)
START = 1_000_000_000


@pytest.fixture
def events():
    return EventLog()


def inputs(model, events, **config):
    return WrenchInputs(WrenchConfig(topics=('tool0=ft', 'link4=elbow'), **config), model, events)


class PushedRig(Rig):
    """A rig with a sensor at the tool; ``push`` None switches it off."""

    def __init__(self, model, dynamics, **config):
        super().__init__(model, dynamics, base_motion='fixed', **config)
        self.core = FeedforwardCore(self.config, dynamics,
                                    wrenches=WrenchConfig(topics=('tool0=ft',)))
        self.push, self.frame = PUSH, 'tool0'

    def feed(self):
        if self.push is not None:
            self.core.on_wrench('tool0', self.now, self.now, self.frame, self.push)
        super().feed()


@pytest.fixture
def rig(pa10, pa10_dynamics):
    return PushedRig(pa10, pa10_dynamics, ramp=RampConfig(ramp_in=0.0))


def share(dynamics, posture, wrench, frame='link'):
    return dynamics.external_torque(posture, {'tool0': ExternalWrench(wrench, frame)})


@pytest.mark.parametrize('frame_id, axes', [
    ('tool0', 'link'), ('base_link', 'base'), ('/base_link', 'base')])
def test_the_arm_carries_what_the_environment_does_not(rig, pa10_dynamics, frame_id, axes):
    rig.frame = frame_id
    effort = rig.run(1.0).effort
    zero = np.zeros(6)
    wrenches = {'tool0': ExternalWrench(PUSH, axes)}
    assert_allclose(effort, pa10_dynamics.torque(rig.posture, zero, zero, None, wrenches),
                    atol=1e-9)


def test_a_silent_sensor_fades_to_exactly_no_wrench_without_a_step_and_says_so(
        rig, pa10_dynamics):
    rig.run(1.0)
    rig.push, rig.events, rig.commands = None, [], rig.commands[-1:]
    last = rig.run(1.0)
    zero = np.zeros(6)
    assert_allclose(last.effort, pa10_dynamics.torque(rig.posture, zero, zero), atol=1e-12)
    stale = [event for event in rig.events if event.kind == EventKind.WRENCH_STALE]
    assert len(stale) == 1 and 'tool0' in stale[0].text
    assert last.state == ACTIVE, 'a missing wrench does not stop the arm'
    steps = np.abs(np.diff([command.effort for command in rig.commands], axis=0)).max(axis=0)
    whole = np.abs(share(pa10_dynamics, rig.posture, PUSH))
    assert (steps <= 1.6 * whole * 0.002 / 0.5 + 1e-12).all(), 'smooth: at most 1.5 of the mean'


def test_a_sensor_that_comes_back_fades_in(rig, pa10_dynamics):
    rig.run(1.0)
    rig.push = None
    rig.run(1.0)
    rig.push = PUSH
    first, last = rig.step(), rig.run(0.8)
    whole = share(pa10_dynamics, rig.posture, PUSH)
    assert_allclose(last.effort - first.effort, whole, atol=1e-3 * np.abs(whole).max())


def test_the_external_torque_is_a_term_of_its_own_and_the_deck_feels_it(rig, pa10_dynamics):
    command = rig.run(1.0)
    terms = command.terms
    assert_allclose(terms['external'], share(pa10_dynamics, rig.posture, PUSH), atol=1e-9)
    assert_allclose(sum(terms.values()), command.effort, atol=1e-9)
    zero = np.zeros(6)
    wrenches = {'tool0': ExternalWrench(PUSH)}
    assert_allclose(command.base_wrench, pa10_dynamics.base_wrench(
        rig.posture, zero, zero, None, wrenches), atol=1e-9)


def test_without_topics_nothing_changes(pa10, pa10_dynamics):
    rig = Rig(pa10, pa10_dynamics, natural_frequency=(0.0,), base_motion='gravity_only')
    command = rig.run(1.5)
    assert 'external' not in command.terms
    assert rig.core.status(rig.now)['stale_wrenches'] == ()
    assert_allclose(command.effort, held_gravity(rig, pa10_dynamics, command.acts_at_ns),
                    atol=0.05)


@pytest.mark.parametrize('frame_id, values, told', [
    ('link6', PUSH, "'link6'; it must be 'tool0' or the base 'base_link'"),
    ('', PUSH, "must be 'tool0'"),
    ('tool0', (np.nan,) + PUSH[1:], 'force'), ('tool0', (1e9,) + PUSH[1:], 'force beyond'),
    ('tool0', PUSH[:3] + (0, np.inf, 0), 'moment')])
def test_a_wrench_that_cannot_be_used_is_refused_with_the_reason(
        pa10, events, frame_id, values, told):
    wrenches = inputs(pa10, events)
    assert not wrenches.receive('tool0', START, START, frame_id, values)
    event, = events.drain()
    assert event.kind == EventKind.WRENCH_REFUSED and told in event.text
    wrenches.update(START)
    assert wrenches.in_use() is None


@pytest.mark.parametrize('stamp', [0, START - 1, START + 10**9])
def test_stamps_of_zero_from_the_past_and_the_future_are_refused(pa10, events, stamp):
    wrenches = inputs(pa10, events)
    assert wrenches.receive('tool0', START, START, 'tool0', PUSH)
    assert not wrenches.receive('tool0', stamp, START + MS, 'tool0', (0,) * 6)
    assert [event.kind for event in events.drain()] == [EventKind.WRENCH_REFUSED]


def test_a_wrench_that_never_comes_is_reported_once(pa10, events):
    wrenches = inputs(pa10, events)
    for step in range(3000):
        wrenches.update(START + 2 * MS * step)
        if step % 5 == 0:
            wrenches.receive('link4', START + 2 * MS * step, START + 2 * MS * step, 'link4', PUSH)
    event, = events.drain()
    assert event.kind == EventKind.WAITING and 'no wrench on tool0' in event.text


NUMBERS = st.floats(width=64) | st.sampled_from([0.0, -1e4, 1e4, 1e308])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.tuples(
    st.sampled_from(['tool0', 'base_link', '/tool0', '', 'odom']), st.integers(-10**8, 10**8),
    st.tuples(*[NUMBERS] * 6)), min_size=1, max_size=20))
def test_whatever_comes_no_message_raises_and_no_command_is_not_finite(
        pa10, pa10_dynamics, messages):
    rig = PushedRig(pa10, pa10_dynamics, ramp=RampConfig(ramp_in=0.0))
    rig.push = None
    for frame_id, delay, values in messages:
        rig.core.on_wrench('tool0', rig.now - delay, rig.now, frame_id, values)
        command = rig.step()
        assert command is None or (
            np.isfinite(command.effort).all()
            and (np.abs(command.effort) <= pa10.effort_limit).all())


def test_a_clock_that_goes_back_starts_afresh(pa10, events):
    wrenches = inputs(pa10, events, ramp_time=0.0)
    assert wrenches.receive('tool0', START, START, 'tool0', PUSH)
    wrenches.update(START)
    assert set(wrenches.in_use()) == {'tool0'}
    wrenches.reset()
    wrenches.update(MS)
    assert wrenches.in_use() is None
    assert wrenches.receive('tool0', 2 * MS, 2 * MS, 'tool0', PUSH)
    wrenches.update(2 * MS)
    assert set(wrenches.in_use()) == {'tool0'}


def test_wrong_topics_are_refused_when_they_are_configured(pa10, events):
    with pytest.raises(ConfigurationError, match='wrench.topics'):
        WrenchConfig(topics=('tool0',))
    with pytest.raises(UnknownNameError, match='tool0'):
        WrenchInputs(WrenchConfig(topics=('tol0=x',)), pa10, events)

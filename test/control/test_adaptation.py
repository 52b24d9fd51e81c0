"""Slow adaptation learns what the arm has beyond the model, and not what a person does to it."""

from control_rig import MS, Rig
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
import pytest

from robot_dynamics import InverseDynamics
from robot_dynamics.control.adaptation import Adaptation
from robot_dynamics.control.adaptation_config import AdaptationBounds
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.wrench_input import WrenchConfig
from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.dynamics.equations.joint_losses import smooth_sign
from robot_dynamics.simulation.motions import paper_sinusoid

STEP = 0.01
# more of each than the model has: viscous, Coulomb, offset; 2 kg in the last link
VISCOUS = np.array([3.0, 4.0, 3.0, 0.3, 0.5, 0.2])
COULOMB = np.array([4.0, 7.0, 3.0, 0.7, 1.6, 0.4])
OFFSET = np.array([2.0, -2.0, 1.0, 0.1, -0.1, 0.1])
LOAD = np.array([2.0, 0.0, 0.0, 0.1, 0.01, 0.0, 0.0, 0.01, 0.0, 0.005])


class Lesson:
    """An arm that follows the paper's motion exactly, and an adaptation that watches."""

    def __init__(self, model, dynamics, believed=True, **bounds):
        self.dynamics, self.limit = dynamics, np.array(model.effort_limit)
        self.adaptation = Adaptation(
            AdaptationBounds(**bounds), dynamics, np.arange(model.nv), self.limit, believed)
        self.time, self.random = 0.0, np.random.default_rng(1)

    def unexplained(self, q, qd, qdd):
        rows = self.dynamics.regressor(q, qd, qdd)[:, -10:]
        noise = 0.003 * self.limit * self.random.standard_normal(6)
        return VISCOUS * qd + COULOMB * smooth_sign(qd) + OFFSET + rows @ LOAD + noise

    def run(self, seconds, push=0.0, speed=1.0, factor=1.0):
        for _ in range(round(seconds / STEP)):
            self.time += STEP
            q, qd, qdd = paper_sinusoid().sample(self.time)
            qd, qdd = speed * qd, speed * qdd
            effort = factor * self.unexplained(q, qd, qdd)
            effort[0] += push
            self.adaptation.add(STEP, q, qd, qdd, None, effort, self.dynamics)
        return self.adaptation.correction

    def error(self):
        """Return RMS of what stays unexplained, as shares of the effort limits, (6,)."""
        correction, errors = self.adaptation.correction, []
        for t in np.arange(30.0, 40.0, 0.05):
            q, qd, qdd = paper_sinusoid().sample(t)
            errors.append(self.unexplained(q, qd, qdd)
                          - correction.torque(self.dynamics, q, qd, qdd, None, qd))
        return np.sqrt(np.mean(np.square(errors), axis=0)) / self.limit


@pytest.fixture
def lesson(pa10, pa10_dynamics):
    return Lesson(pa10, pa10_dynamics)


@pytest.mark.slow
def test_what_the_arm_has_beyond_the_model_is_learned_in_seconds(lesson):
    before = lesson.error()
    lesson.run(12.0)
    assert (lesson.error() < 0.01).all() and (before > 0.025).all()
    assert_allclose(lesson.adaptation.correction.own[:, 1], COULOMB, rtol=0.15, atol=0.3)


def test_a_model_without_friction_does_not_hold_it_to_have_none(pa10_dynamics, pa10):
    lesson = Lesson(pa10, pa10_dynamics, believed=False)
    lesson.run(12.0)
    assert (lesson.error() < 0.01).all()


def test_a_push_is_not_learned(lesson):
    lesson.run(15.0)
    before = lesson.adaptation.correction
    lesson.run(2.0, push=20.0)
    assert lesson.adaptation.frozen == 'contact'
    assert_allclose(lesson.adaptation.correction.own[:, 2], before.own[:, 2], atol=0.3)
    lesson.run(3.0)
    assert lesson.adaptation.frozen == ''
    assert (lesson.error() < 0.01).all()


def test_a_joint_that_stands_still_teaches_nothing(lesson):
    lesson.run(5.0, speed=0.0)
    assert not lesson.adaptation.correction.own.any()
    assert not lesson.adaptation.correction.load.any()


@pytest.mark.parametrize('factor', [10.0, -10.0, 1e6])
def test_what_is_learned_stays_within_its_bounds(pa10, pa10_dynamics, factor):
    lesson = Lesson(pa10, pa10_dynamics, friction=0.1, payload_mass=1.0, torque=0.2)
    lesson.adaptation._noise[:] = 1e12  # nothing is too odd to be learned
    correction = lesson.run(6.0, factor=factor)
    limit = np.array(pa10.effort_limit)
    assert (np.abs(correction.own[:, :2]) <= 0.1 * limit[:, None] + 1e-9).all()
    assert abs(correction.load[0]) <= 1.0
    # nor is there less friction than none
    assert (correction.own[:, :2] >= -np.stack([pa10.damping, pa10.friction], 1) - 1e-9).all()
    for t in range(40):
        q, qd, qdd = paper_sinusoid().sample(0.3 * t)
        torque = correction.torque(pa10_dynamics, q, 10 * qd, qdd, None, 10 * qd)
        assert (np.abs(torque) <= 0.2 * limit + 1e-9).all()


def rig_that_learns(model, dynamics, wrenches=None, **config):
    rig = Rig(model, dynamics, adaptation='friction_and_payload', natural_frequency=(15.0,),
              ramp=RampConfig(ramp_in=0.0), **config)
    if wrenches is not None:
        rig.core = FeedforwardCore(rig.config, dynamics, wrenches=wrenches)
    return rig


def state(rig):
    return rig.core.status(rig.now)['adaptation']


def test_nothing_is_learned_unless_asked_for(rig):
    assert FeedforwardConfig().adaptation == 'off'
    assert 'adaptation' not in rig.core.status(rig.now)
    assert 'adaptation' not in rig.run(0.1).terms


def test_learning_is_frozen_where_a_fallback_commands(pa10, pa10_dynamics):
    rig = rig_that_learns(pa10, pa10_dynamics)
    rig.run(1.0)
    assert state(rig) == 'learning'
    rig.imu = False
    rig.run(0.4)
    assert state(rig).startswith('frozen: ')


def test_learning_is_frozen_where_a_wrench_is_measured(pa10, pa10_dynamics):
    rig = rig_that_learns(pa10, pa10_dynamics, WrenchConfig(topics=('tool0=ft',)),
                          base_motion='fixed')
    for _ in range(500):
        rig.core.on_wrench('tool0', rig.now, rig.now, 'tool0', (0.0, 0.0, 40.0, 0.0, 0.0, 0.0))
        rig.step()
    assert state(rig) == 'frozen: contact'


def test_the_terms_of_a_command_add_up_with_what_was_learned(pa10, pa10_dynamics):
    rig = rig_that_learns(pa10, pa10_dynamics)
    rig.run(1.0)
    learning = rig.core._cycle.learning
    for k in range(300):  # as if the arm had moved
        q, qd, qdd = paper_sinusoid().sample(0.01 * k)
        learning._adaptation.add(0.01, q, qd, qdd, None, VISCOUS * qd + OFFSET, pa10_dynamics)
    rig.run(0.3)
    command = rig.run(2 * MS * 1e-9)
    terms = command.terms
    assert np.abs(terms['adaptation']).max() > 0.05
    assert_allclose(sum(terms.values()) + command.feedback, command.effort, atol=1e-6)


def test_another_payload_is_learned_anew(pa10, pa10_dynamics):
    rig = rig_that_learns(pa10, pa10_dynamics)
    rig.run(1.0)
    learning = rig.core._cycle.learning
    learning._adaptation._used[:] = 1.0
    rig.core.set_payload('tool0', 1.0)
    rig.run(0.3)
    assert_array_equal(rig.core.status(rig.now)['learned_mass'], 0.0)


def test_the_link_of_the_load_must_move(pa10):
    dynamics = InverseDynamics(pa10, backend='interpreted')
    for link, error in (('base_link', ConfigurationError), ('nowhere', UnknownNameError)):
        with pytest.raises(error):
            Adaptation(AdaptationBounds(payload_link=link), dynamics, np.arange(6),
                       np.array(pa10.effort_limit), True)
    with pytest.raises(ConfigurationError, match='set feedforward'):
        FeedforwardConfig(adaptation='friction_and_payload', feedforward=False)

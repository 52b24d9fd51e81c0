"""What the feedforward commands is what the dynamics say, at the instant it acts."""

import dataclasses
from pathlib import Path
import re

from control_rig import MS, PERIOD, POSTURE, Rig, SHIP, START
import numpy as np
import pytest

from robot_dynamics import BaseMotion, InverseDynamics, RobotModel
from robot_dynamics.control.feedforward import ACTIVE, FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.joint_checks import JointChecksConfig
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.core.errors import ConfigurationError, UnknownNameError
from robot_dynamics.core.resources import resource_path
from robot_dynamics.simulation.motions import paper_sinusoid

ZERO = np.zeros(6)
AT_ONCE = {'ramp': RampConfig(ramp_in=0.0), 'limits': LimitsConfig(effort_rate=(1e9,))}


class TrueBase:
    """An estimator that knows the ship."""

    def update(self, sample):
        """Take nothing."""

    def reset(self):
        """Forget nothing."""

    def at(self, stamp_ns):
        """Return the truth."""
        from robot_dynamics.estimation.protocol import BaseEstimate
        return BaseEstimate(SHIP.at((stamp_ns - START) * 1e-9), 'full')


def rig(model, dynamics, truth=True, **config):
    """Return a rig without ramps."""
    result = Rig(model, dynamics, **{**AT_ONCE, **config})
    if truth:
        result.core = FeedforwardCore(result.config, dynamics, TrueBase())
    return result


@pytest.mark.parametrize('delay, fraction', [(0.0, 0.0), (0.003, 0.5), (0.01, 1.0)])
def test_reference_and_base_are_taken_at_the_instant_the_torque_acts(
        pa10, pa10_dynamics, delay, fraction):
    r = rig(pa10, pa10_dynamics, actuation_delay=delay, hold_fraction=fraction)
    r.posture = np.zeros(6)
    trajectory = JointTrajectory.from_reference(paper_sinusoid(), 4.0, start_ns=START)
    r.core.on_reference(trajectory, START)
    command = r.run(0.5)
    acts = command.stamp_ns + int(delay * 1e9 + fraction * 2e6)
    assert command.acts_at_ns == acts
    wanted = paper_sinusoid().sample((acts - START) * 1e-9)
    expected = pa10_dynamics.torque(*wanted, r.base(acts))
    np.testing.assert_allclose(command.effort, expected, atol=1e-6)
    np.testing.assert_allclose(command.desired_position, wanted.position, atol=1e-9)
    assert command.state == ACTIVE


def test_with_an_imu_stream_the_torque_is_right_within_three_per_mille(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, truth=False)
    command = r.run(2.0)
    expected = pa10_dynamics.torque(POSTURE, ZERO, ZERO, r.base(command.acts_at_ns))
    assert np.abs(command.effort - expected).max() < 3e-3 * np.abs(expected).max()


def test_fixed_base_takes_the_deck_as_level_and_still(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, base_motion='fixed')
    command = r.run(0.1)
    np.testing.assert_allclose(
        command.effort, pa10_dynamics.torque(POSTURE, ZERO, ZERO), atol=1e-12)
    assert command.base_level == 'fixed'


def test_fixed_base_needs_no_imu(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, base_motion='fixed')
    r.imu = False
    assert r.run(0.1).state == ACTIVE
    core = FeedforwardCore(FeedforwardConfig(base_motion='fixed'), pa10_dynamics)
    assert core.command(START) is None


def test_gravity_only_turns_gravity_and_leaves_rates_out(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, base_motion='gravity_only')
    command = r.run(0.5)
    base = r.base(command.acts_at_ns)
    np.testing.assert_allclose(command.effort, pa10_dynamics.torque(
        POSTURE, ZERO, ZERO, BaseMotion(gravity=base.gravity)), atol=1e-12)
    assert np.abs(command.effort - pa10_dynamics.torque(POSTURE, ZERO, ZERO, base)).max() > 0.1


def test_gravity_of_a_level_base_has_the_configured_magnitude(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, base_motion='fixed', gravity=9.8062)
    np.testing.assert_allclose(r.run(0.1).effort, pa10_dynamics.torque(
        POSTURE, ZERO, ZERO, BaseMotion.still(9.8062)), atol=1e-12)


def test_both_methods_command_the_same(pa10, pa10_dynamics):
    lagrange = InverseDynamics(pa10, 'lagrange_euler', backend='interpreted')
    one = rig(pa10, pa10_dynamics).run(0.1)
    other = rig(pa10, lagrange, method='lagrange_euler').run(0.1)
    np.testing.assert_allclose(one.effort, other.effort, atol=1e-10)


def test_commands_follow_the_configured_order_of_joints(pa10, pa10_dynamics):
    joints = ('joint3', 'joint6', 'joint1', 'joint2', 'joint5', 'joint4')
    gains = {'natural_frequency': (15.0,)}
    straight = rig(pa10, pa10_dynamics, **gains)
    mixed = rig(pa10, pa10_dynamics, joints=joints, **gains)
    one, other = straight.run(0.1), mixed.run(0.1)
    assert other.names == joints
    np.testing.assert_allclose(
        other.effort, [one.effort[pa10.index(name)] for name in joints], atol=1e-12)


def test_the_order_of_joint_states_does_not_matter(pa10, pa10_dynamics):
    straight = rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    mixed = rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
    order = [4, 1, 5, 0, 2, 3]
    mixed.names = [mixed.names[i] for i in order]
    mixed.posture = POSTURE[order]
    np.testing.assert_array_equal(straight.run(0.1).effort, mixed.run(0.1).effort)


def test_joints_that_are_not_commanded_enter_with_their_measured_position(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, joints=('joint1', 'joint2', 'joint3'))
    command = r.run(0.1)
    expected = pa10_dynamics.torque(POSTURE, ZERO, ZERO, r.base(command.acts_at_ns))
    np.testing.assert_allclose(command.effort, expected[:3], atol=1e-12)


def feedback_inertia(model, dynamics, **config):
    """Return the inertia that the gains of a core are scaled by, from an error of position."""
    r = rig(model, dynamics, natural_frequency=(15.0,), damping_ratio=(0.7,),
            joint_checks=JointChecksConfig(velocity_drift=1.0), **config)
    r.run(0.1)
    r.posture = POSTURE - 0.01
    r.core.on_joint_state(r.now, r.now, r.names, r.posture, np.full(6, 0.02))
    return r.core.command(r.now).feedback / (15.0**2 * 0.01 - 2 * 0.7 * 15.0 * 0.02)


@pytest.mark.parametrize('ratio', [600.0, 300.0])
def test_feedback_is_scaled_by_the_mass_matrix_but_no_joint_is_lighter_than_its_drive(
        pa10, pa10_dynamics, ratio):
    diagonal = np.diag(pa10_dynamics.mass_matrix(POSTURE))
    least = pa10.effort_limit / ratio
    assert (diagonal > least).any() and (diagonal < least).any()
    np.testing.assert_allclose(
        feedback_inertia(pa10, pa10_dynamics, feedback_inertia_ratio=ratio),
        np.maximum(diagonal, least), atol=1e-9)


def test_rotors_count_in_the_feedback_where_the_dynamics_count_them(pa10):
    model = pa10.with_rotor_inertia({'joint6': 0.3})
    links = np.diag(InverseDynamics(pa10, backend='interpreted').mass_matrix(POSTURE))
    for rotor in (False, True):
        dynamics = InverseDynamics(model, rotor_inertia=rotor, backend='interpreted')
        inertia = feedback_inertia(model, dynamics, rotor_inertia=rotor,
                                   feedback_inertia_ratio=1e6)
        np.testing.assert_allclose(inertia[5], links[5] + 0.3 * rotor, atol=1e-9)
        np.testing.assert_allclose(inertia[:3], links[:3], atol=1e-9)


def test_a_drive_whose_effort_limit_is_unknown_is_taken_as_light_as_its_links():
    urdf = Path(resource_path('urdf/pa10.urdf')).read_text()
    model = RobotModel.from_urdf(re.sub('effort="[^"]*"', 'effort="0"', urdf))
    assert not model.effort_limit.any()
    dynamics = InverseDynamics(model, backend='interpreted')
    np.testing.assert_allclose(
        feedback_inertia(model, dynamics, limits=LimitsConfig(effort=(200.0,))),
        np.diag(dynamics.mass_matrix(POSTURE)), atol=1e-9)


def test_feedback_compares_desired_and_measured_at_the_same_instant(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, natural_frequency=(15.0,), actuation_delay=0.01)
    reference = JointTrajectory.from_reference(paper_sinusoid(), 4.0, start_ns=START)
    r.core.on_reference(reference, START)
    r.posture = np.zeros(6)
    for k in range(300):
        r.posture = reference.sample((r.now - START) * 1e-9).position
        velocity = reference.sample((r.now - START) * 1e-9).velocity
        r.core.on_base_sample(r.sample(r.now), r.now)
        r.core.on_joint_state(r.now, r.now, r.names, r.posture, velocity)
        command = r.core.command(r.now + 1 * MS)  # the command comes a little later
        r.now += PERIOD
    assert np.abs(command.feedback).max() < 1e-9


def test_without_feedforward_only_the_feedback_is_commanded(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, feedforward=False, natural_frequency=(15.0,))
    r.imu = False
    command = r.run(0.1)
    assert not command.effort.any()
    r.posture = POSTURE - 0.01
    command = r.step()
    np.testing.assert_array_equal(command.effort, command.feedback)
    assert (command.effort > 0).all()


def test_the_measured_state_enters_the_model_when_asked(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics, state_source='measured')
    r.run(0.1)
    r.posture = POSTURE + 0.05
    command = r.step()
    np.testing.assert_allclose(command.effort, pa10_dynamics.torque(
        r.posture, ZERO, ZERO, r.base(command.acts_at_ns)), atol=1e-9)


@pytest.mark.parametrize('terms', [('gravity',), ('gravity', 'base_inertial'), ('inertia',)])
def test_terms_left_out_are_not_commanded(pa10, pa10_dynamics, terms):
    r = rig(pa10, pa10_dynamics, leave_out=terms)
    command = r.run(0.1)
    whole = pa10_dynamics.terms(POSTURE, ZERO, ZERO, r.base(command.acts_at_ns))
    expected = whole.total - sum(getattr(whole, name) for name in terms)
    np.testing.assert_allclose(command.effort, expected, atol=1e-9)


@pytest.mark.parametrize('source', ['desired', 'measured'])
def test_friction_is_taken_at_the_desired_velocity(pa10, pa10_dynamics, source):
    commands = []
    for friction in (False, True):
        r = rig(pa10, pa10_dynamics, friction=friction, state_source=source)
        r.posture = np.zeros(6)
        r.core.on_reference(
            JointTrajectory.from_reference(paper_sinusoid(), 4.0, start_ns=START), START)
        commands.append(r.run(0.5))
    wanted = paper_sinusoid().sample((commands[0].acts_at_ns - START) * 1e-9)
    np.testing.assert_allclose(
        commands[1].effort - commands[0].effort,
        pa10_dynamics.friction_torque(wanted.velocity), atol=1e-5)


def test_terms_and_wrench_of_a_command_are_those_of_its_motion(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics)
    command = r.run(0.1)
    base = r.base(command.acts_at_ns)
    np.testing.assert_allclose(sum(command.terms.values()), command.effort, atol=1e-9)
    np.testing.assert_allclose(
        command.base_wrench, pa10_dynamics.base_wrench(POSTURE, ZERO, ZERO, base), atol=1e-9)


def test_a_payload_is_held_and_its_removal_restores_the_torques(pa10):
    dynamics = InverseDynamics(pa10, backend='interpreted')
    r = rig(pa10, dynamics, base_motion='fixed')
    before = r.run(0.5).effort
    r.core.set_payload('link6', 5.0, (0.0, 0.0, 0.1))
    with_load = r.run(0.1).effort
    loaded = InverseDynamics(pa10.with_payload('link6', 5.0, (0, 0, 0.1)), backend='interpreted')
    np.testing.assert_allclose(with_load, loaded.torque(POSTURE, ZERO, ZERO), atol=1e-6)
    r.core.clear_payload()
    np.testing.assert_array_equal(r.run(0.1).effort, before)


@pytest.mark.slow
def test_changed_gains_and_payload_fade_in_without_a_step(pa10):
    dynamics = InverseDynamics(pa10, backend='interpreted')
    r = Rig(pa10, dynamics, natural_frequency=(15.0,))
    r.run(1.5)
    r.posture = POSTURE - 0.05
    r.run(0.5)
    r.commands.clear()
    r.run(0.1)
    quiet = r.largest_step()
    r.core.set_payload('link6', 10.0)
    r.core.reconfigure(dataclasses.replace(r.config, natural_frequency=(25.0,)), r.now)
    r.run(2.0)
    assert r.largest_step() < max(3 * quiet, 0.01)


def test_what_is_built_in_cannot_change_while_running(pa10, pa10_dynamics):
    r = rig(pa10, pa10_dynamics)
    for change in ({'joints': ('joint1',)}, {'friction': True}, {'base_motion': 'fixed'},
                   {'gravity': 1.62}):
        with pytest.raises(ConfigurationError, match=next(iter(change))):
            r.core.reconfigure(dataclasses.replace(r.config, **change), r.now)
    with pytest.raises(ConfigurationError, match='natural_frequency'):
        r.core.reconfigure(dataclasses.replace(r.config, natural_frequency=(1.0, 2.0)), r.now)
    assert r.core.config == r.config


def test_joints_and_dynamics_must_fit(pa10, pa10_dynamics):
    with pytest.raises(UnknownNameError, match='joint7'):
        FeedforwardCore(FeedforwardConfig(joints=('joint7',)), pa10_dynamics, TrueBase())
    with pytest.raises(ConfigurationError, match='method'):
        FeedforwardCore(
            FeedforwardConfig(method='lagrange_euler'), pa10_dynamics, TrueBase())
    with_friction = InverseDynamics(pa10, friction=True, backend='interpreted')
    with pytest.raises(ConfigurationError, match='friction'):
        FeedforwardCore(FeedforwardConfig(), with_friction, TrueBase())
    with pytest.raises(ConfigurationError, match='estimator'):
        FeedforwardCore(FeedforwardConfig(), pa10_dynamics)


def test_the_same_inputs_give_the_same_commands_bit_for_bit(pa10, pa10_dynamics):
    efforts = []
    for _ in range(2):
        r = Rig(pa10, pa10_dynamics, natural_frequency=(15.0,))
        r.core.on_reference(JointTrajectory(
            pa10.joint_names, [1.0, 2.0], [POSTURE, POSTURE + 0.1]), START)
        random = np.random.default_rng(3)
        for _ in range(600):
            r.posture = POSTURE + 0.01 * random.standard_normal(6)
            r.imu = random.random() > 0.02
            r.joint_states = random.random() > 0.02
            r.step()
        efforts.append(np.array([command.effort for command in r.commands]))
    assert efforts[0].tobytes() == efforts[1].tobytes()


def test_a_mimic_joint_and_a_branch_make_no_difference(pa10_dynamics):
    del pa10_dynamics
    text = """<robot name="r"><link name="b"/>
    <link name="l1"><inertial><mass value="1"/><origin xyz="0 0 .2"/><inertia ixx=".1" iyy=".1"
     izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <link name="l2"><inertial><mass value="1"/><origin xyz="0 0 .2"/><inertia ixx=".1" iyy=".1"
     izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j1" type="revolute"><parent link="b"/><child link="l1"/><axis xyz="0 1 0"/>
     <limit lower="-3" upper="3" effort="50" velocity="2"/></joint>
    <joint name="j2" type="revolute"><parent link="b"/><child link="l2"/><axis xyz="0 1 0"/>
     <limit lower="-3" upper="3" effort="50" velocity="2"/><mimic joint="j1" multiplier="-1"/>
     </joint></robot>"""
    model = RobotModel.from_urdf(text)
    dynamics = InverseDynamics(model, backend='interpreted')
    r = Rig(model, dynamics, posture=[0.4], **AT_ONCE)
    command = r.run(1.0)
    assert command.names == ('j1',)
    expected = dynamics.torque([0.4], [0.0], [0.0], r.base(command.acts_at_ns))
    np.testing.assert_allclose(command.effort, expected, atol=1e-2)

"""The controller configurations agree with the nodes that they are written for."""

import numpy as np
import pytest
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.guard import EffortGuard, GuardConfig
from robot_dynamics.control.rolling_trajectory import check_rolling
from robot_dynamics.core.parameters import config_from_parameters, parameter_specs
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.nodes.effort_guard_node import GuardNodeConfig
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.reference_trajectory_node import ReferenceConfig
from robot_dynamics.nodes.ship_motion_publisher import ShipPublisherConfig
from robot_dynamics.nodes.simulated_robot_node import RobotNodeConfig
from trajectory_loop import gains_at, rotors_of
import yaml

CONFIGS = {
    '/**/feedforward': (FeedforwardConfig, FeedforwardNodeConfig),
    '/**/effort_guard': (GuardConfig, GuardNodeConfig),
    '/**/ship_motion_publisher': (ShipPublisherConfig,),
    '/**/simulated_robot': (RobotNodeConfig,),
    '/**/reference_trajectory': (ReferenceConfig,)}
FILES = ('ship_pa10', 'ros2_control_effort_forward', 'ros2_control_effort_trajectory')


@pytest.fixture(params=FILES)
def sections(request, repository):
    text = (repository / 'config' / f'{request.param}.yaml').read_text(encoding='utf-8')
    return {name: section['ros__parameters'] for name, section in yaml.safe_load(text).items()}


def test_every_parameter_in_the_files_exists_and_its_value_is_accepted(sections):
    for name, kinds in CONFIGS.items():
        values = sections.get(name, {})
        known = [spec.name for kind in kinds for spec in parameter_specs(kind)]
        assert set(values) <= set(known), name
        for kind in kinds:
            own = [spec.name for spec in parameter_specs(kind)]
            config_from_parameters(kind, {k: v for k, v in values.items() if k in own})


def test_floats_are_written_as_floats_because_ros_does_not_convert(sections):
    for name, kinds in CONFIGS.items():
        defaults = {spec.name: spec.default for kind in kinds for spec in parameter_specs(kind)}
        for key, value in sections.get(name, {}).items():
            default = defaults[key]
            if isinstance(default, float):
                assert isinstance(value, float), (name, key)
            if isinstance(default, tuple) and default and isinstance(default[0], float):
                assert all(isinstance(item, float) for item in value), (name, key)


def test_joints_are_those_of_the_arm_in_one_order_everywhere(sections, repository):
    model = RobotModel.from_urdf(str(repository / 'urdf/pa10.urdf'))
    for name, values in sections.items():
        if 'joints' in values:
            assert values['joints'] == list(model.joint_names), name


def test_the_guard_of_the_files_starts_with_the_limits_of_the_arm(repository):
    model = RobotModel.from_urdf(str(repository / 'urdf/pa10.urdf'))
    text = (repository / 'config/ros2_control_effort_forward.yaml').read_text(encoding='utf-8')
    values = yaml.safe_load(text)['/**/effort_guard']['ros__parameters']
    guard = EffortGuard(config_from_parameters(GuardConfig, values))
    guard.on_joint_state(model.joint_names, model.effort_limit, 0)
    sent = guard.on_command(2.0 * model.effort_limit, 0)
    assert sent.tolist() == model.effort_limit.tolist()


def test_the_trajectory_controller_is_not_asked_for_what_it_does_already(repository):
    text = (repository / 'config/ros2_control_effort_trajectory.yaml').read_text(encoding='utf-8')
    file = yaml.safe_load(text)
    known = {spec.name for spec in parameter_specs(FeedforwardConfig)}
    values = file['/**/feedforward']['ros__parameters']
    check_rolling(config_from_parameters(
        FeedforwardConfig, {name: values[name] for name in known & set(values)}))


def test_forwarded_efforts_go_to_an_effort_interface(repository):
    text = (repository / 'config/ros2_control_effort_forward.yaml').read_text(encoding='utf-8')
    file = yaml.safe_load(text)
    assert file['effort_controller']['ros__parameters']['interface_name'] == 'effort'
    rate = file['controller_manager']['ros__parameters']['update_rate']
    period = file['/**/feedforward']['ros__parameters']['command_period']
    assert period == pytest.approx(1.0 / rate)


@pytest.mark.parametrize('rate', [200, 500])
def test_the_gains_of_the_trajectory_controller_hold_with_and_without_rotors(
        pa10, repository, rng, rate):
    p, d = gains_at(repository, rate)
    dynamics = InverseDynamics(pa10, backend='interpreted')
    postures = rng.uniform(pa10.lower, pa10.upper, (20_000, 6))
    matrices = dynamics.mass_matrix(postures)
    least = (1.0 / np.diagonal(np.linalg.inv(matrices), axis1=1, axis2=2)).min(axis=0)
    most = np.diagonal(matrices, axis1=1, axis2=2).max(axis=0) + rotors_of(repository)
    falls = fall(dynamics, postures[:2000])
    assert (p > 1.9 * falls).all()
    assert ((d / (2.0 * np.sqrt(p * most)) > 0.33) | (p < 2.1 * falls)).all()
    assert max(growth(matrix, p, d, 1.0 / rate, 5) for matrix in matrices[:100]) < 1.0
    # and as stiff as that allows, but for rounding
    assert (np.minimum(0.125 * least * rate, 30.0 * most) < 1.03 * d).all()
    assert (np.minimum(2.0 * d**2 / most, 225.0 * most) < 1.05 * p).all()


def fall(dynamics, q):
    """Return with what stiffness gravity lets each joint fall on a tilted base, (n,), Nm/rad."""
    bases = [BaseMotion.from_roll_pitch(roll, pitch, 0.0, 0.0)
             for roll in (-0.3, 0.3) for pitch in (-0.3, 0.3)]
    still, step = np.zeros_like(q), 1e-4 * np.eye(q.shape[1])
    return np.array([
        [((dynamics.torque(q - h, still, still, base) - dynamics.torque(q + h, still, still, base))
          [:, i] / 2e-4).max() for i, h in enumerate(step)] for base in bases]).max(axis=0)


def growth(mass_matrix, p, d, period, delay):
    """Return by how much the loop grows in a period, with a delay in periods."""
    n, eye = len(p), np.eye(len(p))
    step = np.zeros(((2 + delay) * n, (2 + delay) * n))
    step[:n, :n] = step[n:2 * n, n:2 * n] = eye
    step[:n, n:2 * n] = period * eye
    step[n:2 * n, 2 * n:3 * n] = period * np.linalg.inv(mass_matrix)
    step[:n, 2 * n:3 * n] = 0.5 * period * step[n:2 * n, 2 * n:3 * n]
    step[2 * n:-n, 3 * n:] = np.eye((delay - 1) * n)
    step[-n:, :2 * n] = -np.hstack([np.diag(p), np.diag(d)])
    return np.abs(np.linalg.eigvals(step)).max()


def test_feedback_and_feedforward_of_way_b_add_up_to_the_limits_of_the_arm(pa10, repository):
    file = yaml.safe_load((repository / 'config/ros2_control_effort_trajectory.yaml').read_text())
    gains = file['joint_trajectory_controller']['ros__parameters']['gains'].values()
    feedforward = file['/**/feedforward']['ros__parameters']['limits.effort']
    for name, sign in (('u_clamp_max', 1.0), ('u_clamp_min', -1.0)):
        clamp = sign * np.array([gain[name] for gain in gains])
        np.testing.assert_allclose(clamp + feedforward, pa10.effort_limit)


@pytest.mark.parametrize('way', ['forward', 'trajectory'])
def test_the_reference_for_ros2_control_keeps_to_the_velocity_limits(pa10, repository, way):
    file = yaml.safe_load((repository / f'config/ros2_control_effort_{way}.yaml').read_text())
    reference = config_from_parameters(
        ReferenceConfig, file['/**/reference_trajectory']['ros__parameters']).reference()
    speed = np.abs(reference.sample(np.arange(0.0, 60.0, 0.01)).velocity).max(axis=0)
    assert (speed < 0.9 * pa10.velocity_limit).all()

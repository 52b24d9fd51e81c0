"""From parameters and a robot description to a feedforward that is ready to run."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Optional

import numpy as np
from robot_dynamics.control.arm_mount import ArmMount
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.mobile_feedforward import MobileFeedforwardCore
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.nodes.description import model_from_parameter
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.mount_parameters import imu_mounting, links_elsewhere, MountConfig
from robot_dynamics.nodes.payload_parameters import apply_payload, prepare_payloads


def build_core(description: str, config: FeedforwardConfig, node_config: FeedforwardNodeConfig,
               progress: Callable[[str], Any]) -> FeedforwardCore:
    """
    Load the model, compile the dynamics, and put the feedforward together.

    Parameters
    ----------
    description : str
        URDF, text or path.
    config, node_config
        Parameters of the node.
    progress : callable
        Told in words what is compiled.

    Raises
    ------
    RobotDynamicsError
        If the description is wrong, or the configuration does not fit it.
    """
    config = with_losses(config, node_config)
    model = model_from_parameter(
        description, node_config.reflected_rotor_inertia, node_config.model)
    _check_commanded(config, model)
    if node_config.mobile.on_wheels:
        _check_on_wheels(node_config)
        mobile = build_mobile_core(model, config, node_config, progress)
        set_payload(mobile, node_config)
        return mobile
    dynamics = InverseDynamics(model, config.method, rotor_inertia=config.rotor_inertia)
    dynamics.warm_up('torque', 'mass_matrix', 'terms', 'base_wrench', progress=progress)
    prepare_payloads(dynamics, node_config.payload, progress)
    imu, mount = node_config.imu, node_config.mount.mount(model)
    mounting = imu_mounting(model, mount, imu.link, imu.mounting_rpy, imu.mounting_xyz)
    gate = imu.gate(config.gravity, mounting, links_elsewhere(model, mounting),
                    _expected_up(node_config, mount), config.require_orientation)
    estimator = None if config.base_motion == 'fixed' else imu.estimator(
        config.gravity, gate.mounting_behind, node_config.estimator)
    core = FeedforwardCore(config, model, dynamics, estimator, mount, node_config.wrench, gate)
    _warm_up_wrenches(core)
    set_payload(core, node_config)
    return core


def with_losses(config: FeedforwardConfig, node_config: FeedforwardNodeConfig
                ) -> FeedforwardConfig:
    """Let friction and rotors count where they were identified."""
    if not node_config.model.identified:
        return config
    return dataclasses.replace(config, friction=True, rotor_inertia=True)


def build_mobile_core(model: RobotModel, config: FeedforwardConfig,
                      node_config: FeedforwardNodeConfig, progress: Callable[[str], Any]
                      ) -> MobileFeedforwardCore:
    """Put the feedforward of wheels and arm together; arguments as for :func:`build_core`."""
    mobile, imu = node_config.mobile, node_config.imu
    robot = mobile.robot(model, config.method, config.rotor_inertia)
    # of an IMU on the platform the gate gets samples of the deck, without a mounting
    gate = imu.gate(config.gravity, None if mobile.imu_on == 'deck' else ImuMounting(ned=False),
                    orientation_required=config.require_orientation)
    estimator = None if config.base_motion == 'fixed' else imu.estimator(
        config.gravity, gate.mounting_behind, node_config.estimator)
    core = MobileFeedforwardCore(config, robot, estimator, mobile, imu.mounting(), gate)
    core.warm_up(progress)
    return core


def _expected_up(node_config: FeedforwardNodeConfig, mount: ArmMount) -> Optional[FloatArray]:
    """
    Return where up is expected in base axes on a level platform.

    An IMU on a link of the description measures how the arm stands, and nothing else says so.
    """
    if node_config.imu.link and node_config.mount == MountConfig():
        return None
    return -mount.level_direction


def set_payload(core: FeedforwardCore, node_config: FeedforwardNodeConfig) -> None:
    """Give the feedforward the payload of the parameters, or none."""
    apply_payload(core, node_config.payload)


def _check_commanded(config: FeedforwardConfig, model: RobotModel) -> None:
    """Refuse commands for joints that another one drives."""
    drivers = {body.joint.name: body.joint.mimic.joint
               for body in model.bodies if body.joint.mimic is not None}
    for name in config.joints:
        if name in drivers:
            raise ConfigurationError(f'joints: {name!r} follows {drivers[name]!r} (mimic) and '
                                     'takes no command of its own; name that one')


def _check_on_wheels(node_config: FeedforwardNodeConfig) -> None:
    """Refuse what a robot on wheels has no use for."""
    if node_config.wrench.topics:
        raise ConfigurationError('wrench.topics: a robot on wheels takes no external wrenches')
    if node_config.mount != MountConfig():
        raise ConfigurationError('mount: a robot on wheels stands upright on the deck')


def _warm_up_wrenches(core: FeedforwardCore) -> None:
    """Compile what each wrench needs, in either of its frames."""
    for link in core.wrenches.links:
        for frame in ('link', 'base'):
            core.dynamics.external_torque(
                np.zeros(core.model.nv), {link: ExternalWrench(np.zeros(6), frame)})

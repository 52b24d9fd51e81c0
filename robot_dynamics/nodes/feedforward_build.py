"""From parameters and a robot description to a feedforward that is ready to run."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Optional

import numpy as np
from robot_dynamics.control.arm_mount import ArmMount
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.loads import ExternalWrench
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.base_motion import BaseMotion
from robot_dynamics.motion.base_state import BaseState
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
    driving = node_config.mobile
    dynamics = driving.dynamics(model, config.method, config.rotor_inertia)
    dynamics.warm_up('torque', 'mass_matrix', 'terms', 'base_wrench', progress=progress)
    prepare_payloads(dynamics, node_config.payload, progress)
    mount = node_config.mount.mount(model)
    gate = _gate(model, mount, config, node_config)
    # an IMU on a platform is made to read as one on the deck behind the gate
    mounting = ImuMounting(ned=False) if _rides(node_config) else gate.mounting_behind
    estimator = None if config.base_motion == 'fixed' else node_config.imu.estimator(
        config.gravity, mounting, node_config.estimator)
    core = FeedforwardCore(
        config, dynamics, estimator, mount, node_config.wrench, gate, driving)
    _warm_up_wrenches(core)
    set_payload(core, node_config)
    return core


def with_losses(config: FeedforwardConfig, node_config: FeedforwardNodeConfig
                ) -> FeedforwardConfig:
    """Let friction and rotors count where they were identified."""
    if not node_config.model.identified:
        return config
    return dataclasses.replace(config, friction=True, rotor_inertia=True)


def _gate(model: RobotModel, mount: ArmMount, config: FeedforwardConfig,
          node_config: FeedforwardNodeConfig) -> ImuGate:
    """Return the gate of the IMU's samples, with where the IMU sits."""
    imu = node_config.imu
    if not node_config.mobile.on_wheels:
        mounting = imu_mounting(model, mount, imu.link, imu.mounting_rpy, imu.mounting_xyz)
        return imu.gate(config.gravity, mounting, links_elsewhere(model, mounting),
                        _expected_up(node_config, mount), config.require_orientation)
    if node_config.mount.platform_link:
        raise ConfigurationError('mount.platform_link: a robot on wheels moves against the ship; '
                                 'give the pose of the deck by mount.base_rpy and base_xyz')
    if _rides(node_config):  # the mounting is that on the base link, however the deck stands
        mounting = imu_mounting(model, ArmMount(), imu.link, imu.mounting_rpy, imu.mounting_xyz)
        up = (0.0, 0.0, 1.0) if node_config.mount == MountConfig() else None
        return imu.gate(config.gravity, mounting, links_elsewhere(model, mounting), up,
                        config.require_orientation)
    if imu.link:
        raise ConfigurationError('imu.link: a link of a robot on wheels carries the IMU only with '
                                 'mobile.imu_on: platform')
    mounting = imu_mounting(model, mount, '', imu.mounting_rpy, imu.mounting_xyz)
    return imu.gate(config.gravity, mounting, up=-mount.level_direction,
                    orientation_required=config.require_orientation)


def _rides(node_config: FeedforwardNodeConfig) -> bool:
    """Tell whether the IMU is on a platform that drives."""
    return node_config.mobile.on_wheels and node_config.mobile.imu_on == 'platform'


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


def _warm_up_wrenches(core: FeedforwardCore) -> None:
    """Compile what each wrench needs, in either of its frames."""
    pose_size = core.dynamics.support.pose_size
    base = BaseState(BaseMotion(), np.zeros(pose_size)) if pose_size else None
    for link in core.wrenches.links:
        for frame in ('link', 'base'):
            core.dynamics.external_torque(
                np.zeros(core.model.nv), {link: ExternalWrench(np.zeros(6), frame)}, base)

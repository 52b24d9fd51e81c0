"""From parameters and a robot description to a feedforward that is ready to run."""

from __future__ import annotations

from typing import Any, Callable

from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.nodes.description import model_from_parameter
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig


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
    model = model_from_parameter(description, node_config.reflected_rotor_inertia)
    dynamics = InverseDynamics(model, config.method, rotor_inertia=config.rotor_inertia)
    dynamics.warm_up('torque', 'mass_matrix', 'terms', 'base_wrench', progress=progress)
    estimator = (None if config.base_motion == 'fixed'
                 else node_config.imu.estimator(config.gravity))
    core = FeedforwardCore(config, model, dynamics, estimator)
    set_payload(core, node_config)
    return core


def set_payload(core: FeedforwardCore, node_config: FeedforwardNodeConfig) -> None:
    """Give the feedforward the payload of the parameters, or none."""
    payload = node_config.payload
    if payload.is_empty:
        core.clear_payload()
    else:
        core.set_payload(payload.link, payload.mass, payload.com)

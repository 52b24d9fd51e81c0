"""Friction and rotor inertia of a model's joints, as numbers."""

from __future__ import annotations

from typing import Any, Mapping, Union

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_flag, as_mapping, as_scalar
from robot_dynamics.dynamics.equations.joint_losses import FrictionLaw
from robot_dynamics.dynamics.formulation import JointLosses
from robot_dynamics.model.robot_model import RobotModel


def joint_losses(model: RobotModel, friction: bool,
                 rotor_inertia: Union[bool, Mapping[str, float]]) -> JointLosses:
    """
    Collect what was asked for; everything else is zero.

    Raises
    ------
    UnknownNameError
        If ``rotor_inertia`` names a joint that the model does not have.
    InputError
        If a rotor inertia is negative or not finite, a switch holds anything else than True or
        False, or the model is none.
    """
    zeros = np.zeros(checked_model(model).nv)
    wanted = as_flag('friction', friction, ': its numbers are those of the description')
    if isinstance(rotor_inertia, (bool, np.bool_)):
        rotor = np.array(model.rotor_inertia) if rotor_inertia else zeros
    else:
        rotor = np.zeros(model.nv)
        by_joint = as_mapping('rotor_inertia', rotor_inertia,
                              "joint names to kg m^2, or True for the model's own")
        for name, value in by_joint.items():
            rotor[model.index(name)] = as_scalar(
                f'rotor_inertia[{name!r}]', value, minimum=0.0, unit='kg m^2')
    return JointLosses(friction_law(model) if wanted else FrictionLaw.none(model.nv), rotor)


def checked_model(model: Any) -> RobotModel:
    """Return the model, or say how to load one where a path or a text was given."""
    if not isinstance(model, RobotModel):
        raise InputError('model', f'is a {type(model).__name__}, expected a RobotModel: '
                                  'RobotModel.from_urdf loads one')
    return model


def friction_law(model: RobotModel) -> FrictionLaw:
    """Return the friction of the model's joints."""
    return FrictionLaw(model.damping, model.friction, model.stribeck, model.asymmetry,
                       model.torque_offset, model.stribeck_speed)

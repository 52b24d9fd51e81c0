"""Friction and rotor inertia of a model's joints, as numbers."""

from __future__ import annotations

from typing import Mapping, Union

import numpy as np

from robot_dynamics.core.errors import InputError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.dynamics.equations.joint_losses import FRICTION_SPEED
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
        If a rotor inertia is negative or not finite, or the model is none.
    """
    if not isinstance(model, RobotModel):
        raise InputError('model', f'is a {type(model).__name__}, expected a RobotModel: '
                                  'RobotModel.from_urdf loads one')
    zeros = np.zeros(model.nv)
    if isinstance(rotor_inertia, Mapping):
        rotor = np.zeros(model.nv)
        for name, value in rotor_inertia.items():
            rotor[model.index(name)] = as_scalar(
                f'rotor_inertia[{name!r}]', value, minimum=0.0, unit='kg m^2')
    else:
        rotor = np.array(model.rotor_inertia) if rotor_inertia else zeros
    return JointLosses(np.array(model.damping) if friction else zeros,
                       np.array(model.friction) if friction else zeros, rotor)


def friction_at(model: RobotModel, qd: FloatArray) -> FloatArray:
    """Friction of the model's joints at velocities (nv,) or (T, nv), as the kernels have it."""
    return np.asarray(model.damping * qd
                      + model.friction * qd / np.sqrt(qd**2 + FRICTION_SPEED**2))

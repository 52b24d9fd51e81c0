"""One wheel of a description: a joint on the platform and the round shape that it turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel

ALONG = 1e-3  # rad: a cylinder is a wheel's tread if it lies along the wheel's axis


@dataclass(frozen=True, eq=False)
class Wheel:
    """A wheel in the base link's frame."""

    joint: str
    #: (3,), on the axis: at the tread's middle if a shape tells it, else at the joint [m]
    centre: FloatArray
    axis: FloatArray  #: (3,), positive direction of rotation
    radius: Optional[float]  #: Of the largest round shape about the axis [m]
    links: Tuple[str, ...]  #: What turns with it


def wheel_of(model: RobotModel, joint_name: str) -> Wheel:
    """
    Look a wheel up by its joint.

    Raises
    ------
    UnknownNameError
        If there is no such independent joint.
    ModelError
        If it cannot be a wheel.
    """
    model.index(joint_name)
    index = next(k for k, body in enumerate(model.bodies) if body.joint.name == joint_name)
    body = model.bodies[index]
    element = f"joint '{joint_name}'"
    if body.joint.kind == 'prismatic':
        raise ModelError(element, 'is prismatic and cannot be a wheel', 'name a turning joint')
    if body.parent != BASE:
        carrier = model.bodies[body.parent].joint.name
        raise ModelError(element, f"is a wheel carried by joint '{carrier}'; wheels must sit on "
                         'the platform itself', f"leave '{carrier}' out of `joints`, so that "
                         'it is held')
    axis = body.R_PJ @ body.joint.axis
    links = tuple(name for name, frame in model.frames.items() if frame.body == index)
    radius, along = _tread(model, links, body.joint.axis)
    return Wheel(joint_name, body.p_PJ + along * axis, axis, radius, links)


def _tread(model: RobotModel, links: Tuple[str, ...], axis: FloatArray
           ) -> Tuple[Optional[float], float]:
    """Radius of the largest shape about the axis, and where along the axis its middle is."""
    found: Tuple[Optional[float], float] = (None, 0.0)
    for link in links:
        frame = model.frames[link]
        for shape in (model.contents.round_shapes.get(link, ()) if model.contents else ()):
            centre = frame.R_BL @ shape.centre + frame.p_BL
            direction = axis if shape.axis is None else frame.R_BL @ shape.axis
            off_axis = np.linalg.norm(np.cross(axis, centre))
            if np.linalg.norm(np.cross(axis, direction)) > ALONG or (
                    off_axis > ALONG * shape.radius):
                continue
            if found[0] is None or shape.radius > found[0]:
                found = shape.radius, float(axis @ centre)
    return found

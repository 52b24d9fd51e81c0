"""
A robot on wheels as a tree on the ground: three virtual joints carry the platform.

The platform slides along the ground's x and y axes and turns about its z axis; then the equations
for trees on a moving base hold as they are, and rolling is left to the projection.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Sequence, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import BASE, Body, Inertial, Joint, LinkFrame
from robot_dynamics.model.inertia import placed
from robot_dynamics.model.robot_model import RobotModel

VIRTUAL_NAMES = ('ground/x', 'ground/y', 'ground/heading')
VIRTUAL = len(VIRTUAL_NAMES)
AXISYMMETRIC = 1e-9  # relative to a wheel's own inertia


def wheels_first(model: RobotModel, wheels: Sequence[str]) -> RobotModel:
    """
    Return the model with the coordinates of the wheels first, then the others as they were.

    Raises
    ------
    UnknownNameError
        If there is no such joint.
    """
    order = [model.index(name) for name in wheels]
    order += [k for k in range(model.nv) if k not in order]
    if order == list(range(model.nv)):
        return model
    place = {old: new for new, old in enumerate(order)}
    return replace(
        model, joints=tuple(model.joints[k] for k in order),
        bodies=tuple(replace(body, coordinate=place[body.coordinate]) for body in model.bodies),
        rotor_inertia=np.array(model.rotor_inertia)[order])


def on_ground(model: RobotModel, R_BO: FloatArray, p_BO: FloatArray) -> RobotModel:
    """
    Put a platform on the ground.

    Parameters
    ----------
    R_BO, p_BO : ndarray, (3, 3) and (3,)
        Frame O of the platform on the ground, in the base link's frame.

    Returns
    -------
    RobotModel
        Its base is the ground, without mass; its coordinates are x, y [m] and heading [rad] of
        O on the ground, then the model's.
    """
    R_OB = R_BO.T
    p_OB = -R_OB @ p_BO
    axes = ('prismatic', (1.0, 0.0, 0.0)), ('prismatic', (0.0, 1.0, 0.0)), (
        'continuous', (0.0, 0.0, 1.0))
    joints = [Joint(name, kind, np.array(axis)) for name, (kind, axis) in zip(
        VIRTUAL_NAMES, axes)]
    inertials = [Inertial(), Inertial(), placed(model.base_inertial, R_OB, p_OB)]
    bodies: List[Body] = [
        Body(f'{joint.name} carrier', joint, k - 1, np.eye(3), np.zeros(3), inertials[k], k)
        for k, joint in enumerate(joints)]
    for body in model.bodies:
        R, p = body.R_PJ, body.p_PJ
        if body.parent == BASE:
            R, p = R_OB @ R, R_OB @ p + p_OB
        bodies.append(replace(body, parent=body.parent + VIRTUAL, R_PJ=R, p_PJ=p,
                              coordinate=body.coordinate + VIRTUAL))
    frames: Dict[str, LinkFrame] = {}
    for name, frame in model.frames.items():
        R, p = frame.R_BL, frame.p_BL
        if frame.body == BASE:
            R, p = R_OB @ R, R_OB @ p + p_OB
        frames[name] = LinkFrame(frame.body + VIRTUAL, R, p)
    return replace(
        model, base_link='ground', base_inertial=Inertial(), bodies=tuple(bodies),
        joints=(*joints, *model.joints), frames=frames, contents=None,
        rotor_inertia=np.concatenate([np.zeros(VIRTUAL), model.rotor_inertia]))


def spins_freely(model: RobotModel, wheels: int) -> Tuple[bool, ...]:
    """
    Say for each of the wheels, which come first, whether its angle makes no difference.

    So it is for a wheel that is symmetric about its axis and carries nothing: then the equations
    may be written for angle zero, and no sine is left of it.
    """
    return tuple(_symmetric(model, coordinate) for coordinate in range(wheels))


def _symmetric(model: RobotModel, coordinate: int) -> bool:
    moved = [k for k, body in enumerate(model.bodies) if body.coordinate == coordinate]
    if len(moved) != 1 or any(body.parent == moved[0] for body in model.bodies):
        return False
    body = model.bodies[moved[0]]
    inertial, z = body.inertial, np.asarray(body.joint.axis)
    size = np.abs(inertial.inertia).max() + 1e-30
    off_axis: FloatArray = np.cross(z, inertial.com)
    spin = float(z @ inertial.inertia @ z)
    across = 0.5 * (np.trace(inertial.inertia) - spin)
    ideal = across * (np.eye(3) - np.outer(z, z)) + spin * np.outer(z, z)
    return bool(inertial.mass * (off_axis @ off_axis) <= AXISYMMETRIC * size
                and np.abs(inertial.inertia - ideal).max() <= AXISYMMETRIC * size)

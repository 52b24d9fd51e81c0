"""
A mobile robot as a tree on the deck: three virtual joints carry the platform.

The platform slides along the deck's x and y axes and turns about its z axis; then the equations
for trees on a moving base hold as they are, and rolling is left to the projection.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.differential_drive import DifferentialDrive
from robot_dynamics.model.elements import BASE, Body, Inertial, Joint, LinkFrame
from robot_dynamics.model.inertia import placed
from robot_dynamics.model.robot_model import RobotModel

VIRTUAL = 3   # joints between deck and platform: x, y, heading
AXISYMMETRIC = 1e-9  # relative to a wheel's own inertia

VIRTUAL_NAMES = ('deck/x', 'deck/y', 'deck/heading')


def wheels_first(model: RobotModel, drive: DifferentialDrive) -> RobotModel:
    """Return the model with coordinates in the order right wheel, left wheel, others."""
    order = [model.index(drive.right), model.index(drive.left)]
    order += [k for k in range(model.nv) if k not in order]
    place = {old: new for new, old in enumerate(order)}
    return replace(
        model, joints=tuple(model.joints[k] for k in order),
        bodies=tuple(replace(body, coordinate=place[body.coordinate]) for body in model.bodies),
        rotor_inertia=np.array(model.rotor_inertia)[order])


def on_deck(model: RobotModel, drive: DifferentialDrive) -> RobotModel:
    """
    Put the platform on a deck.

    Parameters
    ----------
    model : RobotModel
        Coordinates in the order of :func:`wheels_first`.
    drive : DifferentialDrive

    Returns
    -------
    RobotModel
        Its base is the deck, without mass; its coordinates are x, y [m] and heading [rad] of
        the drive's frame O on the deck, then the model's.
    """
    R_OB = drive.R_BO.T
    p_OB = -R_OB @ drive.p_BO
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
        model, base_link='deck', base_inertial=Inertial(), bodies=tuple(bodies),
        joints=(*joints, *model.joints), frames=frames, contents=None,
        rotor_inertia=np.concatenate([np.zeros(VIRTUAL), model.rotor_inertia]))


def constant_vertical_inertia(model: RobotModel) -> RobotModel:
    """
    Give links the inertia that eqs. 71 and 72 of the paper imply.

    They take a link's inertia about the vertical as Izz at every pitch, where it is
    Ixx sin^2 + Izz cos^2.  With Ixx = Izz both are the same, for link frames with x along the
    link and y on the pitch axis.  Wheels and platform keep theirs.
    """
    bodies = []
    for body in model.bodies:
        inertial = body.inertial
        if body.coordinate >= 2:
            tensor = np.array(inertial.inertia)
            tensor[0, 0] = tensor[2, 2]
            inertial = Inertial(inertial.mass, inertial.com, tensor)
        bodies.append(replace(body, inertial=inertial))
    return replace(model, bodies=tuple(bodies))


def spins_freely(model: RobotModel) -> Tuple[bool, ...]:
    """
    Say for each of the two wheels whether its angle makes no difference.

    So it is for a wheel that is symmetric about its axis and carries nothing: then the equations
    may be written for angle zero, and no sine is left of it.
    """
    return tuple(_symmetric(model, coordinate) for coordinate in (0, 1))


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

"""From a tree of links to a tree of bodies: what is rigid is merged into what carries it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.description import Description, JointDescription, unit_axis
from robot_dynamics.model.elements import BASE, Body, Inertial, Joint, LinkFrame, Mimic
from robot_dynamics.model.inertia import combined, placed
from robot_dynamics.model.selection import Selection
from robot_dynamics.model.structure import Tree
from robot_dynamics.motion.rotations import exp


@dataclass(frozen=True)
class Assembly:
    """The moving bodies of a robot, and where each of its links went."""

    base_inertial: Inertial
    bodies: Tuple[Body, ...]
    joints: Tuple[Joint, ...]
    frames: Dict[str, LinkFrame]


def assemble(description: Description, tree: Tree, base_link: str,
             selection: Selection) -> Assembly:
    """
    Walk the tree depth first and merge every link into the body that carries it.

    Parameters
    ----------
    description, tree : Description, Tree
        The robot as written.
    base_link : str
        Where to start; what lies above does not count.
    selection : Selection
        Which joints move, and where the others are held.
    """
    with np.errstate(over='ignore', invalid='ignore'):  # overflow ends in an error, not a warning
        return _assemble(description, tree, base_link, selection)


def _assemble(description: Description, tree: Tree, base_link: str,
              selection: Selection) -> Assembly:
    frames = {base_link: LinkFrame(BASE, np.eye(3), np.zeros(3))}
    carried: List[List[str]] = [[base_link]]  # links on the base, then on each body
    moving: List[Tuple[JointDescription, int, FloatArray, FloatArray]] = []
    for joint in tree.joints_below(base_link):
        at = frames[joint.parent]
        R_PJ, p_PJ = at.R_BL @ joint.origin.R, at.p_BL + at.R_BL @ joint.origin.p
        if joint.name in selection.coupling:
            frames[joint.child] = LinkFrame(len(moving), np.eye(3), np.zeros(3))
            moving.append((joint, at.body, R_PJ, p_PJ))
            carried.append([joint.child])
        else:
            R_PJ, p_PJ = _displaced(joint, selection.held.get(joint.name, 0.0), R_PJ, p_PJ)
            frames[joint.child] = LinkFrame(at.body, R_PJ, p_PJ)
            carried[at.body + 1].append(joint.child)
        if not (np.isfinite(R_PJ).all() and np.isfinite(p_PJ).all()):
            raise ModelError(f"joint '{joint.name}'", 'its place on the robot overflows',
                             'check the units of its <origin>: m and rad')
    inertials = [
        combined((placed(description.links[name].inertial, frames[name].R_BL, frames[name].p_BL)
                  for name in names), f"link '{names[0]}'") for names in carried]
    order = [joint.name for joint, *_ in moving
             if selection.coupling[joint.name].joint == joint.name]
    coordinates = {name: index for index, name in enumerate(order)}
    bodies = []
    for (joint, parent, R_PJ, p_PJ), inertial in zip(moving, inertials[1:]):
        rule = selection.coupling[joint.name]
        bodies.append(Body(joint.child, _joint(joint, rule), parent, R_PJ, p_PJ, inertial,
                           coordinates[rule.joint], rule.multiplier, rule.offset))
    joints = tuple(body.joint for body in bodies if body.joint.mimic is None)
    return Assembly(inertials[0], tuple(bodies), joints, frames)


def _displaced(joint: JointDescription, value: float, R_PJ: FloatArray,
               p_PJ: FloatArray) -> Tuple[FloatArray, FloatArray]:
    """Pose of the child of a joint that is held at ``value``."""
    if joint.kind == 'fixed' or value == 0.0:
        return R_PJ, p_PJ
    if joint.kind == 'prismatic':
        return R_PJ, p_PJ + R_PJ @ (value * unit_axis(joint))
    return R_PJ @ exp(value * unit_axis(joint)), p_PJ


def _joint(joint: JointDescription, rule: Mimic) -> Joint:
    endless = joint.kind == 'continuous'
    return Joint(
        joint.name, joint.kind, unit_axis(joint),
        -np.inf if endless else joint.lower, np.inf if endless else joint.upper,
        joint.velocity, joint.effort, joint.damping, joint.friction,
        rule if rule.joint != joint.name else None, acceleration=joint.acceleration,
        deceleration=joint.deceleration, jerk=joint.jerk)

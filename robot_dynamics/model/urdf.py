"""Read a URDF into a description: a checked copy, then urdf_parser_py, then our own types."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Tuple
from xml.etree.ElementTree import Element, ElementTree

import numpy as np
from robot_dynamics.core.errors import ModelError
from robot_dynamics.model.actuators import stated_rotors
from robot_dynamics.model.description import (
    Description, JOINT_TYPES, JointDescription, LinkDescription, MOVING_TYPES, Origin, unit_axis)
from robot_dynamics.model.elements import Mimic, Note
from robot_dynamics.model.loops import closed_loops
from robot_dynamics.model.urdf_subset import UrdfSubset
from urdf_parser_py.urdf import Robot
from urdf_parser_py.xml_reflection.core import Path as XmlPath

_AXIS_TOLERANCE = 1e-3  # files print axes with few digits
_LARGEST_ANGLE = 2 * math.pi + 0.01
_MANY_TURNS = 20.0, 3600.0  # rad; whole numbers between them are most likely degrees
_LARGEST_STEP = 50.0  # m from one joint to the next


def describe(root: Element) -> Description:
    """
    Turn a ``<robot>`` element into a description.

    Parameters
    ----------
    root : Element
        From :func:`robot_dynamics.model.source.read_robot_element`.

    Raises
    ------
    ModelError
        If a name, number or element is missing, repeated or malformed.
    """
    subset = UrdfSubset(root)
    rotors, about_rotors = stated_rotors(root)
    notes = [*subset.notes, *closed_loops(root), *about_rotors]
    for element in subset.robot.iter('joint'):
        _check_type(element)
    try:
        path = XmlPath('robot', tree=ElementTree(subset.robot))
        robot = Robot.from_xml(subset.robot, path)
    except Exception as error:  # noqa: B902, the parser raises bare Exceptions
        reason = ' '.join(str(error).split())
        raise ModelError('robot', f'the URDF parser refuses it ({reason})') from None
    links = {link.name: _link(link) for link in robot.links}
    notes += [Note('warning', f"link '{link.name}'", text) for link in links.values()
              for text in _in_degrees('<inertial>', link.origin)]
    joints = {}
    for joint in robot.joints:
        given = {key: value for (name, key), value in subset.later.items() if name == joint.name}
        armature = given.pop('armature', 0.0)
        if armature < 0.0:
            raise ModelError(f"joint '{joint.name}'", f'its armature {armature:g} is negative',
                             'give its magnitude')
        if armature:
            rotors[joint.name] = rotors.get(joint.name, 0.0) + armature
        joints[joint.name], said = _joint(joint, given)
        notes += said
    return Description(robot.name, links, joints, notes, dict(subset.unused), rotors)


def _check_type(element: Element) -> None:
    kind = element.get('type')
    if kind not in JOINT_TYPES:
        raise ModelError(f"joint '{element.get('name')}'", f"has the unknown type '{kind}'",
                         f"use one of {', '.join(JOINT_TYPES)}")


def _origin(pose: Any) -> Origin:
    return Origin() if pose is None else Origin(tuple(pose.xyz), tuple(pose.rpy))


def _link(link: Any) -> LinkDescription:
    inertial = link.inertial
    if inertial is None:
        return LinkDescription(link.name)
    inertia = np.zeros((3, 3)) if inertial.inertia is None else \
        np.array(inertial.inertia.to_matrix())
    return LinkDescription(link.name, inertial.mass, inertia, _origin(inertial.origin))


def _joint(joint: Any, later: Dict[str, float]) -> Tuple[JointDescription, List[Note]]:
    """Convert a joint, with its limits after URDF 1.0, and say what is odd about it."""
    element = f"joint '{joint.name}'"
    axis = tuple(joint.axis) if joint.axis is not None else (1.0, 0.0, 0.0)
    limit, dynamics, mimic = joint.limit, joint.dynamics, joint.mimic
    description = JointDescription(
        joint.name, joint.type, joint.parent, joint.child, _origin(joint.origin), axis,
        lower=limit.lower if limit else -math.inf,
        upper=limit.upper if limit else math.inf,
        velocity=limit.velocity if limit else math.inf,
        effort=limit.effort if limit else math.inf,
        damping=dynamics.damping if dynamics else 0.0,
        friction=dynamics.friction if dynamics else 0.0,
        mimic=Mimic(mimic.joint, mimic.multiplier, mimic.offset) if mimic else None, **later)
    if description.kind in MOVING_TYPES:
        unit_axis(description)  # refuses a zero axis, also where the joint will not move
        _check_limits(description)
    return description, [Note('warning', element, text) for text in _oddities(description)]


def _check_limits(joint: JointDescription) -> None:
    element = f"joint '{joint.name}'"
    if joint.lower > joint.upper and joint.kind != 'continuous':
        raise ModelError(element, f'its lower limit {joint.lower:g} is above its upper limit '
                                  f'{joint.upper:g}', 'exchange them')
    for name in ('velocity', 'effort', 'acceleration', 'deceleration', 'jerk'):
        value = getattr(joint, name)
        if value < 0:
            raise ModelError(element, f'its {name} limit {value:g} is negative',
                             'give its magnitude')


def _in_degrees(where: str, origin: Origin) -> List[str]:
    largest = max(origin.rpy, key=abs)
    return [f'an angle of {largest:g} rad in its {where} is more than a turn; in deg it would be '
            f'{math.radians(largest):.4g}'] if abs(largest) > _LARGEST_ANGLE else []


def _oddities(joint: JointDescription) -> List[str]:
    found = _in_degrees('<origin>', joint.origin)
    if joint.kind == 'fixed':
        return found + (['is fixed: its <mimic> is not used'] if joint.mimic else [])
    limits = [joint.lower, joint.upper]
    if joint.kind == 'revolute' and all(limit == np.rint(limit) for limit in limits) and \
            _MANY_TURNS[0] < max(map(abs, limits)) < _MANY_TURNS[1]:
        found.append('its position limits are {:g} and {:g} rad; in deg they would be {:.4g} and '
                     '{:.4g}'.format(*limits, *np.radians(limits)))
    step = math.hypot(*joint.origin.xyz)
    if step > _LARGEST_STEP:
        found.append(f'its origin is {step:.4g} m away from that of its parent; in mm it would '
                     f'be {step / 1000:.3g} m')
    if joint.kind in ('revolute', 'prismatic'):
        if math.isinf(joint.lower) and math.isinf(joint.upper):
            found.append(f'is {joint.kind} and has no position limits: taken as unlimited')
        elif joint.lower == joint.upper:
            found.append(f'its lower and upper limit are both {joint.lower:g}: it cannot move')
    length = math.hypot(*joint.axis)
    if 0 < length and abs(length - 1.0) > _AXIS_TOLERANCE:
        found.append(f'its axis has length {length:g}: scaled to one')
    for name, value in (('damping', joint.damping), ('friction', joint.friction)):
        if value < 0:
            found.append(f'its {name} {value:g} is negative: it would drive the joint')
    return found

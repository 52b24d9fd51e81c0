"""
Write a model as URDF that loads back to the same model.

Each body becomes a link that carries all of its inertia; links that were merged into it follow as
empty links on fixed joints, so that their frames stay known.  Reflected rotor inertia stands in a
transmission, in Drake's extension of URDF.
"""

from __future__ import annotations

import math
from typing import Dict, Iterable, List, Set
from xml.sax.saxutils import quoteattr

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.body_tree import BodyTree
from robot_dynamics.model.elements import BASE, Body, Inertial
from robot_dynamics.motion.rotations import rpy_from_matrix


def urdf_text(model: BodyTree) -> str:
    """Return the model as the text of a URDF file."""
    rotors = _rotor_lines(model)
    drake = ' xmlns:drake="http://drake.mit.edu"' if rotors else ''
    lines = ['<?xml version="1.0"?>', f'<robot name={quoteattr(model.name)}{drake}>']
    taken = {body.joint.name for body in model.bodies}
    if model.floating_base:
        world = _fresh(f'{model.base_link}_world', set(model.frames))
        lines += [f'  <link name={quoteattr(world)}/>']
        lines += _joint_lines(_fresh(f'{model.base_link}_motion', taken), 'floating', world,
                              model.base_link, np.eye(3), np.zeros(3))
    lines += _link_lines(model.base_link, model.base_inertial)
    merged: Dict[int, List[str]] = {}
    own = {model.base_link} | {body.name for body in model.bodies}
    for link, frame in model.frames.items():
        if link not in own:
            merged.setdefault(frame.body, []).append(link)
    names = [model.base_link] + [body.name for body in model.bodies]
    lines += _merged_lines(model, merged.get(BASE, []), model.base_link, taken)
    for index, body in enumerate(model.bodies):
        lines += _joint_lines(body.joint.name, body.joint.kind, names[body.parent + 1], body.name,
                              body.R_PJ, body.p_PJ, _joint_details(body))
        lines += _link_lines(body.name, body.inertial)
        lines += _merged_lines(model, merged.get(index, []), body.name, taken)
    return '\n'.join([*lines, *rotors, '</robot>', ''])


def _rotor_lines(model: BodyTree) -> List[str]:
    """Write reflected inertia as Drake's extension has it, behind a gear of one."""
    lines: List[str] = []
    for name, value in zip(model.joint_names, model.rotor_inertia.tolist()):
        if value:
            lines += [f'  <transmission name={quoteattr(f"{name}_drive")}>',
                      f'    <joint name={quoteattr(name)}/>',
                      f'    <actuator name={quoteattr(f"{name}_motor")}>',
                      f'      <drake:rotor_inertia value="{_number(value)}"/>',
                      '      <drake:gear_ratio value="1"/>',
                      '    </actuator>',
                      '  </transmission>']
    return lines


def _merged_lines(model: BodyTree, links: Iterable[str], carrier: str,
                  taken: Set[str]) -> List[str]:
    lines: List[str] = []
    for link in links:
        name = _fresh(f'{link}_fixed', taken)
        taken.add(name)
        frame = model.frames[link]
        lines += _joint_lines(name, 'fixed', carrier, link, frame.R_BL, frame.p_BL)
        lines += [f'  <link name={quoteattr(link)}/>']
    return lines


def _fresh(name: str, taken: Set[str]) -> str:
    while name in taken:
        name += '_'
    return name


def _link_lines(name: str, inertial: Inertial) -> List[str]:
    if inertial.is_zero:
        return [f'  <link name={quoteattr(name)}/>']
    I = inertial.inertia  # noqa: E741 (the textbook's letter)
    tensor = ' '.join(
        f'{key}="{_number(I[row, column])}"' for key, row, column in (
            ('ixx', 0, 0), ('ixy', 0, 1), ('ixz', 0, 2),
            ('iyy', 1, 1), ('iyz', 1, 2), ('izz', 2, 2)))
    return [f'  <link name={quoteattr(name)}>',
            '    <inertial>',
            f'      <origin xyz="{_vector(inertial.com)}" rpy="0 0 0"/>',
            f'      <mass value="{_number(inertial.mass)}"/>',
            f'      <inertia {tensor}/>',
            '    </inertial>',
            '  </link>']


def _joint_lines(name: str, kind: str, parent: str, child: str, R: FloatArray, p: FloatArray,
                 details: Iterable[str] = ()) -> List[str]:
    return [f'  <joint name={quoteattr(name)} type="{kind}">',
            f'    <parent link={quoteattr(parent)}/>',
            f'    <child link={quoteattr(child)}/>',
            f'    <origin xyz="{_vector(p)}" rpy="{_vector(rpy_from_matrix(R))}"/>',
            *details,
            '  </joint>']


def _joint_details(body: Body) -> List[str]:
    joint = body.joint
    lines = [f'    <axis xyz="{_vector(joint.axis)}"/>']
    limits = {key: getattr(joint, key) for key in (
        'lower', 'upper', 'velocity', 'effort', 'acceleration', 'deceleration', 'jerk')}
    half = math.isfinite(joint.lower) or math.isfinite(joint.upper)  # then URDF's default is 0
    shown = [f'{key}="{_number(value)}"' for key, value in limits.items()
             if math.isfinite(value) or (half and key in ('lower', 'upper'))]
    if shown:
        lines.append(f'    <limit {" ".join(shown)}/>')
    if joint.damping or joint.friction:
        lines.append(f'    <dynamics damping="{_number(joint.damping)}" '
                     f'friction="{_number(joint.friction)}"/>')
    if joint.mimic is not None:
        lines.append(f'    <mimic joint={quoteattr(joint.mimic.joint)} '
                     f'multiplier="{_number(joint.mimic.multiplier)}" '
                     f'offset="{_number(joint.mimic.offset)}"/>')
    return lines


def _vector(values: FloatArray) -> str:
    return ' '.join(_number(value) for value in values)


def _number(value: float) -> str:
    """Shortest text that reads back to the same number."""
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)

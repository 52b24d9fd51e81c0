"""
The inertia that each coordinate feels: the diagonal of the mass matrix, where it could be zero.

A coordinate whose M_kk vanishes in every configuration makes the forward dynamics singular.  One
configuration without symmetry stands for all of them.
"""

from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import BASE, Body, Inertial
from robot_dynamics.model.inertia import combined, inertia_about_origin, placed
from robot_dynamics.motion.rotations import exp

_NEGLIGIBLE = 1e-13  # of the inertia that moves; rounding leaves about 1e-16


def undetermined_coordinates(bodies: Sequence[Body], rotor_inertia: FloatArray) -> List[int]:
    """List the coordinates along which nothing that moves has inertia, in any configuration."""
    suspects = set(range(len(rotor_inertia))) - set(np.flatnonzero(rotor_inertia).tolist())
    if any(body.inertial.mass < 0.0 for body in bodies):
        return []  # noted as impossible already; cancelling masses say nothing
    driven: Dict[int, List[int]] = {}  # bodies of each coordinate
    for number, body in enumerate(bodies):
        driven.setdefault(body.coordinate, []).append(number)
    for index, (first, *_) in driven.items():  # above the first no joint moves along with it
        if _resists(bodies[first], bodies[first].inertial):
            suspects.discard(index)
    if not suspects:
        return []
    poses = _generic_poses(bodies)
    carried = _carried(bodies, poses)
    found = []
    for index in sorted(suspects):
        if not any(_resists(bodies[number], carried[number]) for number in driven[index]):
            found.append(index)
        elif len(driven[index]) > 1 and not _has_kinetic_energy(bodies, poses, index):
            found.append(index)
    return found


def _resists(body: Body, moved: Inertial) -> bool:
    """Whether what a joint moves, in the joint's frame, has inertia along the joint."""
    if body.joint.kind == 'prismatic':
        return moved.mass > 0.0
    tensor = inertia_about_origin(moved)
    along = float(body.joint.axis @ tensor @ body.joint.axis)
    return abs(along) > _NEGLIGIBLE * float(np.abs(tensor).sum())


def _generic_poses(bodies: Sequence[Body]) -> List[Tuple[FloatArray, FloatArray]]:
    """Pose of each body in its parent's frame, in a configuration without symmetry."""
    poses = []
    for body in bodies:
        value = body.multiplier * (0.7 + 0.37 * np.sqrt(1.0 + body.coordinate)) + body.offset
        if body.joint.kind == 'prismatic':
            poses.append((body.R_PJ, body.p_PJ + body.R_PJ @ (value * body.joint.axis)))
        else:
            poses.append((body.R_PJ @ exp(value * body.joint.axis), body.p_PJ))
    return poses


def _carried(bodies: Sequence[Body],
             poses: Sequence[Tuple[FloatArray, FloatArray]]) -> List[Inertial]:
    """Composite inertia of each body and all that it carries, in the body's frame."""
    parts: Dict[int, List[Inertial]] = {}
    composite: List[Inertial] = [Inertial()] * len(bodies)
    for number in range(len(bodies) - 1, -1, -1):
        body = bodies[number]
        composite[number] = combined([body.inertial, *parts.pop(number, [])], body.name)
        if body.parent != BASE:
            parts.setdefault(body.parent, []).append(placed(composite[number], *poses[number]))
    return composite


def _has_kinetic_energy(bodies: Sequence[Body],
                        poses: Sequence[Tuple[FloatArray, FloatArray]], index: int) -> bool:
    """Whether anything moves with inertia when only coordinate ``index`` has speed one."""
    twists: Dict[int, Tuple[FloatArray, FloatArray]] = {BASE: (np.zeros(3), np.zeros(3))}
    energy = scale = 0.0
    for number, (body, (R, p)) in enumerate(zip(bodies, poses)):
        w, v = twists[body.parent]
        own = (body.multiplier if body.coordinate == index else 0.0) * body.joint.axis
        w, v = R.T @ w, R.T @ (v + np.cross(w, p))
        w, v = (w, v + own) if body.joint.kind == 'prismatic' else (w + own, v)
        twists[number] = (w, v)
        inertial = body.inertial
        v_com = v + np.cross(w, inertial.com)
        energy += inertial.mass * float(v_com @ v_com) + float(w @ inertial.inertia @ w)
        scale += inertial.mass * float(v @ v + (w @ w) * (inertial.com @ inertial.com)) \
            + float(w @ w) * float(np.abs(inertial.inertia).sum())
    return abs(energy) > _NEGLIGIBLE * scale

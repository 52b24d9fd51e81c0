"""
The inertia that each coordinate feels: the diagonal of the mass matrix, where it could be zero.

M_kk is twice the kinetic energy when only coordinate k moves, with unit speed.  A joint whose
M_kk vanishes in every configuration makes the forward dynamics singular.
"""

from __future__ import annotations

from typing import Dict, List, Sequence, Tuple

import numpy as np

from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import BASE, Body
from robot_dynamics.model.inertia import inertia_about_origin
from robot_dynamics.motion.rotations import exp

_NEGLIGIBLE = 1e-13  # of the inertia that moves; rounding leaves about 1e-16


def undetermined_coordinates(bodies: Sequence[Body], rotor_inertia: FloatArray) -> List[int]:
    """List the coordinates along which nothing that moves has inertia, in any configuration."""
    suspects = set(range(len(rotor_inertia))) - set(np.flatnonzero(rotor_inertia))
    if all(body.inertial.mass >= 0.0 for body in bodies):
        for body in bodies:  # what carries inertia along its own joint settles the question
            along, scale = _own_inertia(body)
            if along > _NEGLIGIBLE * scale:
                suspects.discard(body.coordinate)
    return [index for index in sorted(suspects) if _vanishes(bodies, index)]


def _own_inertia(body: Body) -> Tuple[float, float]:
    """Inertia of the body alone along its own joint, and the scale to judge it by."""
    if body.joint.kind == 'prismatic':
        along = scale = body.inertial.mass
    else:
        tensor = inertia_about_origin(body.inertial)
        along, scale = float(body.joint.axis @ tensor @ body.joint.axis), float(np.trace(tensor))
    return body.multiplier**2 * along, body.multiplier**2 * scale


def _vanishes(bodies: Sequence[Body], index: int) -> bool:
    """Whether M_kk is zero in a configuration without symmetry."""
    q = 0.7 + 0.37 * np.sqrt(np.arange(1.0, 1.0 + max(b.coordinate + 1 for b in bodies)))
    twists: Dict[int, Tuple[FloatArray, FloatArray]] = {BASE: (np.zeros(3), np.zeros(3))}
    energy = scale = 0.0
    for number, body in enumerate(bodies):
        w, v = twists[body.parent]
        value = body.multiplier * q[body.coordinate] + body.offset
        speed = body.multiplier if body.coordinate == index else 0.0
        p, R = body.p_PJ, body.R_PJ
        slides = body.joint.kind == 'prismatic'
        if slides:
            p = p + R @ (value * body.joint.axis)
        else:
            R = R @ exp(value * body.joint.axis)
        w, v = R.T @ w, R.T @ (v + np.cross(w, p))
        w, v = (w, v + speed * body.joint.axis) if slides else (w + speed * body.joint.axis, v)
        twists[number] = (w, v)
        if w.any() or v.any():
            inertial = body.inertial
            v_com = v + np.cross(w, inertial.com)
            energy += inertial.mass * float(v_com @ v_com) + float(w @ inertial.inertia @ w)
            scale += abs(inertial.mass) * float(v @ v + w @ w * (inertial.com @ inertial.com)) \
                + float(w @ w) * float(np.abs(inertial.inertia).sum())
    return abs(energy) <= _NEGLIGIBLE * scale

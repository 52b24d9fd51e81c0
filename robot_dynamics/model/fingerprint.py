"""A hash of a model's content, so that what was computed for it can be found again."""

from __future__ import annotations

import hashlib
from typing import Any, Iterator

import numpy as np

from robot_dynamics.model.body_tree import BodyTree

_VERSION = 'model-2'  # change it when the fields below do


def fingerprint(model: BodyTree) -> str:
    """Return 64 hexadecimal digits that are equal for equal content."""
    digest = hashlib.sha256()
    for item in _content(model):
        if isinstance(item, str):
            data = b's' + item.encode('utf-8', 'surrogatepass')
        else:
            data = b'f' + np.ascontiguousarray(item, dtype='<f8').tobytes()
        digest.update(len(data).to_bytes(8, 'little') + data)
    return digest.hexdigest()


def _content(model: BodyTree) -> Iterator[Any]:
    yield from (_VERSION, model.base_link, str(model.floating_base))
    yield from _inertial(model.base_inertial)
    for body in model.bodies:
        joint = body.joint
        yield from (body.name, joint.name, joint.kind)
        yield from (body.R_PJ, body.p_PJ, joint.axis)
        yield (body.parent, body.coordinate, body.multiplier, body.offset, joint.lower,
               joint.upper, joint.velocity, joint.effort, joint.damping, joint.friction,
               joint.stribeck, joint.stribeck_speed, joint.asymmetry, joint.torque_offset)
        yield from _inertial(body.inertial)
    yield model.rotor_inertia
    for link, frame in model.frames.items():
        yield from (link, [frame.body], frame.R_BL, frame.p_BL)


def _inertial(inertial: Any) -> Iterator[Any]:
    yield from ([inertial.mass], inertial.com, inertial.inertia)

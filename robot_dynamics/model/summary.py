"""What a model contains, as plain data: for reports, and for whoever wants to store it."""

from __future__ import annotations

from typing import Any, Dict, List

import numpy as np

from robot_dynamics.model.body_tree import BodyTree
from robot_dynamics.model.elements import BASE, Inertial


def summary(model: BodyTree) -> Dict[str, Any]:
    """
    Return nested dictionaries of plain Python values.

    Keys: ``name``, ``base``, ``joints`` (independent), ``coupled`` (mimic joints), ``held``,
    ``bodies``, ``total_mass``, ``moving_mass``, ``file`` (what the description held and what of
    it was not used; None without a file), ``warnings`` and ``remarks``.
    """
    contents = model.contents
    carried: Dict[int, List[str]] = {index: [] for index in range(BASE, len(model.bodies))}
    own = {model.base_link} | {body.name for body in model.bodies}
    outside = set(contents.outside) if contents else set()
    for link, frame in model.frames.items():
        if link not in own and link not in outside:
            carried[frame.body].append(link)
    return {
        'name': model.name,
        'base': {'link': model.base_link, 'floating': model.floating_base,
                 'carries': carried[BASE], **_inertial(model.base_inertial)},
        'joints': [
            {'name': joint.name, 'kind': joint.kind, 'axis': joint.axis.tolist(),
             'lower': joint.lower, 'upper': joint.upper, 'velocity': joint.velocity,
             'effort': joint.effort, 'acceleration': joint.acceleration,
             'deceleration': joint.deceleration, 'jerk': joint.jerk, 'damping': joint.damping,
             'friction': joint.friction,
             'rotor_inertia': rotor}
            for joint, rotor in zip(model.joints, model.rotor_inertia.tolist())],
        'coupled': [
            {'name': body.joint.name, 'follows': model.joint_names[body.coordinate],
             'multiplier': body.multiplier, 'offset': body.offset}
            for body in model.bodies if body.joint.mimic is not None],
        'held': dict(contents.held) if contents else {},
        'bodies': [
            {'link': body.name, 'joint': body.joint.name, 'carries': carried[index],
             'parent': model.base_link if body.parent == BASE else model.bodies[body.parent].name,
             **_inertial(body.inertial)}
            for index, body in enumerate(model.bodies)],
        'total_mass': model.total_mass,
        'moving_mass': sum(body.inertial.mass for body in model.bodies),
        'file': None if contents is None else {
            'links': contents.links, 'joints': contents.joints,
            'joint_types': dict(contents.joint_types), 'unused': dict(contents.unused),
            'outside': list(contents.outside)},
        'warnings': [str(note) for note in model.notes if note.severity == 'warning'],
        'remarks': [str(note) for note in model.notes if note.severity == 'info'],
    }


def _inertial(inertial: Inertial) -> Dict[str, Any]:
    return {'mass': inertial.mass, 'com': inertial.com.tolist(),
            'principal_moments': np.linalg.eigvalsh(inertial.inertia).tolist()}

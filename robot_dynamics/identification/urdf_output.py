"""
The user's own description with identified numbers.

A body is a link with all that is fixed to it.  What was identified of the body is shared out to
its links by one linear map of their pseudo-inertias, P_k -> A P_k A^T with A P_0 A^T the
identified one: they add up to it, and every link stays one that can exist.
"""

from __future__ import annotations

from typing import Dict, Mapping, Tuple

import numpy as np

from robot_dynamics.identification.pseudo_inertia import (
    body_of, matrix_of, parameters_of, parameters_of_body)
from robot_dynamics.model.description import Description
from robot_dynamics.model.elements import Inertial
from robot_dynamics.model.identified import Identified
from robot_dynamics.model.inertia import placed
from robot_dynamics.model.rewriting import with_numbers
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.model.source import Document
from robot_dynamics.model.urdf import describe


def identified_urdf(document: bytes, model: RobotModel, identified: Identified) -> bytes:
    """
    Return a description with the numbers that were identified; the payload is not part of it.

    Parameters
    ----------
    document : bytes
        The description that the model was made of.
    model : RobotModel
        As described.
    """
    described = describe(Document.from_xml(document).root)
    inertials: Dict[str, Inertial] = {}
    for index, body in enumerate(model.bodies):
        if body.name in identified.bodies:
            inertials.update(_shared_out(described, model, index, identified.bodies[body.name]))
    dynamics: Dict[str, Tuple[float, float]] = {}
    for body in model.bodies:
        driver = model.joint_names[body.coordinate]
        if driver in identified.joints:
            losses = identified.joints[driver]
            own = body.joint.name == driver
            dynamics[body.joint.name] = (losses.viscous, losses.coulomb) if own else (0.0, 0.0)
    return with_numbers(document, inertials, dynamics)


def _shared_out(described: Description, model: RobotModel, index: int, whole: Inertial
                ) -> Mapping[str, Inertial]:
    name = model.bodies[index].name
    links = {}
    for link, frame in model.frames.items():
        inertial = described.links[link].inertial if link in described.links else Inertial()
        if frame.body == index and not inertial.is_zero:
            links[link] = placed(inertial, frame.R_BL, frame.p_BL)
    if set(links) <= {name}:
        return {name: whole}
    try:
        parts = np.stack([parameters_of_body(part) for part in links.values()])
        root = np.linalg.cholesky(matrix_of(parts.sum(axis=0)))
        A = np.linalg.cholesky(matrix_of(parameters_of_body(whole))) @ np.linalg.inv(root)
    except np.linalg.LinAlgError:  # points and rods: no map makes a body of them
        return {name: whole, **{link: Inertial() for link in links if link != name}}
    result = {}
    for link, inertial in links.items():
        frame = model.frame(link)
        part = body_of(parameters_of(A @ matrix_of(parameters_of_body(inertial)) @ A.T))
        R = frame.R_BL.T
        result[link] = placed(part, R, -R @ frame.p_BL)
    return result

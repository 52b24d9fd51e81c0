"""What of a platform stands on the ground beside its driven wheels."""

from __future__ import annotations

from typing import List, Sequence, Tuple

import numpy as np

from robot_dynamics.core.errors import ModelError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.dynamics.supports.wheel import Wheel
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel

TOUCH = 5e-3  # m: a shape whose lowest point is this close to the ground stands on it


def find_supports(model: RobotModel, R_BO: FloatArray, p_BO: FloatArray,
                  wheels: Sequence[Wheel]) -> FloatArray:
    """
    Find the round shapes that reach the ground, (k, 2): x and y in O [m].

    Parameters
    ----------
    R_BO, p_BO : ndarray, (3, 3) and (3,)
        Frame O on the ground, in the base link's frame.
    wheels : sequence of Wheel
        The driven ones, which do not count.

    Raises
    ------
    ModelError
        If a shape that stands on the ground is moved by a joint.
    """
    own = {model.frames[link].body for wheel in wheels for link in wheel.links}
    points: List[FloatArray] = []
    shapes = model.contents.round_shapes if model.contents else {}
    for link, candidates in shapes.items():
        if link not in model.frames:
            continue
        frame = model.frames[link]
        if frame.body in own or (frame.body != BASE and not _on_platform(model, frame.body)):
            continue
        R, p = _zero_pose(model, frame.body)
        for shape in candidates:
            centre = R @ (frame.R_BL @ shape.centre + frame.p_BL) + p
            place = R_BO.T @ (centre - p_BO)
            if abs(place[2] - shape.radius) > TOUCH:
                continue
            if frame.body != BASE:
                joint = model.bodies[frame.body].joint.name
                raise ModelError(f"joint '{joint}'", f"moves link '{link}', which stands on the "
                                 'ground beside the driven wheels',
                                 'leave the joints of casters out of `joints`, so that they '
                                 'are held')
            points.append(place[:2])
    return np.array(points).reshape(-1, 2)


def _on_platform(model: RobotModel, body: int) -> bool:
    """Whether a body is a part of the chassis: on the platform by at most three short steps."""
    depth = 0
    while body != BASE and depth <= 3:
        body, depth = model.bodies[body].parent, depth + 1
    return depth <= 3


def _zero_pose(model: RobotModel, body: int) -> Tuple[FloatArray, FloatArray]:
    """Pose of a body in the base link with all coordinates at zero, offsets left out."""
    R, p = np.eye(3), np.zeros(3)
    while body != BASE:
        step = model.bodies[body]
        R, p = step.R_PJ @ R, step.R_PJ @ p + step.p_PJ
        body = step.parent
    return R, p

"""What an arm must keep clear of: a plane below it, and boxes, in the frame of its base."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

import numpy as np

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel

_BETWEEN = 5  # points on the line from each joint to the next


class Obstacles:
    """
    Tells whether the arm keeps clear, by points on the lines between its joints and its links.

    Parameters
    ----------
    keep_above : float or None
        Height, m; what cannot move does not count.
    boxes : sequence of 6 float
        Two opposite corners, m.

    Notes
    -----
    Links are as thin as lines here, and the arm's own links are no obstacles.
    """

    def __init__(self, model: RobotModel, keep_above: Optional[float],
                 boxes: Sequence[Sequence[float]]) -> None:
        self.model = model
        self.keep_above = keep_above
        self.boxes: List[Tuple[FloatArray, FloatArray]] = []
        for box in boxes:
            if len(box) != 6:
                raise ConfigurationError(f'box: has {len(box)} numbers, expected x y z x y z')
            corners = np.array(box, np.float64).reshape(2, 3)
            self.boxes.append((corners.min(axis=0), corners.max(axis=0)))

    def check(self, q: FloatArray) -> None:
        """
        Refuse a posture (nv,) from which no motion can keep clear.

        Raises
        ------
        ConfigurationError
            If it is not clear itself.
        """
        if self.clear(q[None]):
            return
        lowest = float(arm_points(self.model, q[None])[..., 2].min())
        raise ConfigurationError(
            f'start: at {" ".join(f"{value:.3g}" for value in q)} the arm, whose lowest point is '
            f'{lowest:.3g} m high, is in what it should keep clear of; give another posture '
            '(--start)')

    def clear(self, q: FloatArray) -> bool:
        """Tell whether every posture (T, nv) keeps clear."""
        if self.keep_above is None and not self.boxes:
            return True
        points = arm_points(self.model, q)
        if self.keep_above is not None and (points[..., 2] < self.keep_above).any():
            return False
        return not any(((points >= low) & (points <= high)).all(axis=-1).any()
                       for low, high in self.boxes)


def arm_points(model: RobotModel, q: FloatArray) -> FloatArray:
    """
    Return points on what moves, (T, P, 3), m, in the base frame.

    Joints of the first body of a chain, whose place is fixed, are left out; the origins of all
    links that move are in, also of those merged into others.
    """
    count = len(q)
    rotation: List[FloatArray] = []
    origin: List[FloatArray] = []
    points: List[FloatArray] = []
    for body in model.bodies:
        R_P, p_P = (rotation[body.parent], origin[body.parent]) if body.parent != BASE else (
            np.broadcast_to(np.eye(3), (count, 3, 3)), np.zeros((count, 3)))
        value = body.multiplier * q[:, body.coordinate] + body.offset
        R = R_P @ body.R_PJ
        p = p_P + R_P @ body.p_PJ
        if body.joint.kind == 'prismatic':
            p = p + (R @ body.joint.axis) * value[:, None]
        else:
            R = R @ _turned(body.joint.axis, value)
        if body.parent != BASE:
            share = np.linspace(0.0, 1.0, _BETWEEN)[1:, None, None]
            points += list(p_P + share * (p - p_P))
        rotation.append(R)
        origin.append(p)
    for frame in model.frames.values():
        if frame.body != BASE and frame.p_BL.any():
            points.append(origin[frame.body] + rotation[frame.body] @ frame.p_BL)
    return np.stack(points, axis=1) if points else np.zeros((count, 0, 3))


def _turned(axis: FloatArray, angle: FloatArray) -> FloatArray:
    """Rotate about an axis: Rodrigues' formula, (T, 3, 3)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    rotation: FloatArray = np.eye(3) + s * K + (1.0 - c) * (K @ K)
    return rotation

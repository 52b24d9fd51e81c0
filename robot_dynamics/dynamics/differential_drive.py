"""
The differential drive of a description: which wheels roll, where, and how large they are.

Frame O of a drive lies on the ground below the middle of the axle: x forward, y to the left
wheel, z up.  The base link's z axis points away from the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

import numpy as np

from robot_dynamics.core.errors import ConfigurationError, InputError, ModelError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.dynamics.wheel import Wheel, wheel_of
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel

PARALLEL = 1e-5   # rad: axes that should be parallel, from files with few digits
AGREEMENT = 1e-4  # relative: two numbers of a description that should be the same
OVERRIDE = 0.1    # relative: what a calibrated value may differ from the description's
TOUCH = 5e-3      # m: a shape whose lowest point is this close to the ground stands on it


@dataclass(frozen=True, eq=False)
class DifferentialDrive:
    """
    Geometry of two coaxial driven wheels.

    Attributes
    ----------
    right, left : str
        Joint names.
    radius : float
        Of both wheels, m.
    track : float
        Distance between the wheels' contacts, the paper's 2 L, m.
    signs : tuple of 2 float
        1 where a positive rate of the (right, left) wheel drives forward, else -1.
    R_BO : ndarray, (3, 3)
        Axes of O in the base link's.
    p_BO : ndarray, (3,)
        Origin of O in the base link's frame, m.
    supports : ndarray, (k, 2)
        Where else than at its wheels the platform touches the ground, x and y in O, m: round
        shapes fixed to the platform that reach the ground, taken as frictionless.
    """

    right: str
    left: str
    radius: float
    track: float
    signs: Tuple[float, float]
    R_BO: FloatArray
    p_BO: FloatArray
    supports: FloatArray

    @property
    def contacts(self) -> FloatArray:
        """Contacts of right wheel, left wheel and supports, (2 + k, 2), x and y in O [m]."""
        half = 0.5 * self.track
        return np.vstack([[0.0, -half], [0.0, half], self.supports])


def find_drive(model: RobotModel, left_wheel: Any, right_wheel: Any,
               wheel_radius: Optional[float] = None, track: Optional[float] = None
               ) -> DifferentialDrive:
    """
    Read the drive from a description and check that it is one.

    Parameters
    ----------
    model : RobotModel
    left_wheel, right_wheel : str
        Joints.
    wheel_radius, track : float, optional
        In m; override the description's, for calibrated values.  More than a tenth away they
        contradict it.

    Raises
    ------
    UnknownNameError, InputError, ModelError, ConfigurationError
        If a wheel does not exist, the two are no drive, or numbers contradict each other.
    """
    left, right, y, width = _axle(model, left_wheel, right_wheel)
    radius = _radius(left, right, wheel_radius)
    if track is not None:
        track = _positive('track', track)
        _check_override('track', track, width, 'the distance between the wheels')
    R_BO = np.column_stack([_forward(y), y, [0.0, 0.0, 1.0]])
    p_BO = 0.5 * (left.centre + right.centre) - [0.0, 0.0, radius]
    supports = _supports(model, R_BO, p_BO, (left, right))
    signs = (float(np.sign(right.axis @ y)), float(np.sign(left.axis @ y)))
    return DifferentialDrive(right.joint, left.joint, radius, width if track is None else track,
                             signs, R_BO, p_BO, supports)


def find_axle(model: RobotModel, left_wheel: str, right_wheel: str) -> FloatArray:
    """
    Return forward in the base link's axes, (3,), of two wheels that roll on one axle.

    Raises
    ------
    UnknownNameError, InputError, ModelError
        If they do not, or no shape tells their radius.
    """
    left, right, y, _ = _axle(model, left_wheel, right_wheel)
    _radius(left, right, None)
    return _forward(y)


def _axle(model: RobotModel, left_wheel: Any, right_wheel: Any
          ) -> Tuple[Wheel, Wheel, FloatArray, float]:
    """Left and right wheel, the direction from right to left, and the distance [m]."""
    names = _two_names(left_wheel, right_wheel)
    left, right = (wheel_of(model, name) for name in names)
    across = left.centre - right.centre
    width = float(np.linalg.norm(across))
    if width == 0.0:
        raise ModelError(f"wheels '{left.joint}' and '{right.joint}'", 'are at the same place',
                         'check the origins of their joints')
    y = across / width
    _check_axle(left, right, y)
    return left, right, y, width


def _forward(y: FloatArray) -> FloatArray:
    forward: FloatArray = np.cross(y, [0.0, 0.0, 1.0])
    return forward


def _two_names(left: Any, right: Any) -> Tuple[str, str]:
    for name, value in (('left_wheel', left), ('right_wheel', right)):
        if not isinstance(value, str):
            raise InputError(name, f'is {value!r:.60}, expected the name of one joint: a '
                                   'differential drive has one wheel on each side')
    if left == right:
        raise InputError('left_wheel', f'is the same joint as right_wheel ({left!r})')
    return left, right


def _check_axle(left: Wheel, right: Wheel, y: FloatArray) -> None:
    pair = f"wheels '{left.joint}' and '{right.joint}'"
    for wheel in (left, right):
        if abs(wheel.axis[2]) > PARALLEL:
            raise ModelError(f"joint '{wheel.joint}'", f'its axis {_shown(wheel.axis)} is not '
                             "level in the base link's frame, so the wheel cannot roll",
                             'correct its <axis> or the rpy of its <origin>')
    if np.linalg.norm(np.cross(left.axis, right.axis)) > PARALLEL:
        raise ModelError(pair, f'have axes {_shown(left.axis)} and {_shown(right.axis)}, which '
                         'are not parallel', 'name the two wheels of one axle')
    if np.linalg.norm(np.cross(left.axis, y)) > AGREEMENT:
        raise ModelError(pair, f'sit at {_shown(left.centre)} and {_shown(right.centre)} m, not '
                         f'on one axle along {_shown(left.axis)}',
                         'name the two wheels of one axle')


def _radius(left: Wheel, right: Wheel, given: Optional[float]) -> float:
    if given is not None:
        given = _positive('wheel_radius', given)
        for wheel in (left, right):
            if wheel.radius is not None:
                _check_override('wheel_radius', given, wheel.radius,
                                f"the shape of wheel '{wheel.joint}'")
        return given
    for wheel in (left, right):
        if wheel.radius is None:
            raise ModelError(f"wheel '{wheel.joint}'", 'has neither cylinder nor sphere that '
                             'tells its radius', 'give wheel_radius')
    assert left.radius is not None and right.radius is not None
    if abs(left.radius - right.radius) > AGREEMENT * left.radius:
        raise ModelError(f"wheels '{left.joint}' and '{right.joint}'",
                         f'have the radii {left.radius:g} and {right.radius:g} m',
                         'correct their shapes or give wheel_radius')
    return left.radius


def _check_override(name: str, given: float, described: float, source: str) -> None:
    if abs(given - described) > OVERRIDE * described:
        raise ConfigurationError(f'{name}: {given:g} m contradicts the {described:g} m of '
                                 f'{source}; correct one of them')


def _positive(name: str, value: Any) -> float:
    number = as_scalar(name, value, unit='m')
    if not number > 0.0:
        raise InputError(name, f'is {number:g} m, expected a positive length')
    return number


def _supports(model: RobotModel, R_BO: FloatArray, p_BO: FloatArray,
              wheels: Tuple[Wheel, Wheel]) -> FloatArray:
    """Find what else stands on the ground; it must be fixed to the platform."""
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
                                 'ground beside the two wheels',
                                 'leave the joints of casters out of joints=[...], so that they '
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


def _shown(vector: FloatArray) -> str:
    return '(' + ', '.join(f'{value:.3g}' for value in np.asarray(vector) + 0.0) + ')'

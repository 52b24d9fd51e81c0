"""Two wheels of one size on one axle."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from robot_dynamics.core.errors import ConfigurationError, InputError, ModelError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.dynamics.supports.wheel import Wheel, wheel_of
from robot_dynamics.model.robot_model import RobotModel

PARALLEL = 1e-5   # rad: axes that should be parallel, from files with few digits
AGREEMENT = 1e-4  # relative: two numbers of a description that should be the same
OVERRIDE = 0.1    # relative: what a calibrated value may differ from the description's


class Axle(NamedTuple):
    """An axle in the base link's frame, whose z axis points away from the ground."""

    left: Wheel
    right: Wheel
    y: FloatArray  #: (3,), direction from right to left
    width: float  #: Distance between the wheels [m]
    radius: float  #: Of both wheels [m]

    @property
    def axes(self) -> FloatArray:
        """Axes of frame O in the base link's, (3, 3): forward, left, up."""
        up = np.array([0.0, 0.0, 1.0])
        return np.column_stack([np.cross(self.y, up), self.y, up])

    @property
    def signs(self) -> Tuple[float, float]:
        """1 where a positive rate of the (right, left) wheel drives forward, else -1."""
        return (float(np.sign(self.right.axis @ self.y)),
                float(np.sign(self.left.axis @ self.y)))

    @property
    def middle(self) -> FloatArray:
        """Ground below the middle, (3,) [m]."""
        centre: FloatArray = 0.5 * (self.left.centre + self.right.centre)
        return centre - [0.0, 0.0, self.radius]


def find_axle(model: RobotModel, left_wheel: Any, right_wheel: Any,
              wheel_radius: Optional[float] = None,
              arguments: Tuple[str, str] = ('left_wheel', 'right_wheel')) -> Axle:
    """
    Read an axle from a description.

    Parameters
    ----------
    model : RobotModel
        The base link is the platform.
    left_wheel, right_wheel : str
        Joints.
    wheel_radius : float, optional
        In m; overrides the description's.
    arguments : tuple of 2 str
        What the wheels are called in errors.

    Raises
    ------
    UnknownNameError, InputError, ModelError, ConfigurationError
        If a wheel does not exist, the two roll on no common axle, no shape tells their radius,
        or numbers contradict each other.
    """
    names = _two_names(left_wheel, right_wheel, arguments)
    left, right = (wheel_of(model, name) for name in names)
    across = left.centre - right.centre
    width = float(np.linalg.norm(across))
    if width == 0.0:
        raise ModelError(f"wheels '{left.joint}' and '{right.joint}'", 'are at the same place',
                         'check the origins of their joints')
    y = across / width
    _check_axle(left, right, y)
    return Axle(left, right, y, width, _radius(left, right, wheel_radius))


def overridden(name: str, given: Optional[float], described: float, source: str) -> float:
    """
    Return a calibrated length where one is given, else the described one [m].

    Raises
    ------
    InputError, ConfigurationError
        If it is no positive length, or contradicts the description.
    """
    if given is None:
        return described
    given = _positive(name, given)
    _check_override(name, given, described, source)
    return given


def _two_names(left: Any, right: Any, arguments: Tuple[str, str]) -> Tuple[str, str]:
    for name, value in zip(arguments, (left, right)):
        if not isinstance(value, str):
            raise InputError(name, f'is {value!r:.60}, expected the name of one joint: a '
                                   'drive has one wheel on each side of an axle')
    if left == right:
        raise InputError(arguments[0], f'is the same joint as {arguments[1]} ({left!r})')
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
                             'tells its radius', 'give `wheel_radius`')
    assert left.radius is not None and right.radius is not None
    if abs(left.radius - right.radius) > AGREEMENT * left.radius:
        raise ModelError(f"wheels '{left.joint}' and '{right.joint}'",
                         f'have the radii {left.radius:g} and {right.radius:g} m',
                         'correct their shapes or give `wheel_radius`')
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


def _shown(vector: FloatArray) -> str:
    return '(' + ', '.join(f'{value:.3g}' for value in np.asarray(vector) + 0.0) + ')'

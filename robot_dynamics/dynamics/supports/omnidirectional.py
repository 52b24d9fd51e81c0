"""A platform on four mecanum wheels: it goes in any direction and turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
import math
from typing import Any, Optional, Tuple

import numpy as np

from robot_dynamics.core.errors import InputError, ModelError
from robot_dynamics.core.gate import as_scalar, FloatArray
from robot_dynamics.dynamics.supports.axle import Axle, find_axle, PARALLEL
from robot_dynamics.dynamics.supports.ground_shapes import find_supports
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.model.robot_model import RobotModel

STEEPEST = math.radians(80.0)


@dataclass(frozen=True, eq=False)
class Omnidirectional(RollingPlatform):
    """
    Four mecanum wheels on two parallel axles; O lies below the middle of the four.

    Notes
    -----
    A roller lets its wheel slip across the roller's axis d and not along it: at a contact with
    velocity v, d v = r w d_x.  Written for a wheel at (x, y) and a twist (u, l, n) of O that is
    r w = u - n y + tan(angle) (l + n x) (Muir & Neuman, Kinematic modeling of wheeled mobile
    robots, 1987).  Four wheels move three coordinates: the twist
    is the least-squares solution of the four, and a motion of the wheels that fights itself
    (which in truth slips) moves nothing.  Torques at the wheels are those of the twist's forces
    in equal shares.  Rollers have no inertia of their own.
    """

    names: Tuple[str, str, str, str]  #: Joints: front right, front left, rear right, rear left
    radius: float  #: Of all wheels, rollers included, m
    places: FloatArray  #: (4, 2), of the wheels, x and y in O, m
    signs: Tuple[float, float, float, float]  #: 1 where a positive rate drives forward, else -1
    #: Between the rollers that touch the ground and the wheel's plane, rad; positive where those
    #: of the front right wheel point forward and to the left, as seen through the floor
    roller_angle: float

    @classmethod
    def from_model(cls, model: RobotModel, front_left: Any, front_right: Any, rear_left: Any,
                   rear_right: Any, wheel_radius: Optional[float] = None,
                   roller_angle: float = math.pi / 4) -> Omnidirectional:
        """
        Find the platform in a description.

        Parameters
        ----------
        model : RobotModel
            The base link is the platform.
        front_left, front_right, rear_left, rear_right : str
            Joints of the wheels.
        wheel_radius : float, optional
            In m; overrides the description's by up to a tenth.
        roller_angle : float
            See the class [rad].

        Raises
        ------
        UnknownNameError, InputError, ModelError, ConfigurationError
            If a wheel does not exist, the four are no platform, or numbers contradict each
            other.
        """
        angle = as_scalar('roller_angle', roller_angle, -STEEPEST, STEEPEST, 'rad')
        if angle == 0.0:
            raise InputError('roller_angle', 'is 0 rad: the wheels roll like plain ones; take '
                                             'DifferentialDrive, or give the angle of the rollers')
        front = find_axle(model, front_left, front_right, wheel_radius,
                          ('front_left', 'front_right'))
        rear = find_axle(model, rear_left, rear_right, wheel_radius,
                         ('rear_left', 'rear_right'))
        _check_axles(front, rear)
        R_BO, p_BO = front.axes, 0.5 * (front.middle + rear.middle)
        wheels = front.right, front.left, rear.right, rear.left
        places = np.array([(R_BO.T @ (wheel.centre - p_BO))[:2] for wheel in wheels])
        names = (wheels[0].joint, wheels[1].joint, wheels[2].joint, wheels[3].joint)
        return cls(R_BO, p_BO, find_supports(model, R_BO, p_BO, wheels), names, front.radius,
                   places, (*front.signs, *rear.signs), angle)

    @property
    def wheels(self) -> Tuple[str, ...]:
        """Front right, front left, rear right, rear left."""
        return self.names

    @cached_property
    def wheel_rates(self) -> FloatArray:
        """Rates of the wheels of a twist in O, (4, 3): forward, left [rad/m], turning [rad]."""
        slope = math.tan(self.roller_angle) * np.array([1.0, -1.0, -1.0, 1.0])
        x, y = self.places.T
        rows = np.column_stack([np.ones(4), slope, slope * x - y]) / self.radius
        return np.asarray(rows * np.array(self.signs)[:, None])

    @cached_property
    def wheel_twists(self) -> FloatArray:
        """Least-squares inverse of :attr:`wheel_rates`."""
        return np.asarray(np.linalg.pinv(self.wheel_rates))

    @property
    def wheel_contacts(self) -> FloatArray:
        """Below the wheels."""
        return self.places


def _check_axles(front: Axle, rear: Axle) -> None:
    pair = f"axles of '{front.right.joint}' and '{rear.right.joint}'"
    if np.linalg.norm(np.cross(front.y, rear.y)) > PARALLEL or front.y @ rear.y < 0.0:
        raise ModelError(pair, 'are not parallel', 'check which wheels are left and right, and '
                         'the origins of their joints')
    ahead = front.middle - rear.middle
    if ahead @ front.axes[:, 0] <= 0.0:
        raise ModelError(pair, 'have the rear ahead of the front', 'swap front and rear')
    if abs(ahead[2]) > 1e-4 * front.radius or abs(front.radius - rear.radius) > (
            1e-4 * front.radius):
        raise ModelError(pair, 'do not stand on one level ground with wheels of one size',
                         'correct their shapes and origins, or give `wheel_radius`')

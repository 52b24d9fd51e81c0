"""
How the arm's base stands on the platform that moves: on a wall, under a ceiling, away from it.

The platform's frame P has x forward, y left, z up while the platform is level; B is the base
frame of the arm.  Without anything said both are the same.
"""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_rotation, as_vector, FloatArray
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.model.elements import BASE, LinkFrame
from robot_dynamics.model.robot_model import RobotModel


class ArmMount:
    """
    Pose of the arm's base on the platform.

    Parameters
    ----------
    R_PB : array_like, (3, 3), optional
        Rotation from base to platform axes.
    p_PB : array_like, (3,), optional
        Base origin in platform axes, m.
    """

    def __init__(self, R_PB: Optional[ArrayLike] = None,
                 p_PB: Optional[ArrayLike] = None) -> None:
        self.R_PB: FloatArray = np.eye(3) if R_PB is None else as_rotation('R_PB', R_PB)
        self.p_PB: FloatArray = np.zeros(3) if p_PB is None else as_vector('p_PB', p_PB, 3, 'm')

    @classmethod
    def from_link(cls, model: RobotModel, platform_link: str, parameter: str) -> ArmMount:
        """
        Take the platform's frame from a link that fixed joints connect to the base.

        ``parameter`` names the source of the link's name in errors.
        """
        frame = fixed_frame(model, platform_link, parameter)
        return cls(frame.R_BL.T, -frame.R_BL.T @ frame.p_BL)

    @property
    def level_direction(self) -> FloatArray:
        """Direction of gravity in base axes while the platform is level, (3,)."""
        direction: FloatArray = 0.0 - self.R_PB[2]  # without a negative zero
        return direction

    def imu_mounting(self, R_PI: ArrayLike, p_PI: ArrayLike) -> ImuMounting:
        """
        Return where an IMU of the platform sits as the arm's base sees it.

        Parameters
        ----------
        R_PI : array_like, (3, 3)
            Rotation from sensor to platform axes.
        p_PI : array_like, (3,)
            The sensor's place in platform axes, m.
        """
        return ImuMounting(self.R_PB.T @ np.asarray(R_PI),
                           self.R_PB.T @ (np.asarray(p_PI) - self.p_PB))


def fixed_frame(model: RobotModel, link: str, parameter: str) -> LinkFrame:
    """
    Return the frame of a link that does not move against the arm's base.

    Raises
    ------
    UnknownNameError
        If there is no such link.
    ConfigurationError
        If joints move it.
    """
    frame: LinkFrame = model.frame(link)
    if frame.body != BASE:
        raise ConfigurationError(
            f'{parameter}: link {link!r} moves with joint '
            f'{model.bodies[frame.body].joint.name!r}; it must be fixed to the base '
            f'{model.base_link!r}')
    return frame

"""How the arm's base stands on the platform, as parameters."""

from __future__ import annotations

import dataclasses
from typing import FrozenSet, Sequence

import numpy as np
from robot_dynamics.control.arm_mount import ArmMount, fixed_frame
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.imu.mounting import ImuMounting
from robot_dynamics.model.elements import BASE
from robot_dynamics.model.robot_model import RobotModel
from robot_dynamics.motion.rotations import matrix_from_rpy

SAME_PLACE = 1e-3  # m, and sine of an angle


@dataclasses.dataclass(frozen=True)
class MountConfig(Configuration):
    """The pose of the arm's base on the platform: given, or that of a link."""

    base_rpy: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'roll, pitch, yaw of the arm base on the platform: 0, 1.5708, 0 on a '
        'wall, 3.1416, 0, 0 under a ceiling', 'rad', -7.0, 7.0, live=False)
    base_xyz: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'place of the arm base in platform axes', 'm', -1e3, 1e3, live=False)
    platform_link: str = parameter(
        '', 'link of the description, fixed to the arm base, whose frame is that of the platform; '
        'instead of base_rpy and base_xyz', live=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ('base_rpy', 'base_xyz'):
            if len(getattr(self, name)) != 3:
                raise ConfigurationError(f'mount.{name}: expected 3 values')
        if self.platform_link and (any(self.base_rpy) or any(self.base_xyz)):
            raise ConfigurationError('mount.platform_link: gives the pose that base_rpy and '
                                     'base_xyz give as well; set one of the two')

    def mount(self, model: RobotModel) -> ArmMount:
        """Return the mount of a model."""
        if self.platform_link:
            return ArmMount.from_link(model, self.platform_link, 'mount.platform_link')
        return ArmMount(matrix_from_rpy(self.base_rpy), self.base_xyz)


def imu_mounting(model: RobotModel, mount: ArmMount, link: str, rpy: Sequence[float],
                 xyz: Sequence[float]) -> ImuMounting:
    """
    Return where the IMU sits, as the arm's base sees it.

    Parameters
    ----------
    link : str
        Link of the description on which it sits; empty: ``rpy`` and ``xyz`` say where.
    rpy, xyz : sequence of 3 float, rad, m
        Pose of the sensor on the platform.
    """
    if link:
        frame = fixed_frame(model, link, 'imu.link')
        return ImuMounting(frame.R_BL, frame.p_BL)
    return mount.imu_mounting(matrix_from_rpy(rpy), xyz)


def links_elsewhere(model: RobotModel, mounting: ImuMounting) -> FrozenSet[str]:
    """Return the links that are not where the mounting is, those that joints move among them."""
    return frozenset(
        name for name, frame in model.frames.items()
        if frame.body != BASE or np.abs(frame.R_BL - mounting.R_BI).max() > SAME_PLACE
        or np.abs(frame.p_BL - mounting.p_BI).max() > SAME_PLACE)

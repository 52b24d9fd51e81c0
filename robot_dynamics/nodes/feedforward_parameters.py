"""Parameters of the feedforward node beside those of the feedforward itself."""

from __future__ import annotations

import dataclasses
from typing import Collection, Optional

from robot_dynamics.base.estimator import BaseMotionSource
from robot_dynamics.base.framed import FrameChecked
from robot_dynamics.base.mounting import ImuMounting
from robot_dynamics.base.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.control.mobile_config import MobileConfig
from robot_dynamics.control.parameters import check_parameters, group, parameter
from robot_dynamics.control.rolling_trajectory import RollingTrajectoryConfig
from robot_dynamics.control.wrench_input import WrenchConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.nodes.description import ROTOR_INERTIA
from robot_dynamics.nodes.model_parameters import ModelConfig
from robot_dynamics.nodes.mount_parameters import MountConfig
from robot_dynamics.nodes.payload_parameters import PayloadConfig


@dataclasses.dataclass(frozen=True)
class EstimatorConfig:
    """Where the IMU sits, and how its stream becomes base motion."""

    window: float = parameter(
        0.5, 'length of the piece of the stream that is fitted: longer is smoother and follows '
        'less', 's', 0.02, 10.0, live=False)
    mounting_rpy: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'roll, pitch, yaw of the sensor on the platform', 'rad', -7.0, 7.0,
        live=False)
    mounting_xyz: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'place of the sensor in platform axes', 'm', -1e3, 1e3, live=False)
    link: str = parameter(
        '', 'link of the description on which the sensor sits, fixed to the arm base; instead of '
        'mounting_rpy and mounting_xyz', live=False)
    frame_id: str = parameter(
        '', 'frame that the messages must name; empty: that of link, or any', live=False)

    def __post_init__(self) -> None:
        check_parameters(self)
        for name in ('mounting_rpy', 'mounting_xyz'):
            if len(getattr(self, name)) != 3:
                raise ConfigurationError(f'imu.{name}: expected 3 values')
            if self.link and any(getattr(self, name)):
                raise ConfigurationError(f'imu.link: gives the pose that {name} gives as well; '
                                         'set one of the two')

    def estimator(self, gravity: float,
                  mounting: Optional[ImuMounting] = None,
                  elsewhere: Collection[str] = ()) -> BaseMotionSource:
        """
        Return a new estimator.

        Parameters
        ----------
        gravity : float, m/s^2
        mounting : ImuMounting, optional
            Instead of the own.
        elsewhere : collection of str
            Links of the description that are not where the mounting is.
        """
        estimator = SavitzkyGolayEstimator(self.window, mounting or self.mounting(), gravity)
        frame = self.frame_id or self.link
        return FrameChecked(estimator, frame, elsewhere) if frame or elsewhere else estimator

    def mounting(self) -> ImuMounting:
        """Return where the sensor sits."""
        return ImuMounting(matrix_from_rpy(self.mounting_rpy), self.mounting_xyz)


@dataclasses.dataclass(frozen=True)
class FeedforwardNodeConfig:
    """How the node takes part in its graph."""

    autostart: bool = parameter(
        True, 'configure and activate without a lifecycle manager', live=False)
    robot_description: str = parameter(
        '', 'URDF: text or path; empty: from the topic robot_description', live=False)
    reflected_rotor_inertia: tuple[float, ...] = ROTOR_INERTIA
    output: str = parameter(
        'commands', 'effort commands, or a rolling trajectory with efforts for a '
        'joint_trajectory_controller that has feedback of its own',
        choices=('commands', 'trajectory'), live=False)
    report_rate: float = parameter(
        50.0, 'rate of everything but the commands, where somebody subscribes', 'Hz', 0.1, 1000.0,
        live=False)
    diagnostics_period: float = parameter(
        1.0, 'time between two diagnostics', 's', 0.1, 60.0, live=False)
    wait_for_reference: bool = parameter(
        False, 'send nothing before the first reference, instead of holding the arm', live=False)
    lockstep_base_period: float = parameter(
        0.0, 'in lockstep with a simulation: period of the samples of the base motion, so that a '
        'joint state is answered only once the sample due is in; 0: not in lockstep', 's',
        0.0, 10.0, live=False)
    lockstep_odometry_period: float = parameter(
        0.0, 'in lockstep: period of the odometry, waited for likewise; 0: not waited for', 's',
        0.0, 10.0, live=False)
    final_service: str = parameter(
        '', 'std_srvs/Trigger service of the final action call_service', live=False)
    trajectory: RollingTrajectoryConfig = group(RollingTrajectoryConfig)
    imu: EstimatorConfig = group(EstimatorConfig)
    payload: PayloadConfig = group(PayloadConfig)
    model: ModelConfig = group(ModelConfig)
    mount: MountConfig = group(MountConfig)
    wrench: WrenchConfig = group(WrenchConfig)
    mobile: MobileConfig = group(MobileConfig)

    def __post_init__(self) -> None:
        check_parameters(self)

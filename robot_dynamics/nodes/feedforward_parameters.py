"""Parameters of the feedforward node beside those of the feedforward itself."""

from __future__ import annotations

import dataclasses

from robot_dynamics.base.mounting import ImuMounting
from robot_dynamics.base.savitzky_golay import SavitzkyGolayEstimator
from robot_dynamics.control.parameters import check_parameters, group, parameter
from robot_dynamics.control.rolling_trajectory import RollingTrajectoryConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.motion.rotations import matrix_from_rpy
from robot_dynamics.nodes.description import ROTOR_INERTIA


@dataclasses.dataclass(frozen=True)
class EstimatorConfig:
    """Where the IMU sits, and how its stream becomes base motion."""

    window: float = parameter(
        0.5, 'length of the piece of the stream that is fitted: longer is smoother and follows '
        'less', 's', 0.02, 10.0, live=False)
    mounting_rpy: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'roll, pitch, yaw of the sensor on the arm base', 'rad', -7.0, 7.0,
        live=False)
    mounting_xyz: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'place of the sensor in base axes', 'm', -1e3, 1e3, live=False)

    def __post_init__(self) -> None:
        check_parameters(self)
        for name in ('mounting_rpy', 'mounting_xyz'):
            if len(getattr(self, name)) != 3:
                raise ConfigurationError(f'imu.{name}: expected 3 values')

    def estimator(self, gravity: float) -> SavitzkyGolayEstimator:
        """Return a new estimator; ``gravity`` in m/s^2."""
        mounting = ImuMounting(matrix_from_rpy(self.mounting_rpy), self.mounting_xyz)
        return SavitzkyGolayEstimator(self.window, mounting, gravity)


@dataclasses.dataclass(frozen=True)
class PayloadConfig:
    """What the arm carries; it may change at run time."""

    link: str = parameter('', 'link that carries the payload; empty: none')
    mass: float = parameter(0.0, 'mass of the payload; 0: none', 'kg', 0.0, 1e5)
    com: tuple[float, ...] = parameter(
        (0.0, 0.0, 0.0), 'centre of mass of the payload in link axes', 'm', -100.0, 100.0)

    def __post_init__(self) -> None:
        check_parameters(self)
        if len(self.com) != 3:
            raise ConfigurationError(f'payload.com: has {len(self.com)} values, expected 3')

    @property
    def is_empty(self) -> bool:
        """Whether there is no payload."""
        return not self.link or not self.mass


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
    final_service: str = parameter(
        '', 'std_srvs/Trigger service of the final action call_service', live=False)
    trajectory: RollingTrajectoryConfig = group(RollingTrajectoryConfig)
    imu: EstimatorConfig = group(EstimatorConfig)
    payload: PayloadConfig = group(PayloadConfig)

    def __post_init__(self) -> None:
        check_parameters(self)

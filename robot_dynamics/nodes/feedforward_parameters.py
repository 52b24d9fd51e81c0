"""Parameters of the feedforward node beside those of the feedforward itself."""

from __future__ import annotations

import dataclasses

from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.control.rolling_trajectory import RollingTrajectoryConfig
from robot_dynamics.control.wrench_input import WrenchConfig
from robot_dynamics.core.parameters import Configuration, group, parameter
from robot_dynamics.estimation.estimators import ADAPTIVE, ESTIMATORS
from robot_dynamics.model.choice import ModelChoice
from robot_dynamics.nodes.description import ROTOR_INERTIA
from robot_dynamics.nodes.estimator_parameters import EstimatorConfig
from robot_dynamics.nodes.final_service import FINAL_CONTROLLERS, FINAL_SERVICE
from robot_dynamics.nodes.mount_parameters import MountConfig
from robot_dynamics.nodes.payload_parameters import PayloadConfig


@dataclasses.dataclass(frozen=True)
class FeedforwardNodeConfig(Configuration):
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
    commanded_by: tuple[str, ...] = parameter(
        (), 'nodes that pass the commands on to the arm: controllers, or the guard; without them '
        'nothing is sent, and what comes anew gets a ramp; empty: every subscriber but tools that '
        'only look (ros2 topic, rosbag2, rqt, plotjuggler, foxglove, rosbridge)', live=False)
    clock_patience: float = parameter(
        0.5, 'with use_sim_time: how long the clock may stand still, or run slower than a '
        'hundredth of real time, before inputs age by the steady clock', 's', 0.1, 60.0,
        live=False)
    wait_for_reference: bool = parameter(
        False, 'send nothing before the first reference, instead of holding the arm', live=False)
    lockstep_base_period: float = parameter(
        0.0, 'in lockstep with a simulation: period of the samples of the base motion, so that a '
        'joint state is answered only once the sample due is in; 0: not in lockstep', 's',
        0.0, 10.0, live=False)
    lockstep_odometry_period: float = parameter(
        0.0, 'in lockstep: period of the odometry, waited for likewise; 0: not waited for', 's',
        0.0, 10.0, live=False)
    final_service: str = FINAL_SERVICE
    final_controllers: tuple[str, ...] = FINAL_CONTROLLERS
    trajectory: RollingTrajectoryConfig = group(RollingTrajectoryConfig)
    estimator: str = parameter(
        ADAPTIVE, 'of the base motion: adaptive weighs predictors by how they did, from ships to '
        'drones; savitzky_golay fits a polynomial to the last half second',
        choices=ESTIMATORS, live=False)
    base_topic_type: str = parameter(
        'imu', 'what measures the base: sensor_msgs/Imu on imu/data, or only its orientation on '
        'base_orientation, as geometry_msgs/Vector3Stamped (x roll, y pitch, z yaw, rad) or '
        'geometry_msgs/QuaternionStamped', choices=('imu', 'vector3', 'quaternion'), live=False)
    imu: EstimatorConfig = group(EstimatorConfig)
    payload: PayloadConfig = group(PayloadConfig)
    model: ModelChoice = group(ModelChoice)
    mount: MountConfig = group(MountConfig)
    wrench: WrenchConfig = group(WrenchConfig)
    mobile: DrivingConfig = group(DrivingConfig)

"""What can be chosen for the analysis of a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional, Tuple

from robot_dynamics.replay.alignment import Settings
from robot_dynamics.replay.driving import Wheels


@dataclass(frozen=True)
class ReplayOptions:
    """Everything that can be chosen; plain data, so that it travels to other processes."""

    #: None: found by type.  ``imu_topic='none'`` means a fixed base.
    joint_topic: Optional[str] = None
    imu_topic: Optional[str] = None
    description_topic: Optional[str] = None
    #: JointTrajectory topic from which accelerations are taken; None: differentiated
    reference_topic: Optional[str] = None
    joint_map: Optional[Mapping[str, str]] = None  #: Name in the recording -> joint of the model
    #: Mounting of the IMU on the base: roll, pitch, yaw of its axes, degrees
    imu_rpy_deg: Optional[Tuple[float, float, float]] = None
    imu_position: Tuple[float, float, float] = (0.0, 0.0, 0.0)  #: Its place in the base frame, m
    without_links: Tuple[str, ...] = ()  #: Links of the description that the robot did not carry
    #: As in ``RobotModel.from_urdf``
    base_link: Optional[str] = None
    tip_link: Optional[str] = None
    #: Joints that do not move, as ``joint`` or ``joint=position`` [rad or m]
    held_joints: Tuple[str, ...] = ()
    wheels: Optional[Wheels] = None  #: Of a robot that drives
    #: 'platform', or 'deck': beside a robot that drives; ``imu_rpy_deg`` and ``imu_position`` are
    #: then seen from where the robot stood at first
    imu_on: str = 'platform'
    friction: bool = False  #: Add the description's own friction to the computed torque
    #: Joint -> rotor inertia reflected to it (gear ratio squared times rotor), kg m^2 (kg)
    rotor_inertia: Optional[Mapping[str, float]] = None
    #: Terms that the recorded effort does not contain, as ``gravity``
    leave_out: Tuple[str, ...] = ()
    #: File of identified parameters that take the place of the description's; their friction and
    #: rotors are part of the computed torque
    identified: Optional[str] = None
    #: Of a log without ROS: column -> name, as :mod:`robot_dynamics.bags.log_file` documents
    columns: Optional[Mapping[str, str]] = None
    rate: Optional[float] = None  #: Rows a second of a log that has no time
    settings: Settings = Settings()  #: Bandwidths and gaps
    #: As in ``InverseDynamics``; ``auto`` compiles only where the recording is long enough to be
    #: worth it
    backend: str = 'auto'

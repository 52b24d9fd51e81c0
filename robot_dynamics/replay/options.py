"""What can be chosen for the analysis of a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Mapping, Optional, Tuple

from robot_dynamics.replay.alignment import Settings
from robot_dynamics.replay.driving import Wheels


@dataclass(frozen=True)
class ReplayOptions:
    """
    Everything that can be chosen; plain data, so that it travels to other processes.

    Attributes
    ----------
    joint_topic, imu_topic, description_topic : str or None
        None: found by type.  ``imu_topic='none'`` means a fixed base.
    reference_topic : str or None
        JointTrajectory topic from which accelerations are taken; None: differentiated.
    joint_map : mapping or None
        Name in the recording -> joint of the model.
    imu_rpy_deg : tuple or None
        Mounting of the IMU on the base: roll, pitch, yaw of its axes, degrees.
    imu_position : tuple
        Its place in the base frame, m.
    without_links : tuple of str
        Links of the description that the robot did not carry.
    base_link, tip_link : str or None
        As in ``RobotModel.from_urdf``.
    held_joints : tuple of str
        Joints that do not move, as ``joint`` or ``joint=position`` [rad or m].
    wheels : Wheels or None
        Of a robot that drives.
    imu_on : str
        'platform', or 'deck': beside a robot that drives; ``imu_rpy_deg`` and ``imu_position`` are
        then seen from where the robot stood at first.
    friction : bool
        Add the description's own friction to the computed torque.
    rotor_inertia : mapping or None
        Joint -> rotor inertia reflected to it (gear ratio squared times rotor), kg m^2 (kg).
    leave_out : tuple of str
        Terms that the recorded effort does not contain, as ``gravity``.
    identified : str or None
        File of identified parameters that take the place of the description's; their friction
        and rotors are part of the computed torque.
    columns : mapping or None
        Of a log without ROS: column -> name, as :mod:`robot_dynamics.bags.log_file` documents.
    rate : float or None
        Rows a second of a log that has no time.
    settings : Settings
        Bandwidths and gaps.
    backend : str
        As in ``InverseDynamics``; ``auto`` compiles only where the recording is long enough to
        be worth it.
    """

    joint_topic: Optional[str] = None
    imu_topic: Optional[str] = None
    description_topic: Optional[str] = None
    reference_topic: Optional[str] = None
    joint_map: Optional[Mapping[str, str]] = None
    imu_rpy_deg: Optional[Tuple[float, float, float]] = None
    imu_position: Tuple[float, float, float] = (0.0, 0.0, 0.0)
    without_links: Tuple[str, ...] = ()
    base_link: Optional[str] = None
    tip_link: Optional[str] = None
    held_joints: Tuple[str, ...] = ()
    wheels: Optional[Wheels] = None
    imu_on: str = 'platform'
    friction: bool = False
    rotor_inertia: Optional[Mapping[str, float]] = None
    leave_out: Tuple[str, ...] = ()
    identified: Optional[str] = None
    columns: Optional[Mapping[str, str]] = None
    rate: Optional[float] = None
    settings: Settings = Settings()
    backend: str = 'auto'

"""Parameters of a robot on wheels, for feedforward and simulation."""

from __future__ import annotations

import dataclasses
import math

from robot_dynamics.control.protocols import RobotDynamics
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.dynamics.inverse import InverseDynamics
from robot_dynamics.dynamics.supports.differential_drive import DifferentialDrive
from robot_dynamics.dynamics.supports.fixed_mount import FixedMount
from robot_dynamics.dynamics.supports.omnidirectional import Omnidirectional
from robot_dynamics.dynamics.supports.protocol import Support
from robot_dynamics.dynamics.uncoupled import UncoupledParts
from robot_dynamics.model.robot_model import RobotModel


@dataclasses.dataclass(frozen=True)
class WheelsConfig(Configuration):
    """Which joints are the wheels; without wheels the robot is an arm."""

    left_wheel: str = parameter(
        '', 'joint of the left wheel, or of the front left of four; empty: no wheels', live=False)
    right_wheel: str = parameter(
        '', 'joint of the right wheel, or of the front right of four; empty: no wheels',
        live=False)
    rear_left_wheel: str = parameter(
        '', 'joint of the rear left of four mecanum wheels; empty: two wheels on one axle',
        live=False)
    rear_right_wheel: str = parameter(
        '', 'joint of the rear right of four mecanum wheels; empty: two wheels on one axle',
        live=False)
    wheel_radius: float = parameter(
        0.0, 'calibrated radius of the wheels; 0: that of the description', 'm', 0.0, 10.0,
        live=False)
    track: float = parameter(
        0.0, 'calibrated distance between the wheels; 0: that of the description', 'm', 0.0,
        100.0, live=False)
    roller_angle: float = parameter(
        math.pi / 4, 'of mecanum wheels: between the rollers on the ground and the plane of the '
        'wheel', 'rad', -1.4, 1.4, live=False)
    separate_commands: bool = parameter(
        False, 'one command topic for the wheels and one for the arm, for a controller each, '
        'instead of one for all', live=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.left_wheel) != bool(self.right_wheel):
            raise ConfigurationError(
                'left_wheel, right_wheel: only one is named; name both wheels, or none for an arm')
        if bool(self.rear_left_wheel) != bool(self.rear_right_wheel):
            raise ConfigurationError(
                'rear_left_wheel, rear_right_wheel: only one is named; name both wheels, or none')
        if self.rear_left_wheel and not self.on_wheels:
            raise ConfigurationError('rear_left_wheel: needs left_wheel and right_wheel')
        if self.rear_left_wheel and self.track:
            raise ConfigurationError('track: is of two wheels; leave it out for four')
        if self.separate_commands and not self.on_wheels:
            raise ConfigurationError('separate_commands: needs left_wheel and right_wheel')

    @property
    def on_wheels(self) -> bool:
        """Whether the robot has wheels."""
        return bool(self.left_wheel)

    def support(self, model: RobotModel) -> Support:
        """Return what a model stands on by these parameters."""
        if not self.on_wheels:
            return FixedMount()
        radius = self.wheel_radius or None
        if self.rear_left_wheel:
            return Omnidirectional.from_model(
                model, self.left_wheel, self.right_wheel, self.rear_left_wheel,
                self.rear_right_wheel, radius, self.roller_angle)
        return DifferentialDrive.from_model(
            model, self.left_wheel, self.right_wheel, radius, self.track or None)


@dataclasses.dataclass(frozen=True)
class DrivingConfig(WheelsConfig):
    """What the feedforward of a robot on wheels has beyond that of an arm."""

    coupled: bool = parameter(
        True, 'false: platform and arm computed separately, for comparison', live=False)
    pose_source: str = parameter(
        'odometry', 'where the pose on the deck comes from: messages, or reckoned from the wheels',
        choices=('odometry', 'wheels'), live=False)
    pose_age: float = parameter(
        0.2, 'oldest odometry, by header stamp and by arrival', 's', 0.001, 10.0, live=False)
    wheel_acceleration: float = parameter(
        8.0, 'largest acceleration of a wheel that follows cmd_vel', 'rad/s^2', 0.01, 1e4,
        live=False)
    twist_hold: float = parameter(
        0.5, 'how long a cmd_vel is followed before the platform is stopped', 's', 0.01, 10.0,
        live=False)
    imu_on: str = parameter(
        'deck', 'what the IMU is bolted to: the deck, at the origin of the frame of odometry, or '
        'the platform', choices=('deck', 'platform'), live=False)

    def dynamics(self, model: RobotModel, method: str = 'newton_euler',
                 rotor_inertia: bool = False, backend: str = 'numba') -> RobotDynamics:
        """Return the dynamics of a model on what it stands on, for a feedforward."""
        whole = InverseDynamics(model, method, rotor_inertia=rotor_inertia, backend=backend,
                                support=self.support(model))
        return whole if self.coupled or not self.on_wheels else UncoupledParts(whole)

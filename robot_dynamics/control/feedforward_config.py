"""
The configuration of the feedforward: every field with description, unit, default and range.

The defaults suit a PA10 at 500 Hz.
"""

from __future__ import annotations

import dataclasses

from robot_dynamics.control.adaptation_config import AdaptationBounds, MODES
from robot_dynamics.control.envelope import EnvelopeConfig
from robot_dynamics.control.joint_checks import JointChecksConfig
from robot_dynamics.control.limits import LimitsConfig
from robot_dynamics.control.ramp import RampConfig
from robot_dynamics.control.trips import TripsConfig
from robot_dynamics.control.watchdog import WatchdogConfig
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import Configuration, group, parameter

TERMS = ('inertia', 'coriolis', 'gravity', 'base_inertial', 'base_coriolis')


@dataclasses.dataclass(frozen=True)
class FeedforwardConfig(Configuration):
    """
    What the feedforward computes and how it behaves.

    A list with one value per joint follows ``joints``; one single value holds for all joints,
    and an empty list means the default that the description names.
    """

    method: str = parameter(
        'newton_euler', 'formulation of the dynamics; both give the same torques',
        choices=('newton_euler', 'lagrange_euler'), live=False)
    joints: tuple[str, ...] = parameter(
        (), 'joints in the order of the commands; empty: the order of the model', live=False)
    feedforward: bool = parameter(True, 'false: joint feedback only, no dynamics')
    base_motion: str = parameter(
        'moving', 'what of the base enters: all of its motion, gravity of a level base that '
        'stands still, or gravity turned with the base but no rates',
        choices=('moving', 'fixed', 'gravity_only'), live=False)
    gravity: float = parameter(
        9.80665, 'magnitude of gravity where the base counts as level', 'm/s^2', 0.0, 30.0,
        live=False)
    natural_frequency: tuple[float, ...] = parameter(
        (0.0,), 'of the joint feedback, per joint; 0: pure feedforward', 'rad/s', 0.0, 200.0)
    damping_ratio: tuple[float, ...] = parameter(
        (1.0,), 'of the joint feedback, per joint; 1: critically damped', '', 0.0, 5.0)
    feedback_inertia_ratio: float = parameter(
        600.0, 'the feedback treats no joint as lighter than its effort limit divided by this; '
        '300 is stiffer, for delays below 3 ms', 'rad/s^2', 10.0, 1e6)
    state_source: str = parameter(
        'desired', 'joint state that enters the model', choices=('desired', 'measured'))
    leave_out: tuple[str, ...] = parameter(
        (), 'terms not to command, for a robot that compensates them itself', choices=TERMS)
    friction: bool = parameter(
        False, 'add the friction of the description, at the desired velocity', live=False)
    rotor_inertia: bool = parameter(
        False, 'add the reflected rotor inertia of the description', live=False)
    adaptation: str = parameter(
        'off', 'what is learned while the arm works, slowly and within adaptation_bounds',
        choices=MODES, live=False)
    require_orientation: bool = parameter(
        True, 'refuse IMU samples that report no orientation; without it the torques are right '
        'but gravity-only is guessed from the specific force', live=False)
    command_period: float = parameter(
        0.002, 'time from one command to the next', 's', 1e-4, 0.1, live=False)
    actuation_delay: float = parameter(
        0.0, 'from the moment of a command to the instant at which its torque begins to act',
        's', 0.0, 0.1)
    hold_fraction: float = parameter(
        0.5, 'part of the command period added to the delay: 0.5 aims at the middle of the hold',
        '', 0.0, 1.0)
    velocity_filter: float = parameter(
        0.004, 'time constant of the velocity estimated where joint states report none', 's',
        0.0, 0.5)
    maximum_reference_jump: float = parameter(
        0.2, 'largest step of a desired joint position that a new reference may make', 'rad',
        0.0, 10.0)
    check_position_limits: bool = parameter(
        True, 'refuse references that leave the position limits of the description')
    check_velocity_limits: bool = parameter(
        False, 'refuse references that exceed the velocity limits of the description, instead of '
        'a warning; beyond five times a limit they are refused anyway')
    maximum_reference_points: int = parameter(
        5_000, 'longest trajectory accepted: while it is read, nothing is commanded', '', 1,
        10_000_000, live=False)
    stream_hold: float = parameter(
        0.1, 'how long a single-point reference is followed before the arm is stopped', 's',
        0.001, 5.0)
    stop_time: float = parameter(
        0.3, 'time to bring the desired motion to rest when a reference ends early', 's',
        0.01, 10.0)
    event_period: float = parameter(
        1.0, 'shortest time between two reports of one kind; what goes on and on is reported ever '
        'more rarely', 's', 0.0, 3600.0, live=False)
    adaptation_bounds: AdaptationBounds = group(AdaptationBounds)
    limits: LimitsConfig = group(LimitsConfig)
    joint_checks: JointChecksConfig = group(JointChecksConfig)
    envelope: EnvelopeConfig = group(EnvelopeConfig)
    trips: TripsConfig = group(TripsConfig)
    ramp: RampConfig = group(RampConfig)
    watchdog: WatchdogConfig = group(WatchdogConfig)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.leave_out and not self.require_orientation:
            raise ConfigurationError(
                'leave_out: terms cannot be told apart without the orientation of the base; set '
                'require_orientation')
        if self.adaptation != 'off' and not self.feedforward:
            raise ConfigurationError('adaptation: betters the feedforward; set feedforward')
        if len(set(self.joints)) != len(self.joints):
            raise ConfigurationError(f'joints: names a joint twice ({", ".join(self.joints)})')

"""All that comes in: joints, base, pose, wrenches, reference, and the clock of all of them."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from numpy.typing import ArrayLike

from robot_dynamics.control.angle_unwrapping import AngleUnwrapping
from robot_dynamics.control.base_input import BaseInput
from robot_dynamics.control.driving_config import DrivingConfig
from robot_dynamics.control.events import EventKind, EventLog
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.joint_checks import joint_checks
from robot_dynamics.control.joint_state_input import JointStateInput
from robot_dynamics.control.placement import Placement
from robot_dynamics.control.pose_input import POSE
from robot_dynamics.control.protocols import RobotDynamics
from robot_dynamics.control.reference_follower import ReferenceFollower
from robot_dynamics.control.reference_input import ReferenceInput
from robot_dynamics.control.trips import SensorFault
from robot_dynamics.control.twist_reference import TwistReference
from robot_dynamics.control.watchdog import BASE_MOTION, InputMonitor, JOINT_STATES, REFERENCE
from robot_dynamics.control.wrench_input import WrenchConfig, WrenchInputs
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.dynamics.supports.rolling_platform import RollingPlatform
from robot_dynamics.estimation.protocol import BaseMotionSource
from robot_dynamics.imu.imu_gate import ImuGate

REST = 0.05  # of the velocity limit: of a slower joint a controller's damping is no load to share


class FeedforwardInputs:
    """
    The inputs of one feedforward, and whether they can be used.

    Parameters
    ----------
    dynamics : RobotDynamics
        Of the robot: its joints, and what it stands on.
    command_names : sequence of str
        Joints that are commanded, in command order.
    driving : DrivingConfig
        Counts where the robot is on wheels.

    Attributes
    ----------
    clock_ns : int or None
        The latest stamp of the clock that was seen; it never goes back except by a jump.
    joints : JointStateInput
    base : BaseInput
    placement : Placement or None
        Pose on the deck; None for a robot that is bolted down.
    follower : ReferenceFollower
        Samples the reference.
    reference : ReferenceInput
        Takes it.
    """

    def __init__(self, config: FeedforwardConfig, dynamics: RobotDynamics,
                 command_names: Sequence[str], gate: ImuGate,
                 estimator: Optional[BaseMotionSource], wrenches: WrenchConfig,
                 driving: DrivingConfig, events: EventLog) -> None:
        watchdog, model, support = config.watchdog, dynamics.model, dynamics.support
        self._events = events
        self.joints = JointStateInput(
            model.joint_names, InputMonitor(
                JOINT_STATES, watchdog.joint_states_age, watchdog.future_tolerance),
            events, config.velocity_filter, AngleUnwrapping.of(model, model.joint_names),
            joint_checks(model, config.joint_checks, commanded=command_names))
        self.placement: Optional[Placement] = None
        twists: Optional[TwistReference] = None
        if isinstance(support, RollingPlatform):
            self.placement = Placement(support, driving, gate, watchdog.future_tolerance, events)
            twists = TwistReference(
                support, model, driving.wheel_acceleration, driving.twist_hold)
        self.base = BaseInput(
            gate, None if self.placement is None else self.placement.deck_sample, estimator,
            InputMonitor(
                BASE_MOTION, watchdog.base_motion_age, watchdog.future_tolerance),
            events, to_ns(watchdog.base_settling))
        self.wrenches = WrenchInputs(wrenches, model, events)
        columns = [model.index(name) for name in command_names]
        self.follower = ReferenceFollower(
            command_names, config, events, model.velocity_limit[columns], model.lower[columns],
            model.upper[columns], AngleUnwrapping.of(model, command_names))
        self.reference = ReferenceInput(self.follower, self.joints, twists, events)
        self._slow = REST * np.where(model.velocity_limit > 0.0, model.velocity_limit, np.inf)
        self.clock_ns: Optional[int] = None
        self.configure(config)

    def configure(self, config: FeedforwardConfig) -> None:
        """Take ages and filters from a configuration."""
        watchdog = config.watchdog
        self._jump_ns = to_ns(watchdog.clock_jump)
        self._reference_falls_back = watchdog.reference_stale == 'fallback'
        self.needs_base = config.feedforward and config.base_motion != 'fixed'
        self.joints.velocity_filter = config.velocity_filter
        self.joints.monitor.configure(watchdog.joint_states_age, watchdog.future_tolerance)
        self.base.monitor.configure(watchdog.base_motion_age, watchdog.future_tolerance)
        self.base.settling_ns = to_ns(watchdog.base_settling)
        self.follower.config = config

    def receive_joint_state(self, stamp_ns: int, arrival_ns: int, names: Sequence[str],
                            position: ArrayLike, velocity: ArrayLike, effort: ArrayLike) -> None:
        """Take one joint state; the wheels among the joints carry the pose on."""
        joints = self.joints
        if joints.receive(stamp_ns, arrival_ns, names, position, velocity, effort) and (
                self.placement is not None):
            self.placement.on_velocity(stamp_ns, arrival_ns, joints.velocity)

    @property
    def base_level(self) -> str:
        """Level of the base motion in use; 'fixed' where none is needed."""
        return self.base.level if self.needs_base else 'fixed'

    def advance_clock(self, now_ns: int) -> bool:
        """
        Note the time; returns whether the clock has jumped back.

        A jump resets all filters and drops the reference: nothing from before is comparable.
        """
        before = self.clock_ns
        if before is None or now_ns >= before:
            self.clock_ns = now_ns
            return False
        if before - now_ns <= self._jump_ns:
            return False  # messages from two threads: the later time stands
        self.clock_ns = now_ns
        self.joints.reset()
        self.base.reset()
        self.wrenches.reset()
        self.reference.reset()
        if self.placement is not None:
            self.placement.reset()
        self._events.report(
            EventKind.CLOCK_JUMPED, f'the clock went back by {(before - now_ns) * 1e-9:.3f} s '
            '(restarted simulation or looped bag?): filters are reset, the reference is dropped',
            now_ns, 'warning', always=True)
        return True

    def stale(self, now_ns: int, beginning: bool = False) -> tuple[str, ...]:
        """
        Return the names of the inputs that are needed but cannot be used now.

        Nothing begins at a posture after which others were refused: the arm may be elsewhere.
        """
        names, joints = [], self.joints
        if not (joints.is_known and joints.monitor.fresh(now_ns)) or (
                beginning and joints.fault.finding is not None):
            names.append(JOINT_STATES)
        if self.needs_base and not self.base.usable(now_ns):
            names.append(BASE_MOTION)
        if self.needs_base and self.placement is not None and (
                not self.placement.pose.usable(now_ns)):
            names.append(POSE)
        if self._reference_falls_back and self.follower.stream_ended(now_ns):
            names.append(REFERENCE)
        return tuple(names)

    def faults(self) -> tuple[tuple[str, SensorFault], ...]:
        """Return what each sensor that counts may be at fault with, by its name."""
        joints = ('the joint states', self.joints.fault)
        return (joints, ('the samples of the base motion', self.base.fault)) if (
            self.needs_base) else (joints,)

    @property
    def at_rest(self) -> bool:
        """Whether all joints are slow, as far as is known."""
        return bool((abs(self.joints.velocity) <= self._slow).all())

    def follow_the_arm(self) -> None:
        """Take a posture that was refused anew: the arm, which nothing holds, may be there."""
        if self.joints.fault.finding is not None:
            self.joints.forget_posture()

    def examine_anew(self) -> None:
        """Compare what the sensors say next with nothing from before."""
        self.joints.forget_posture()
        self.base.examine_anew()

    def watch_stream(self, now_ns: int) -> None:
        """Report a stream of references that has fallen silent; its motion comes to rest."""
        if not self._reference_falls_back and self.follower.stream_ended(now_ns):
            self.follower.end_stream()
            self._events.report(
                EventKind.REFERENCE_STOPPED, 'the streamed reference has stopped: the arm comes '
                'to rest and is held', now_ns, 'warning', REFERENCE)

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return ages, rates and delays, for diagnostics."""
        joints, base, placement = self.joints.monitor, self.base.monitor, self.placement
        pose = {} if placement is None else {
            'pose_age': placement.pose.monitor.age(now_ns),
            'pose_rate': placement.pose.monitor.rate}
        vibration = self.base.vibration
        shaken = {} if vibration is None else {
            'gyro_vibration': vibration[0], 'force_vibration': vibration[1]}
        return {
            'stale_inputs': self.stale(now_ns),
            'joint_states_age': joints.age(now_ns), 'joint_states_rate': joints.rate,
            'base_motion_age': base.age(now_ns), 'base_motion_rate': base.rate,
            'base_level': self.base_level,
            'base_motion_delay': self.base.delay.mean,
            'base_motion_jitter': self.base.delay.deviation,
            'stale_wrenches': self.wrenches.stale(now_ns),
            'following_reference': self.follower.following, **pose, **shaken}

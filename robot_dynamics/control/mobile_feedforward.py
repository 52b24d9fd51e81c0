"""The feedforward of a mobile manipulator: that of an arm, and a pose on the deck."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from robot_dynamics.control.command import Command
from robot_dynamics.control.events import EventKind
from robot_dynamics.control.feedforward import FeedforwardCore, FINISHED, WAITING
from robot_dynamics.control.feedforward_config import FeedforwardConfig
from robot_dynamics.control.mobile_config import MobileConfig
from robot_dynamics.control.mobile_dynamics import MobileDynamics
from robot_dynamics.control.platform_imu import PlatformImu
from robot_dynamics.control.pose_input import POSE, PoseInput
from robot_dynamics.control.reference import JointTrajectory
from robot_dynamics.control.twist_reference import started, TwistReference
from robot_dynamics.control.watchdog import InputMonitor, REFERENCE
from robot_dynamics.core.errors import InputError
from robot_dynamics.imu.imu_gate import ImuGate
from robot_dynamics.imu.mounting import ImuMounting


class MobileFeedforwardCore(FeedforwardCore):
    """
    Feedforward of wheels and arm together.

    Without a recent pose no torque is computed for a deck that moves: the stages of silence
    follow, as for any other input.  On level ground, ``base_motion: fixed``, none is needed.

    Parameters
    ----------
    config : FeedforwardConfig
    robot : InverseDynamics
        Of a robot on a differential drive.
    estimator : base-motion estimator, optional
        With an IMU on the platform without mounting: the samples are given to it in deck axes.
    mobile : MobileConfig
    mounting : ImuMounting, optional
        Of an IMU on the platform.
    """

    def __init__(self, config: FeedforwardConfig, robot: Any, estimator: Any = None,
                 mobile: MobileConfig = MobileConfig(),
                 mounting: Optional[ImuMounting] = None, gate: Optional[ImuGate] = None) -> None:
        dynamics = MobileDynamics(robot, mobile.coupled)
        super().__init__(config, robot.model, dynamics, estimator, gate=gate)
        self._pose = PoseInput(robot.support, InputMonitor(
            POSE, mobile.pose_age, config.watchdog.future_tolerance), self._events)
        self._inputs.further[POSE] = self._pose.usable
        self._reckons = mobile.pose_source == 'wheels'
        self._twists = TwistReference(
            robot.support, robot.model, mobile.wheel_acceleration, mobile.twist_hold)
        self._imu: Optional[PlatformImu] = None
        if mobile.imu_on == 'platform':
            self._imu = PlatformImu(robot.support, mounting or ImuMounting())
            dynamics.height = float(self._imu.place[2])

    def warm_up(self, progress: Any = None) -> None:
        """Compile ahead of time."""
        self._placed.warm_up(progress)

    def on_odometry(self, stamp_ns: int, arrival_ns: int, pose: Sequence[float]) -> None:
        """Take x, y [m] and heading [rad] of the platform on the deck."""
        self._advance_clock(arrival_ns)
        if not self._reckons:
            self._pose.receive(stamp_ns, arrival_ns, pose)

    def on_joint_state(self, stamp_ns: int, arrival_ns: int, names: Sequence[str], position: Any,
                       velocity: Any = (), effort: Any = ()) -> None:
        """Take one joint state; wheels and arm in one, in any order."""
        super().on_joint_state(stamp_ns, arrival_ns, names, position, velocity, effort)
        joints = self._inputs.joints
        if joints.monitor.stamp_ns != stamp_ns:
            return  # it was refused
        wheels = joints.velocity[:2]
        if self._reckons:
            self._pose.reckon(stamp_ns, arrival_ns, wheels)
        if self._imu is not None:
            self._imu.on_wheels(stamp_ns, wheels.copy())

    def on_base_sample(self, sample: Any, arrival_ns: int) -> None:
        """
        Take one IMU sample; of one on the platform what the wheels cause is removed.

        Before there is a heading, a platform's samples cannot be turned to the deck's axes and
        are left out.
        """
        if self._imu is not None and not self._pose.monitor.received:
            self._advance_clock(arrival_ns)
            return
        if self._imu is not None and np.isfinite(
                [*sample.angular_velocity, *sample.linear_acceleration]).all():
            heading = float(self._pose.at(sample.stamp_ns, self._inputs.joints.velocity[:2])[2])
            sample = self._imu.deck_sample(sample, heading)
        super().on_base_sample(sample, arrival_ns)

    def on_twist(self, arrival_ns: int, speed: float, turning_rate: float) -> None:
        """Drive with a forward speed [m/s] and a turning rate [rad/s], the arm as it was told."""
        self._advance_clock(arrival_ns)
        try:
            self._twists.drive(speed, turning_rate)
        except InputError as error:
            self._events.report(EventKind.REFERENCE_REFUSED, f'cmd_vel cannot be used: {error}',
                                arrival_ns, 'warning', REFERENCE)
            return
        self._follow_twist(arrival_ns)

    def on_reference(self, trajectory: JointTrajectory, arrival_ns: int) -> None:
        """Follow a trajectory of all joints, or one of wheels or arm alone beside the other's."""
        twists, named = self._twists, set(trajectory.names)
        wheels = set(twists.wheels)
        if named & wheels and not wheels >= named & set(self.names):
            twists.forget()
            super().on_reference(trajectory, arrival_ns)
            return
        self._advance_clock(arrival_ns)
        before = twists.arm, twists.rolling
        if named & wheels:
            twists.rolling = started(trajectory, arrival_ns)
        else:
            twists.arm = started(trajectory, arrival_ns)
        if not self._follow_twist(arrival_ns):
            twists.arm, twists.rolling = before

    def _follow_twist(self, now_ns: int) -> bool:
        """Give the follower what the references of both parts make of the present motion."""
        joints = self._inputs.joints
        if not joints.monitor.received:
            self._events.report(
                EventKind.REFERENCE_REFUSED, 'a reference for wheels or arm alone has come before '
                'any joint state, so there is nothing to drive on from', now_ns, 'warning',
                REFERENCE)
            return False
        state = np.zeros((3, len(self.names)))
        if self.state in (WAITING, FINISHED):
            state[0] = joints.position[[joints.names.index(name) for name in self.names]]
        else:
            self._inputs.follower.sample_into(now_ns, state)
        try:
            trajectory = self._twists.trajectory(self.names, state, now_ns)
        except InputError as error:
            self._events.report(EventKind.REFERENCE_REFUSED, f'the reference cannot be used: '
                                f'{error}', now_ns, 'warning', REFERENCE)
            return False
        super().on_reference(trajectory, now_ns)
        return True

    def command(self, now_ns: int) -> Optional[Command]:
        """Return the command for now, or None when nothing may be sent."""
        self._place(now_ns)
        return super().command(now_ns)

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return what diagnostics show; the pose is among it."""
        return {**super().status(now_ns), 'pose_age': self._pose.monitor.age(now_ns),
                'pose_rate': self._pose.monitor.rate}

    def _advance_clock(self, now_ns: int) -> int:
        before = self._inputs.clock_ns
        now = super()._advance_clock(now_ns)
        if before is not None and now < before:  # it has jumped back
            self._pose.monitor.reset()
            self._twists.forget()
            if self._imu is not None:
                self._imu.reset()
        return now

    @property
    def _placed(self) -> MobileDynamics:
        dynamics = self.dynamics
        assert isinstance(dynamics, MobileDynamics)
        return dynamics

    def _place(self, now_ns: int) -> None:
        """Give the dynamics the pose at the instant at which the torque will act."""
        dynamics, pose = self._placed, self._pose
        if not pose.usable(now_ns):
            dynamics.pose, dynamics.lost = None, pose.problem(now_ns)
            return
        at = pose.at(now_ns + self._law.lead_ns, self._inputs.joints.velocity[:2])
        if self._imu is not None:  # the deck's frame is where the IMU is
            c, s = np.cos(at[2]), np.sin(at[2])
            x, y, _ = self._imu.place
            at = np.array([-(c * x - s * y), -(s * x + c * y), at[2]])
        dynamics.pose = at

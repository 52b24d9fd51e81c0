"""
The stream of messages through a feedforward: which call follows which message.

Commands come before everything else.  In lockstep with a simulation nothing here looks at a
clock: a joint state is answered once the sample of the base motion that is due at its stamp is
in, however the messages arrive.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
import time
from typing import Any, Callable, Dict, Optional

from geometry_msgs.msg import Twist, TwistStamped, WrenchStamped
from nav_msgs.msg import Odometry
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from rclpy.subscription import Subscription
from robot_dynamics.control.command import Command
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.rolling_trajectory import RollingTrajectory
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.imu.sample import ImuSample
from robot_dynamics.nodes.base_messages import reader_of_imu
from robot_dynamics.nodes.commanders import ABSENT, Commanders, NEW
from robot_dynamics.nodes.cycle_statistics import CycleStatistics
from robot_dynamics.nodes.drain import drain
from robot_dynamics.nodes.feedforward_outputs import FeedforwardOutputs, LATEST
from robot_dynamics.nodes.messages import pose_of, stamp_ns
from robot_dynamics.nodes.reference_message import trajectory_of
from robot_dynamics.nodes.wire import Values, WireReader
from sensor_msgs.msg import JointState

LONGEST_RAMP_OUT = 3.5  # s: launch sends SIGTERM 5 s after SIGINT


class AwaitedSamples:
    """
    In lockstep: samples of a sensor that a joint state waits for.

    Parameters
    ----------
    period_ns : int
        From one sample to the next, ns; 0: none is waited for.
    """

    def __init__(self, period_ns: int) -> None:
        self.is_awaited = period_ns > 0
        self._period_ns = period_ns
        self._last_ns = -period_ns

    def note(self, stamp_ns: int) -> None:
        """Note that the sample of this stamp is in."""
        self._last_ns = stamp_ns

    def is_missing(self, stamp_ns: int) -> bool:
        """Tell whether the sample that is due at a stamp is not in."""
        return self.is_awaited and stamp_ns - self._last_ns >= self._period_ns


class FeedforwardStream:
    """
    Messages in, calls of the core, commands out.

    Parameters
    ----------
    commanders : Commanders
        Who passes the commands on: without them nothing is sent, and new ones get a ramp.
    clock_ns : callable
        Returns the ROS time in ns.
    base_period_ns, odometry_period_ns : int
        In lockstep: periods of the samples of the base motion and of odometry that a joint state
        waits for; 0: it does not, and without samples of the base there is no lockstep.
    wait_for_reference : bool
        Whether nothing is sent before the first reference.
    rolling : RollingTrajectory, optional
        Builds trajectories to be sent instead of commands.
    """

    def __init__(self, core: FeedforwardCore, outputs: FeedforwardOutputs,
                 commanders: Commanders, clock_ns: Callable[[], int], base_period_ns: int,
                 odometry_period_ns: int, wait_for_reference: bool,
                 rolling: Optional[RollingTrajectory] = None) -> None:
        self.core = core
        self.outputs = outputs
        self._commanders = commanders
        self.active = False
        self._ending = False
        self._unsent: Optional[Callable[[], None]] = None
        self.last: Optional[Command] = None
        self.base_sample: Callable[[Any], ImuSample] = reader_of_imu()
        self._joint_states = WireReader(JointState)
        self.imu_subscription: Optional[Subscription[Any]] = None
        self.joint_state_subscription: Optional[Subscription[Any]] = None
        self._clock_ns = clock_ns
        self.rolling = rolling
        self._lockstep = base_period_ns > 0
        self._base_samples = AwaitedSamples(base_period_ns)
        self._odometry = AwaitedSamples(odometry_period_ns)
        self._silent_until_reference = wait_for_reference
        self._now_ns = 0
        self._answered_ns = -1
        self._pending: Optional[Values] = None
        self._last_joint_state_ns = 0
        self._statistics = CycleStatistics(to_ns(core.config.command_period))

    def listen_further(self, listen: Callable[..., Any]) -> None:
        """
        Subscribe to what not every robot has; ``listen(type, topic, call, qos)``.

        These are external wrenches, and of a robot that drives its odometry and cmd_vel.
        """
        for link, topic in self.core.wrenches.config.topic_of_link().items():
            listen(WrenchStamped, topic, partial(self.on_wrench, link), qos_profile_sensor_data)
        if self.core.dynamics.support.pose_size:
            listen(Odometry, 'odom', self.on_odometry, QoSProfile(depth=10)
                   if self._odometry.is_awaited else qos_profile_sensor_data)
            listen(Twist, 'cmd_vel', self.on_twist, LATEST)
            listen(TwistStamped, 'cmd_vel_stamped', self.on_twist_stamped, LATEST)

    # ---- messages ----

    def on_joint_state(self, raw: bytes) -> None:
        """Answer a joint state."""
        self._on_joint_values(self._joint_states.read(raw))

    def _on_joint_values(self, values: Values) -> None:
        stamp = values.stamp_ns
        if self._lockstep:
            if stamp == self._answered_ns:
                self.outputs.send_again()
                return
            self._now_ns = stamp
            if self._is_sample_missing(stamp):
                self._pending = values
                return
        else:
            self._now_ns = self._clock_ns()
        begin = self._last_joint_state_ns = time.monotonic_ns()
        self._take_joint_values(values)
        if self.active:
            self._command(stamp)
            self._statistics.note(stamp, time.monotonic_ns() - begin)
        self.core.maintain()

    def on_imu(self, message: Any) -> None:
        """Take a sample of the base motion, and answer the joint state that waited for it."""
        self._take_base_sample(message)
        self._answer_pending()

    def on_reference(self, raw: bytes) -> None:
        """Follow a serialized trajectory; one that cannot be followed is reported by the core."""
        most = self.core.config.maximum_reference_points
        self.core.on_reference_of(lambda: trajectory_of(raw, most), self.now_ns())
        self._silent_until_reference = False

    def on_odometry(self, message: Odometry) -> None:
        """Take the pose, and answer the joint state that waited for it."""
        stamp = stamp_ns(message.header.stamp)
        arrival = max(self._now_ns, stamp) if self._lockstep else self._clock_ns()
        self.core.on_odometry(stamp, arrival, pose_of(message))
        self._odometry.note(stamp)
        self._answer_pending()

    def on_twist(self, message: Twist) -> None:
        """Drive as told from now on."""
        self.core.on_twist(self.now_ns(), message.linear.x, message.angular.z, message.linear.y)
        self._silent_until_reference = False

    def on_twist_stamped(self, message: TwistStamped) -> None:
        """Do the same; the stamp is not looked at."""
        self.on_twist(message.twist)

    def on_wrench(self, link: str, message: WrenchStamped) -> None:
        """Take force and moment of the environment on a link."""
        force, moment = message.wrench.force, message.wrench.torque
        self.core.on_wrench(
            link, stamp_ns(message.header.stamp), self.now_ns(), message.header.frame_id,
            (force.x, force.y, force.z, moment.x, moment.y, moment.z))

    def report(self) -> None:
        """Publish what explains the last command, as far as anybody subscribes."""
        self.outputs.report_state(self.core.state)
        self.outputs.report_base_level(self.core.base_level)
        if not self._lockstep:  # where no joint states come; in lockstep runs must repeat
            self.core.maintain()
        if self.outputs.has_gravity_subscribers():
            self.outputs.report_gravity_effort(self.core.gravity_effort(), self.now_ns())
        if self.last is not None:
            self.outputs.report(self.last)

    def status(self) -> Dict[str, Any]:
        """Return what diagnostics show."""
        return {**self.core.status(self.now_ns()), **self._statistics.drain()}

    # ---- time ----

    def now_ns(self) -> int:
        """Return the time of arrivals: in lockstep the stamp of the last joint state."""
        return self._now_ns if self._lockstep else self._clock_ns()

    def is_silent(self, longest: float) -> bool:
        """Tell whether no joint state has been answered for ``longest`` seconds."""
        return not self._lockstep and (
            1e-9 * (time.monotonic_ns() - self._last_joint_state_ns) > longest)

    def on_silence(self) -> None:
        """Command what is due without a joint state: hold, ramp, final action."""
        if self.active:
            self._now_ns = self._clock_ns()
            self._command(self._now_ns)

    def ramp_out(self, period: float) -> None:
        """
        Stop: command the ramp to its end, taking joint states and base motion meanwhile.

        It blocks, and does not depend on a clock that a simulation may have stopped, or that
        nobody listens to meanwhile; nor on a middleware that fails for a moment.
        """
        if not self.active:
            return
        start, start_ns = time.monotonic(), self.now_ns()
        if self._commanders.look() == ABSENT:
            self.core.on_no_subscribers(start_ns)
        self.core.stop(start_ns)
        self._ending, self._unsent = True, None
        while (not self.core.finished or self._unsent is not None) and (
                time.monotonic() - start < LONGEST_RAMP_OUT):
            self._now_ns = start_ns + int(1e9 * (time.monotonic() - start))
            with suppress(rclpy_implementation.RCLError):
                self._take_waiting()
            with suppress(rclpy_implementation.RCLError):
                if self.core.finished and self._unsent is not None:
                    self._send(self._unsent)
                self._command(self._now_ns)
            time.sleep(period)
        self._unsent = None
        self.active = self._ending = False
        with suppress(rclpy_implementation.RCLError):
            self.outputs.report_state(self.core.state)

    # ---- parts ----

    def _command(self, answers_ns: int) -> None:
        if self._silent_until_reference:
            return
        if not self._lockstep and not self._ending and not self._are_same():
            if self.rolling is not None:
                self.rolling.forget()
            return
        if self.rolling is not None:
            trajectory = self.rolling.due(self._now_ns)
            if trajectory is not None:
                self._send(partial(self.outputs.send_trajectory, trajectory))
            return
        begin = time.monotonic_ns()
        command = self.core.command(self._now_ns)
        if command is not None:
            self._send(partial(self.outputs.send, command, answers_ns))
            if not self._lockstep:
                self.core.published(begin, time.monotonic_ns())
            self.last = command
            self._answered_ns = answers_ns

    def _are_same(self) -> bool:
        """Tell whether the command is for those that had the last one; others get a ramp."""
        look = self._commanders.look()
        if look == ABSENT:
            self.core.on_no_subscribers(self._now_ns)
        elif look == NEW:
            self.core.on_new_subscriber(self._now_ns)
        return look not in (ABSENT, NEW)

    def _send(self, publish: Callable[[], None]) -> None:
        """Publish, and remember what could not be."""
        self._unsent = publish
        publish()
        self._unsent = None

    def _take_waiting(self) -> None:
        """Take what has arrived while nobody spins."""
        if self.imu_subscription is not None:
            for message in drain(self.imu_subscription):
                self._take_base_sample(message)
        if self.joint_state_subscription is not None:
            for raw in drain(self.joint_state_subscription):
                self._take_joint_values(self._joint_states.read(raw))

    def _take_joint_values(self, values: Values) -> None:
        arrays = values.arrays
        self.core.on_joint_state(
            values.stamp_ns, self._now_ns, values.names, arrays['position'], arrays['velocity'],
            arrays['effort'])

    def _answer_pending(self) -> None:
        """Answer the joint state that has waited, once everything due is in."""
        pending = self._pending
        if pending is not None and not self._is_sample_missing(pending.stamp_ns):
            self._pending = None
            self._on_joint_values(pending)

    def _is_sample_missing(self, stamp: int) -> bool:
        return self._odometry.is_missing(stamp) or (
            self.imu_subscription is not None and self._base_samples.is_missing(stamp))

    def _take_base_sample(self, message: Any) -> None:
        sample = self.base_sample(message)
        self._base_samples.note(sample.stamp_ns)
        arrival = (max(self._now_ns, sample.stamp_ns) if self._lockstep
                   else self._now_ns if self._ending else self._clock_ns())
        self.core.on_base_sample(sample, arrival)

"""
What the feedforward node publishes: the command first, everything else only where it is heard.

Messages that go out in every cycle are made once and filled again.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Callable, Dict, Mapping, Optional, Sequence

from geometry_msgs.msg import WrenchStamped
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.qos_overriding_options import QoSOverridingOptions
from robot_dynamics.control.command import Command
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.control.rolling_trajectory import EffortTrajectory
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.nodes.messages import (
    doubles, effort_template, joint_state_template, set_stamp, vector3)
from robot_dynamics.nodes.wire import WireWriter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

TERMS = ('inertia', 'coriolis', 'gravity', 'base_inertial', 'base_coriolis', 'friction', 'rotor',
         'external', 'feedback', 'adaptation')
LATEST = QoSProfile(depth=1)
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class FeedforwardOutputs:
    """
    The publishers of one node, with their messages.

    Parameters
    ----------
    names : sequence of str
        Joints in command order.
    frame_id : str
        Frame of the base wrench.
    groups : mapping of str to sequence of str, optional
        Joints that have a controller of their own, by the topic of its commands, beside the topic
        of all commands.

    Attributes
    ----------
    commanding : list of Publisher
        Those that carry commands.
    """

    def __init__(self, create_publisher: Callable[..., Publisher[Any]], names: Sequence[str],
                 frame_id: str, groups: Mapping[str, Sequence[str]] = {}) -> None:
        self._array = WireWriter(effort_template(names))
        self._stamped = WireWriter(joint_state_template(names))
        self._term = JointState(name=list(names))
        self._wrench = WrenchStamped()
        self._wrench.header.frame_id = frame_id
        self._state = self._base_level = ''
        self._stamped_heard = True
        overridable = QoSOverridingOptions.with_default_policies()

        def publisher(kind: type, topic: str, qos: QoSProfile) -> Publisher[Any]:
            return create_publisher(  # rclpy writes overrides into the profile
                kind, topic, copy(qos), qos_overriding_options=overridable)

        self._arrays = publisher(Float64MultiArray, '~/commands', LATEST)
        self._stampeds = publisher(JointState, '~/commands_stamped', QoSProfile(depth=10))
        self._states = publisher(String, '~/state', LATCHED)
        self._base_levels = publisher(String, '~/base_level', LATCHED)
        self._gravity_efforts = publisher(JointState, '~/gravity_effort', LATEST)
        self._trajectories = publisher(JointTrajectory, '~/joint_trajectory', LATEST)
        self._wrenches = publisher(WrenchStamped, '~/base_wrench', LATEST)
        self._terms: Dict[str, Publisher[Any]] = {
            term: publisher(JointState, f'~/terms/{term}', LATEST) for term in TERMS}
        self._groups = [
            (publisher(Float64MultiArray, topic, LATEST), WireWriter(effort_template(group)),
             [list(names).index(name) for name in group]) for topic, group in groups.items()]
        of_groups = [made for made, *_ in self._groups]
        self.commanding = [self._arrays, self._stampeds, self._trajectories, *of_groups]
        self.publishers = [
            self._arrays, self._stampeds, self._states, self._base_levels,
            self._gravity_efforts, self._trajectories, self._wrenches, *self._terms.values(),
            *of_groups]

    def send(self, command: Command, answers_ns: int) -> None:
        """Publish a command, and the same named, with the stamp that it answers."""
        for publisher, group, columns in self._groups:
            publisher.publish(group.fill(data=command.effort[columns]))
        self._arrays.publish(self._array.fill(data=command.effort))
        if self._stamped_heard:
            self._stampeds.publish(self._stamped.fill(
                answers_ns, effort=command.effort, position=command.desired_position,
                velocity=command.desired_velocity))

    def send_trajectory(self, rolling: EffortTrajectory) -> None:
        """Publish a trajectory with efforts, for a controller with feedback of its own."""
        message = JointTrajectory(joint_names=list(rolling.names))
        set_stamp(message.header.stamp, rolling.start_ns)
        for row, offset in enumerate(rolling.times):
            point = JointTrajectoryPoint(
                positions=doubles(rolling.positions[row]),
                velocities=doubles(rolling.velocities[row]),
                accelerations=doubles(rolling.accelerations[row]),
                effort=doubles(rolling.efforts[row]))
            set_stamp(point.time_from_start, int(round(1e9 * offset)))
            message.points.append(point)
        self._trajectories.publish(message)

    def has_gravity_subscribers(self) -> bool:
        """Tell whether a guard wants to know what holds gravity."""
        return bool(self._gravity_efforts.get_subscription_count())

    def report_gravity_effort(self, effort: Optional[FloatArray], stamp_ns: int) -> None:
        """Publish what holds gravity, for a guard that takes over."""
        if effort is not None:
            set_stamp(self._term.header.stamp, stamp_ns)
            self._term.effort = doubles(effort)
            self._gravity_efforts.publish(self._term)

    def send_again(self) -> None:
        """Publish the last command once more, with the stamp that it answers."""
        for publisher, group, _ in self._groups:
            publisher.publish(group.message)
        self._arrays.publish(self._array.message)
        self._stampeds.publish(self._stamped.message)

    def report(self, command: Command) -> None:
        """
        Publish what explains a command, as far as anybody subscribes.

        Raises
        ------
        RobotDynamicsError
            If the torque cannot be split by cause.
        """
        self._stamped_heard = self._stampeds.get_subscription_count() > 0
        if self._wrenches.get_subscription_count():
            wrench = command.base_wrench
            set_stamp(self._wrench.header.stamp, command.acts_at_ns)
            self._wrench.wrench.force = vector3(wrench[:3])
            self._wrench.wrench.torque = vector3(wrench[3:])
            self._wrenches.publish(self._wrench)
        heard = [term for term in TERMS if self._terms[term].get_subscription_count()]
        if not heard:
            return
        values = {**command.terms, 'feedback': command.feedback}
        set_stamp(self._term.header.stamp, command.acts_at_ns)
        for term in heard:
            if term in values:
                self._term.effort = doubles(values[term])
                self._terms[term].publish(self._term)

    def report_state(self, state: str) -> None:
        """Publish the state where it has changed; the topic keeps the last one."""
        if state != self._state:
            self._state = state
            self._states.publish(String(data=state))

    def report_base_level(self, level: str) -> None:
        """Publish what the base motion rests on where it has changed; the topic keeps it."""
        if level != self._base_level:
            self._base_level = level
            self._base_levels.publish(String(data=level))


def outputs_of(core: FeedforwardCore, separate: bool,
               create_publisher: Callable[..., Publisher[Any]]) -> FeedforwardOutputs:
    """
    Return the outputs for a robot on what it stands on.

    Parameters
    ----------
    separate : bool
        Whether wheels and arm have a controller each.
    """
    wheels = core.dynamics.support.wheels
    groups = {'~/wheel_commands': [name for name in core.names if name in wheels],
              '~/arm_commands': [name for name in core.names if name not in wheels]}
    return FeedforwardOutputs(
        create_publisher, core.names, 'base_footprint' if wheels else core.model.base_link,
        groups if separate else {})

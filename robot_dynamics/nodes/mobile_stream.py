"""The messages that a robot on wheels has beyond those of an arm."""

from __future__ import annotations

from array import array
from functools import partial
from typing import Any, Callable, Tuple

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from robot_dynamics.control.command import Command
from robot_dynamics.control.feedforward import FeedforwardCore
from robot_dynamics.core.stamps import to_ns
from robot_dynamics.nodes.feedforward_outputs import FeedforwardOutputs, LATEST
from robot_dynamics.nodes.feedforward_parameters import FeedforwardNodeConfig
from robot_dynamics.nodes.feedforward_stream import FeedforwardStream
from robot_dynamics.nodes.messages import effort_template, stamp_ns
from robot_dynamics.nodes.odometry import pose_of
from std_msgs.msg import Float64MultiArray


class MobileStream(FeedforwardStream):
    """
    Odometry and cmd_vel, beside what an arm gets.

    Parameters
    ----------
    odometry_period_ns : int
        In lockstep: period of the odometry that a joint state waits for; 0: it does not.
    arguments
        As for :class:`~.feedforward_stream.FeedforwardStream`; the core is that of a mobile
        manipulator.
    """

    def __init__(self, odometry_period_ns: int, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._odometry_period_ns = odometry_period_ns
        self._odometry_stamp_ns = -odometry_period_ns

    def listen_further(self, listen: Callable[..., Any]) -> None:
        """Subscribe to odometry and to both kinds of cmd_vel, beside what an arm has."""
        super().listen_further(listen)
        listen(Odometry, 'odom', self.on_odometry,
               QoSProfile(depth=10) if self._odometry_period_ns else qos_profile_sensor_data)
        listen(Twist, 'cmd_vel', self.on_twist, LATEST)
        listen(TwistStamped, 'cmd_vel_stamped', self.on_twist_stamped, LATEST)

    def on_odometry(self, message: Odometry) -> None:
        """Take the pose, and answer the joint state that waited for it."""
        stamp = stamp_ns(message.header.stamp)
        arrival = max(self._now_ns, stamp) if self._lockstep else self._clock_ns()
        self.core.on_odometry(stamp, arrival, pose_of(message))
        self._odometry_stamp_ns = stamp
        self._answer_pending()

    def on_twist(self, message: Twist) -> None:
        """Drive as told from now on."""
        self.core.on_twist(self.now_ns(), message.linear.x, message.angular.z,
                           message.linear.y)
        self._silent_until_reference = False

    def on_twist_stamped(self, message: TwistStamped) -> None:
        """Do the same; the stamp is not looked at."""
        self.on_twist(message.twist)

    def _is_base_sample_missing(self, stamp: int) -> bool:
        return super()._is_base_sample_missing(stamp) or (
            self._odometry_period_ns > 0
            and stamp - self._odometry_stamp_ns >= self._odometry_period_ns)


class SeparateOutputs(FeedforwardOutputs):
    """
    A command topic for the wheels and one for the arm, beside the one for all.

    Parameters
    ----------
    create_publisher, names, frame_id
        As for :class:`~.feedforward_outputs.FeedforwardOutputs`.
    wheels : sequence of str
        Joints of the wheels.
    """

    def __init__(self, create_publisher: Callable[..., Any], names: Tuple[str, ...],
                 frame_id: str, wheels: Tuple[str, ...]) -> None:
        super().__init__(create_publisher, names, frame_id)
        self._groups = []
        for topic, group in (('~/wheel_commands', [n for n in names if n in wheels]),
                             ('~/arm_commands', [n for n in names if n not in wheels])):
            columns = [names.index(name) for name in group]
            publisher = create_publisher(Float64MultiArray, topic, LATEST)
            self._groups.append((publisher, effort_template(group), columns))
            self.publishers.append(publisher)

    def send(self, command: Command, answers_ns: int) -> None:
        """Publish a command to each controller, and whole."""
        for publisher, message, columns in self._groups:
            message.data = array('d', command.effort[columns].tobytes())
            publisher.publish(message)
        super().send(command, answers_ns)

    def send_again(self) -> None:
        """Publish the last command once more."""
        for publisher, message, _ in self._groups:
            publisher.publish(message)
        super().send_again()

    def has_subscribers(self) -> bool:
        """Tell whether anybody subscribes to the commands."""
        return super().has_subscribers() or any(
            publisher.get_subscription_count() > 0 for publisher, _, _ in self._groups)


def parts_of(core: FeedforwardCore, config: FeedforwardNodeConfig,
             create_publisher: Callable[..., Any]
             ) -> Tuple[FeedforwardOutputs, Callable[..., FeedforwardStream]]:
    """Return the outputs of a robot, and what makes its stream: of an arm or on wheels."""
    if not config.mobile.on_wheels:
        return (FeedforwardOutputs(create_publisher, core.names, core.model.base_link),
                FeedforwardStream)
    outputs = FeedforwardOutputs(create_publisher, core.names, 'base_footprint')
    if config.mobile.separate_commands:
        outputs = SeparateOutputs(create_publisher, core.names, 'base_footprint',
                                  core.dynamics.support.wheels)
    return outputs, partial(MobileStream, to_ns(config.lockstep_odometry_period))

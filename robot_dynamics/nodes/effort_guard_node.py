"""
A second, tiny process between feedforward and controller, which survives the feedforward.

It forwards fresh finite commands, and when they stop it ramps to the effort that holds gravity
and takes the final action by itself: a ForwardCommandController would hold the last command for
ever, and a process that is killed sends no zero.
"""

from __future__ import annotations

from contextlib import suppress
import dataclasses
import sys
import time
from typing import Any, Callable, Optional

from diagnostic_msgs.msg import DiagnosticArray
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data, QoSProfile
from rclpy.subscription import Subscription
from robot_dynamics.control.guard import EffortGuard, WAITING
from robot_dynamics.control.guard_config import GuardConfig
from robot_dynamics.core.errors import RobotDynamicsError
from robot_dynamics.core.gate import FloatArray
from robot_dynamics.core.parameters import Configuration, parameter
from robot_dynamics.nodes.commanders import Commanders, NEW, SAME
from robot_dynamics.nodes.description import (
    check_description, DESCRIPTION_QOS, log_what_is_odd, model_from_parameter, text_from_topic)
from robot_dynamics.nodes.diagnostics import diagnostics
from robot_dynamics.nodes.drain import drain
from robot_dynamics.nodes.fast_loop import FastLoop
from robot_dynamics.nodes.feedforward_outputs import LATCHED, LATEST
from robot_dynamics.nodes.final_service import FINAL_CONTROLLERS, FINAL_SERVICE, FinalService
from robot_dynamics.nodes.log_events import log_events
from robot_dynamics.nodes.messages import effort_template
from robot_dynamics.nodes.parameters import ParameterSet
from robot_dynamics.nodes.process import DELIVERY, run
from robot_dynamics.nodes.wire import WireReader, WireWriter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import Trigger

LONGEST_FAREWELL = 3.5  # s, for the ramp of a feedforward that ends at the same time
LONGEST_LOOK = 1.0  # s for a measured effort to come, before a ramp begins without one
LONGEST_TAKEOVER = 1.0  # s, for the guard's own ramp where the feedforward goes on


@dataclasses.dataclass(frozen=True)
class GuardNodeConfig(Configuration):
    """Parameters of the node beside those of the guard."""

    robot_description: str = parameter(
        '', 'URDF with the effort limits, text or path; empty: those of limits.effort, or where '
        'that is empty as well from the topic robot_description', live=False)
    commanded_by: tuple[str, ...] = parameter(
        (), 'controllers that take the efforts: without them nothing is forwarded, and what comes '
        'anew gets a ramp; empty: every subscriber but tools that only look', live=False)
    tick_period: float = parameter(
        0.002, 'time between two efforts on silence', 's', 0.0005, 0.005, live=False)
    diagnostics_period: float = parameter(
        1.0, 'time between two diagnostics', 's', 0.1, 60.0, live=False)
    final_service: str = FINAL_SERVICE
    final_controllers: tuple[str, ...] = FINAL_CONTROLLERS


class EffortGuardNode(Node):
    """The node; see the module."""

    PARAMETERS = (GuardNodeConfig, GuardConfig)

    def __init__(self) -> None:
        super().__init__('effort_guard')
        self._config = ParameterSet(self, GuardNodeConfig).config
        self._guard_parameters = ParameterSet(self, GuardConfig, fixed=lambda: True)
        self._final = FinalService(
            self, self._config.final_service,
            self._guard_parameters.config.final_action == 'call_service',
            self._config.final_controllers)
        self.fast_loop = FastLoop(self.context)
        self._is_ready, self._refused = False, b''
        if self._config.robot_description or self._guard_parameters.config.limits.effort:
            self._begin(self._config.robot_description)
            return
        topic = self.create_subscription(
            String, 'robot_description', self._on_description, DESCRIPTION_QOS,
            raw=True).topic_name
        self.get_logger().info(
            f'there are no effort limits yet: set limits.effort or robot_description, or publish '
            f'the robot description on {topic}')

    def _on_description(self, raw: bytes) -> None:
        """Begin with the limits of a description, the first that can be used."""
        if self._is_ready or raw == self._refused:
            return
        try:
            text = text_from_topic(raw)
            check_description(text)
            self._begin(text)
        except RobotDynamicsError as error:  # whoever published it may do better
            self._refused = raw
            self.get_logger().error(f'{error}; waiting for another robot description')

    def _begin(self, description: str) -> None:
        """Guard from now on."""
        config, guard_config = self._config, self._guard_parameters.config
        self._guard = EffortGuard(
            guard_config, self._effort_limit(description, guard_config.joints))
        self._guard_parameters.on_change(self._change)
        self._message = WireWriter(effort_template(self._guard.names))
        self._reader = WireReader(Float64MultiArray)
        self._state = ''
        self._unsent = False
        self._efforts = self.create_publisher(
            Float64MultiArray, 'effort_controller/commands', LATEST)
        self._states = self.create_publisher(String, '~/state', LATCHED)
        self._diagnostics = self.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self._commanders = Commanders(self, [self._efforts], config.commanded_by)
        # heard only while the controller listens
        self._commands: Optional[Subscription[Any]] = None
        self._listen_at = 0.0
        self._state_reader = WireReader(JointState)
        self._joint_states = self.create_subscription(  # in no hurry: looked at on watch
            JointState, 'joint_states', self._on_joint_state, qos_profile_sensor_data, raw=True)
        self._gravity_reader = WireReader(JointState)
        self._listen(JointState, 'feedforward/gravity_effort', self._on_gravity_effort, LATEST,
                     raw=True)
        self._listen(String, 'feedforward/state', self._on_feedforward_state, LATCHED)
        self._tick = self.fast_loop.every(config.tick_period, self._on_tick)
        self.fast_loop.every(0.02, self._on_watch)
        self.fast_loop.every(config.diagnostics_period, self._on_diagnostics)
        self.create_service(Trigger, '~/clear_trip', self._clear_trip)
        self._is_ready = True

    def finish(self) -> None:
        """
        Go on while a feedforward that was told to end as well still ramps out.

        One that goes on instead is no longer forwarded: what the controller holds for ever shall
        be the effort of gravity, not the last of a motion.
        """
        if not self._is_ready:
            return
        guard = self._guard
        self._serve_until(
            lambda: guard.state == WAITING and not self._unsent, LONGEST_FAREWELL)
        if guard.state != WAITING:
            guard.take_over(time.monotonic_ns())
            self._tick.due = 0.0
            self._serve_until(lambda: guard.settled(time.monotonic_ns()), LONGEST_TAKEOVER)
            self._serve_until(self._is_tick_sent, DELIVERY)
            self.get_logger().error(
                'ended while there was something to guard: the controller holds the last effort')
        with suppress(rclpy_implementation.RCLError):
            self._on_watch()

    def _serve_until(self, condition: Callable[[], bool], longest: float) -> None:
        end = time.monotonic() + longest
        while not condition() and time.monotonic() < end:
            with suppress(rclpy_implementation.RCLError):  # for a moment, as at other times
                self.fast_loop.serve(0.01)

    def _is_tick_sent(self) -> bool:
        """Send what is due; returns whether the middleware took it."""
        try:
            self._on_tick()
        except rclpy_implementation.RCLError:
            return False
        return True

    def _effort_limit(self, description: str, joints: tuple[str, ...]) -> Optional[FloatArray]:
        if not description:
            return None
        model = model_from_parameter(description)
        log_what_is_odd(model, self.get_logger().warning)
        limits: FloatArray = model.effort_limit[[model.index(name) for name in joints]]
        return limits

    def _change(self, config: GuardConfig) -> None:
        self._final.check(config.final_action == 'call_service')
        self._guard.configure(config)
        self._tick.due = 0.0

    def _listen(self, kind: type, topic: str, callback: Callable[[Any], None], qos: QoSProfile,
                raw: bool = False) -> Subscription[Any]:
        subscription = self.create_subscription(kind, topic, callback, qos, raw=raw)
        self.fast_loop.listen(subscription)
        return subscription

    def _attend_controller(self) -> None:
        """
        Listen to commands only while a controller hears the efforts, and anew for a new one.

        So the feedforward sees whether it is heard by the arm, and begins with a ramp.
        """
        look, now = self._commanders.look(), time.monotonic()
        if look == SAME:
            if self._commands is None and (
                    self._guard.knows_effort(time.monotonic_ns()) or now > self._listen_at):
                self._commands = self._listen(
                    Float64MultiArray, 'feedforward/commands', self._on_command, LATEST, raw=True)
            return
        if self._commands is not None:
            self.fast_loop.forget(self._commands)
            self.destroy_subscription(self._commands)
            self._commands = None
            self._guard.on_no_subscribers(time.monotonic_ns())
        if look == NEW:
            self._guard.on_new_subscriber(time.monotonic_ns())
            self._listen_at = now + LONGEST_LOOK

    def _on_joint_state(self, raw: bytes) -> None:
        values = self._state_reader.read(raw)
        self._guard.on_joint_state(values.names, values.arrays['effort'], time.monotonic_ns())

    def _on_command(self, raw: bytes) -> None:
        command = self._reader.read(raw).arrays['data']
        self._send(self._guard.on_command(command, time.monotonic_ns()))

    def _on_gravity_effort(self, raw: bytes) -> None:
        values = self._gravity_reader.read(raw)
        self._guard.on_gravity_effort(
            values.names, values.arrays['effort'], time.monotonic_ns())

    def _on_feedforward_state(self, message: String) -> None:
        if message.data == 'finished':
            self._guard.on_finished(time.monotonic_ns())
            self._tick.due = 0.0

    def _clear_trip(self, _: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        """Let commands be forwarded again after a stop that has latched."""
        trip = self._guard.clear_trip()
        response.success = trip is not None
        response.message = 'there is no trip to clear' if trip is None else (
            f'cleared: {trip.text}')
        return response

    def _on_tick(self) -> None:
        effort = self._guard.tick(time.monotonic_ns())
        self._send(effort, effort is None and self._unsent)

    def _send(self, effort: Optional[FloatArray], again: bool = False) -> None:
        """Publish an effort, or the one before that could not be; sleep until a tick is due."""
        soon = time.monotonic() + self._tick.period
        self._tick.due = soon
        if effort is not None:
            self._message.fill(data=effort)
        if effort is not None or again:
            self._unsent = True
            self._efforts.publish(self._message.message)
            self._unsent = False
        self._tick.due = max(soon, 1e-9 * self._guard.quiet_until_ns)

    def _on_watch(self) -> None:
        for raw in drain(self._joint_states):
            self._on_joint_state(raw)
        self._attend_controller()
        self._final.attend(self._guard.wants_service)
        if self._guard.state != self._state:
            self._state = self._guard.state
            self._states.publish(String(data=self._state))
        log_events(self.get_logger(), self._guard.drain_events())

    def _on_diagnostics(self) -> None:
        self._diagnostics.publish(diagnostics(
            self.get_fully_qualified_name(), self.get_clock().now().nanoseconds,
            self._guard.status(time.monotonic_ns())))


def main() -> None:
    """Run the node."""
    sys.exit(run('effort_guard', EffortGuardNode))


if __name__ == '__main__':
    main()
